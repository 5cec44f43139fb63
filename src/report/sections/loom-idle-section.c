/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints idle times, their causes and the delays of launches as JSON and as text.
 */
#include "loom-idle-section.h"

#include "loom-idle-start.h"
#include "loom-report-private.h"
#include "loom-track-name.h"

/* Maximum number of devices in the report as text; the JSON document lists all devices. */
#define N_DEVICES 64

static void
build_place (JsonBuilder *builder, const char *node, gint rank, gboolean is_process, guint source)
{
  loom_json_util_add_text (builder, "node", node);
  loom_report_add_rank (builder, rank, is_process);
  loom_json_util_add_int (builder, "source", source);
}

static void
build_gaps (JsonBuilder *builder, const char *member, const LoomIdleGaps *gaps, const char *const *names)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, member);
  for (guint i = 0; i < LOOM_N_IDLE_CAUSES; i++) {
    g_auto (LoomJsonScope) cause = loom_json_util_open_object (builder, names[i]);
    loom_json_util_add_int (builder, "gaps", (gint64) gaps[i].n);
    loom_json_util_add_int (builder, "total_ns", gaps[i].total_ns);
    loom_json_util_add_int (builder, "longest_ns", gaps[i].longest_ns);
  }
}

/* `first_ns`, `last_ns`: time of a device before its first and after its last work, in which it counts as idle on pages;
 * not part of row->idle_ns. */
static void
build_row (JsonBuilder *builder, const LoomIdleRow *row, gint64 first_ns, gint64 last_ns)
{
  static const char *const binding[] = { "host", "launch_gap", "other", "unknown" };
  static const char *const hta[] = { "host_wait", "kernel_wait", "other", "unknown" };
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  build_place (builder, row->node, row->rank, row->is_process, row->source);
  loom_json_util_add_text (builder, "device", row->device);
  g_autofree char *stream = row->stream != NULL ? loom_track_name_dup_thread (row->stream) : NULL;
  if (stream != NULL)
    loom_json_util_add_text (builder, "stream", stream);
  loom_json_util_add_int (builder, "spans", (gint64) row->n_works);
  loom_json_util_add_int (builder, "unlinked", (gint64) row->n_unlinked);
  loom_json_util_add_int (builder, "overlapping", (gint64) row->n_overlaps);
  loom_json_util_add_int (builder, "recorded_ns", row->recorded_ns);
  loom_json_util_add_int (builder, "idle_ns", row->idle_ns);
  build_gaps (builder, "causes", row->binding, binding);
  loom_json_util_add_int (builder, "data_wait_ns", row->data_ns);
  build_gaps (builder, "hta", row->hta, hta);
  if (row->stream == NULL) {
    loom_json_util_add_int (builder, "first_wait_ns", first_ns);
    loom_json_util_add_int (builder, "last_wait_ns", last_ns);
    return;
  }
  loom_json_util_add_int (builder, "longest_queue", (gint64) row->longest_queue);
  loom_json_util_add_double (builder, "mean_queue", row->mean_queue);
  loom_json_util_add_int (builder, "queued_ns", row->queued_ns);
  loom_json_util_add_int (builder, "full_queue_ns", row->full_queue_ns);
}

static void
build_launches (JsonBuilder *builder, guint element, gconstpointer all)
{
  const LoomIdleLaunches *launches = &g_array_index ((const GArray *) all, LoomIdleLaunches, element);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  build_place (builder, launches->node, launches->rank, launches->is_process, launches->source);
  loom_json_util_add_text (builder, "name", launches->name);
  loom_json_util_add_int (builder, "launches", (gint64) launches->n);
  loom_json_util_add_int (builder, "host_ns", launches->host_ns);
  loom_json_util_add_int (builder, "device_ns", launches->device_ns);
  loom_json_util_add_int (builder, "delay_ns", launches->delay_ns);
  loom_json_util_add_int (builder, "longest_delay_ns", launches->longest_delay_ns);
  loom_json_util_add_int (builder, "early", (gint64) launches->n_early);
  loom_json_util_add_int (builder, "short_kernels", (gint64) launches->n_short);
  loom_json_util_add_int (builder, "slow_calls", (gint64) launches->n_slow_calls);
  loom_json_util_add_int (builder, "long_delays", (gint64) launches->n_long_delays);
}

/* The arguments of build_device(). */
typedef struct {
  const LoomIdleTime *idle, *counted;
} Devices;

static void
build_device (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  const Devices *devices = user_data;
  const LoomIdleRow *row = &g_array_index (devices->idle->devices, LoomIdleRow, element),
                    *counted = &g_array_index (devices->counted->devices, LoomIdleRow, element);
  gint64 first_ns = loom_idle_start_get_before (row, counted);
  build_row (builder, row, first_ns, loom_time_sub (loom_time_sub (counted->idle_ns, row->idle_ns), first_ns));
}

static void
build_stream (JsonBuilder *builder, guint element, gconstpointer rows)
{
  build_row (builder, &g_array_index ((const GArray *) rows, LoomIdleRow, element), 0, 0);
}

void
loom_idle_section_build (const LoomIdleTime *idle, const LoomIdleTime *counted, JsonBuilder *builder)
{
  const Devices devices = { idle, counted };
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "idle");
  loom_report_add_missing (builder, loom_idle_time_get_missing (idle));
  loom_report_add_advice (builder, loom_idle_time_get_advice (idle));
  loom_json_util_add_list (builder, "devices", idle->devices->len, build_device, g_memdup2 (&devices, sizeof devices),
                           g_free);
  loom_json_util_add_list (builder, "streams", idle->streams->len, build_stream, idle->streams, NULL);
  loom_json_util_add_list (builder, "launches", idle->launches->len, build_launches, idle->launches, NULL);
}

static void
write_device (const LoomIdleRow *row, GString *out)
{
  static const char *const causes[] = { "for the host", "between queued kernels", "for other streams or devices",
                                        "without a known launch" };
  g_autofree char *time = loom_time_format_duration (row->idle_ns);
  double recorded_ns = (double) MAX (row->recorded_ns, 1), idle_ns = (double) MAX (row->idle_ns, 1);
  g_string_append_printf (out, "  %s", row->device);
  if (row->rank >= 0)
    g_string_append_printf (out, row->is_process ? " of process %d" : " of rank %d", row->rank);
  g_string_append_printf (out, ": idle %.1f %% (%s)", 100 * (double) row->idle_ns / recorded_ns, time);
  for (guint i = 0, n = 0; i < LOOM_N_IDLE_CAUSES; i++)
    if (row->binding[i].total_ns > 0)
      g_string_append_printf (out, "%s%.0f %% %s", n++ > 0 ? ", " : "; of this ",
                              100 * (double) row->binding[i].total_ns / idle_ns, causes[i]);
  if (row->data_ns > 0)
    g_string_append_printf (out, "; %.0f %% while the rank waits for data", 100 * (double) row->data_ns / idle_ns);
  g_string_append_c (out, '\n');
}

void
loom_idle_section_write (const LoomIdleTime *counted, GString *out)
{
  const char *missing = loom_idle_time_get_missing (counted);
  g_string_append (out, "\nIdle time of devices, by what ends it\n");
  if (missing != NULL)
    loom_report_write_missing (out, missing, loom_idle_time_get_advice (counted));
  for (guint i = 0; i < MIN (counted->devices->len, N_DEVICES); i++)
    write_device (&g_array_index (counted->devices, LoomIdleRow, i), out);
  if (counted->devices->len > N_DEVICES)
    g_string_append_printf (out, "  and %u more\n", counted->devices->len - N_DEVICES);
}
