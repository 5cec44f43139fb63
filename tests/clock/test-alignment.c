/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests alignment by offsets that files or users declare (Composer's cycles, clocks without an epoch, offsets set by
 * the user), and the messages about clocks that a fit could not connect to the others.
 */
#include "fixture.h"
#include "job-run.h"

#define RANK(rank_, sync_, cycle_, order_)                                                                          \
  {                                                                                                                 \
    .rank = (rank_), .state = LOOM_CLOCK_EXACT, .dur_ns = 10, .group = "run", .cycle = (cycle_), .order = (order_), \
    .has_sync = TRUE, .sync_ns = (sync_), .error_ns = 100 * ((rank_) + 1)                                           \
  }

static gint64
offset_of (const LoomAlignment *alignment, guint clock)
{
  return loom_alignment_get (alignment, clock)->map.offset_ns;
}

static void
test_ranks (void)
{
  const ClockCase cases[] = { RANK (2, 700, NULL, 0), RANK (1, 450, NULL, 0), RANK (4, 100, NULL, 0) };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_assert_cmpint (offset_of (alignment, 0), ==, -250);
  g_assert_cmpint (offset_of (alignment, 1), ==, 0);
  g_assert_cmpint (offset_of (alignment, 2), ==, 350);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (loom_alignment_get (alignment, i)->state, ==, LOOM_CLOCK_SYNCHRONISED);
  g_assert_cmpstr (loom_alignment_get (alignment, 0)->basis, ==, "barrier time stated in the file");
  g_assert_cmpint (loom_alignment_get (alignment, 0)->error_ns, ==, 300);
  g_assert_cmpint (loom_alignment_get (alignment, 1)->error_ns, ==, 200);
  g_assert_null (loom_alignment_get_notices (alignment)[0]);
}

static void
test_modes (void)
{
  const ClockCase cases[] = { RANK (0, 0, NULL, 0), RANK (1, 450, NULL, 0) };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) none = loom_alignment_new (run, LOOM_ALIGN_NONE, NULL, 0);
  g_autoptr (LoomAlignment) automatic = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_assert_cmpint (offset_of (none, 1), ==, 0);
  g_assert_cmpint (loom_alignment_get (none, 1)->state, ==, LOOM_CLOCK_EXACT);
  g_assert_cmpstr (loom_alignment_get (none, 1)->basis, ==, "wall clock");
  g_assert_cmpint (offset_of (automatic, 1), ==, -450);
  LoomAlignMode mode;
  g_assert_true (loom_alignment_mode_from_string ("declared", &mode));
  g_assert_cmpint (mode, ==, LOOM_ALIGN_DECLARED);
  g_assert_false (loom_alignment_mode_from_string ("fit", &mode));
}

static void
test_cycles (void)
{
  const ClockCase cases[] = {
    RANK (0, 1000, "ep0-ba4", 0), RANK (0, 9000, "ep0-ba16", 1), /* ranks 1 and 2 are compared with rank 0 */
    /* matched with rank 0 by the name of the cycle, although it is the first reading of rank 1 */
    RANK (1, 9500, "ep0-ba16", 0), RANK (1, 1300, "ep0-ba4", 1), RANK (2, 1100, NULL, 0),
    RANK (2, 9700, NULL, 1), /* the readings of rank 2 have no cycle name and are matched by their order */
  };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  const gint64 expected[] = { 0, 0, -500, -300, -100, -700 };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (offset_of (alignment, i), ==, expected[i]);
}

static void
test_missing_cycle (void)
{
  const ClockCase cases[] = {
    RANK (0, 1000, "ep0", 0), RANK (0, 9000, "ep9", 9), RANK (1, 1300, "ep0", 0), RANK (1, 2000, "ep2", 2),
    RANK (1, 8000, "ep8", 8), RANK (1, 9900, "ep9", 9), RANK (2, 7777, "ep7", 7),
  };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_assert_cmpint (offset_of (alignment, 3), ==, -300);
  g_assert_cmpint (offset_of (alignment, 4), ==, -900);
  g_assert_cmpint (loom_alignment_get (alignment, 4)->state, ==, LOOM_CLOCK_SYNCHRONISED);
  g_assert_cmpstr (loom_alignment_get (alignment, 4)->basis, ==,
                   "time at which the ranks passed a barrier in the profiling cycle nearest to that of this file");
  g_assert_true (clock_has_notice (
    alignment,
    "rank 1: its clock was shifted as in the nearest profiling cycle with barrier times of both ranks, because no file states when rank 0 passed the barrier of cycle ep2 (clock_sync_timestamp_us)"));
  g_assert_cmpint (offset_of (alignment, 6), ==, 0);
  g_assert_cmpint (loom_alignment_get (alignment, 6)->state, ==, LOOM_CLOCK_EXACT);
  g_assert_true (clock_has_notice (
    alignment,
    "rank 2: its clock was not shifted, because no file states when rank 0 passed the barrier of profiling cycle ep7 (clock_sync_timestamp_us)"));
}

