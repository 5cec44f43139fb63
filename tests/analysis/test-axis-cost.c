/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests how much of the communication on each parallel axis is exposed, with times that can be calculated by hand.
 */
#include "job-run.h"
#include "loom-axis-cost.h"

#define MS LOOM_NS_PER_MS

static LoomAxisCost
cost_of (LoomTrace **traces, guint n, const LoomRange *range)
{
  g_autoptr (LoomRun) run = job_run_new (traces, n);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, range, NULL);
  g_autoptr (LoomParallelAxes) axes = loom_parallel_axes_new (collectives, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomStepBreakdown) breakdown =
    loom_step_breakdown_new (timeline, steps, collectives, range != NULL ? *range : LOOM_STEP_BREAKDOWN_ALL, NULL);
  LoomAxisCost cost;
  g_assert_true (loom_axis_cost_init (&cost, collectives, axes, breakdown, NULL));
  return cost;
}

static void
assert_time (const LoomAxisCostTime *time, gint64 wait_ms, gint64 transfer_ms, gint64 hidden_ms)
{
  g_assert_cmpint (time->exposed_wait_ns, ==, wait_ms * MS);
  g_assert_cmpint (time->exposed_transfer_ns, ==, transfer_ms * MS);
  g_assert_cmpint (time->hidden_ns, ==, hidden_ms * MS);
}

/* Rank 0 waits from 10 to 20 ms for rank 1, and both transfer until 30 ms. Rank 0 computes from 5 to 12 ms, which hides
 * 2 ms of its wait, and from 26 to 40 ms, which hides 4 ms of its transfer. */
static LoomTrace *
new_rank (gint number, const char *group)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, group, "all_reduce", 0, (number == 0 ? 10 : 20) * MS, 30 * MS);
  if (number == 0) {
    job_rank_work (&rank, "gemm", 5 * MS, 12 * MS);
    job_rank_work (&rank, "gemm", 26 * MS, 40 * MS);
  }
  return job_rank_end (&rank);
}

static void
test_exposed (void)
{
  LoomTrace *traces[] = { new_rank (0, "mesh_tp"), new_rank (1, "mesh_tp") };
  LoomAxisCost cost = cost_of (traces, 2, NULL);
  LoomAxisCostTime sum = { 0, 0, 0 };
  g_assert_cmpuint (cost.n_ranks, ==, 2);
  for (guint i = 0; i < LOOM_N_PARALLEL_AXES; i++) {
    sum.exposed_wait_ns += cost.all[i].exposed_wait_ns;
    sum.exposed_transfer_ns += cost.all[i].exposed_transfer_ns;
    sum.hidden_ns += cost.all[i].hidden_ns;
  }
  assert_time (&sum, 8, 6 + 10, 2 + 4);
}

/* A rank takes part in two collectives at the same time: the time in which the two overlap counts as lost only once. */
static void
test_shared (void)
{
  LoomTrace *traces[2];
  for (gint i = 0; i < 2; i++) {
    JobRank rank = job_rank_begin (i, LOOM_CLOCK_EXACT);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "a", "all_reduce", 0, 10 * MS, 20 * MS);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "b", "all_to_all", 0, 10 * MS, 16 * MS);
    traces[i] = job_rank_end (&rank);
  }
  LoomAxisCost cost = cost_of (traces, 2, NULL);
  gint64 sum_ns = 0;
  for (guint i = 0; i < LOOM_N_PARALLEL_AXES; i++)
    sum_ns += cost.all[i].exposed_wait_ns + cost.all[i].exposed_transfer_ns;
  g_assert_cmpint (sum_ns, ==, 2 * 10 * MS);
}

/* Only time inside the range of the collectives counts. */
static void
test_range (void)
{
  LoomTrace *traces[] = { new_rank (0, "a"), new_rank (1, "a") };
  LoomRange range = { JOB_BASE_NS + 15 * MS, JOB_BASE_NS + 25 * MS };
  LoomAxisCost cost = cost_of (traces, 2, &range);
  gint64 wait_ns = 0, transfer_ns = 0;
  for (guint i = 0; i < LOOM_N_PARALLEL_AXES; i++) {
    wait_ns += cost.all[i].exposed_wait_ns;
    transfer_ns += cost.all[i].exposed_transfer_ns;
  }
  g_assert_cmpint (wait_ns, ==, 5 * MS);
  g_assert_cmpint (transfer_ns, ==, 2 * 5 * MS);
}

/* In a run with steps, only time inside of steps counts. The wait of rank 0 for rank 1 begins before the step, and 5 ms
 * of it are inside. The transfers of both ranks end after the step, and 5 ms of each are inside. */
static void
test_steps (void)
{
  LoomTrace *traces[2];
  for (gint i = 0; i < 2; i++) {
    JobRank rank = job_rank_begin (i, LOOM_CLOCK_EXACT);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "a", "all_reduce", 0, (i == 0 ? 10 : 20) * MS, 30 * MS);
    job_rank_step (&rank, "ProfilerStep#1", 15 * MS, 25 * MS);
    traces[i] = job_rank_end (&rank);
  }
  LoomAxisCost cost = cost_of (traces, 2, NULL);
  gint64 wait_ns = 0, transfer_ns = 0;
  for (guint i = 0; i < LOOM_N_PARALLEL_AXES; i++) {
    wait_ns += cost.all[i].exposed_wait_ns;
    transfer_ns += cost.all[i].exposed_transfer_ns;
  }
  g_assert_cmpuint (cost.n_steps, ==, 2);
  g_assert_cmpint (wait_ns, ==, 5 * MS);
  g_assert_cmpint (transfer_ns, ==, 2 * 5 * MS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/axis-cost/exposed", test_exposed);
  g_test_add_func ("/analysis/axis-cost/shared", test_shared);
  g_test_add_func ("/analysis/axis-cost/range", test_range);
  g_test_add_func ("/analysis/axis-cost/steps", test_steps);
  return g_test_run ();
}
