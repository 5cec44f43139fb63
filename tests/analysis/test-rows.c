/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests steps, root causes, statistics, phases of the run and data loading, on jobs small enough to be calculated by
 * hand.
 */
#include "fixture.h"
#include "trace-maker.h"

#include <math.h>
#include <string.h>

#include "loom-condition-windows.h"
#include "loom-data-loading.h"
#include "loom-loader-processes.h"
#include "loom-phase-intervals.h"
#include "loom-root-cause.h"
#include "loom-row-totals.h"
#include "loom-step-index.h"
#include "loom-step-of-row.h"
#include "loom-step-statistics.h"
#include "loom-step-utilization.h"
#include "loom-time-by-phase.h"

#define assert_near(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-6)
#define SECOND LOOM_NS_PER_S

/* Returns the sum of a metric; −1: the cause has no such metric. */
static gint64
total_of (const LoomDataFrame *frame, const LoomRootCause *cause, const char *metric)
{
  for (guint i = 0; i < cause->n_metrics; i++)
    if (strcmp (loom_data_frame_get_text (frame, cause->metrics[i].metric), metric) == 0)
      return cause->metrics[i].total_ns;
  return -1;
}

/* --- frames -------------------------------------------------------------------------------------------------------- */

static FakeJob *
make_layers (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_span (job, 1, 3, "Forward", "conv", 1, 2, "{\"step_num\": 4, \"layer_name\": \"layer1\"}");
  fake_job_span (job, 1, 3, "Forward", "conv", 1, 2, "{\"step_num\": 4, \"layer_name\": \"layer1\"}");
  fake_job_span (job, 1, 3, "Forward", "conv", 1, 2, "{\"step_num\": 4, \"layer_name\": \"layer1\", \"pid\": 2}");
  fake_job_span (job, 1, 3, "Forward", "relu", 5, 6, "{\"step_num\": \"x\"}");
  fake_job_sample (job, 1, "gpu0", "GPUUtilization", 2, 7);
  fake_job_sample (job, 1, "gpu0", "GPUUtilization", 4, 8);
  return job;
}

/* The metric of a row is the name of the layer rather than that of the event. Identical rows count
 * once. A range excludes rows that end at its begin and rows that begin at its end. */
static void
test_frame (void)
{
  g_autoptr (LoomDataFrame) frame = fake_job_frame (make_layers (), LOOM_NUMBER_CONVENTION_INTENDED);
  const LoomDataFrameRows *rows = &frame->rows;
  g_assert_cmpuint (rows->n, ==, 3);
  g_assert_cmpstr (loom_data_frame_get_text (frame, rows->metric[0]), ==, "layer1");
  g_assert_cmpstr (loom_data_frame_get_event_name (frame, 0), ==, "conv");
  g_assert_cmpint (rows->step[0], ==, 4);
  g_assert_cmpint (rows->step[2], ==, -1);
  g_assert_cmpstr (frame->workers[rows->worker[0]].display, ==, "algo-1-3");
  g_assert_cmpuint (frame->n_workers, ==, 1);
  g_autoptr (LoomDataFrame) part = loom_data_frame_new_in_range (frame, AT (2), AT (5));
  g_assert_cmpuint (part->rows.n, ==, 0);
  g_assert_cmpuint (loom_data_frame_get_n_samples (part), ==, 2);
  g_autoptr (LoomDataFrame) instant = loom_data_frame_new_in_range (frame, AT (2), AT (2));
  g_assert_cmpuint (instant->rows.n, ==, 2);
  g_autoptr (LoomDataFrame) cut = loom_data_frame_new_in_range (frame, AT (1.25), AT (1.5));
  g_assert_cmpint (loom_data_frame_get_time_in_range (cut, 0), ==, SECOND / 4);
  g_assert_cmpint (loom_data_frame_get_time_in_range (frame, 0), ==, SECOND);
  g_autoptr (LoomDataFrame) none = loom_data_frame_new_in_range (part, AT (2.5), AT (3));
  g_assert_cmpuint (none->rows.n, ==, 0);
  g_assert_cmpuint (loom_data_frame_get_n_samples (none), ==, 0);
}