/* Covers documented rows: composer.md §7 two files of the same rank and cycle */
static void
test_twins (void)
{
  const ClockCase cases[] = { RANK (0, 0, "ep0-ba1", 0),  RANK (1, 10, "ep0-ba1", 0), RANK (1, 10, "ep0-ba1", 0),
                              RANK (1, 20, "ep0-ba2", 1), RANK (2, 10, NULL, 0),      RANK (2, 10, NULL, 0) };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_assert_true (clock_has_notice (alignment, "rank 1: there is more than one file of the profiling cycle ep0-ba1"));
  g_assert_false (clock_has_notice (alignment, "rank 0: there is more"));
  g_assert_false (clock_has_notice (alignment, "more than one file of ep0-ba2"));
  g_assert_false (clock_has_notice (alignment, "rank 2: there is more"));
}

static void
test_large_difference (void)
{
  const ClockCase cases[] = { RANK (0, 0, NULL, 0), RANK (1, 601 * LOOM_NS_PER_S, NULL, 0) };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_assert_cmpint (offset_of (alignment, 1), ==, -601 * LOOM_NS_PER_S);
  g_assert_true (clock_has_notice (alignment, "differs by -601 s"));
}

static void
test_groups_and_alone (void)
{
  ClockCase cases[] = { RANK (0, 0, NULL, 0), RANK (3, 500, NULL, 0), RANK (5, 800, NULL, 0), RANK (6, 0, NULL, 0) };
  cases[1].group = cases[2].group = "other";
  cases[3].group = "alone";
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_assert_cmpint (offset_of (alignment, 2), ==, -300);
  g_assert_cmpint (loom_alignment_get (alignment, 0)->state, ==, LOOM_CLOCK_EXACT);
  g_assert_cmpint (loom_alignment_get (alignment, 3)->state, ==, LOOM_CLOCK_EXACT);
}

static void
test_unknown_error (void)
{
  ClockCase cases[] = { RANK (0, 0, NULL, 0), RANK (1, 5, NULL, 0), RANK (2, 5, NULL, 0) };
  cases[1].error_ns = -1;
  cases[2].has_sync = FALSE;
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_assert_cmpint (loom_alignment_get (alignment, 1)->error_ns, ==, -1);
  g_assert_cmpint (offset_of (alignment, 2), ==, 0);
  g_assert_true (
    clock_has_notice (alignment, "rank 2: its clock was not shifted, because its file states no barrier time"));
}

static void
test_unanchored (void)
{
  const ClockCase cases[] = {
    { .rank = -1, .state = LOOM_CLOCK_NONE, .start_ns = 500, .dur_ns = 10 },
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = 2000, .dur_ns = 10 },
    { .rank = -1, .state = LOOM_CLOCK_DERIVED, .start_ns = 1000, .dur_ns = 10 },
  };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  const LoomClockFit *fit = loom_alignment_get (alignment, 0);
  g_assert_true (fit->placed);
  g_assert_cmpint (fit->state, ==, LOOM_CLOCK_NONE);
  g_assert_cmpint (loom_clock_map_to_timeline (&fit->map, 500), ==, BASE_NS + 1000);
  g_assert_false (loom_alignment_get (alignment, 1)->placed);
}

/* Clocks of one domain (they count from the boot of the same host) are moved together, so their offsets to each other
 * stay the same: when they are placed beside a clock with an epoch, and when the user picks events that move one of
 * them. */
static void
test_domains (void)
{
  const ClockCase cases[] = {
    { .rank = -1, .state = LOOM_CLOCK_NONE, .domain = "host a", .start_ns = 700, .dur_ns = 10 },
    { .rank = -1, .state = LOOM_CLOCK_NONE, .domain = "host b", .start_ns = 900, .dur_ns = 10 },
    { .rank = -1, .state = LOOM_CLOCK_NONE, .domain = "host a", .start_ns = 500, .dur_ns = 10 },
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = 2000, .dur_ns = 10 },
  };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_assert_cmpint (offset_of (alignment, 0), ==, BASE_NS + 1500);
  g_assert_cmpint (offset_of (alignment, 1), ==, BASE_NS + 1100);
  g_assert_cmpint (offset_of (alignment, 2), ==, BASE_NS + 1500);
  g_assert_false (loom_alignment_get (alignment, 2)->follows);
  const LoomUserPick pick = { .kept_source = 3, .moved_source = 0, .kept_ns = BASE_NS + 2005, .moved_ns = 700 };
  const LoomAlignOptions options = { .mode = LOOM_ALIGN_AUTO, .picks = &pick, .n_picks = 1 };
  g_autoptr (LoomAlignment) picked = loom_alignment_new_full (run, &options, NULL);
  g_assert_cmpint (offset_of (picked, 0), ==, BASE_NS + 1305);
  g_assert_cmpint (offset_of (picked, 1), ==, BASE_NS + 1100);
  g_assert_cmpint (offset_of (picked, 2), ==, BASE_NS + 1305);
  g_assert_true (loom_alignment_get (picked, 2)->follows && !loom_alignment_get (picked, 1)->follows);
}

