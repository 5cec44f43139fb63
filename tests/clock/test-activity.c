/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests alignment by activity, which correlates the GPU utilization that a monitor recorded with the kernels in a
 * trace: the correlation itself, the pairs of times derived from it, and the placement of a clock without an epoch.
 */
#include "job-run.h"
#include "loom-alignment.h"
#include "loom-cross-correlation.h"
#include "loom-evidence.h"

#include <math.h>
#include <string.h>

#define MS LOOM_NS_PER_MS
#define STEP_NS (500 * MS)
#define N_BINS 240u
#define LAG_NS (G_GINT64_CONSTANT (12345) * MS) /* time of the monitor at which the clock of the kernels is 0 */

static void
test_paper (void)
{
  const double a[] = { 0, 0, 1, 3, 1, 0, 0, 0 }, b[] = { 0, 0, 0, 0, 0, 1, 3, 1, 0, 0 };
  LoomCrossCorrelation lag;
  g_assert_true (loom_cross_correlation_find (&lag, a, 8, b, 10, -4, 6, 4));
  g_assert_cmpint (lag.lag, ==, 3);
  g_assert_cmpfloat_with_epsilon (lag.correlation, 1, 1e-9);
  g_assert_cmpfloat (lag.other, <, 0.5);
  g_assert_cmpfloat_with_epsilon (lag.fraction, 0, 0.2);
  /* the same two series, exchanged: the lag has the opposite sign */
  g_assert_true (loom_cross_correlation_find (&lag, b, 10, a, 8, -6, 4, 4));
  g_assert_cmpint (lag.lag, ==, -3);
  g_assert_false (loom_cross_correlation_find (&lag, a, 8, b, 10, 20, 30, 4)); /* the series do not overlap for any lag
                                                                                * in this range */
  const double flat[] = { 2, 2, 2, 2, 2, 2, 2, 2 };
  /* a constant series has no correlation */
  g_assert_false (loom_cross_correlation_find (&lag, a, 8, flat, 8, -2, 2, 4));
}

/* Returns the GPU utilization (0 to 1) in an interval of half a second; the pattern repeats only if `repeats` is
 * TRUE. */
static double
busy_in (guint bin, gboolean repeats)
{
  guint32 x = (repeats ? bin % 4 : bin / 3) * 2654435761u;
  return ((x >> 16) % 100) / 100.0;
}

static LoomTrace *
new_monitor (const char *dimension, gboolean repeats)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  loom_trace_builder_get_clock (builder, clock)->state = LOOM_CLOCK_EXACT;
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("system.json"), clock);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1);
  guint32 counter = loom_trace_builder_counter (builder, process, "", 0, dimension, strlen (dimension), "", 0);
  guint32 series = loom_trace_builder_series (builder, counter, "gpu0", 4);
  for (guint i = 0; i < N_BINS; i++) /* a sample covers the half second before it */
    loom_trace_builder_sample (builder, series, JOB_BASE_NS + (i + 1) * STEP_NS, 100 * busy_in (i, repeats),
                               loom_source_ref_make (0, 0, i));
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* Builds a trace of kernels that keep the GPU as busy as the trace of new_monitor() states. The clock of the kernels is
 * 0 at the time LAG_NS of the monitor. */
static LoomTrace *
new_kernels (LoomClockState state, gboolean repeats)
{
  JobRank rank = job_rank_begin (0, state);
  for (gint64 at_ns = LAG_NS; at_ns < (gint64) (N_BINS - 20) * STEP_NS; at_ns += 50 * MS)
    job_rank_work (&rank, "kernel", at_ns - LAG_NS,
                   at_ns - LAG_NS + (gint64) (busy_in ((guint) (at_ns / STEP_NS), repeats) * 50 * (double) MS) + 1);
  return job_rank_end (&rank);
}

static LoomRun *
new_run (const char *dimension, LoomClockState state, gboolean repeats)
{
  LoomTrace *traces[] = { new_monitor (dimension, repeats), new_kernels (state, repeats) };
  return job_run_new (traces, 2);
}

static void
test_pairs (void)
{
  g_autoptr (LoomRun) run = new_run ("GPUUtilization", LOOM_CLOCK_NONE, FALSE);
  g_autoptr (LoomEvidence) evidence = loom_evidence_new (2);
  loom_evidence_add_activity (evidence, run);
  g_assert_cmpuint (evidence->occasions->len, >=, 6);
  for (guint i = 0; i < evidence->occasions->len; i++) {
    const LoomSimultaneity *occasion = &g_array_index (evidence->occasions, LoomSimultaneity, i);
    const LoomClockObservation *readings = &g_array_index (evidence->readings, LoomClockObservation, occasion->first);
    g_assert_cmpint (occasion->kind, ==, LOOM_EVIDENCE_ACTIVITY);
    g_assert_cmpint (occasion->uncertainty_ns, ==, STEP_NS);
    gint64 off_ns = readings[0].local_ns - readings[1].local_ns - JOB_BASE_NS - LAG_NS;
    g_test_message ("pair %u is off by %" G_GINT64_FORMAT " ms", i, off_ns / MS);
    g_assert_cmpint (ABS (off_ns), <, STEP_NS);
  }
}

/* No pairs are found if the kernels' clock has an epoch, if the counter is not GPU utilization, or if the utilization
 * repeats, so that more than one lag fits. */
static void
test_nothing (void)
{
  g_autoptr (LoomRun) anchored = new_run ("GPUUtilization", LOOM_CLOCK_EXACT, FALSE),
                      other = new_run ("CPUUtilization", LOOM_CLOCK_NONE, FALSE),
                      repeats = new_run ("GPUUtilization", LOOM_CLOCK_NONE, TRUE);
  LoomRun *const runs[] = { anchored, other, repeats };
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++) {
    g_autoptr (LoomEvidence) evidence = loom_evidence_new (2);
    loom_evidence_add_activity (evidence, runs[i]);
    g_assert_cmpuint (evidence->occasions->len, ==, 0);
  }
}

static void
test_placed (void)
{
  g_autoptr (LoomRun) run = new_run ("GPUUtilization", LOOM_CLOCK_NONE, FALSE);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  const LoomClockFit *fit = loom_alignment_get (alignment, 1);
  g_test_message ("%s", fit->why);
  g_assert_true (fit->fitted);
  g_assert_true (fit->anchored);
  g_assert_cmpint (fit->verdict, ==, LOOM_FIT_QUALITY_DOUBTFUL);
  g_assert_cmpint (ABS (fit->map.offset_ns - JOB_BASE_NS - LAG_NS), <, STEP_NS / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/activity/paper", test_paper);
  g_test_add_func ("/clock/activity/pairs", test_pairs);
  g_test_add_func ("/clock/activity/nothing", test_nothing);
  g_test_add_func ("/clock/activity/placed", test_placed);
  return g_test_run ();
}