/* If numbers are computed as the library smdebug does, a range includes rows that end at its begin
 * and rows that begin at its end. */
static void
test_frame_as_written (void)
{
  g_autoptr (LoomDataFrame) frame = fake_job_frame (make_layers (), LOOM_NUMBER_CONVENTION_SMDEBUG);
  g_autoptr (LoomDataFrame) before = loom_data_frame_new_in_range (frame, AT (2), AT (4.5));
  g_autoptr (LoomDataFrame) both = loom_data_frame_new_in_range (frame, AT (2), AT (5));
  g_assert_cmpuint (before->rows.n, ==, frame->rows.n - 1);
  g_assert_cmpuint (both->rows.n, ==, frame->rows.n);
}

/* The metric of a row is the arg layer_name; if there is none, the arg name; if there is none either, the name of the
 * event.
 * Covers documented rows: smdebug.md §4 display name */
static void
test_display_names (void)
{
  static const struct {
    const char *args, *shown;
  } rows[] = { { "{\"name\": \"n\", \"layer_name\": \"l\"}", "l" },
               { "{\"layer_name\": \"l\"}", "l" },
               { "{\"name\": \"n\"}", "n" },
               { "{}", "event" } };
  FakeJob *job = fake_job_new ();
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    fake_job_span (job, 1, 3, "Forward", "event", i, i + 1, rows[i].args);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  g_assert_cmpuint (frame->rows.n, ==, G_N_ELEMENTS (rows));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (loom_data_frame_get_text (frame, frame->rows.metric[i]), ==, rows[i].shown);
}

/* Rows that differ only in bytes_fetched are two rows; with equal bytes_fetched they are one.
 * Covers documented rows: smdebug.md §4 bytes */
static void
test_bytes_fetched (void)
{
  static const char *const args[] = { "{\"bytes_fetched\": 81920}", "{\"bytes_fetched\": 81920}",
                                      "{\"bytes_fetched\": 4096}", "{}" };
  FakeJob *job = fake_job_new ();
  for (guint i = 0; i < G_N_ELEMENTS (args); i++)
    fake_job_span (job, 1, 3, "DataIterator", "dataset::GetNext", 1, 2, args[i]);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  g_assert_cmpuint (frame->rows.n, ==, 3);
}

/* If many rows have the same start and few rows have other starts, duplicates are still removed exactly. */
static void
test_many_at_once (void)
{
  FakeJob *job = fake_job_new ();
  for (guint i = 0; i < 200; i++) {
    g_autofree char *args = g_strdup_printf ("{\"step_num\": %u}", i % 100);
    fake_job_span (job, 1, 3, "Forward", "conv", 1, 2, args);
  }
  for (guint i = 0; i < 20; i++)
    fake_job_span (job, 1, 3, "Forward", "conv", 100 + i / 2, 200, "{}");
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  const LoomDataFrameRows *rows = &frame->rows;
  g_assert_cmpuint (rows->n, ==, 110);
  for (gint i = 0; i < 100; i++)
    g_assert_cmpint (rows->step[i], ==, i);
}

static void
test_cancelled (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 1, 2);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, cancellable));
  g_assert_null (loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_SMDEBUG, cancellable));
}

/* --- steps --------------------------------------------------------------------------------------------------------- */

/* The steps of rank 0 take 1, 1, 1, 2 and 5 s. The steps of rank 1 take 4 s each, which is normal for that rank. A step
 * that takes exactly twice the median is no outlier. */
static FakeJob *
uneven_job (void)
{
  FakeJob *job = fake_job_new ();
  static const double fast[] = { 1, 1, 1, 2, 5 };
  double at = 10;
  for (int i = 0; i < 5; i++) {
    fake_job_step (job, 1, 0, i, at, at + fast[i]);
    at += fast[i] + 1;
  }
  for (int i = 0; i < 3; i++)
    fake_job_step (job, 1, 1, i, 10 + 5 * i, 14 + 5 * i);
  return job;
}

