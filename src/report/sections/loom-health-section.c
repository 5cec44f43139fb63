/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the results of the checks of each trace as JSON and as text.
 */
#include "loom-health-section.h"

#include "loom-report-private.h"

/* Maximum number of findings in the report as text; the JSON document lists all findings. */
#define N_LISTED 16

static void
build_check (JsonBuilder *builder, const LoomHealthRow *row)
{
  if (row->n_of == 0 && row->n == 0)
    return;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "check", loom_trace_health_to_string (row->check));
  loom_json_util_add_int (builder, "count", (gint64) row->n);
  loom_json_util_add_int (builder, "of", (gint64) row->n_of);
  loom_json_util_add_int_if (builder, "worst_ns", row->worst_ns > 0, row->worst_ns);
  loom_json_util_add_bool (builder, "alarm", row->is_alarming);
  loom_json_util_add_bool (builder, "weighs", row->weighs);
}

typedef struct {
  const LoomTraceHealth *health;
  LoomTimeline *timeline;
} Traces;

static void
build_trace (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  const Traces *traces = user_data;
  g_auto (LoomJsonScope) trace = loom_json_util_open_object (builder, NULL);
  gint rank = loom_trace_health_get (traces->health, element, 0)->rank;
  LoomRun *run = loom_timeline_get_run (traces->timeline);
  loom_json_util_add_int_if (builder, "rank", rank >= 0, rank);
  loom_json_util_add_int (builder, "source", loom_run_get_first_source (run, element));
  g_auto (LoomJsonScope) checks = loom_json_util_open_array (builder, "checks");
  for (guint k = 0; k < LOOM_N_HEALTH; k++)
    build_check (builder, loom_trace_health_get (traces->health, element, k));
}

void
loom_health_section_build (const LoomTraceHealth *health, LoomTimeline *timeline, JsonBuilder *builder)
{
  Traces *traces = g_new (Traces, 1);
  *traces = (Traces) { health, timeline };
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "health");
  loom_json_util_add_int (builder, "alarms", loom_trace_health_count_alarms (health));
  loom_json_util_add_int (builder, "args_not_read", (gint64) health->n_left);
  loom_json_util_add_list (builder, "traces", health->n_traces, build_trace, traces, g_free);
}

static void
write_row (const LoomHealthRow *row, LoomTimeline *timeline, GString *out)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  guint source = loom_run_get_first_source (run, row->trace);
  g_autofree char *who = loom_report_dup_who (run, row->rank, loom_report_is_process (run, row->rank, source), source),
                  *worst = loom_time_format_duration (row->worst_ns);
  g_string_append_printf (out, "  %-20s %s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, who,
                          loom_trace_health_get_title (row->check), row->n, row->n_of);
  if (row->worst_ns > 0)
    g_string_append_printf (out, ", by up to %s", worst);
  g_string_append_printf (out, "\n    %s\n", loom_trace_health_get_meaning (row->check));
}

void
loom_health_section_write (const LoomTraceHealth *health, LoomTimeline *timeline, GString *out)
{
  guint n_alarms = 0, n = 0;
  for (guint i = 0; i < health->rows->len; i++)
    n_alarms += g_array_index (health->rows, LoomHealthRow, i).weighs;
  if (n_alarms == 0)
    return;
  g_string_append (out, "\nFigures that may be wrong, because records contradict each other\n");
  for (guint i = 0; i < health->rows->len; i++) {
    const LoomHealthRow *row = &g_array_index (health->rows, LoomHealthRow, i);
    if (row->weighs && n++ < N_LISTED)
      write_row (row, timeline, out);
  }
  if (n_alarms > N_LISTED)
    g_string_append_printf (out, "  and %u more\n", n_alarms - N_LISTED);
}
