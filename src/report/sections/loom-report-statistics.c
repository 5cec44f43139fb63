/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the sections of the report with statistics: durations of steps by training phase, by metric and by process;
 * utilization by resource and phase; how the samples are divided into classes of GPU usage, such as idle or busy; and
 * the sequence of phases.
 */
#include <math.h>

#include "loom-device-usage.h"
#include "loom-phase-intervals.h"
#include "loom-report-private.h"
#include "loom-step-of-row.h"
#include "loom-step-statistics.h"
#include "loom-utilization-statistics.h"

/* minimum number of values for statistics; with fewer values, they are null in the JSON document */
#define MIN_VALUES 2

static void
add_summary (JsonBuilder *builder, const LoomStatistics *summary)
{
  gboolean enough = summary->n >= MIN_VALUES;
  loom_json_util_add_int (builder, "count", (gint64) summary->n);
  loom_json_util_add_double (builder, "mean", enough ? summary->mean : NAN);
  loom_json_util_add_double (builder, "min", enough ? summary->min : NAN);
  loom_json_util_add_double (builder, "max", enough ? summary->max : NAN);
  loom_json_util_add_double (builder, "p50", enough ? summary->p50 : NAN);
  loom_json_util_add_double (builder, "p95", enough ? summary->p95 : NAN);
  loom_json_util_add_double (builder, "p99", enough ? summary->p99 : NAN);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* Adds a table of steps. If the run has index files, tables by metric or process are empty: for some functions, an
 * index file contains only an annotation on the device, whose duration differs from that of the function. */
static void
add_step_table (const LoomReport *report, JsonBuilder *builder, const char *name, const LoomStepOfRow *steps,
                LoomStepKey by, gboolean per_rank)
{
  LoomStepStatistics statistics;
  loom_step_statistics_init (&statistics, report->frame, steps, by, per_rank);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  gboolean is_known = by == LOOM_BY_TRAINING_PHASE || loom_report_no_hosts (report) == NULL;
  for (guint i = 0; is_known && i < statistics.n; i++) {
    const LoomStepStatistic *item = &statistics.items[i];
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "name", loom_data_frame_get_text (report->frame, item->key));
    if (per_rank)
      loom_json_util_add_text (builder, "node", report->frame->workers[item->worker].display);
    loom_json_util_add_int (builder, "steps", item->n_steps);
    loom_json_util_add_int (builder, "ranks", item->n_ranks);
    add_summary (builder, &item->ns);
  }
  loom_step_statistics_clear (&statistics);
}

/* Adds the durations of steps, in ns; "count" is the number of steps of all ranks. */
void
loom_report_build_step_statistics (const LoomReport *report, JsonBuilder *builder)
{
  LoomStepOfRow steps;
  loom_step_of_row_init (&steps, report->frame);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  const char *no_hosts = loom_report_no_hosts (report);
  loom_report_add_missing (builder, report->steps.n_groups == 0 ? "There are no training steps" : no_hosts);
  loom_json_util_add_int (builder, "rows_in_no_step", steps.n_without);
  add_step_table (report, builder, "by_training_phase", &steps, LOOM_BY_TRAINING_PHASE, FALSE);
  add_step_table (report, builder, "by_metric", &steps, LOOM_BY_METRIC, FALSE);
  add_step_table (report, builder, "by_process", &steps, LOOM_BY_PROCESS, FALSE);
  add_step_table (report, builder, "by_training_phase_and_rank", &steps, LOOM_BY_TRAINING_PHASE, TRUE);
  loom_step_of_row_clear (&steps);
}

static void
write_step_line (GString *out, const char *name, const LoomStepStatistic *item)
{
  const LoomStatistics *ns = &item->ns;
  g_autofree char *ranks = item->n_ranks > 1 ? g_strdup_printf (" of %u ranks", item->n_ranks) : g_strdup ("");
  if (ns->n < MIN_VALUES) {
    g_string_append_printf (out, "  %-40s –\n", name);
    return;
  }
  g_autofree char *mean = loom_time_format_duration ((gint64) ns->mean),
                  *p50 = loom_time_format_duration ((gint64) ns->p50),
                  *p95 = loom_time_format_duration ((gint64) ns->p95),
                  *max = loom_time_format_duration ((gint64) ns->max);
  g_string_append_printf (out, "  %-40s %6u step%s%s, mean %s, median %s, p95 %s, max %s\n", name, item->n_steps,
                          loom_report_plural (item->n_steps), ranks, mean, p50, p95, max);
}

