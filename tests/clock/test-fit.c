/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the fit of clocks: cases small enough to be calculated by hand, changes of the input that must not change the
 * result, cases that must be refused, and the errors against known true values, which are printed as a table.
 */
#include "fake-clocks.h"

#include <math.h>
#include <string.h>

#define MINUTE (G_GINT64_CONSTANT (600) * LOOM_NS_PER_MS) /* time between steps: 100 steps take a minute */

static const FakeJob minute = { .n_ranks = 8,
                                .n_steps = 100,
                                .step_ns = MINUTE,
                                .jitter_ns = 2000,
                                .offset_ns = 5e6,
                                .drift = 2e-5,
                                .seed = 1 };

static gboolean
job_drifts (const FakeJob *job)
{
  return job->n_steps * job->step_ns > LOOM_CLOCK_FITS_DRIFT_NS;
}

static LoomClockFits *
fit_of (const FakeClocks *fake)
{
  return loom_clock_fit_new (fake->evidence, fake->clocks, 2, NULL);
}

/* Fits two clocks to the given readings; the second one belongs to rank 1. */
static LoomClockFits *
fit_two (const gint64 *a, const gint64 *b, guint n)
{
  const LoomClockFitClock clocks[] = { { 0, TRUE, 0 }, { 1, TRUE, 0 } };
  g_autoptr (LoomEvidence) evidence = loom_evidence_new (2);
  for (guint i = 0; i < n; i++) {
    loom_evidence_begin (evidence, LOOM_EVIDENCE_COLLECTIVES, 1000);
    loom_evidence_read (evidence, 0, FAKE_BASE_NS + a[i], LOOM_TIME_NONE);
    loom_evidence_read (evidence, 1, FAKE_BASE_NS + b[i], LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
  return loom_clock_fit_new (evidence, clocks, 1, NULL);
}

static void
test_paper (void)
{
  const gint64 a[] = { 1000000, 2000000, 3000000, 5000000 }, b[] = { 1003000, 2003000, 3003000, 5003000 };
  g_autoptr (LoomClockFits) fit = fit_two (a, b, 4);
  const LoomFittedClock *second = &fit->clocks[1];
  g_assert_cmpuint (fit->n_components, ==, 1);
  g_assert_cmpuint (second->reference, ==, 0);
  g_assert_cmpint (loom_robust_line_map (&second->line, second->epoch_ns) - second->epoch_ns, ==,
                   -3000); /* the second clock is 3 µs ahead */
  g_assert_cmpint (second->epoch_ns, ==, FAKE_BASE_NS + 1003000);
  g_assert_cmpfloat (second->line.drift, ==, 0);
  g_assert_cmpuint (second->pairs, ==, 4);
  g_assert_cmpuint (second->rejected, ==, 0);
  g_assert_cmpfloat (second->before.median_ns, ==, 3000);
  g_assert_cmpfloat (second->after.max_ns, ==, 0);
  /* four pairs of readings are so few that the fit counts as doubtful */
  g_assert_cmpint (second->verdict, ==, LOOM_FIT_QUALITY_DOUBTFUL);
  g_assert_cmpint (loom_robust_line_map (&fit->clocks[0].line, FAKE_BASE_NS), ==, FAKE_BASE_NS);
}

static void
test_outlier (void)
{
  const gint64 a[] = { 1000000, 2000000, 3000000, 4000000, 5000000, 6000000 };
  const gint64 b[] = { 1003000, 2003000, 9903000, 4003000, 5003000, 6003000 };
  g_autoptr (LoomClockFits) fit = fit_two (a, b, 6);
  g_assert_cmpint (loom_robust_line_map (&fit->clocks[1].line, FAKE_BASE_NS) - FAKE_BASE_NS, ==, -3000);
  g_assert_cmpuint (fit->clocks[1].rejected, ==, 1);
  g_assert_cmpint (fit->clocks[1].verdict, ==, LOOM_FIT_QUALITY_GOOD);
  g_assert_nonnull (strstr (fit->clocks[1].why, "5 of 6 pairs fit"));
}

/* A drift needs at least ten pairs over at least ten seconds; otherwise only an offset is fitted. */
static void
test_drift_needs (void)
{
  for (guint n = 9; n <= 10; n++) {
    for (gint64 seconds = 9; seconds <= 10; seconds++) {
      gint64 a[10], b[10];
      for (guint i = 0; i < n; i++) {
        a[i] = b[i] = seconds * LOOM_NS_PER_S * i / (n - 1);
        b[i] += a[i] / 1000000; /* fast by 1 ppm */
      }
      g_autoptr (LoomClockFits) fit = fit_two (a, b, n);
      if (n == 10 && seconds == 10)
        g_assert_cmpfloat_with_epsilon (fit->clocks[1].line.drift, -1e-6, 2e-9);
      else
        g_assert_cmpfloat (fit->clocks[1].line.drift, ==, 0);
      g_assert_cmpuint (fit->n_components, ==, 1);
    }
  }
}

static void
test_too_few (void)
{
  const gint64 a[] = { 1000000, 2000000 }, b[] = { 1003000, 2003000 };
  g_autoptr (LoomClockFits) fit = fit_two (a, b, 2);
  g_assert_cmpuint (fit->n_components, ==, 0);
  g_assert_cmpint (fit->clocks[1].verdict, ==, LOOM_FIT_QUALITY_REFUSED);
  g_assert_nonnull (strstr (fit->clocks[1].why, "only 2"));
}

/* Clocks 0 and 1 share readings, and so do clocks 1 and 2: clock 2 is fitted through clock 1. A clock without shared
 * readings is not fitted. */
static void
test_chain (void)
{
  const LoomClockFitClock clocks[] = { { 2, TRUE, 0 }, { 1, TRUE, 0 }, { 0, TRUE, 0 }, { 7, TRUE, 0 } };
  const gint64 ahead_ns[] = { 500, -700, 0 };
  g_autoptr (LoomEvidence) evidence = loom_evidence_new (4);
  for (guint i = 0; i < 12; i++) {
    guint first = i % 2;
    loom_evidence_begin (evidence, LOOM_EVIDENCE_COLLECTIVES, 1000);
    for (guint clock = first; clock < first + 2; clock++)
      loom_evidence_read (evidence, clock, FAKE_BASE_NS + i * LOOM_NS_PER_MS + ahead_ns[clock], LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
  g_autoptr (LoomClockFits) fit = loom_clock_fit_new (evidence, clocks, 1, NULL);
  g_assert_cmpuint (fit->n_components, ==, 1);
  for (guint i = 0; i < 3; i++) {
    /* clock 2 is the reference clock, because it belongs to the lowest rank */
    g_assert_cmpuint (fit->clocks[i].reference, ==, 2);
    g_assert_cmpint (loom_robust_line_map (&fit->clocks[i].line, FAKE_BASE_NS) - FAKE_BASE_NS, ==, -ahead_ns[i]);
  }
  g_assert_cmpuint (fit->clocks[3].component, ==, LOOM_COMPONENT_NONE);
  g_assert_cmpint (fit->clocks[3].verdict, ==, LOOM_FIT_QUALITY_DECLARED);
}

/* --- changes that must not matter --- */

/* A constant that is added to all readings of a clock changes the offset of this clock by that constant, and changes
 * nothing else. */
static void
test_constant (void)
{
  g_autoptr (FakeClocks) fake = fake_clocks_new (&minute);
  g_autoptr (LoomClockFits) before = fit_of (fake);
  const gint64 added_ns = 123456789;
  for (guint i = 0; i < fake->evidence->readings->len; i++) {
    LoomClockObservation *reading = &g_array_index (fake->evidence->readings, LoomClockObservation, i);
    if (reading->clock != 3)
      continue;
    reading->local_ns += added_ns;
    reading->arrival_ns += added_ns;
  }
  g_autoptr (LoomClockFits) after = fit_of (fake);
  for (guint i = 0; i < 8; i++) {
    gint64 local_ns = FAKE_BASE_NS + 20 * LOOM_NS_PER_S, moved_ns = i == 3 ? added_ns : 0;
    g_assert_cmpint (ABS (loom_robust_line_map (&before->clocks[i].line, local_ns) -
                          loom_robust_line_map (&after->clocks[i].line, local_ns + moved_ns)),
                     <=, 1);
    g_assert_cmpuint (before->clocks[i].rejected, ==, after->clocks[i].rejected);
    g_assert_cmpfloat_with_epsilon (before->clocks[i].line.drift, after->clocks[i].line.drift, 1e-12);
  }
}

/* The result does not depend on the order of the sources: the same clocks with other numbers get the same lines. */
static void
test_renamed (void)
{
  static const guint renamed[] = { 5, 2, 7, 0, 1, 3, 6, 4 };
  g_autoptr (FakeClocks) fake = fake_clocks_new (&minute);
  g_autoptr (LoomClockFits) before = fit_of (fake);
  for (guint i = 0; i < fake->evidence->readings->len; i++) {
    LoomClockObservation *reading = &g_array_index (fake->evidence->readings, LoomClockObservation, i);
    reading->clock = renamed[reading->clock];
  }
  for (guint i = 0; i < 8; i++)
    fake->clocks[renamed[i]].rank = (gint) i;
  g_autoptr (LoomClockFits) after = fit_of (fake);
  for (guint i = 0; i < 8; i++) {
    const LoomFittedClock *a = &before->clocks[i], *b = &after->clocks[renamed[i]];
    g_assert_cmpint (b->reference, ==, renamed[0]);
    g_assert_cmpint (
      ABS (loom_robust_line_map (&a->line, FAKE_BASE_NS) - loom_robust_line_map (&b->line, FAKE_BASE_NS)), <=, 1);
    g_assert_cmpint (a->verdict, ==, b->verdict);
  }
}

/* With another reference clock the offsets between clocks stay the same, except for the effect of that clock's
 * jitter. */
static void
test_reference (void)
{
  g_autoptr (FakeClocks) fake = fake_clocks_new (&minute);
  g_autoptr (LoomClockFits) before = fit_of (fake);
  fake->clocks[0].rank = 100;
  g_autoptr (LoomClockFits) after = fit_of (fake);
  g_assert_cmpuint (after->clocks[0].reference, ==, 1);
  for (guint second = 0; second <= 60; second += 10) {
    gint64 here_ns = FAKE_BASE_NS + second * LOOM_NS_PER_S;
    for (guint i = 2; i < 8; i++) { /* the reading of clock i when clock 2 reads here_ns */
      gint64 a =
        loom_robust_line_unmap (&before->clocks[i].line, loom_robust_line_map (&before->clocks[2].line, here_ns));
      gint64 b =
        loom_robust_line_unmap (&after->clocks[i].line, loom_robust_line_map (&after->clocks[2].line, here_ns));
      g_assert_cmpint (ABS (a - b), <=, 50);
    }
  }
}

/* --- cases that must be refused --- */

static void
test_step (void)
{
  static const gint64 steps_ns[] = { 100000, 300000, 10000000 };
  for (guint s = 0; s < G_N_ELEMENTS (steps_ns); s++) {
    FakeJob job = minute;
    job.corrupt = s == 2 ? 0.1 : 0;
    g_autoptr (FakeClocks) fake = fake_clocks_new (&job);
    for (guint i = 0; i < fake->evidence->readings->len; i++) {
      LoomClockObservation *reading = &g_array_index (fake->evidence->readings, LoomClockObservation, i);
      if (reading->clock == 5 && reading->local_ns > FAKE_BASE_NS + 25 * LOOM_NS_PER_S)
        reading->local_ns += steps_ns[s];
    }
    g_autoptr (LoomClockFits) fit = fit_of (fake);
    g_test_message ("%s", fit->clocks[5].why);
    g_assert_cmpint (fit->clocks[5].verdict, ==, LOOM_FIT_QUALITY_REFUSED);
    g_assert_nonnull (strstr (fit->clocks[5].why, "jumps"));
    g_assert_cmpuint (fit->clocks[5].component, ==, LOOM_COMPONENT_NONE);
    g_assert_cmpuint (fit->n_components, ==, 1);
    g_assert_cmpuint (fit->clocks[7].component, ==, 0); /* the clocks of the other component (a set of clocks that share
                                                         * readings) are not affected */
  }
}

/* The collectives of two jobs have the same names, but the clocks of each job are fitted separately. The clock of a job
 * with only one rank is not fitted. */
static void
test_other_jobs (void)
{
  FakeJob other_job = minute;
  other_job.seed = 2;
  g_autoptr (FakeClocks) fake = fake_clocks_new (&minute);
  g_autoptr (FakeClocks) other = fake_clocks_new (&other_job);
  for (guint n_other = 1; n_other <= 3; n_other += 2) {
    g_autoptr (LoomEvidence) evidence = loom_evidence_new (8);
    for (guint i = 0; i < 100; i++) {
      loom_evidence_begin (evidence, LOOM_EVIDENCE_COLLECTIVES, 1000);
      for (guint rank = 0; rank < 8; rank++) {
        const LoomEvidence *from = rank < n_other ? other->evidence : fake->evidence;
        const LoomClockObservation *reading = &g_array_index (from->readings, LoomClockObservation, i * 8 + rank);
        loom_evidence_read (evidence, rank, reading->local_ns, reading->arrival_ns);
      }
      loom_evidence_end (evidence);
    }
    g_autoptr (LoomClockFits) fit = loom_clock_fit_new (evidence, fake->clocks, 1, NULL);
    g_assert_cmpuint (fit->n_components, ==, n_other == 1 ? 1 : 2);
    g_assert_cmpint (fit->clocks[0].component, !=, fit->clocks[7].component);
    g_assert_cmpint (fit->clocks[3].component, ==, fit->clocks[7].component);
    g_assert_cmpint (fit->clocks[n_other == 1 ? 0 : 3].component, ==, n_other == 1 ? LOOM_COMPONENT_NONE : 1);
    if (n_other == 1) {
      g_test_message ("%s", fit->clocks[0].why);
      g_assert_cmpint (fit->clocks[0].verdict, ==, LOOM_FIT_QUALITY_REFUSED);
    }
  }
}

/* The sequence numbers of the collectives of one rank are off by one, so the fit is refused. */
static void
test_mismatched (void)
{
  g_autoptr (FakeClocks) fake = fake_clocks_new (&minute);
  LoomClockObservation *readings = (LoomClockObservation *) (gpointer) fake->evidence->readings->data;
  for (guint i = 0; i + 1 < 100; i++)
    readings[i * 8 + 4] =
      (LoomClockObservation) { readings[(i + 1) * 8 + 4].local_ns, readings[(i + 1) * 8 + 4].arrival_ns, 4, i };
  g_autoptr (LoomClockFits) fit = fit_of (fake);
  g_test_message ("%s", fit->clocks[4].why);
  g_assert_cmpint (fit->clocks[4].verdict, ==, LOOM_FIT_QUALITY_REFUSED);
  g_assert_cmpuint (fit->n_components, ==, 1);
}

static void
test_twins (void)
{
  g_autoptr (FakeClocks) fake = fake_clocks_new (&minute);
  fake->clocks[6].rank = 2;
  g_autoptr (LoomClockFits) fit = fit_of (fake);
  gboolean first = fit->clocks[2].verdict == LOOM_FIT_QUALITY_REFUSED,
           second = fit->clocks[6].verdict == LOOM_FIT_QUALITY_REFUSED;
  g_assert_true (first != second);
  g_assert_nonnull (strstr (fit->clocks[first ? 2 : 6].why, "rank 2 too"));
}

/* Readings at both ends of the range of int64 must not overflow. */
static void
test_extremes (void)
{
  static const gint64 odd[] = { G_MININT64, G_MININT64 + 1, -1, 0, 1, G_MAXINT64 - 1, G_MAXINT64 };
  const LoomClockFitClock clocks[] = { { 0, TRUE, G_MAXINT64 }, { 0, FALSE, G_MININT64 }, { -1, TRUE, 0 } };
  g_autoptr (LoomEvidence) evidence = loom_evidence_new (3);
  for (guint i = 0; i < 60; i++) {
    loom_evidence_begin (evidence, LOOM_EVIDENCE_COLLECTIVES, odd[g_test_rand_int_range (2, G_N_ELEMENTS (odd))]);
    for (guint clock = 0; clock < 3; clock++)
      loom_evidence_read (evidence, clock, odd[g_test_rand_int_range (1, G_N_ELEMENTS (odd))],
                          odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))]);
    loom_evidence_end (evidence);
  }
  g_autoptr (LoomClockFits) fit = loom_clock_fit_new (evidence, clocks, 1, NULL);
  g_assert_cmpuint (fit->n_clocks, ==, 3);
}

/* --- accuracy --- */

static void
test_accuracy (void)
{
  static const guint sizes[] = { 2, 8, 64, 512 };
  static const struct {
    const char *what;
    double corrupt, missing;
    guint n_late, n_groups;
  } cases[] = { { "clean", 0, 0, 0, 1 },         { "20 % corrupted", 0.2, 0, 0, 1 }, { "10 % missing", 0, 0.1, 0, 1 },
                { "joining late", 0, 0, 30, 1 }, { "two groups", 0, 0, 0, 2 },       { "all of it", 0.2, 0.1, 20, 1 } };
  g_test_message ("%-16s %6s  %12s  %10s  %8s  %8s", "case", "ranks", "offset µs", "drift ppb", "rejected", "time ms");
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      FakeJob job = minute;
      double worst_ns = 0, worst_ppb = 0;
      guint rejected = 0, n_groups = MIN (cases[c].n_groups, sizes[s] / 2);
      job.n_ranks = sizes[s];
      job.corrupt = cases[c].corrupt;
      job.missing = cases[c].missing;
      job.n_late = cases[c].n_late;
      job.n_groups = n_groups;
      job.seed = 100 * c + s;
      g_autoptr (FakeClocks) fake = fake_clocks_new (&job);
      gint64 begin_us = g_get_monotonic_time ();
      g_autoptr (LoomClockFits) fit = fit_of (fake);
      gint64 took_us = g_get_monotonic_time () - begin_us;
      g_assert_cmpuint (fit->n_components, ==, n_groups);
      for (guint i = 0; i < job.n_ranks; i++) {
        double error_ns, error_ppb;
        g_assert_cmpuint (fit->clocks[i].component, ==, i * n_groups / job.n_ranks);
        fake_clocks_errors (fake, &fit->clocks[i], i, 60e9, &error_ns, &error_ppb);
        worst_ns = MAX (worst_ns, error_ns);
        worst_ppb = MAX (worst_ppb, error_ppb);
        rejected += fit->clocks[i].rejected;
      }
      g_test_message ("%-16s %6u  %12.3f  %10.2f  %8u  %8.1f", cases[c].what, job.n_ranks, worst_ns / 1e3, worst_ppb,
                      rejected, took_us / 1e3);
      g_assert_cmpfloat (worst_ns, <, 5000);
      g_assert_cmpfloat (worst_ppb, <, 50);
    }
  }
}