static void
test_all_unanchored (void)
{
  const ClockCase cases[] = {
    { .rank = -1, .state = LOOM_CLOCK_NONE, .start_ns = 500, .dur_ns = 10 },
    { .rank = -1, .state = LOOM_CLOCK_NONE, .start_ns = 700, .dur_ns = 10 },
  };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpint (offset_of (alignment, i), ==, 0);
    g_assert_false (loom_alignment_get (alignment, i)->placed);
  }
}

static void
test_user_offsets (void)
{
  const ClockCase cases[] = { RANK (0, 0, NULL, 0), RANK (1, 450, NULL, 0) };
  const LoomUserOffset offsets[] = { { 1, 1000 }, { 1, 50 }, { 77, 5 } };
  g_autoptr (LoomRun) run = clock_run_new (cases, G_N_ELEMENTS (cases));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, offsets, G_N_ELEMENTS (offsets));
  g_assert_cmpint (offset_of (alignment, 0), ==, 0);
  g_assert_cmpint (offset_of (alignment, 1), ==, -400);
  g_assert_cmpint (loom_alignment_get (alignment, 1)->user_offset_ns, ==, 50);
}

/* --- components --------------------------------------------------------------------------------------------------- */

#define N_STAGES 3
#define STEP_NS (5 * LOOM_NS_PER_MS)

/* Sends a message in each direction between ranks of two stages of a pipeline; the clock of the later stage is
 * `ahead_ns` ahead. */
static void
send_both_ways (JobRank *early, JobRank *late, const char *group, gint64 start_ns, gint64 ahead_ns)
{
  const gint64 long_ns = 100 * LOOM_NS_PER_US, back_ns = start_ns + 2 * long_ns;
  job_rank_meet (early, LOOM_SYNC_EVENT_SEND, group, "forward", LOOM_SEQUENCE_NONE, start_ns, start_ns + long_ns);
  job_rank_meet (late, LOOM_SYNC_EVENT_RECEIVE, group, "forward", LOOM_SEQUENCE_NONE, start_ns + ahead_ns,
                 start_ns + long_ns + ahead_ns);
  job_rank_meet (late, LOOM_SYNC_EVENT_SEND, group, "backward", LOOM_SEQUENCE_NONE, back_ns + ahead_ns,
                 back_ns + long_ns + ahead_ns);
  job_rank_meet (early, LOOM_SYNC_EVENT_RECEIVE, group, "backward", LOOM_SEQUENCE_NONE, back_ns, back_ns + long_ns);
}

/* Builds a pipeline whose stages have two ranks each. In each of `n_stretches` parts of the run, there are collectives
 * inside the stages, and messages between neighbouring stages. The clock of the later stage is ahead by an amount that
 * changes with each part if `wander_ns` is not 0. */
static LoomRun *
new_pipeline (guint n_stretches, gint64 wander_ns)
{
  static const char *const groups[N_STAGES] = { "tp0", "tp1", "tp2" };
  JobRank ranks[2 * N_STAGES];
  LoomTrace *traces[2 * N_STAGES];
  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    ranks[i] = job_rank_begin ((gint) i, LOOM_CLOCK_EXACT);
  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    for (gint64 step = 0; step < 20; step++)
      job_rank_meet (&ranks[i], LOOM_SYNC_EVENT_COLLECTIVE, groups[i / 2], "allreduce", step, step * STEP_NS,
                     step * STEP_NS + 1000);
  for (guint i = 0; i < n_stretches; i++)
    for (guint stage = 0; stage + 1 < N_STAGES; stage++)
      send_both_ways (&ranks[2 * stage], &ranks[2 * stage + 2], stage == 0 ? "pp0" : "pp1",
                      2 * LOOM_NS_PER_S * i + LOOM_NS_PER_MS * stage, i % 2 == 0 ? wander_ns : -wander_ns * i);
  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    traces[i] = job_rank_end (&ranks[i]);
  return job_run_new (traces, G_N_ELEMENTS (traces));
}