void
loom_report_write_step_statistics (const LoomReport *report, GString *out)
{
  LoomStepStatistics statistics;
  LoomStepOfRow steps;
  loom_step_of_row_init (&steps, report->frame);
  g_string_append (out, "\nStep statistics\n");
  loom_step_statistics_init (&statistics, report->frame, &steps, LOOM_BY_TRAINING_PHASE, FALSE);
  for (guint i = 0; i < statistics.n; i++)
    write_step_line (out, loom_data_frame_get_text (report->frame, statistics.items[i].key), &statistics.items[i]);
  if (statistics.n == 0)
    g_string_append (out, "  There are no steps\n");
  loom_step_statistics_clear (&statistics);
  loom_step_of_row_clear (&steps);
}

/* --- utilization -------------------------------------------------------------------------------------------------- */

static void
add_resources (const LoomReport *report, JsonBuilder *builder, const char *name, gboolean by_phase)
{
  LoomUtilizationStatistics statistics;
  loom_utilization_statistics_init (&statistics, report->frame, by_phase);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < statistics.n; i++) {
    const LoomUtilizationStatistic *item = &statistics.items[i];
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "type", item->type);
    loom_json_util_add_text (builder, "dimension", item->dimension);
    if (item->name != NULL)
      loom_json_util_add_text (builder, "name", item->name);
    loom_json_util_add_text (builder, "unit", item->unit);
    if (by_phase)
      loom_json_util_add_text (builder, "phase", item->phase);
    loom_json_util_add_text (builder, "node", item->host);
    add_summary (builder, &item->value);
  }
  loom_utilization_statistics_clear (&statistics);
}

static const char *
no_samples (const LoomReport *report)
{
  return report->phases.has_samples ? NULL : "There are no system metrics";
}

void
loom_report_build_utilization_statistics (const LoomReport *report, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, no_samples (report));
  add_resources (report, builder, "by_resource", FALSE);
  if (report->phases.has_loop)
    add_resources (report, builder, "by_training_phase", TRUE);
  else
    loom_json_util_add_text (builder, "by_training_phase", NULL);
}

void
loom_report_write_utilization_statistics (const LoomReport *report, GString *out)
{
  LoomUtilizationStatistics statistics;
  if (!loom_report_has_samples (report))
    return;
  g_string_append (out, "\nResources\n");
  loom_utilization_statistics_init (&statistics, report->frame, FALSE);
  for (guint i = 0; i < statistics.n; i++) {
    const LoomUtilizationStatistic *item = &statistics.items[i];
    /* `own` is NULL only with the number convention of smdebug */
    g_autofree char *own = loom_utilization_statistics_dup_label (item);
    const char *dimension = own != NULL ? own : "all";
    if (item->value.n < MIN_VALUES)
      g_string_append_printf (out, "  %-8s %-32s %-8s –\n", item->host, dimension, item->type);
    else
      g_string_append_printf (out, "  %-8s %-32s %-8s mean %.4g, median %.4g, p95 %.4g, max %.4g %s\n", item->host,
                              dimension, item->type, item->value.mean, item->value.p50, item->value.p95,
                              item->value.max, item->dimension != NULL ? item->unit : "");
  }
  loom_utilization_statistics_clear (&statistics);
}

void
loom_report_build_device_usage (const LoomReport *report, JsonBuilder *builder)
{
  LoomDeviceUsage usage;
  guint n_ranges = G_N_ELEMENTS (loom_device_usage_ranges);
  loom_device_usage_init (&usage, report->frame, loom_device_usage_ranges, n_ranges, TRUE);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
  for (guint i = 0; i < usage.n; i++) {
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "type", usage.rows[i].type);
    loom_json_util_add_text (builder, "node", usage.rows[i].host);
    for (guint k = 0; k < n_ranges; k++) {
      g_autofree char *name =
        g_strdup_printf ("%g-%g", loom_device_usage_ranges[k].low, loom_device_usage_ranges[k].high);
      g_auto (LoomJsonScope) inner = loom_json_util_open_object (builder, name);
      loom_json_util_add_int (builder, "samples", (gint64) usage.rows[i].count[k]);
      loom_json_util_add_double (
        builder, "percent",
        loom_statistics_percent ((double) usage.rows[i].count[k], (double) usage.rows[i].n_samples));
    }
  }
  loom_device_usage_clear (&usage);
}

/* --- phases ------------------------------------------------------------------------------------------------------- */

void
loom_report_build_phase_intervals (const LoomReport *report, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
  for (guint32 host = 0; host < report->frame->n_hosts; host++) {
    LoomPhaseIntervals intervals;
    loom_phase_intervals_init (&intervals, report->frame, host, NULL);
    for (guint i = 0; i < intervals.n; i++) {
      g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
      loom_json_util_add_text (builder, "node", loom_data_frame_get_host (report->frame, host));
      loom_json_util_add_text (builder, "phase", intervals.items[i].name);
      loom_json_util_add_int (builder, "begin_ns", intervals.items[i].begin_ns);
      loom_json_util_add_int (builder, "end_ns", intervals.items[i].end_ns);
    }
    loom_phase_intervals_clear (&intervals);
  }
}
