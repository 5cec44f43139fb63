/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the statistics of smdebug's class PandasFrameAnalysis as JSON with the same keys. A table becomes an object
 * with the members "columns" and "rows". smdebug cannot compute the statistics if a row (span) lies in no step; the
 * reason is then written instead.
 */
#include <math.h>
#include <string.h>

#include "loom-device-usage.h"
#include "loom-phase-intervals.h"
#include "loom-report-private.h"
#include "loom-step-of-row.h"
#include "loom-step-statistics.h"
#include "loom-utilization-statistics.h"

/* maximum number of rows in the table of the time ranges of one training phase */
#define N_TRAIN_INTERVALS 12

static const LoomUsageRange custom_ranges[] = { { 0, 25 }, { 25, 50 }, { 50, 75 }, { 75, 100 } };

static gint64
us (gint64 ns)
{
  return ns / LOOM_NS_PER_US;
}

static void
begin_table (JsonBuilder *builder, const char *name, const char *const *columns)
{
  loom_json_util_begin_object (builder, name);
  loom_json_util_add_texts (builder, "columns", columns);
  loom_json_util_begin_array (builder, "rows");
}

static void
end_table (JsonBuilder *builder)
{
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
put_summary (JsonBuilder *builder, const LoomStatistics *summary, double unit)
{
  const double values[] = { summary->mean, summary->min, summary->max, summary->p50, summary->p95, summary->p99 };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    loom_json_util_put_double (builder, values[i] / unit);
}

/* --- statistics of the job ---------------------------------------------------------------------------------------- */

static gboolean
begins_job (const LoomDataFrameRows *rows, const LoomStepOfRow *steps, guint32 row)
{
  return steps->on_rank[row] == 0 && (rows->flags[row] & LOOM_ROW_TRAIN) != 0;
}

/* Adds a column to the statistics of the job, with one value for each row of step 0. smdebug intended a single value;
 * its mistake is repeated here, so that the report has the same table as smdebug. */
static void
add_column (JsonBuilder *builder, const char *name, const LoomDataFrameRows *rows, const LoomStepOfRow *steps,
            gint64 end_ns, double scale)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint32 i = 0; i < rows->n; i++)
    if (begins_job (rows, steps, i))
      loom_json_util_put_double (builder, (double) us (end_ns - rows->start_ns[i]) * scale);
}

static void
add_time (JsonBuilder *builder, const char *name, gint64 time_ns)
{
  g_autofree char *text = loom_report_dup_time (time_ns);
  loom_json_util_add_text (builder, name, text);
}

/* Adds the statistics of the job. `first`: index of the first row (span) of step 0. */
static void
add_job (const LoomReport *report, JsonBuilder *builder, const LoomStepOfRow *steps, guint32 first)
{
  const LoomDataFrameRows *rows = &report->frame->rows;
  const LoomJobPhases *phases = &report->phases;
  gint64 end_ns = G_MININT64;
  for (guint32 i = 0; i < rows->n; i++)
    end_ns = MAX (end_ns, rows->end_ns[i]);
  double duration = (double) us (loom_time_sub (phases->job_end_ns, phases->job_begin_ns));
  gint64 initialization = loom_report_us (report, rows->start_ns[first]),
         finalization = us (phases->job_end_ns - end_ns);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "job_statistics");
  add_time (builder, "start_time", phases->job_begin_ns);
  add_time (builder, "end_time", phases->job_end_ns);
  loom_json_util_add_double (builder, "job_duration", duration);
  add_time (builder, "training_loop_start", rows->start_ns[first]);
  add_time (builder, "training_loop_end", end_ns);
  add_column (builder, "training_loop_duration", rows, steps, end_ns, 1);
  loom_json_util_add_int (builder, "initialization", initialization);
  loom_json_util_add_int (builder, "finalization", finalization);
  loom_json_util_add_double (builder, "initialization_%", loom_statistics_percent ((double) initialization, duration));
  add_column (builder, "training_loop_%", rows, steps, end_ns, duration > 0 ? 100 / duration : 0);
  loom_json_util_add_double (builder, "finalization_%", loom_statistics_percent ((double) finalization, duration));
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static void
add_step_statistics (const LoomReport *report, JsonBuilder *builder, const LoomStepOfRow *steps, const char *by_name,
                     LoomStepKey by)
{
  const char *const columns[] = { by_name,           "duration_mean_us", "duration_min_us", "duration_max_us",
                                  "duration_p50_us", "duration_p95_us",  "duration_p99_us", NULL };
  g_autofree char *name = g_strconcat ("step_statistics_by_", by_name, NULL);
  LoomStepStatistics statistics;
  loom_step_statistics_init (&statistics, report->frame, steps, by, FALSE);
  begin_table (builder, name, columns);
  for (guint i = 0; i < statistics.n; i++) {
    g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
    json_builder_add_string_value (builder, loom_data_frame_get_text (report->frame, statistics.items[i].key));
    put_summary (builder, &statistics.items[i].ns, LOOM_NS_PER_US);
  }
  end_table (builder);
  loom_step_statistics_clear (&statistics);
}

/* Adds the table of utilization as the member `name`. `type`: kind of resource; NULL: all kinds. `by_phase`: TRUE to
 * add a row for each training phase. */