static void
test_durations (void)
{
  LoomStepDurations steps;
  g_autoptr (LoomDataFrame) frame = fake_job_frame (uneven_job (), LOOM_NUMBER_CONVENTION_INTENDED);
  loom_step_durations_init (&steps, frame, LOOM_OUTLIER_FACTOR, FALSE);
  g_assert_cmpuint (steps.n_groups, ==, 2);
  assert_near (steps.groups[0].median_ns, (double) SECOND);
  assert_near (steps.groups[1].median_ns, 4.0 * SECOND);
  g_assert_cmpuint (steps.n_outliers, ==, 1);
  g_assert_cmpint (frame->rows.step[steps.outliers[0]], ==, 4);
  g_assert_cmpuint (steps.n_normal, ==, 7);
  g_assert_cmpint (steps.groups[0].total_ns, ==, 10 * SECOND);
  loom_step_durations_clear (&steps);
  /* all ranks are in one group; its sorted durations are 1, 1, 1, 2, 4, 4, 4 and 5 s */
  loom_step_durations_init (&steps, frame, LOOM_OUTLIER_FACTOR, TRUE);
  g_assert_cmpuint (steps.n_groups, ==, 1);
  assert_near (steps.groups[0].median_ns, 3.0 * SECOND);
  g_assert_cmpuint (steps.n_outliers, ==, 0);
  loom_step_durations_clear (&steps);
  loom_step_durations_init (&steps, frame, 1.5, FALSE);
  g_assert_cmpuint (steps.n_outliers, ==, 2);
  loom_step_durations_clear (&steps);
}

/* If numbers are computed as the library smdebug does, a step that takes exactly twice the median is neither normal nor
 * an outlier. */
static void
test_durations_as_written (void)
{
  FakeJob *job = fake_job_new ();
  LoomStepDurations steps;
  static const double durations[] = { 1, 1, 1, 2, 3 };
  for (int i = 0; i < 5; i++)
    fake_job_step (job, 1, i % 2, i, 10 * i, 10 * i + durations[i]);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_SMDEBUG);
  loom_step_durations_init (&steps, frame, LOOM_OUTLIER_FACTOR, FALSE);
  g_assert_cmpuint (steps.n_outliers, ==, 1);
  g_assert_cmpuint (steps.n_normal, ==, 3);
  g_assert_cmpuint (steps.groups[0].n, ==, 5);
  loom_step_durations_clear (&steps);
}

/* --- causes -------------------------------------------------------------------------------------------------------- */

/* Root cause of a bottleneck at 12 s: each row that overlaps or touches this time counts once, with
 * its whole length, and only if it is on the host of the bottleneck. */
static void
test_root_cause (void)
{
  FakeJob *job = fake_job_new ();
  LoomRootCause cause;
  fake_job_step (job, 1, 0, 0, 10, 13);
  fake_job_span (job, 1, 0, "Loader", "next", 11, 12, "{}");
  fake_job_span (job, 1, 0, "Loader", "next", 11.5, 14, "{}");
  fake_job_span (job, 1, 0, "Loader", "next", 12.5, 14, "{}");
  fake_job_span (job, 2, 1, "Loader", "far", 11, 13, "{}");
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  guint32 host = frame->workers[frame->rows.worker[0]].host_id;
  g_autoptr (LoomIntervalSet) windows = loom_interval_set_new (frame->n_hosts, FALSE);
  loom_interval_set_add (windows, host, AT (12), AT (12));
  loom_interval_set_add (windows, host, AT (11.75), AT (11.75)); /* a second window that touches the same rows */
  loom_interval_set_seal (windows);
  loom_root_cause_init (&cause, frame, windows, LOOM_ROWS_ALL);
  g_assert_cmpuint (cause.n_rows, ==, 3);
  g_assert_cmpint (total_of (frame, &cause, "next"), ==, 3.5 * SECOND);
  g_assert_cmpint (total_of (frame, &cause, "Step:ModeKeys.TRAIN"), ==, 3 * SECOND);
  g_assert_cmpstr (loom_data_frame_get_text (frame, cause.metrics[0].metric), ==, "next");
  /* the longest row of the metric takes 2.5 s, the other one 1 s */
  g_assert_cmpint (frame->rows.start_ns[cause.metrics[0].longest], ==, AT (11.5));
  g_assert_cmpint (total_of (frame, &cause, "far"), ==, -1);
  loom_root_cause_clear (&cause);
  loom_root_cause_init (&cause, frame, windows, LOOM_ROWS_NO_STEPS);
  g_assert_cmpint (total_of (frame, &cause, "Step:ModeKeys.TRAIN"), ==, -1);
  loom_root_cause_clear (&cause);
}

