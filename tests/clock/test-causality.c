/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the fit of clocks respects causality: no message is received before it is sent, and no kernel begins
 * before it is launched. Tests which offsets the fit changes for this purpose.
 */
#include "fake-clocks.h"
#include "job-run.h"

#include <string.h>

#define US LOOM_NS_PER_US
#define MS LOOM_NS_PER_MS

/* Returns evidence for two clocks: the ends of collectives, with an uncertainty of 100 µs. According to this evidence,
 * the second clock is 60 µs ahead on average. */
static LoomEvidence *
vague_evidence (void)
{
  LoomEvidence *evidence = loom_evidence_new (2);
  for (guint i = 0; i < 8; i++) {
    gint64 off_ns = 60 * US + (i % 2 == 0 ? 1 : -1) * 30 * US;
    loom_evidence_begin (evidence, LOOM_EVIDENCE_COLLECTIVES, 100 * US);
    loom_evidence_read (evidence, 0, FAKE_BASE_NS + i * 20 * MS, LOOM_TIME_NONE);
    loom_evidence_read (evidence, 1, FAKE_BASE_NS + i * 20 * MS + off_ns, LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
  return evidence;
}

static LoomClockFits *
fit_of (const LoomEvidence *evidence)
{
  static const LoomClockFitClock clocks[] = { { 0, TRUE, 0 }, { 1, TRUE, 0 } };
  return loom_clock_fit_new (evidence, clocks, 1, NULL);
}

static gint64
offset_of (const LoomClockFits *fit, guint clock)
{
  g_assert_cmpuint (fit->clocks[clock].component, ==, 0);
  return loom_robust_line_map (&fit->clocks[clock].line, FAKE_BASE_NS) - FAKE_BASE_NS;
}

static void
test_moves (void)
{
  g_autoptr (LoomEvidence) free = vague_evidence (), received = vague_evidence (), sent = vague_evidence ();
  /* Clock 0 sends at 10 ms; clock 1 receives when it shows 10.020 ms. Clock 1 must therefore be shifted by at least −20
   * µs. */
  loom_evidence_order (received, 0, FAKE_BASE_NS + 10 * MS, 1, FAKE_BASE_NS + 10 * MS + 20 * US, FALSE);
  /* Clock 1 sends when it shows 10.090 ms; clock 0 receives at 10 ms. Clock 1 must therefore be shifted by at most −90
   * µs. */
  loom_evidence_order (sent, 1, FAKE_BASE_NS + 10 * MS + 90 * US, 0, FAKE_BASE_NS + 10 * MS, FALSE);
  g_autoptr (LoomClockFits) as_it_is = fit_of (free), later = fit_of (received), earlier = fit_of (sent);
  g_assert_cmpint (offset_of (as_it_is, 1), ==, -60 * US);
  g_assert_cmpint (offset_of (later, 1), ==, -20 * US);
  g_assert_cmpint (offset_of (earlier, 1), ==, -90 * US);
  /* the offset of the reference clock stays 0 */
  g_assert_cmpint (offset_of (later, 0), ==, 0);
  /* the residuals are computed after the clock was shifted */
  g_assert_cmpfloat (later->clocks[1].after.max_ns, >, as_it_is->clocks[1].after.max_ns);
}

/* A message or launch whose order is already correct changes nothing. A wrong order that exceeds the uncertainty of the
 * fit is not corrected, and the fit is refused. Orders that contradict each other are ignored. */
static void
test_stays (void)
{
  g_autoptr (LoomEvidence) holds = vague_evidence (), beyond = vague_evidence (), torn = vague_evidence ();
  loom_evidence_order (holds, 0, FAKE_BASE_NS, 1, FAKE_BASE_NS + 61 * US, FALSE);
  loom_evidence_order (beyond, 0, FAKE_BASE_NS + 10 * MS, 1, FAKE_BASE_NS + 5 * MS, FALSE);
  loom_evidence_order (torn, 0, FAKE_BASE_NS + 10 * MS, 1, FAKE_BASE_NS + 10 * MS + 20 * US, FALSE);
  loom_evidence_order (torn, 1, FAKE_BASE_NS + 10 * MS + 90 * US, 0, FAKE_BASE_NS + 10 * MS, FALSE);
  g_autoptr (LoomClockFits) a = fit_of (holds), b = fit_of (beyond), c = fit_of (torn);
  g_assert_cmpint (offset_of (a, 1), ==, -60 * US);
  g_assert_cmpuint (b->clocks[1].component, ==, LOOM_COMPONENT_NONE); /* the fit of the clock was refused, so it belongs
                                                                       * to no component */
  g_assert_cmpint (b->clocks[1].verdict, ==, LOOM_FIT_QUALITY_REFUSED);
  g_assert_cmpint (offset_of (c, 1), ==, -60 * US);
}

/* Messages in wrong order are found among thousands of launches in correct order, and launches in wrong order among
 * messages in correct order; the fit is refused. */
static void
test_apart (void)
{
  for (guint way = 0; way < 2; way++) {
    g_autoptr (LoomEvidence) evidence = vague_evidence ();
    for (gint64 i = 0; i < 4000; i++) {
      gint64 at_ns = FAKE_BASE_NS + i * 25 * US;
      loom_evidence_order (evidence, 0, at_ns, 1, at_ns + MS, way == 0);
      if (i < 300)
        loom_evidence_order (evidence, 0, at_ns, 1, at_ns + (i < 100 ? -5 * MS : MS), way != 0);
    }
    g_autoptr (LoomClockFits) fit = fit_of (evidence);
    g_assert_cmpint (fit->clocks[1].verdict, ==, LOOM_FIT_QUALITY_REFUSED);
  }
}

/* If the order of a message requires a shift of one clock, only this clock is shifted, unless others depend on it. */
static void
test_alone (void)
{
  static const FakeJob job = {
    .n_ranks = 4, .n_steps = 30, .step_ns = 20 * MS, .jitter_ns = 2000, .offset_ns = 5e6, .seed = 3
  };
  g_autoptr (FakeClocks) fake = fake_clocks_new (&job);
  g_autoptr (LoomClockFits) before = loom_clock_fit_new (fake->evidence, fake->clocks, 1, NULL);
  gint64 sent_ns = fake_clocks_read (fake, 0, 1e8), at_ns = loom_robust_line_unmap (&before->clocks[2].line, sent_ns);
  loom_evidence_order (fake->evidence, 0, sent_ns, 2, at_ns - 2 * US, FALSE);
  g_autoptr (LoomClockFits) after = loom_clock_fit_new (fake->evidence, fake->clocks, 1, NULL);
  for (guint i = 0; i < 4; i++) {
    gint64 moved_ns =
      loom_robust_line_map (&after->clocks[i].line, at_ns) - loom_robust_line_map (&before->clocks[i].line, at_ns);
    g_assert_cmpint (ABS (moved_ns - (i == 2 ? 2 * US : 0)), <=, 1);
  }
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* Builds the trace of launches on the CPU and their kernels on the device. The CPU and the device have separate clocks
 * or share one. */
static LoomTrace *
new_launches (gboolean two_clocks)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint32 name = loom_trace_builder_name (builder, "launch", 6, "", 0, "", 0), threads[2];
  for (guint i = 0; i < 2; i++) {
    guint clock = i == 0 || two_clocks ? loom_trace_builder_add_clock (builder) : 0;
    loom_trace_builder_get_clock (builder, clock)->state = LOOM_CLOCK_EXACT;
    g_autofree char *path = g_strdup_printf ("part%u.json", i);
    guint source = loom_trace_builder_add_source (builder, loom_source_new (path), clock);
    threads[i] =
      loom_trace_builder_thread (builder, loom_trace_builder_process (builder, source, i == 0 ? "1" : "2", 1), "1", 1);
  }
  for (gint64 i = 0; i < 3; i++) {
    gint64 launch_ns = JOB_BASE_NS + i * MS, kernel_ns = launch_ns + 5 * US;
    loom_trace_builder_span (builder, threads[0], launch_ns, US, name, loom_source_ref_make (0, 0, (guint64) i));
    loom_trace_builder_span (builder, threads[1], kernel_ns, 10 * US, name, loom_source_ref_make (1, 0, (guint64) i));
    loom_trace_builder_flow (builder, threads[0], 's', TRUE, launch_ns, (guint64) i + 1, name,
                             loom_source_ref_make (0, 0, 100 + (guint64) i));
    loom_trace_builder_flow (builder, threads[1], 'f', TRUE, kernel_ns, (guint64) i + 1, name,
                             loom_source_ref_make (1, 0, 100 + (guint64) i));
  }
  return loom_trace_builder_freeze (builder, 1, NULL);
}

static void
test_launches (void)
{
  for (guint two = 0; two < 2; two++) {
    LoomTrace *traces[] = { new_launches (two) };
    g_autoptr (LoomRun) run = job_run_new (traces, 1);
    g_autoptr (LoomEvidence) evidence = loom_evidence_new (loom_run_get_n_clocks (run));
    loom_evidence_add_launches (evidence, run);
    g_assert_cmpuint (evidence->orders->len, ==, two ? 3 : 0);
    g_assert_cmpuint (evidence->occasions->len, ==, 0);
    if (!two)
      continue;
    const LoomCausalOrder *order = &g_array_index (evidence->orders, LoomCausalOrder, 1);
    g_assert_cmpuint (order->before, ==, 0);
    g_assert_cmpuint (order->after, ==, 1);
    g_assert_cmpint (order->before_ns, ==, JOB_BASE_NS + MS);
    g_assert_cmpint (order->after_ns, ==, JOB_BASE_NS + MS + 5 * US);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/causality/moves", test_moves);
  g_test_add_func ("/clock/causality/stays", test_stays);
  g_test_add_func ("/clock/causality/apart", test_apart);
  g_test_add_func ("/clock/causality/alone", test_alone);
  g_test_add_func ("/clock/causality/launches", test_launches);
  return g_test_run ();
}