static void
add_utilization (const LoomReport *report, JsonBuilder *builder, const char *name, const char *type, gboolean by_phase)
{
  const char *const plain[] = { "Resource",        "nodeID",          "utilization_mean",
                                "utilization_min", "utilization_max", "utilization_p50",
                                "utilization_p95", "utilization_p99", NULL };
  const char *const phased[] = {
    "Resource",        "Training_phase",  "nodeID",          "utilization_mean", "utilization_min",
    "utilization_max", "utilization_p50", "utilization_p95", "utilization_p99",  NULL
  };
  LoomUtilizationStatistics statistics;
  loom_utilization_statistics_init (&statistics, report->frame, by_phase);
  begin_table (builder, name, by_phase ? phased : plain);
  for (guint i = 0; i < statistics.n; i++) {
    const LoomUtilizationStatistic *item = &statistics.items[i];
    if (type != NULL && strcmp (item->type, type) != 0)
      continue;
    g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
    json_builder_add_string_value (builder, item->type);
    if (by_phase)
      json_builder_add_string_value (builder, item->phase);
    json_builder_add_string_value (builder, item->host);
    put_summary (builder, &item->value, 1);
  }
  end_table (builder);
  loom_utilization_statistics_clear (&statistics);
}

static void
add_intervals (const LoomReport *report, JsonBuilder *builder, const char *name, const char *mode, guint n_shown)
{
  static const char *const columns[] = { "start_time_us", "end_time_us", "phase", NULL };
  LoomPhaseIntervals intervals;
  loom_phase_intervals_init (&intervals, report->frame, 0, mode);
  begin_table (builder, name, columns);
  for (guint i = 0; i < MIN (intervals.n, n_shown); i++) {
    g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
    json_builder_add_int_value (builder, loom_report_us (report, intervals.items[i].begin_ns));
    json_builder_add_int_value (builder, loom_report_us (report, intervals.items[i].end_ns));
    json_builder_add_string_value (builder, intervals.items[i].name);
  }
  end_table (builder);
  loom_phase_intervals_clear (&intervals);
}

/* Returns TRUE if a range of utilization has samples. As in smdebug, the table has no column for ranges without
 * samples. */
static gboolean
is_used (const LoomDeviceUsage *usage, guint range)
{
  for (guint i = 0; i < usage->n; i++)
    if (usage->rows[i].count[range] > 0)
      return TRUE;
  return FALSE;
}

static int
compare_ranges (gconstpointer a, gconstpointer b, gpointer ranges)
{
  const LoomUsageRange *x = (const LoomUsageRange *) ranges + *(const guint *) a,
                       *y = (const LoomUsageRange *) ranges + *(const guint *) b;
  return x->low != y->low ? (x->low < y->low ? -1 : 1) : x->high < y->high ? -1 : x->high > y->high;
}

static void
add_usage (const LoomReport *report, JsonBuilder *builder, const char *name, const LoomUsageRange *ranges, guint n,
           gboolean with_cpu)
{
  LoomDeviceUsage usage;
  guint order[LOOM_MAX_USAGE_RANGES], n_used = 0;
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  loom_device_usage_init (&usage, report->frame, ranges, n, with_cpu);
  for (guint i = 0; i < n; i++)
    if (is_used (&usage, i))
      order[n_used++] = i;
  g_qsort_with_data (order, (gint) n_used, sizeof *order, compare_ranges, (gpointer) ranges);
  g_ptr_array_add (columns, g_strdup ("type"));
  g_ptr_array_add (columns, g_strdup ("nodeID"));
  for (guint i = 0; i < n_used; i++)
    g_ptr_array_add (columns, g_strdup_printf ("%g-%g", ranges[order[i]].low, ranges[order[i]].high));
  g_ptr_array_add (columns, NULL);
  begin_table (builder, name, (const char *const *) columns->pdata);
  for (guint i = 0; i < usage.n; i++) {
    g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
    json_builder_add_string_value (builder, usage.rows[i].type);
    json_builder_add_string_value (builder, usage.rows[i].host);
    for (guint k = 0; k < n_used; k++)
      json_builder_add_int_value (builder, (gint64) usage.rows[i].count[order[k]]);
  }
  end_table (builder);
  loom_device_usage_clear (&usage);
}

static void
add_tables (const LoomReport *report, JsonBuilder *builder, const LoomStepOfRow *steps)
{
  add_step_statistics (report, builder, steps, "training_phase", LOOM_BY_TRAINING_PHASE);
  add_step_statistics (report, builder, steps, "framework_metric", LOOM_BY_METRIC);
  add_step_statistics (report, builder, steps, "process", LOOM_BY_PROCESS);
  add_utilization (report, builder, "utilization", NULL, FALSE);
  add_utilization (report, builder, "utilization_gpu", "gpu", FALSE);
  add_intervals (report, builder, "training_phase_intervals", NULL, G_MAXUINT);
  add_intervals (report, builder, "training_phase_intervals_train", "Step:ModeKeys.TRAIN", N_TRAIN_INTERVALS);
  add_utilization (report, builder, "utilization_by_training_phase", NULL, TRUE);
  add_usage (report, builder, "device_usage", loom_device_usage_ranges, G_N_ELEMENTS (loom_device_usage_ranges), TRUE);
  add_usage (report, builder, "device_usage_custom", custom_ranges, G_N_ELEMENTS (custom_ranges), FALSE);
}

void
loom_report_build_smdebug_statistics (const LoomReport *report, JsonBuilder *builder)
{
  const LoomDataFrameRows *rows = &report->frame->rows;
  guint32 first = 0;
  LoomStepOfRow steps;
  loom_step_of_row_init (&steps, report->frame);
  while (first < rows->n && !begins_job (rows, &steps, first))
    first++;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  if (steps.n_without > 0) {
    g_autofree char *why = g_strdup_printf ("%u rows lie in no step: the original fails on them", steps.n_without);
    loom_json_util_add_text (builder, "error", why);
  } else if (first == rows->n || !report->phases.has_samples) {
    loom_json_util_add_text (builder, "error",
                             first == rows->n ? "There is no training step 0" : "There are no system metrics");
  } else {
    add_job (report, builder, &steps, first);
    add_tables (report, builder, &steps);
  }
  loom_step_of_row_clear (&steps);
}