/* Root causes in a range: sums are clipped to the range, means are of whole rows. If numbers are
 * computed as the library smdebug does, nothing is clipped. */
static void
test_root_cause_in_range (void)
{
  static const LoomNumberConvention numbers[] = { LOOM_NUMBER_CONVENTION_INTENDED, LOOM_NUMBER_CONVENTION_SMDEBUG };
  static const gint64 expected_ns[] = { 1.5 * SECOND, 3 * SECOND };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    FakeJob *job = fake_job_new ();
    LoomRootCause cause;
    LoomStepDurations steps;
    gsize near = 0;
    fake_job_step (job, 1, 0, 0, 10, 14);
    fake_job_span (job, 1, 0, "Loader", "next", 10, 13, "{}");
    g_autoptr (LoomDataFrame) frame = fake_job_frame (job, numbers[i]);
    g_autoptr (LoomDataFrame) part = loom_data_frame_new_in_range (frame, AT (11.5), AT (20));
    loom_step_durations_init (&steps, part, LOOM_OUTLIER_FACTOR, FALSE);
    g_autoptr (LoomIntervalSet) windows = loom_condition_windows_in_steps (part, steps.normal, steps.n_normal);
    loom_root_cause_init (&cause, part, windows, LOOM_ROWS_NO_STEPS);
    g_assert_cmpint (cause.metrics[0].in_range_ns, ==, expected_ns[i]);
    g_assert_cmpint (cause.metrics[0].total_ns, ==, 3 * SECOND);
    g_assert_cmpint (steps.groups[0].in_range_ns, ==, i == 0 ? 2.5 * SECOND : 4 * SECOND);
    g_assert_cmpint (loom_interval_set_touch (windows, 0, AT (10), AT (11.5) - 1, &near), ==, i == 1);
    g_assert_true (loom_interval_set_touch (windows, 0, AT (11.5), AT (14), &near));
    loom_root_cause_clear (&cause);
    loom_step_durations_clear (&steps);
  }
}

static char *
draw_intervals (const LoomPhaseIntervals *intervals)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < intervals->n; i++)
    g_string_append_printf (text, "%s%g-%g %s", i > 0 ? ", " : "",
                            (double) (intervals->items[i].begin_ns - AT (0)) / 1e9,
                            (double) (intervals->items[i].end_ns - AT (0)) / 1e9, intervals->items[i].name);
  return g_string_free (text, FALSE);
}

static void
test_phase_intervals (void)
{
  FakeJob *job = fake_job_new ();
  LoomPhaseIntervals intervals;
  fake_job_sample (job, 1, "gpu0", "GPUUtilization", 5, 1);
  fake_job_sample (job, 1, "gpu0", "GPUUtilization", 50, 1);
  fake_job_step (job, 1, 0, 0, 10, 14);
  fake_job_step (job, 1, 0, 1, 15, 20);
  fake_job_span (job, 1, 0, "Step:ModeKeys.EVAL", "Step:ModeKeys.EVAL", 30, 31, "{\"step_num\": 0}");
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  loom_phase_intervals_init (&intervals, frame, 0, NULL);
  g_autofree char *drawn = draw_intervals (&intervals);
  g_assert_cmpstr (
    drawn, ==,
    "5-10 Before Step:ModeKeys.TRAIN, 10-20 Step:ModeKeys.TRAIN, "
    "20-30 Between Step:ModeKeys.EVAL and Step:ModeKeys.TRAIN, 30-31 Step:ModeKeys.EVAL, 31-50 After Step:ModeKeys.EVAL");
  g_assert_cmpint (intervals.items[0].end_ns, ==, AT (10) - 1);
  g_assert_cmpint (intervals.items[2].begin_ns, ==, AT (20) + 1);
  loom_phase_intervals_clear (&intervals);
  /* steps of the same mode are also joined if only this mode is selected */
  loom_phase_intervals_init (&intervals, frame, 0, "Step:ModeKeys.TRAIN");
  g_assert_cmpuint (intervals.n, ==, 3);
  loom_phase_intervals_clear (&intervals);
}

