/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is late, how often and after what, on three ranks whose times can be added up by hand.
 */
#include "job-run.h"
#include "loom-stragglers.h"

#include <math.h>

#define US LOOM_NS_PER_US
#define MS LOOM_NS_PER_MS

/* Arrivals in µs after the begin of each of three collectives; all leave 1 ms after it. */
static const gint64 arrivals_us[3][3] = { { 0, 100, 40 }, { 10, 300, 50 }, { 500, 20, 499 } };

static LoomTrace *
new_rank (gint number)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 3; i++) {
    gint64 begin_ns = i * 10 * MS, arrival_ns = begin_ns + arrivals_us[i][number] * US;
    job_rank_work (&rank, number == 1 ? "slow kernel" : "kernel", begin_ns - 2 * MS, arrival_ns - 5 * US);
    job_rank_meet (&rank, LOOM_MEETING_COLLECTIVE, "dp", "allreduce", i, arrival_ns, begin_ns + MS);
  }
  return job_rank_end (&rank);
}

static LoomStragglers *
stragglers_of (LoomTrace **traces, guint n)
{
  g_autoptr (LoomRun) run = job_run_new (traces, n);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  return loom_stragglers_new (collectives, NULL);
}

static void
test_paper (void)
{
  LoomTrace *traces[] = { new_rank (0), new_rank (1), new_rank (2) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 3);
  guint n;
  const LoomStraggler *ranks = loom_stragglers_get (stragglers, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpint (ranks[0].rank, ==, 1);
  g_assert_cmpuint (ranks[0].n, ==, 3);
  g_assert_cmpuint (ranks[0].n_last, ==, 2);
  g_assert_cmpint (ranks[0].late_ns, ==, 310 * US);
  g_assert_cmpint (ranks[0].late_median_ns, ==, 60 * US);
  g_assert_cmpint (ranks[0].late_max_ns, ==, 250 * US);
  g_assert_cmpuint (ranks[0].worst, ==, 1);
  g_assert_cmpint (ranks[0].wait_ns, ==, 480 * US);
  g_assert_cmpint (ranks[0].transfer_ns, ==, (900 + 700 + 500) * US);
  g_assert_cmpstr (ranks[0].before, ==, "slow kernel");
  g_assert_cmpint (ranks[0].before_ns, ==, 2295 * US); /* before the first nothing is known; the one in the middle does not know it */
  g_assert_false (ranks[0].on_host);
  g_assert_true (isnan (ranks[0].correlation)); /* three are too few */
  g_assert_cmpint (ranks[1].rank, ==, 0);
  g_assert_cmpint (ranks[1].late_ns, ==, 1 * US);
  g_assert_cmpstr (ranks[1].before, ==, "kernel");
  g_assert_cmpint (ranks[1].before_ns, ==, 1 * US); /* longer than the one in the middle */
  g_assert_cmpint (ranks[2].rank, ==, 2);
  g_assert_cmpuint (ranks[2].n_last, ==, 0);
  g_assert_cmpuint (ranks[2].worst, ==, G_MAXUINT);
  g_assert_null (ranks[2].before);
  g_assert_cmpint (ranks[2].wait_ns, ==, (60 + 250 + 1) * US);
  g_assert_cmpint (loom_stragglers_get_wait (stragglers), ==, (100 + 60 + 290 + 250 + 480 + 1) * US);
  g_assert_cmpint (loom_stragglers_get_transfer (stragglers), ==, 3 * (900 + 700 + 500) * US);
}

/* Rank 1 is late by as long as its processor loads data, while its device has nothing to do; the step around is not the cause.
 * How late it is goes up and down with the loading, or, turned round, against it. */
static LoomTrace *
new_loader (gint number, gboolean turned)
{
  static const gint64 loads_us[] = { 100, 400, 200, 700, 300, 650 };
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < (gint64) G_N_ELEMENTS (loads_us); i++) {
    gint64 begin_ns = i * 10 * MS, late_ns = number == 1 ? (turned ? 800 - loads_us[i] : loads_us[i]) * US : number * US;
    job_rank_work (&rank, "kernel", begin_ns - 2 * MS, begin_ns - MS);
    job_rank_step (&rank, i % 2 == 0 ? "ProfilerStep#4" : "step", begin_ns - 2 * MS, begin_ns + 2 * MS);
    if (number == 1)
      job_rank_step (&rank, "load", begin_ns + late_ns - loads_us[i] * US, begin_ns + late_ns);
    job_rank_meet (&rank, LOOM_MEETING_COLLECTIVE, "dp", "allreduce", i, begin_ns + late_ns, begin_ns + MS);
  }
  return job_rank_end (&rank);
}

static void
test_host (void)
{
  for (guint turned = 0; turned < 2; turned++) {
    LoomTrace *traces[] = { new_loader (0, turned), new_loader (1, turned), new_loader (2, turned) };
    g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 3);
    guint n;
    const LoomStraggler *ranks = loom_stragglers_get (stragglers, &n);
    g_assert_cmpuint (n, ==, 3);
    g_assert_cmpint (ranks[0].rank, ==, 1);
    g_assert_cmpuint (ranks[0].n_last, ==, 6);
    g_assert_cmpstr (ranks[0].before, ==, "load");
    g_assert_true (ranks[0].on_host);
    g_assert_cmpfloat_with_epsilon (ranks[0].correlation, turned ? -1 : 1, 1e-6);
    g_assert_true (isnan (ranks[1].correlation));
  }
}

static void
test_none (void)
{
  LoomTrace *traces[] = { new_rank (0) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 1);
  guint n;
  loom_stragglers_get (stragglers, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_cancelled (void)
{
  LoomTrace *traces[] = { new_rank (0), new_rank (1) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 2);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_stragglers_new (loom_stragglers_get_collectives (stragglers), cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/stragglers/paper", test_paper);
  g_test_add_func ("/analysis/stragglers/host", test_host);
  g_test_add_func ("/analysis/stragglers/none", test_none);
  g_test_add_func ("/analysis/stragglers/cancelled", test_cancelled);
  return g_test_run ();
}