/* Builds a run of four ranks of unknown node with exact collectives. The clock of rank 1 is ahead by `ahead_ns`, the clock
 * of rank 2 by 6 µs. */
static LoomRun *
new_ahead (gint64 ahead_ns)
{
  const gint64 ahead[] = { 0, ahead_ns, 6 * LOOM_NS_PER_US, 0 };
  LoomTrace *traces[G_N_ELEMENTS (ahead)];
  for (guint i = 0; i < G_N_ELEMENTS (ahead); i++) {
    JobRank rank = job_rank_begin ((gint) i, LOOM_CLOCK_EXACT);
    for (gint64 step = 0; step < 40; step++)
      job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "all", "allreduce", step, step * STEP_NS + ahead[i],
                     step * STEP_NS + 1000 + ahead[i]);
    traces[i] = job_rank_end (&rank);
  }
  return job_run_new (traces, G_N_ELEMENTS (traces));
}

/* A declared clock that is 6 µs away from the fit is kept, because ranks of a node usually read the same clock. It is
 * moved if another rank of the node is 300 µs away. */
static void
test_wrong_node (void)
{
  g_autoptr (LoomRun) near = new_ahead (8 * LOOM_NS_PER_US), far = new_ahead (300 * LOOM_NS_PER_US);
  g_autoptr (LoomAlignment) kept = loom_alignment_new (near, LOOM_ALIGN_AUTO, NULL, 0),
                            moved = loom_alignment_new (far, LOOM_ALIGN_AUTO, NULL, 0);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (offset_of (kept, i), ==, 0);
  g_assert_cmpint (offset_of (moved, 1), ==, -300 * LOOM_NS_PER_US);
  g_assert_cmpint (offset_of (moved, 2), ==, -6 * LOOM_NS_PER_US);
  g_assert_cmpint (offset_of (moved, 3), ==, 0);
  g_assert_false (loom_alignment_get (moved, 3)->fitted);
}

/* Each part of the run has only one pair of events between the middle stage and each of its neighbours; two parts have
 * too few pairs for an offset. */
static void
test_stages (void)
{
  for (guint n_stretches = 1; n_stretches <= 2; n_stretches++) {
    g_autoptr (LoomRun) run = new_pipeline (n_stretches, 0);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
    g_assert_cmpuint (alignment->n_components, ==, N_STAGES);
    g_assert_null (loom_alignment_get_runs (alignment));
    g_assert_false (clock_has_notice (alignment, "different runs"));
    g_assert_true (clock_has_notice (alignment, "share too few events to be compared"));
  }
}

static void
test_stages_joined (void)
{
  g_autoptr (LoomRun) run = new_pipeline (6, 0);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_assert_cmpuint (alignment->n_components, ==, 1);
  g_assert_null (loom_alignment_get_runs (alignment));
  g_assert_null (loom_alignment_get_notices (alignment)[0]);
}

/* There are enough pairs of events between the stages for an offset, but they contradict each other, so that no offset
 * fits them. */
static void
test_different_runs (void)
{
  g_autoptr (LoomRun) run = new_pipeline (6, 300 * LOOM_NS_PER_MS);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_assert_cmpuint (alignment->n_components, ==, N_STAGES);
  g_assert_nonnull (loom_alignment_get_runs (alignment));
  g_assert_true (clock_has_notice (alignment, "Events with the same names do not match"));
  g_assert_false (clock_has_notice (alignment, "too few events"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/alignment/ranks", test_ranks);
  g_test_add_func ("/clock/alignment/modes", test_modes);
  g_test_add_func ("/clock/alignment/cycles", test_cycles);
  g_test_add_func ("/clock/alignment/missing-cycle", test_missing_cycle);
  g_test_add_func ("/clock/alignment/twins", test_twins);
  g_test_add_func ("/clock/alignment/large-difference", test_large_difference);
  g_test_add_func ("/clock/alignment/groups-and-alone", test_groups_and_alone);
  g_test_add_func ("/clock/alignment/unknown-error", test_unknown_error);
  g_test_add_func ("/clock/alignment/unanchored", test_unanchored);
  g_test_add_func ("/clock/alignment/domains", test_domains);
  g_test_add_func ("/clock/alignment/all-unanchored", test_all_unanchored);
  g_test_add_func ("/clock/alignment/user-offsets", test_user_offsets);
  g_test_add_func ("/clock/alignment/wrong-node", test_wrong_node);
  g_test_add_func ("/clock/alignment/stages", test_stages);
  g_test_add_func ("/clock/alignment/stages-joined", test_stages_joined);
  g_test_add_func ("/clock/alignment/different-runs", test_different_runs);
  return g_test_run ();
}