/* Each host has the phases of its own steps. A data frame of a part of the run has separate steps for each host, too.
 */
static void
test_phase_intervals_of_hosts (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 14);
  fake_job_step (job, 2, 1, 0, 11, 15);
  fake_job_step (job, 2, 1, 1, 16, 21);
  fake_job_step (job, 1, 0, 1, 15, 20);
  g_autoptr (LoomDataFrame) whole = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  g_autoptr (LoomDataFrame) part = loom_data_frame_new_of_steps (whole, 1, 1);
  static const char *const expected[] = { "10-20 Step:ModeKeys.TRAIN", "11-21 Step:ModeKeys.TRAIN" };
  for (guint32 host = 0; host < 2; host++) {
    LoomPhaseIntervals intervals;
    guint n;
    loom_phase_intervals_init (&intervals, whole, host, NULL);
    g_autofree char *drawn = draw_intervals (&intervals);
    g_assert_cmpstr (drawn, ==, expected[host]);
    loom_phase_intervals_clear (&intervals);
    const guint32 *rows = loom_data_frame_get_host_steps (part, host, &n);
    g_assert_cmpuint (n, ==, 1);
    g_assert_cmpint (part->rows.end_ns[rows[0]], ==, AT (host == 0 ? 20 : 21));
  }
}

/* The phases of a range are those of the run, clipped: a range that begins between two training steps is not "before
 * training". */
static void
test_phase_intervals_in_range (void)
{
  FakeJob *job = fake_job_new ();
  LoomPhaseIntervals intervals;
  for (int at = 5; at <= 50; at++)
    fake_job_sample (job, 1, "gpu0", "GPUUtilization", at, 1);
  fake_job_step (job, 1, 0, 0, 10, 14);
  fake_job_step (job, 1, 0, 1, 20, 26);
  fake_job_span (job, 1, 0, "Step:ModeKeys.EVAL", "Step:ModeKeys.EVAL", 30, 31, "{\"step_num\": 0}");
  g_autoptr (LoomDataFrame) whole = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new_in_range (whole, AT (16), AT (28));
  loom_phase_intervals_init (&intervals, frame, 0, NULL);
  g_autofree char *drawn = draw_intervals (&intervals);
  g_assert_cmpstr (drawn, ==, "16-26 Step:ModeKeys.TRAIN, 26-28 Between Step:ModeKeys.EVAL and Step:ModeKeys.TRAIN");
  loom_phase_intervals_clear (&intervals);
}

/* A row counts for a time only if the time is strictly inside the row: 11 and 12 s are inside the
 * row [10, 13], so the row counts twice; 10 and 13 s are not. A row that ends at the begin of an
 * interval does not overlap it. */
static void
test_overlaps (void)
{
  FakeJob *job = fake_job_new ();
  LoomTimeByPhase overlaps;
  fake_job_step (job, 1, 0, 0, 10, 14);
  fake_job_span (job, 1, 0, "op", "conv", 10, 13, "{}");
  const gint64 times[] = { AT (10), AT (11), AT (12), AT (13) };
  const LoomRange intervals[] = { { AT (13), AT (15) } };
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  loom_time_by_phase_init_at (&overlaps, frame, times, 4);
  g_assert_cmpint (loom_time_by_phase_get_max (overlaps.events), ==, 6 * SECOND);
  g_assert_cmpint (loom_time_by_phase_get_max (overlaps.phases), ==, 12 * SECOND);
  loom_time_by_phase_clear (&overlaps);
  loom_time_by_phase_init_in (&overlaps, frame, intervals, 1);
  g_assert_cmpint (loom_time_by_phase_get_max (overlaps.processes), ==, 3 * SECOND);
  g_assert_cmpuint (overlaps.phases->len, ==, 0);
  loom_time_by_phase_clear (&overlaps);
}

