/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the replay of operations for the slowdown analysis, with two ranks whose times can be calculated by hand. Times
 * in ns.
 */
#include "loom-slowdown-replay.h"

/* Calls loom_slowdown_replay_run(). `durations_ns`, `ends_ns`: in the order in which the operations were added. */
static gint64
run (const LoomSlowdownReplay *replay, const gint64 *durations_ns, gint64 *ends_ns, LoomRange *steps)
{
  guint32 n = replay->operations->len;
  g_autofree gint64 *durations = g_new (gint64, n), *ends = g_new (gint64, n * LOOM_SLOWDOWN_MOST_REPLAYS);
  for (guint32 i = 0; i < n; i++)
    durations[i] = durations_ns[replay->added[i]];
  const LoomSlowdownReplayTimes times = { .base = durations };
  LoomSlowdownReplayResult result = { .steps = steps };
  loom_slowdown_replay_run (replay, &times, 1, ends, &result);
  for (guint32 i = 0; i < n; i++)
    ends_ns[replay->added[i]] = ends[i];
  return result.waits_ns;
}

/* Adds, on each of two ranks, a kernel (10 and 30 ns) and, after a gap of 1 ns, a collective of both ranks whose
 * transfer takes 4 ns. */
static void
init_check (LoomSlowdownReplay *replay)
{
  static const gint64 kernels_ns[] = { 10, 30 };
  loom_slowdown_replay_init (replay);
  replay->n_steps = replay->n_groups = 1;
  for (guint rank = 0; rank < 2; rank++) {
    const LoomSlowdownOperation kernel = { .duration_ns = kernels_ns[rank],
                                           .group = LOOM_SLOWDOWN_NONE,
                                           .worker = rank,
                                           .flags = LOOM_SLOWDOWN_OPENS },
                                collective = { .duration_ns = 4, .worker = rank, .flags = LOOM_SLOWDOWN_CLOSES };
    guint32 before = loom_slowdown_replay_add (replay, &kernel), after = loom_slowdown_replay_add (replay, &collective);
    loom_slowdown_replay_wait (replay, after, before, 1);
  }
  g_assert_true (loom_slowdown_replay_close (replay));
}

/* Replays with changed durations of the kernel and the collective of rank 0, then those of rank 1. Each replay gives
 * the length of the step. */
static void
test_check (void)
{
  static const struct {
    gint64 durations_ns[4], end_ns;
  } changes[] = {
    { { 10, 4, 30, 4 }, 35 }, /* durations as measured */
    { { 10, 4, 21, 4 }, 26 }, /* kernel of rank 1 takes 0.7 of its time */
    { { 10, 4, 0, 4 }, 15 },  /* without the kernel of rank 1: the step is 20 ns shorter, not 30 ns */
    { { 10, 0, 30, 0 }, 31 }, /* without the transfer */
    { { 0, 4, 30, 4 }, 35 },  /* without the kernel of rank 0 */
  };
  LoomSlowdownReplay replay;
  init_check (&replay);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    gint64 ends[4];
    LoomRange step;
    run (&replay, changes[i].durations_ns, ends, &step);
    g_assert_cmpint (step.begin_ns, ==, 0);
    g_assert_cmpint (step.end_ns, ==, changes[i].end_ns);
    g_assert_cmpint (ends[0], ==, changes[i].durations_ns[0]);
    g_assert_cmpint (ends[1], ==, changes[i].end_ns);
    g_assert_cmpint (ends[3], ==, changes[i].end_ns);
  }
  loom_slowdown_replay_clear (&replay);
}

/* Rank 0 computes for 30 ns and sends a message to rank 1, which then meets rank 2 in a collective. Rank 2 waits for
 * rank 1, but the reason is rank 0. Waits for messages do not count. */
