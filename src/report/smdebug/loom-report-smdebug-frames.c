/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes what smdebug's class PandasFrame returns for the trace: the row counts of its tables, and the results of its
 * queries by step, by time, by instants and by intervals.
 *
 * The arguments of the queries are chosen by a fixed rule for every trace. The query by step is made for the three
 * steps after the first third of all steps. The queries by time and by intervals are made for four training steps,
 * beginning with the middle one. The query by instants is made for the first 20 instants in the training loop at which
 * GPUs are idle.
 */
#include <string.h>

#include "loom-report-private.h"
#include "loom-row-totals.h"
#include "loom-time-by-phase.h"

#define N_STEPS 3
#define N_INTERVALS 4
#define N_INSTANTS 20
#define IDLE_GPU 10.0

static void
add_system (const LoomReport *report, JsonBuilder *builder)
{
  static const char *const columns[] = { "timestamp", "timestamp_us", "value", "system_metric",
                                         "dimension", "nodeID",       "type",  NULL };
  const LoomSampleSeries *series = report->frame->series;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "system");
  loom_json_util_add_int (builder, "rows", (gint64) loom_data_frame_get_n_samples (report->frame));
  loom_json_util_add_texts (builder, "columns", columns);
  g_auto (LoomJsonScope) by_object = loom_json_util_open_object (builder, "by");
  for (guint i = 0; i < report->frame->n_series; i++) {
    if (series[i].n == 0)
      continue;
    g_autofree double *values = g_memdup2 (series[i].value, series[i].n * sizeof (double));
    LoomStatistics summary = loom_statistics_summarise (values, series[i].n);
    g_autofree char *key = g_strjoin (" | ", series[i].type, series[i].name, series[i].dimension,
                                      loom_data_frame_get_host (report->frame, series[i].host_id), NULL);
    g_auto (LoomJsonScope) inner = loom_json_util_open_object (builder, key);
    loom_json_util_add_int (builder, "count", (gint64) summary.n);
    loom_json_util_add_double (builder, "mean", summary.mean);
    loom_json_util_add_double (builder, "min", summary.min);
    loom_json_util_add_double (builder, "max", summary.max);
  }
}

static void
add_framework (const LoomReport *report, JsonBuilder *builder)
{
  static const char *const columns[] = { "start_time", "end_time", "start_time_us",    "end_time_us",
                                         "tid",        "pid",      "framework_metric", "step",
                                         "bytes",      "process",  "nodeID",           NULL };
  LoomRowTotals totals;
  loom_row_totals_init (&totals, report->frame, FALSE);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "framework");
  loom_json_util_add_int (builder, "rows", report->frame->rows.n);
  loom_json_util_add_texts (builder, "columns", columns);
  g_auto (LoomJsonScope) by_object = loom_json_util_open_object (builder, "by");
  for (guint i = 0; i < totals.n; i++) {
    const LoomRowTotal *item = &totals.items[i];
    g_autofree char *key = g_strjoin (" | ", loom_data_frame_get_text (report->frame, item->process),
                                      loom_data_frame_get_text (report->frame, item->metric),
                                      report->frame->workers[item->worker].display, NULL);
    g_auto (LoomJsonScope) inner = loom_json_util_open_object (builder, key);
    loom_json_util_add_int (builder, "count", (gint64) item->count);
    loom_json_util_add_int (builder, "total_us", item->total_ns / LOOM_NS_PER_US);
  }
  loom_row_totals_clear (&totals);
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

/* Returns the indices of the rows that are training steps, in ascending order. Owned by the caller. */
static GArray *
dup_training (const LoomReport *report)
{
  const LoomDataFrameRows *rows = &report->frame->rows;
  GArray *training = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < rows->n; i++)
    if ((rows->flags[i] & LOOM_ROW_TRAIN) != 0)
      g_array_append_val (training, i);
  return training;
}

static void
add_by_metric (JsonBuilder *builder, const LoomDataFrame *frame)
{
  LoomRowTotals totals;
  loom_row_totals_init (&totals, frame, TRUE);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "by");
  for (guint i = 0; i < totals.n; i++)
    loom_json_util_add_int (builder, loom_data_frame_get_text (frame, totals.items[i].metric),
                            (gint64) totals.items[i].count);
  loom_row_totals_clear (&totals);
}

static void
add_by_step (const LoomReport *report, JsonBuilder *builder, const GArray *training)
{
  gint32 last = -1;
  for (guint i = 0; i < training->len; i++)
    last = MAX (last, report->frame->rows.step[g_array_index (training, guint32, i)]);
  gint32 first_step = (last + 1) / 3, last_step = first_step + N_STEPS - 1;
  g_autoptr (LoomDataFrame) chosen = loom_data_frame_new_of_steps (report->frame, first_step, last_step);
  const LoomDataFrameRows *found = &chosen->rows;
  gint64 begin_ns = G_MAXINT64, end_ns = G_MININT64;
  for (guint32 i = 0; i < found->n; i++) {
    begin_ns = MIN (begin_ns, found->start_ns[i]);
    end_ns = MAX (end_ns, found->end_ns[i]);
  }
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "by_step");
  loom_json_util_add_int (builder, "start_step", first_step);
  loom_json_util_add_int (builder, "end_step", last_step);
  loom_json_util_add_int (builder, "system_rows", (gint64) loom_data_frame_get_n_samples (chosen));
  loom_json_util_add_int (builder, "framework_rows", found->n);
  loom_json_util_add_int_if (builder, "start_us", found->n > 0, found->n > 0 ? loom_report_us (report, begin_ns) : 0);
  loom_json_util_add_int_if (builder, "end_us", found->n > 0, found->n > 0 ? loom_report_us (report, end_ns) : 0);
  add_by_metric (builder, chosen);
}