static void
test_row_totals (void)
{
  LoomRowTotals totals;
  g_autoptr (LoomDataFrame) frame = fake_job_frame (uneven_job (), LOOM_NUMBER_CONVENTION_INTENDED);
  loom_row_totals_init (&totals, frame, FALSE);
  g_assert_cmpuint (totals.n, ==, 2);
  loom_row_totals_clear (&totals);
  loom_row_totals_init (&totals, frame, TRUE);
  g_assert_cmpuint (totals.n, ==, 1);
  g_assert_cmpuint (totals.items[0].count, ==, 8);
  g_assert_cmpint (totals.items[0].total_ns, ==, 22 * SECOND);
  loom_row_totals_clear (&totals);
}

/* --- data loading -------------------------------------------------------------------------------------------------- */

/* Batches of worker 3 begin at 0, 0.1, 0.2, 0.3 and 0.7 s: the times between them are 0.1, 0.1, 0.1
 * and 0.4 s, and the last one is an outlier. The first batch has no batch time. */
static void
test_batches (void)
{
  static const double starts[] = { 0, 0.1, 0.2, 0.3, 0.7 };
  FakeJob *job = fake_job_new ();
  LoomDataLoading loading;
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    fake_job_span (job, 1, 0, "DataLoaderIter", "_MultiProcessingDataLoaderIter::GetNext", starts[i], starts[i] + 0.005,
                   "{\"pid\": 44, \"worker_id\": 3}");
  fake_job_span (job, 1, 0, "DataLoaderIter", "_MultiProcessingDataLoaderIter::GetNext", 0.35, 0.36, "{\"pid\": 45}");
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  loom_data_loading_init (&loading, frame);
  g_assert_cmpuint (loading.batches.n, ==, 4);
  assert_near (loading.batches.median_ns, 1e8);
  g_assert_cmpuint (loading.batches.n_outliers, ==, 1);
  g_assert_cmpint (loading.batches.outliers[0].begin_ns, ==, AT (0.3));
  g_assert_cmpint (loading.batches.outliers[0].end_ns, ==, AT (0.7));
  g_assert_cmpint (loading.batches.outliers[0].worker_id, ==, 3);
  g_assert_cmpuint (loading.get_next.n, ==, 6);
  g_assert_cmpuint (loading.get_next.n_outliers, ==, 0); /* 10 ms is exactly twice the median; an outlier is longer */
  loom_data_loading_clear (&loading);
}

/* If numbers are computed as the library smdebug does, a duration of exactly twice the median is an outlier. So if all
 * durations are zero, all rows are outliers. */
static void
test_loader_outliers (void)
{
  for (int numbers = 0; numbers < 2; numbers++) {
    FakeJob *job = fake_job_new ();
    LoomDataLoading loading;
    for (int i = 0; i < 3; i++)
      fake_job_span (job, 1, 0, "DataLoaderIterInitialize", "_SingleProcessDataLoaderIter.__init__", i, i,
                     i == 0 ? "{\"num_workers\": 0, \"pin_memory\": true}" : "{\"num_workers\": 2}");
    fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", 1, 2, "{\"pid\": 5}");
    fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", 3, 4, "{\"pid\": 5}");
    g_autoptr (LoomDataFrame) frame = fake_job_frame (job, (LoomNumberConvention) numbers);
    loom_data_loading_init (&loading, frame);
    const LoomLoaderIterator *single = &loading.iterators[1];
    g_assert_cmpuint (loading.iterators[0].times.n, ==, 0);
    g_assert_cmpuint (single->times.n, ==, 3);
    g_assert_cmpuint (single->times.n_outliers, ==, numbers == LOOM_NUMBER_CONVENTION_INTENDED ? 0 : 3);
    g_assert_cmpuint (single->n_workers->len, ==, 2);
    g_assert_cmpuint (single->pin_memory->len, ==, 2);
    g_assert_cmpstr (g_ptr_array_index (single->pin_memory, 0), ==, "True");
    g_assert_cmpuint (loading.workers.n, ==, 2);
    loom_data_loading_clear (&loading);
  }
}