/* The error of a fitted line at the first reading is larger than the stated error for about one of twenty clocks, and
 * the stated error is not larger than necessary. */
static void
test_errors (void)
{
  static const struct {
    const char *what;
    FakeJob job;
  } cases[] = {
    { "2 ranks", { .n_ranks = 2, .n_steps = 60, .step_ns = 5000000, .jitter_ns = 20000, .offset_ns = 1e5 } },
    { "8 ranks", { .n_ranks = 8, .n_steps = 60, .step_ns = 5000000, .jitter_ns = 20000, .offset_ns = 1e5 } },
    { "few pairs", { .n_ranks = 4, .n_steps = 8, .step_ns = 5000000, .jitter_ns = 20000, .offset_ns = 1e5 } },
    { "20 % corrupted",
      { .n_ranks = 4, .n_steps = 100, .step_ns = 5000000, .jitter_ns = 20000, .offset_ns = 1e5, .corrupt = 0.2 } },
    { "drifting",
      { .n_ranks = 8, .n_steps = 60, .step_ns = MINUTE, .jitter_ns = 20000, .offset_ns = 1e5, .drift = 2e-5 } },
    { "8 alike",
      { .n_ranks = 4, .n_steps = 400, .step_ns = 5000000, .jitter_ns = 20000, .offset_ns = 1e5, .n_alike = 8 } }
  };
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    double ratios[1000];
    guint n = 0, n_within = 0, n_drift = 0, n_drift_within = 0;
    for (guint32 seed = 1; seed <= 60; seed++) {
      FakeJob job = cases[c].job;
      job.seed = seed;
      g_autoptr (FakeClocks) fake = fake_clocks_new (&job);
      g_autoptr (LoomClockFits) fit = fit_of (fake);
      /* the reference clock has no error, which a negative number says */
      g_assert_cmpfloat (fit->clocks[0].error.offset_ns, <, 0);
      for (guint i = 1; i < job.n_ranks; i++) {
        const LoomFittedClock *fitted = &fit->clocks[i];
        double off_ns, off_ppb, stated_ns = loom_robust_line_error_at (&fitted->error, FAKE_BASE_NS);
        if (fitted->component == LOOM_COMPONENT_NONE || fitted->reference == i)
          continue; /* the fit was refused, because its few pairs may scatter too much, or the clock shares collectives
                     * with no other clock */
        fake_clocks_errors (fake, fitted, i, 0, &off_ns, &off_ppb);
        g_assert_cmpfloat (stated_ns, >, 0);
        ratios[n++] = off_ns / stated_ns;
        n_within += off_ns <= stated_ns;
        n_drift += fitted->error.drift >= 0;
        n_drift_within += fitted->error.drift >= 0 && off_ppb <= fitted->error.drift * 1e9;
      }
    }
    double middle = loom_robust_line_median (ratios, n);
    g_test_message ("%-16s within ± %.1f %% of %u, median %.2f of it; drift %.1f %% of %u", cases[c].what,
                    100.0 * n_within / n, n, middle, n_drift > 0 ? 100.0 * n_drift_within / n_drift : 0.0, n_drift);
    g_assert_cmpuint (n, >, 50);
    g_assert_cmpfloat ((double) n_within / n, >, 0.9);
    /* median of error ÷ stated error; for a normal distribution of the errors, 0.34 is expected,
     * because the stated error is 1.96 standard deviations */
    g_assert_cmpfloat (middle, >, 0.2);
    g_assert_cmpuint (n_drift, ==, job_drifts (&cases[c].job) ? n : 0);
    g_assert_true (n_drift == 0 || (double) n_drift_within / n_drift > 0.9);
  }
}