static void
test_waits_of_others (void)
{
  static const struct {
    guint32 rank, group, flags;
  } made[] = { { 0, LOOM_SLOWDOWN_NONE, LOOM_SLOWDOWN_OPENS },       { 0, 0, 0 },
               { 1, LOOM_SLOWDOWN_NONE, LOOM_SLOWDOWN_OPENS },       { 1, 0, 0 },
               { 1, 1, LOOM_SLOWDOWN_WAITS | LOOM_SLOWDOWN_CLOSES }, { 2, LOOM_SLOWDOWN_NONE, LOOM_SLOWDOWN_OPENS },
               { 2, 1, LOOM_SLOWDOWN_WAITS | LOOM_SLOWDOWN_CLOSES } };
  static const gint64 measured_ns[] = { 30, 2, 10, 2, 4, 10, 4 }, first_ns[] = { 10, 2, 10, 2, 4, 10, 4 },
                      second_ns[] = { 30, 2, 0, 2, 4, 10, 4 };
  LoomSlowdownReplay replay;
  gint64 ends[G_N_ELEMENTS (made)];
  LoomRange step;
  loom_slowdown_replay_init (&replay);
  replay.n_steps = 1;
  replay.n_groups = 2;
  for (guint i = 0; i < G_N_ELEMENTS (made); i++) {
    const LoomSlowdownOperation operation = { .group = made[i].group, .worker = made[i].rank, .flags = made[i].flags };
    loom_slowdown_replay_add (&replay, &operation);
    if (i > 0 && made[i - 1].rank == made[i].rank)
      loom_slowdown_replay_wait (&replay, i, i - 1, 0);
  }
  g_assert_true (loom_slowdown_replay_close (&replay));
  g_assert_cmpint (run (&replay, measured_ns, ends, &step), ==, 22);
  g_assert_cmpint (step.end_ns - step.begin_ns, ==, 36);
  g_assert_cmpint (run (&replay, first_ns, ends, &step), ==, 2); /* rank 2 waits for 2 ns, the
   * duration of the message */
  g_assert_cmpint (step.end_ns - step.begin_ns, ==, 16);
  g_assert_cmpint (run (&replay, second_ns, ends, &step), ==, 22);
  loom_slowdown_replay_clear (&replay);
}

/* Each member of a group ends its own transfer after the last member begins. */
static void
test_group (void)
{
  static const gint64 durations_ns[] = { 10, 7, 30, 4 };
  LoomSlowdownReplay replay;
  gint64 ends[4];
  LoomRange step;
  init_check (&replay);
  run (&replay, durations_ns, ends, &step);
  g_assert_cmpint (ends[1], ==, 31 + 7);
  g_assert_cmpint (ends[3], ==, 31 + 4);
  g_assert_cmpint (step.end_ns - step.begin_ns, ==, 38);
  loom_slowdown_replay_clear (&replay);
}

/* An operation without predecessors begins at its own begin_ns. Any other operation begins at the latest of the times
 * that result from its predecessors: end of the predecessor plus the required distance from it. */
static void
test_waits (void)
{
  const LoomSlowdownOperation operations[] = {
    { .begin_ns = 100, .group = LOOM_SLOWDOWN_NONE, .step = LOOM_SLOWDOWN_NONE },
    { .begin_ns = 120, .group = LOOM_SLOWDOWN_NONE, .step = LOOM_SLOWDOWN_NONE },
    { .begin_ns = 999, .group = LOOM_SLOWDOWN_NONE, .step = LOOM_SLOWDOWN_NONE },
  };
  static const gint64 durations_ns[] = { 30, 5, 1 };
  LoomSlowdownReplay replay;
  gint64 ends[3];
  loom_slowdown_replay_init (&replay);
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    loom_slowdown_replay_add (&replay, &operations[i]);
  loom_slowdown_replay_wait (&replay, 2, 0, -2);
  loom_slowdown_replay_wait (&replay, 2, 1, 4);
  g_assert_true (loom_slowdown_replay_close (&replay));
  run (&replay, durations_ns, ends, NULL);
  g_assert_cmpint (ends[0], ==, 130);
  g_assert_cmpint (ends[1], ==, 125);
  /* Each predecessor of operation 2 sets an earliest begin: its end plus the distance. Operation 1 ends at 125 ns, with
   * a distance of 4 ns: 129 ns. Operation 0 ends at 130 ns, with a distance of −2 ns: 128 ns. So operation 2 begins at
   * 129 ns, and takes 1 ns. */
  g_assert_cmpint (ends[2], ==, 130);
  loom_slowdown_replay_clear (&replay);
}

/* Two groups that each wait for the other cannot be replayed. */
static void
test_circle (void)
{
  LoomSlowdownReplay replay;
  loom_slowdown_replay_init (&replay);
  replay.n_groups = 2;
  for (guint i = 0; i < 4; i++) {
    const LoomSlowdownOperation operation = { .group = i / 2, .step = LOOM_SLOWDOWN_NONE };
    loom_slowdown_replay_add (&replay, &operation);
  }
  loom_slowdown_replay_wait (&replay, 2, 0, 0);
  loom_slowdown_replay_wait (&replay, 1, 3, 0);
  g_assert_false (loom_slowdown_replay_close (&replay));
  loom_slowdown_replay_clear (&replay);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/slowdown-replay/check", test_check);
  g_test_add_func ("/analysis/slowdown-replay/group", test_group);
  g_test_add_func ("/analysis/slowdown-replay/waits", test_waits);
  g_test_add_func ("/analysis/slowdown-replay/circle", test_circle);
  g_test_add_func ("/analysis/slowdown-replay/waits-of-others", test_waits_of_others);
  return g_test_run ();
}