static void
assert_loads (const LoomDataFrame *frame, guint host, const char *name, double at_a_time, gint64 n_seconds,
              guint n_workers)
{
  g_autoptr (GPtrArray) hosts = loom_loader_processes_list_hosts (frame);
  g_assert_cmpuint (host, <, hosts->len);
  const LoomLoaderHost *found = g_ptr_array_index (hosts, host);
  g_assert_cmpstr (loom_data_frame_get_host (frame, found->host_id), ==, name);
  assert_near (found->at_a_time, at_a_time);
  g_assert_cmpint (found->n_seconds, ==, n_seconds);
  g_assert_cmpuint (found->n_workers, ==, n_workers);
}

/* The lifetime of a loader worker lasts from its first to its last event, clipped to the range. The training process
 * that fetches batches is not counted as a worker. A rank without workers loads its data itself. The analysis of a
 * worker that lives for centuries takes no longer than that of a short-lived worker. */
static void
test_loader_processes (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 20; i++)
    fake_job_span (job, 1, 0, "DataLoaderIter", "_MultiProcessingDataLoaderIter::GetNext", 1 + i, 1.5 + i,
                   "{\"pid\": 9, \"worker_id\": 0}");
  fake_job_span (job, 1, 0, "DataLoaderIterInitialize", "_MultiProcessingDataLoaderIter.__init__", 0, 1,
                 "{\"pid\": 9, \"num_workers\": 3}");
  fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", 1, 21, "{\"pid\": 10}");
  fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", 1.2, 21, "{\"pid\": 11}");
  for (int i = 0; i < 4; i++) /* one event per batch */
    fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", 1.1 + 6 * i, 1.2 + 6 * i, "{\"pid\": 12}");
  fake_job_span (job, 2, 1, "DataLoaderIter", "_SingleProcessDataLoaderIter::GetNext", 3, 4, "{\"pid\": 9}");
  fake_job_span (job, 2, 1, "DataLoaderIter", "_SingleProcessDataLoaderIter::GetNext", 12, 13, "{\"pid\": 9}");
  for (int i = 0; i < 4; i++) /* rank 2 has only calls of the training process that state the number of a worker,
                               * and no events of the workers */
    fake_job_span (job, 3, 2, "DataLoaderIter", "_MultiProcessingDataLoaderIter::GetNext", 1 + i * 0.1, 9 - i * 0.1,
                   i % 2 == 0 ? "{\"pid\": 9, \"worker_id\": 0}" : "{\"pid\": 9, \"worker_id\": 1}");
  fake_job_span (job, 4, 3, "DataLoaderWorker", "worker", 0, 2e9, "{\"pid\": 10}");
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  assert_loads (frame, 0, "algo-1", 3, 20, 3);
  assert_loads (frame, 1, "algo-2", 1, 10, 0);
  assert_loads (frame, 2, "algo-3", 2, 8, 2);
  assert_loads (frame, 3, "algo-4", 1, 2000000000, 1);
  g_autoptr (LoomDataFrame) part = loom_data_frame_new_in_range (frame, AT (2), AT (7)),
                            within = loom_data_frame_new_in_range (part, AT (0), AT (4) - 1);
  assert_loads (part, 0, "algo-1", 2, 5, 2); /* the third worker has no event in this range */
  assert_loads (within, 0, "algo-1", 2, 2, 2);
}

/* The args of loader rows, and the defaults for rows without them.
 * Covers documented rows: smdebug.md §4 worker_id | num_workers | pin_memory */
