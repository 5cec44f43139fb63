/* SPDX-License-Identifier: Apache-2.0
 *
 * Who came last and what it cost, on three ranks whose times can be added up by hand.
 */
#include "job-run.h"
#include "loom-collectives.h"

#define US LOOM_NS_PER_US
#define MS LOOM_NS_PER_MS

/* Arrivals in µs after the begin of each of three collectives; all leave 1 ms after it, rank 2 by 2 µs later. */
static const gint64 arrivals_us[3][3] = { { 0, 100, 40 }, { 10, 300, 50 }, { 500, 20, 499 } };

static LoomTrace *
new_rank (gint number, const char *group)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 3; i++) {
    gint64 begin_ns = i * 10 * MS, arrival_ns = begin_ns + arrivals_us[i][number] * US;
    job_rank_work (&rank, number == 1 ? "slow kernel" : "kernel", begin_ns - 2 * MS, arrival_ns - 5 * US);
    job_rank_meet (&rank, LOOM_MEETING_COLLECTIVE, group, "allreduce", i, arrival_ns, begin_ns + MS + (number == 2 ? 2 * US : 0));
  }
  return job_rank_end (&rank);
}

static LoomCollectives *
collectives_of (LoomRun *run, LoomAlignMode mode)
{
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, mode, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  return loom_collectives_new (timeline, NULL);
}

static LoomRun *
three_ranks (void)
{
  LoomTrace *traces[] = { new_rank (0, "dp"), new_rank (1, "dp"), new_rank (2, "dp") };
  return job_run_new (traces, 3);
}

static void
test_members (void)
{
  static const gint last_ranks[] = { 1, 1, 0 };
  static const gint64 late_by_us[] = { 60, 250, 1 };
  g_autoptr (LoomRun) run = three_ranks ();
  g_autoptr (LoomCollectives) collectives = collectives_of (run, LOOM_ALIGN_AUTO);
  guint n;
  const LoomCollective *all = loom_collectives_get (collectives, &n);
  g_assert_cmpuint (n, ==, 3);
  for (guint i = 0; i < n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &all[i]);
    gint64 begin_ns = JOB_BASE_NS + i * 10 * MS, last_us = arrivals_us[i][last_ranks[i]];
    g_assert_cmpstr (all[i].name, ==, "allreduce");
    g_assert_cmpstr (all[i].group, ==, "dp");
    g_assert_cmpint (all[i].sequence, ==, i);
    g_assert_cmpuint (all[i].n, ==, 3);
    g_assert_cmpint (members[2].rank, ==, last_ranks[i]);
    g_assert_cmpint (all[i].arrival_ns, ==, begin_ns + last_us * US);
    g_assert_cmpint (all[i].end_ns, ==, begin_ns + MS);
    g_assert_cmpint (all[i].transfer_ns, ==, MS - last_us * US);
    g_assert_cmpint (all[i].late_by_ns, ==, late_by_us[i] * US);
    for (guint m = 0; m < 3; m++) {
      g_assert_cmpint (members[m].arrival_ns, ==, begin_ns + arrivals_us[i][members[m].rank] * US);
      g_assert_cmpint (members[m].wait_ns, ==, (last_us - arrivals_us[i][members[m].rank]) * US);
    }
  }
}

static void
test_stragglers (void)
{
  g_autoptr (LoomRun) run = three_ranks ();
  g_autoptr (LoomCollectives) collectives = collectives_of (run, LOOM_ALIGN_AUTO);
  guint n;
  const LoomStraggler *ranks = loom_collectives_get_stragglers (collectives, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpint (ranks[0].rank, ==, 1);
  g_assert_cmpuint (ranks[0].n, ==, 3);
  g_assert_cmpuint (ranks[0].n_last, ==, 2);
  g_assert_cmpint (ranks[0].late_ns, ==, 310 * US);
  g_assert_cmpint (ranks[0].late_median_ns, ==, 60 * US);
  g_assert_cmpint (ranks[0].late_max_ns, ==, 250 * US);
  g_assert_cmpint (ranks[0].wait_ns, ==, 480 * US);
  g_assert_cmpstr (ranks[0].before, ==, "slow kernel");
  g_assert_cmpint (ranks[0].before_ns, ==, (60 - 5 + 250 - 5) * US);
  g_assert_cmpint (ranks[1].rank, ==, 0);
  g_assert_cmpint (ranks[1].late_ns, ==, 1 * US);
  g_assert_null (ranks[1].before); /* its work ended before the others waited for it alone */
  g_assert_cmpint (ranks[2].rank, ==, 2);
  g_assert_cmpuint (ranks[2].n_last, ==, 0);
  g_assert_cmpint (ranks[2].wait_ns, ==, (60 + 250 + 1) * US);
}

/* Two jobs that nothing tells apart are not mixed; another group is another collective. */
static void
test_apart (void)
{
  LoomTrace *doubled[] = { new_rank (0, "dp"), new_rank (1, "dp"), new_rank (0, "dp") };
  LoomTrace *grouped[] = { new_rank (0, "a"), new_rank (1, "a"), new_rank (2, "b") };
  g_autoptr (LoomRun) two_jobs = job_run_new (doubled, 3);
  g_autoptr (LoomRun) groups = job_run_new (grouped, 3);
  g_autoptr (LoomCollectives) none = collectives_of (two_jobs, LOOM_ALIGN_DECLARED);
  g_autoptr (LoomCollectives) pairs = collectives_of (groups, LOOM_ALIGN_DECLARED);
  guint n;
  loom_collectives_get (none, &n);
  g_assert_cmpuint (n, ==, 0);
  const LoomCollective *all = loom_collectives_get (pairs, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (all[0].n, ==, 2);
  loom_collectives_get_stragglers (pairs, &n);
  g_assert_cmpuint (n, ==, 2);
}

static void
test_cancelled (void)
{
  g_autoptr (LoomRun) run = three_ranks ();
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_collectives_new (timeline, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/collectives/members", test_members);
  g_test_add_func ("/analysis/collectives/stragglers", test_stragglers);
  g_test_add_func ("/analysis/collectives/apart", test_apart);
  g_test_add_func ("/analysis/collectives/cancelled", test_cancelled);
  return g_test_run ();
}
