/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the memory use of each device as JSON and as text.
 */
#include "loom-memory-section.h"

#include "loom-chart.h"
#include "loom-report-private.h"

/* Maximum number of devices, and of owners of memory per device, in the report as text; the JSON document lists all. */
#define N_DEVICES 16
#define N_HOLDERS 5

static const LoomMemoryDevice *
get_device (const LoomMemoryUse *use, guint i)
{
  return &g_array_index (use->devices, LoomMemoryDevice, i);
}

/* Returns the name of a device in the report as text: "cpu", "gpu0". Owned by the caller. */
static char *
dup_device (const LoomMemoryDevice *device)
{
  return device->is_host ? g_strdup ("cpu") : g_strdup_printf ("gpu%" G_GINT64_FORMAT, MAX (device->number, 0));
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void
build_holder (const LoomMemoryUse *use, const LoomMemoryDevice *device, const LoomMemoryHolder *holder,
              JsonBuilder *builder)
{
  const LoomMemoryOwner *owner = loom_memory_use_get_owner (use, holder);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "operator", owner->name);
  loom_json_util_add_text (builder, "module", owner->module);
  loom_json_util_add_int (builder, "allocations", (gint64) holder->n);
  loom_json_util_add_int (builder, "allocated_bytes", holder->allocated);
  loom_json_util_add_int (builder, "largest_bytes", holder->largest);
  loom_json_util_add_int (builder, "held_bytes", holder->held);
  json_builder_set_member_name (builder, "left_bytes");
  if (loom_memory_use_knows_left (device))
    json_builder_add_int_value (builder, holder->left);
  else
    json_builder_add_null_value (builder);
}

static void
build_steps (const LoomMemoryUse *use, const LoomMemoryDevice *device, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "step_end_bytes");
  for (guint i = 0; i < device->n_steps; i++)
    json_builder_add_int_value (builder, g_array_index (use->steps, LoomMemoryStep, device->first_step + i).level);
}

static void
build_device (const LoomMemoryUse *use, const LoomMemoryDevice *device, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  g_autofree char *name = dup_device (device);
  loom_json_util_add_text (builder, "node", device->node);
  loom_report_add_rank (builder, device->rank, device->is_process);
  loom_json_util_add_int (builder, "source", device->source);
  loom_json_util_add_text (builder, "device", name);
  loom_json_util_add_bool (builder, "relative", device->is_relative);
  loom_json_util_add_int (builder, "allocations", (gint64) device->n_allocations);
  loom_json_util_add_int (builder, "frees", (gint64) device->n_frees);
  loom_json_util_add_int (builder, "breaks", (gint64) device->n_breaks);
  loom_json_util_add_int (builder, "begin_bytes", device->begin);
  loom_json_util_add_int (builder, "end_bytes", device->end);
  loom_json_util_add_int (builder, "allocated_bytes", device->allocated);
  loom_json_util_add_int (builder, "peak_bytes", device->peak);
  loom_json_util_add_int (builder, "peak_ns", device->peak_ns);
  loom_json_util_add_int (builder, "before_bytes", device->before);
  loom_json_util_add_int_if (builder, "reserved_peak_bytes", device->reserved_peak != LOOM_MEMORY_UNKNOWN,
                             device->reserved_peak);
  loom_json_util_add_int_if (builder, "reserved_at_peak_bytes", device->reserved_at_peak != LOOM_MEMORY_UNKNOWN,
                             device->reserved_at_peak);
  build_steps (use, device, builder);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "holders");
  for (guint i = 0; i < device->n_holders; i++)
    build_holder (use, device, loom_memory_use_get_holder (use, device, i), builder);
}

void
loom_memory_section_build (const LoomMemoryUse *use, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "memory");
  loom_report_add_missing (builder, loom_memory_use_get_missing (use));
  loom_report_add_advice (builder, loom_memory_use_get_advice (use));
  loom_json_util_add_int (builder, "not_read", (gint64) use->events->n_left);
  loom_json_util_add_int (builder, "args_lost", (gint64) use->events->n_lost);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "devices");
  for (guint i = 0; i < use->devices->len; i++)
    build_device (use, get_device (use, i), builder);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void
write_holder (const LoomMemoryUse *use, const LoomMemoryHolder *holder, GString *out)
{
  const LoomMemoryOwner *owner = loom_memory_use_get_owner (use, holder);
  g_autofree char *name = loom_span_analysis_dup_name (owner->name[0] != '\0' ? owner->name : "unknown"),
                  *module = loom_span_analysis_dup_name (owner->module),
                  *held = loom_chart_format ((double) holder->held, "B"),
                  *allocated = loom_chart_format ((double) holder->allocated, "B");
  g_string_append_printf (out, "    %10s held by %s%s%s; it allocated %s in %" G_GUINT64_FORMAT " %s\n", held, name,
                          module[0] != '\0' ? " in " : "", module, allocated, holder->n,
                          holder->n == 1 ? "allocation" : "allocations");
}

static void
write_device (const LoomMemoryUse *use, const LoomMemoryDevice *device, GString *out)
{
  g_autofree char *who =
    loom_report_dup_who (loom_timeline_get_run (use->timeline), device->rank, device->is_process, device->source);
  g_autofree char *name = dup_device (device), *peak = loom_chart_format ((double) device->peak, "B"),
                  *reserved = loom_chart_format ((double) MAX (device->reserved_peak, 0), "B"),
                  *before = loom_chart_format ((double) device->before, "B");
  g_string_append_printf (out, "  %-20s %s: peak %s%s", who, name, peak,
                          device->is_relative ? " above the level at the start of the recording" : "");
  if (device->reserved_peak > 0)
    g_string_append_printf (out, ", reserved up to %s", reserved);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < MIN (device->n_holders, N_HOLDERS); i++)
    if (loom_memory_use_get_holder (use, device, i)->held > 0)
      write_holder (use, loom_memory_use_get_holder (use, device, i), out);
  if (device->before > 0)
    g_string_append_printf (out, "    %10s %s\n", before,
                            device->before > device->initial ? "not explained by a recorded allocation"
                                                             : "allocated before the recording");
}

void
loom_memory_section_write (const LoomMemoryUse *use, GString *out)
{
  if (use->devices->len == 0)
    return;
  g_string_append (out, "\nMemory at its peak\n");
  for (guint i = 0; i < MIN (use->devices->len, N_DEVICES); i++)
    write_device (use, get_device (use, i), out);
  if (use->devices->len > N_DEVICES)
    g_string_append_printf (out, "  and %u more devices\n", use->devices->len - N_DEVICES);
}