static void
test_loader_args (void)
{
  static const char *const args[] = { "{\"num_workers\": 4, \"pin_memory\": true}",
                                      "{\"num_workers\": \"2\", \"pin_memory\": \"true\"}",
                                      "{\"num_workers\": 4, \"pin_memory\": false}", "{}" };
  static const char *const pinned[] = { "True", "False", "NA" };
  static const gint64 n_workers[] = { 4, 2, -1 };
  FakeJob *job = fake_job_new ();
  LoomDataLoading loading;
  for (guint i = 0; i < G_N_ELEMENTS (args); i++)
    fake_job_span (job, 1, 0, "DataLoaderIterInitialize", "_MultiProcessingDataLoaderIter.__init__", i, i + 1, args[i]);
  for (guint i = 0; i < 5; i++)
    fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", i, i + 0.1, "{\"worker_id\": 0}");
  fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", 5, 7, "{\"worker_id\": \"6\"}");
  fake_job_span (job, 1, 0, "DataLoaderWorker", "worker", 8, 9, "{\"pid\": 1}");
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  loom_data_loading_init (&loading, frame);
  const LoomLoaderIterator *iterator = &loading.iterators[0];
  g_assert_cmpuint (iterator->pin_memory->len, ==, G_N_ELEMENTS (pinned));
  g_assert_cmpuint (iterator->n_workers->len, ==, G_N_ELEMENTS (n_workers));
  for (guint i = 0; i < G_N_ELEMENTS (pinned); i++)
    g_assert_cmpstr (g_ptr_array_index (iterator->pin_memory, i), ==, pinned[i]);
  for (guint i = 0; i < G_N_ELEMENTS (n_workers); i++)
    g_assert_cmpint (g_array_index (iterator->n_workers, gint64, i), ==, n_workers[i]);
  g_assert_cmpuint (loading.workers.n_outliers, ==, 2);
  g_assert_cmpint (loading.workers.outliers[0].worker_id, ==, 6);
  g_assert_cmpint (loading.workers.outliers[1].worker_id, ==, -1);
  loom_data_loading_clear (&loading);
}

/* Each device of a host has a line with the same steps, and a second profiler may have recorded the steps, too. The
 * spans of these additional recordings are neither further steps nor work in a step, so they are not rows. */
static void
test_steps_recorded_again (void)
{
  Maker maker = maker_new ("host.trace.json.gz", "tensorflow");
  for (guint device = 0; device < 2; device++) {
    const char *process = device == 0 ? "/device:GPU:0" : "/device:GPU:1";
    guint32 line = maker_thread (&maker, process, 0, "Steps", LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED);
    guint32 stream = maker_thread (&maker, process, 0, "Stream #14", LOOM_TRACK_DEVICE);
    maker_span (&maker, line, "0", "", 0, 100 + device);
    maker_span (&maker, line, "1", "", 200, 100 - device);
    maker_span (&maker, line, "idle", "", 310, 5);
    maker_span (&maker, stream, "gemm", "", 210, 20);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  const LoomDataFrameRows *rows = &frame->rows;
  guint n_steps = 0;
  g_assert_cmpuint (rows->n, ==, 4);
  for (guint32 i = 0; i < rows->n; i++) {
    gboolean is_step = (rows->flags[i] & LOOM_ROW_STEP) != 0;
    g_assert_cmpstr (loom_data_frame_get_text (frame, rows->metric[i]), ==, is_step ? "Step" : "gemm");
    n_steps += is_step;
  }
  g_assert_cmpuint (n_steps, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame", test_frame);
  g_test_add_func ("/frame/as-written", test_frame_as_written);
  g_test_add_func ("/frame/display-names", test_display_names);
  g_test_add_func ("/frame/bytes-fetched", test_bytes_fetched);
  g_test_add_func ("/frame/many-at-once", test_many_at_once);
  g_test_add_func ("/frame/cancelled", test_cancelled);
  g_test_add_func ("/durations", test_durations);
  g_test_add_func ("/durations/as-written", test_durations_as_written);
  g_test_add_func ("/root-cause", test_root_cause);
  g_test_add_func ("/root-cause-in-range", test_root_cause_in_range);
  g_test_add_func ("/phase-intervals", test_phase_intervals);
  g_test_add_func ("/phase-intervals-of-hosts", test_phase_intervals_of_hosts);
  g_test_add_func ("/phase-intervals-in-range", test_phase_intervals_in_range);
  g_test_add_func ("/overlaps", test_overlaps);
  g_test_add_func ("/row-totals", test_row_totals);
  g_test_add_func ("/batches", test_batches);
  g_test_add_func ("/loader-outliers", test_loader_outliers);
  g_test_add_func ("/loader-args", test_loader_args);
  g_test_add_func ("/loader-processes", test_loader_processes);
  g_test_add_func ("/frame/steps-recorded-again", test_steps_recorded_again);
  return g_test_run ();
}