/* A clock that is compared with the reference only through another clock has a larger error than that other clock. */
static void
test_chain_errors (void)
{
  const LoomClockFitClock clocks[] = { { 0, TRUE, 0 }, { 1, TRUE, 0 }, { 2, TRUE, 0 } };
  g_autoptr (LoomEvidence) evidence = loom_evidence_new (3);
  g_autoptr (GRand) dice =
    g_rand_new_with_seed (1); /* for 3 of 100 other seeds the readings scatter so much that a fit is refused */
  for (guint i = 0; i < 40; i++) {
    loom_evidence_begin (evidence, LOOM_EVIDENCE_COLLECTIVES, 1000);
    for (guint clock = i % 2; clock < i % 2 + 2; clock++)
      loom_evidence_read (evidence, clock, FAKE_BASE_NS + i * LOOM_NS_PER_MS + g_rand_int_range (dice, -9000, 9000),
                          LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
  g_autoptr (LoomClockFits) fit = loom_clock_fit_new (evidence, clocks, 1, NULL);
  g_assert_cmpuint (fit->n_components, ==, 1);
  g_assert_cmpfloat (fit->clocks[1].error.offset_ns, >, 500);
  g_assert_cmpfloat (fit->clocks[2].error.offset_ns, >, fit->clocks[1].error.offset_ns);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/fit/paper", test_paper);
  g_test_add_func ("/clock/fit/outlier", test_outlier);
  g_test_add_func ("/clock/fit/drift-needs", test_drift_needs);
  g_test_add_func ("/clock/fit/too-few", test_too_few);
  g_test_add_func ("/clock/fit/chain", test_chain);
  g_test_add_func ("/clock/fit/constant", test_constant);
  g_test_add_func ("/clock/fit/renamed", test_renamed);
  g_test_add_func ("/clock/fit/reference", test_reference);
  g_test_add_func ("/clock/fit/step", test_step);
  g_test_add_func ("/clock/fit/other-jobs", test_other_jobs);
  g_test_add_func ("/clock/fit/mismatched", test_mismatched);
  g_test_add_func ("/clock/fit/twins", test_twins);
  g_test_add_func ("/clock/fit/extremes", test_extremes);
  g_test_add_func ("/clock/fit/accuracy", test_accuracy);
  g_test_add_func ("/clock/fit/errors", test_errors);
  g_test_add_func ("/clock/fit/chain-errors", test_chain_errors);
  return g_test_run ();
}