static void
add_by_time (const LoomReport *report, JsonBuilder *builder, const LoomRange *intervals, guint n)
{
  g_autoptr (LoomDataFrame) chosen =
    loom_data_frame_new_in_range (report->frame, intervals[0].begin_ns, intervals[n - 1].end_ns);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "by_time");
  loom_json_util_add_int (builder, "start_us", intervals[0].begin_ns / LOOM_NS_PER_US);
  loom_json_util_add_int (builder, "end_us", intervals[n - 1].end_ns / LOOM_NS_PER_US);
  loom_json_util_add_int (builder, "system_rows", (gint64) loom_data_frame_get_n_samples (chosen));
  loom_json_util_add_int (builder, "framework_rows", chosen->rows.n);
  add_by_metric (builder, chosen);
}

static void
add_shares (JsonBuilder *builder, const char *name, const GArray *sums)
{
  gint64 max_ns = loom_time_by_phase_get_max (sums);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  for (guint i = 0; i < sums->len; i++) {
    const LoomPhaseTimeSum *sum = &g_array_index (sums, LoomPhaseTimeSum, i);
    loom_json_util_add_double (builder, sum->name, max_ns > 0 ? (double) sum->total_ns / (double) max_ns : 0);
  }
}

static void
add_totals (JsonBuilder *builder, const char *name, const GArray *sums)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  for (guint i = 0; i < sums->len; i++) {
    const LoomPhaseTimeSum *sum = &g_array_index (sums, LoomPhaseTimeSum, i);
    loom_json_util_add_int (builder, sum->name, sum->total_ns / LOOM_NS_PER_US);
  }
}

static gsize
find_instants (const LoomReport *report, GArray *times)
{
  const LoomSampleSeries *series = report->frame->series;
  for (guint i = 0; i < report->frame->n_series; i++) {
    if (!loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION))
      continue;
    for (guint32 k = 0; k < series[i].n; k++)
      if (series[i].value[k] <= IDLE_GPU &&
          loom_job_phases_in_loop (&report->phases, LOOM_NUMBER_CONVENTION_SMDEBUG, series[i].time_ns[k]))
        g_array_append_vals (times, &series[i].time_ns[k], 1);
  }
  gsize n_times = loom_statistics_sort_times ((gint64 *) times->data, times->len);
  return MIN (n_times, N_INSTANTS);
}

/* Adds the member "by_timestamps": sums of durations by process, by event and by training phase. For each instant of
 * find_instants(), the durations of the rows (spans) that run at this instant are added to the sums. The last instant
 * is ignored, as in smdebug. The member is null if there are fewer than two instants. */
static void
add_by_instants (const LoomReport *report, JsonBuilder *builder)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint n = (guint) find_instants (report, times);
  LoomTimeByPhase overlaps;
  if (n < 2) {
    loom_json_util_add_text (builder, "by_timestamps", NULL);
    return;
  }
  loom_time_by_phase_init_at (&overlaps, report->frame, (const gint64 *) times->data, n);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "by_timestamps");
  loom_json_util_begin_array (builder, "timestamps");
  for (guint i = 0; i < n; i++) {
    g_autofree char *text = loom_report_dup_time (g_array_index (times, gint64, i));
    json_builder_add_string_value (builder, text);
  }
  json_builder_end_array (builder);
  add_shares (builder, "framework_metrics", overlaps.processes);
  add_totals (builder, "detailed", overlaps.events);
  add_totals (builder, "training_phase", overlaps.phases);
  loom_time_by_phase_clear (&overlaps);
}

static void
add_ends (JsonBuilder *builder, const char *name, const LoomRange *intervals, guint n, gboolean begins)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < n; i++) {
    g_autofree char *text = loom_report_dup_time (begins ? intervals[i].begin_ns : intervals[i].end_ns);
    json_builder_add_string_value (builder, text);
  }
}

static void
add_by_intervals (const LoomReport *report, JsonBuilder *builder, const LoomRange *intervals, guint n)
{
  LoomTimeByPhase overlaps;
  loom_time_by_phase_init_in (&overlaps, report->frame, intervals, n);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "by_intervals");
  add_ends (builder, "begin", intervals, n, TRUE);
  add_ends (builder, "end", intervals, n, FALSE);
  add_shares (builder, "framework_metrics", overlaps.processes);
  add_shares (builder, "detailed", overlaps.events);
  loom_time_by_phase_clear (&overlaps);
}

void
loom_report_build_smdebug_frames (const LoomReport *report, JsonBuilder *builder)
{
  const LoomDataFrameRows *rows = &report->frame->rows;
  g_autoptr (GArray) training = dup_training (report);
  LoomRange intervals[N_INTERVALS];
  guint n = 0;
  for (guint i = training->len / 2; i < training->len && n < N_INTERVALS; i++) {
    guint32 row = g_array_index (training, guint32, i);
    intervals[n++] = (LoomRange) { rows->start_ns[row], rows->end_ns[row] };
  }
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "start_time_us", report->frame->origin_ns / LOOM_NS_PER_US);
  add_system (report, builder);
  add_framework (report, builder);
  if (n > 0) {
    add_by_step (report, builder, training);
    add_by_time (report, builder, intervals, n);
    add_by_instants (report, builder);
    add_by_intervals (report, builder, intervals, n);
  }
}
