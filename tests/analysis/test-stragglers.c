/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests which ranks are late, how often and after which work, on three ranks whose times can be added up by hand.
 */
#include "job-run.h"
#include "loom-host-delay.h"
#include "loom-rank-order.h"

#include <math.h>

#define US LOOM_NS_PER_US
#define MS LOOM_NS_PER_MS

/* [collective][rank] arrivals in µs after the begin of the collective. All ranks leave 1 ms after the begin. */
static const gint64 arrivals_us[3][3] = { { 0, 100, 40 }, { 10, 300, 50 }, { 500, 20, 499 } };

static LoomTrace *
new_rank (gint number)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 3; i++) {
    gint64 begin_ns = i * 10 * MS, arrival_ns = begin_ns + arrivals_us[i][number] * US;
    job_rank_work (&rank, number == 1 ? "slow kernel" : "kernel", begin_ns - 2 * MS, arrival_ns - 5 * US);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, arrival_ns, begin_ns + MS);
  }
  return job_rank_end (&rank);
}

static LoomStragglers *
stragglers_in (LoomTrace **traces, guint n, const LoomRange *range)
{
  g_autoptr (LoomRun) run = job_run_new (traces, n);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, range, NULL);
  return loom_stragglers_new (collectives, NULL);
}

static LoomStragglers *
stragglers_of (LoomTrace **traces, guint n)
{
  return stragglers_in (traces, n, NULL);
}

static void
test_paper (void)
{
  LoomTrace *traces[] = { new_rank (0), new_rank (1), new_rank (2) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 3);
  const LoomStraggler *ranks = stragglers->ranks;
  g_assert_cmpuint (stragglers->n_ranks, ==, 3);
  g_assert_cmpint (ranks[0].rank, ==, 1);
  g_assert_cmpuint (ranks[0].n, ==, 3);
  g_assert_cmpuint (ranks[0].n_last, ==, 2);
  g_assert_cmpint (ranks[0].late_ns, ==, 310 * US);
  g_assert_cmpint (ranks[0].late_median_ns, ==, 155 * US);
  g_assert_cmpint (ranks[0].late_max_ns, ==, 250 * US);
  g_assert_cmpuint (ranks[0].worst, ==, 1);
  /* Waits of other ranks that rank 1 causes. In the first collective: rank 0 waits for ranks 1 and 2 for 40 µs, half of
   * which (20 µs) counts for rank 1; then ranks 0 and 2 wait for rank 1 for 60 µs each. In the second collective: half
   * of 40 µs (20 µs), and 250 µs for two ranks. */
  g_assert_cmpint (ranks[0].others_ns, ==, (140 + 520) * US);
  g_assert_cmpint (ranks[0].latest_ns, ==, 290 * US);
  g_assert_cmpint (ranks[0].wait_ns, ==, 480 * US);
  g_assert_cmpint (ranks[0].transfer_ns, ==, (900 + 700 + 500) * US);
  g_assert_cmpstr (ranks[0].before, ==, "slow kernel");
  /* The work of rank 1 is compared with work of the same name on the median rank. The median rank has no "slow kernel",
   * so the whole time of this kernel on rank 1 counts. */
  g_assert_cmpint (ranks[0].before_ns, ==, (2095 + 2295) * US);
  g_assert_false (ranks[0].on_host);
  g_assert_true (isnan (ranks[0].correlation)); /* correlation of rank 1: three collectives are too few for one */
  g_assert_cmpint (ranks[1].rank, ==, 2);
  /* rank 2 is never last, but the first rank of each collective waits for it as well */
  g_assert_cmpint (ranks[1].others_ns, ==, (40 + 40 + 479) * US / 2);
  g_assert_cmpint (ranks[1].latest_ns, ==, 479 * US);
  g_assert_cmpuint (ranks[1].n_last, ==, 0);
  g_assert_cmpint (ranks[1].late_ns, ==, 0);
  g_assert_cmpuint (ranks[1].worst, ==, 2);
  g_assert_null (ranks[1].before); /* rank 2 is the median rank in all collectives, so there is nothing to compare it
   * with */
  g_assert_cmpint (ranks[1].wait_ns, ==, (60 + 250 + 1) * US);
  g_assert_cmpint (ranks[2].rank, ==, 0);
  g_assert_cmpint (ranks[2].others_ns, ==, (479 + 4) * US / 2);
  g_assert_cmpint (ranks[2].late_ns, ==, 1 * US);
  g_assert_cmpstr (ranks[2].before, ==, "kernel");
  /* the kernel of rank 0 runs 1 µs longer than that of the median rank */
  g_assert_cmpint (ranks[2].before_ns, ==, 1 * US);
  g_assert_cmpint (stragglers->wait_ns, ==, (100 + 60 + 290 + 250 + 480 + 1) * US);
  g_assert_cmpint (stragglers->transfer_ns, ==, 3 * (900 + 700 + 500) * US);
}

/* Adds a second thread with more events, whose times are equal on all ranks and so explain nothing. */
static void
add_backward (JobRank *rank, gint64 begin_ns)
{
  guint32 main = rank->host;
  rank->host = loom_trace_builder_thread (rank->builder, loom_trace_builder_process (rank->builder, 0, "1", 1), "2", 1);
  for (gint64 i = 0; i < 10; i++)
    job_rank_step (rank, "backward", begin_ns - 2 * MS + i * 10 * US, begin_ns - 2 * MS + (i * 10 + 5) * US);
  rank->host = main;
}

/* Builds one of four ranks. Ranks 2 and 3 load data before the first of two collectives; rank 3 arrives 10 µs after
 * rank 2. */
static LoomTrace *
new_of_group (gint number)
{
  static const gint64 group_us[2][4] = { { 0, 9, 999, 1009 }, { 0, 0, 0, 0 } };
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 2; i++) {
    gint64 begin_ns = i * 10 * MS, arrival_ns = begin_ns + group_us[i][number] * US;
    job_rank_step (&rank, i == 0 ? "ProfilerStep#4" : "ProfilerStep#5", begin_ns - 2 * MS, begin_ns + 3 * MS);
    add_backward (&rank, begin_ns);
    if (number >= 2 && i == 0)
      job_rank_step (&rank, "load", begin_ns - 100 * US, arrival_ns - 100 * US);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, arrival_ns, begin_ns + 2 * MS);
  }
  return job_rank_end (&rank);
}

/* Repairing ranks 2 and 3 saves the time from the arrival of rank 1, at 9 µs, until that of rank 3, at 1009 µs. Repairing
 * only rank 3 saves the time from the arrival of rank 2. */
static void
check_delay_of_group (const LoomStragglers *stragglers)
{
  g_autoptr (LoomHostDelay) delay = loom_host_delay_find (stragglers);
  g_assert_nonnull (delay);
  g_autofree char *ranks = loom_host_delay_dup_ranks (delay);
  g_assert_cmpstr (ranks, ==, "2 and 3");
  g_assert_true (delay->main == &stragglers->ranks[0]);
  g_assert_cmpstr (delay->before, ==, "load");
  g_assert_cmpint (delay->before_ns, ==, 1009 * US);
  g_assert_cmpint (delay->latest_ns, ==, 1009 * US);
  g_assert_cmpint (delay->saved_ns, ==, 1000 * US);
  g_assert_cmpint (loom_stragglers_sum_saving (stragglers, &delay->main, 1), ==, 10 * US);
}

static void
test_group (void)
{
  /* Expected waits of other ranks that ranks 3, 2, 1 and 0 cause. The arrivals are at 0, 9, 999 and 1009 µs. Until 9
   * µs, rank 0 waits for three ranks: 3 µs for each. Until 999 µs, ranks 0 and 1 wait for ranks 2 and 3: 990 µs for
   * each of these two. Until 1009 µs, three ranks wait for rank 3: 30 µs. */
  static const gint64 others_us[] = { 1023, 993, 3, 0 };
  LoomTrace *traces[] = { new_of_group (0), new_of_group (1), new_of_group (2), new_of_group (3) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 4);
  const LoomStraggler *ranks = stragglers->ranks;
  g_assert_cmpuint (stragglers->n_ranks, ==, 4);
  for (guint i = 0; i < stragglers->n_ranks; i++) {
    g_assert_cmpint (ranks[i].rank, ==, 3 - (gint) i);
    g_assert_cmpint (ranks[i].others_ns, ==, others_us[i] * US);
    g_assert_cmpuint (ranks[i].worst, ==, i == 3 ? G_MAXUINT : 0);
  }
  /* sum of all waits; equals the sum of others_us */
  g_assert_cmpint (stragglers->wait_ns, ==, (1009 + 1000 + 10) * US);
  g_assert_cmpint (ranks[1].late_ns, ==, 0);
  g_assert_cmpint (ranks[1].latest_ns, ==, 999 * US);
  for (guint i = 0; i < 2; i++) { /* the second latest rank gets an explanation, too, even in the first collective */
    g_assert_cmpstr (ranks[i].before, ==, "load");
    g_assert_true (ranks[i].on_host);
    g_assert_cmpint (ranks[i].before_ns, ==, (i == 0 ? 1009 : 999) * US);
  }
  g_assert_null (ranks[2].before);
  check_delay_of_group (stragglers);
}

/* Work before the range does not explain the first collective in it: of the loads that begin 100 µs before the collective,
 * the range contains all but the first 50 µs. */
static void
test_range (void)
{
  LoomTrace *traces[] = { new_of_group (0), new_of_group (1), new_of_group (2), new_of_group (3) };
  const LoomRange range = { JOB_BASE_NS - 50 * US, JOB_BASE_NS + 5 * MS };
  g_autoptr (LoomStragglers) stragglers = stragglers_in (traces, 4, &range);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpstr (stragglers->ranks[i].before, ==, "load");
    g_assert_cmpint (stragglers->ranks[i].before_ns, ==, (i == 0 ? 959 : 949) * US);
  }
}

/* If ten ranks arrive together after the first rank, each of the ten causes a tenth of the wait of the first rank. */
static void
test_shares (void)
{
  LoomCollectiveMember members[11] = { 0 };
  double shares[11];
  for (guint i = 1; i < 11; i++)
    members[i].arrival_ns = 1000;
  loom_rank_order_share_waits (members, 11, shares);
  g_assert_cmpfloat (shares[0], ==, 0);
  for (guint i = 1; i < 11; i++)
    g_assert_cmpfloat_with_epsilon (shares[i], 100, 1e-9);
}

/* Builds one of three ranks. Rank 1 is late by the time its host loads data, during which its
 * device is idle. The enclosing step is not reported as the cause. Lateness rises and falls with
 * the loading time, or inversely if `turned`. */
static LoomTrace *
new_loader (gint number, gboolean turned)
{
  static const gint64 loads_us[] = { 100, 400, 200, 700, 300, 650 };
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < (gint64) G_N_ELEMENTS (loads_us); i++) {
    gint64 begin_ns = i * 10 * MS,
           late_ns = number == 1 ? (turned ? 800 - loads_us[i] : loads_us[i]) * US : number * US;
    job_rank_work (&rank, "kernel", begin_ns - 2 * MS, begin_ns - MS);
    job_rank_step (&rank, i % 2 == 0 ? "ProfilerStep#4" : "step", begin_ns - 2 * MS, begin_ns + 2 * MS);
    if (number == 1)
      job_rank_step (&rank, "load", begin_ns + late_ns - loads_us[i] * US, begin_ns + late_ns);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, begin_ns + late_ns, begin_ns + MS);
  }
  return job_rank_end (&rank);
}

static void
test_host (void)
{
  for (guint turned = 0; turned < 2; turned++) {
    LoomTrace *traces[] = { new_loader (0, turned), new_loader (1, turned), new_loader (2, turned) };
    g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 3);
    const LoomStraggler *ranks = stragglers->ranks;
    g_assert_cmpuint (stragglers->n_ranks, ==, 3);
    g_assert_cmpint (ranks[0].rank, ==, 1);
    g_assert_cmpuint (ranks[0].n_last, ==, 6);
    g_assert_cmpstr (ranks[0].before, ==, "load");
    g_assert_true (ranks[0].on_host);
    /* expected correlation of the loading times with the latenesses: 1; if `turned`, it is Σxy ÷ √(Σx² Σy²), where x
     * are the loading times 100, 400 … µs, and y the latenesses 698, 398 … µs */
    g_assert_cmpfloat_with_epsilon (ranks[0].correlation, turned ? 0.531465 : 1, 1e-5);
    g_assert_true (isnan (ranks[1].correlation));
  }
}

/* Builds one of three ranks. Rank 1 arrives 5 ms late, and its host loads `load_us` longer than the other hosts. */
static LoomTrace *
new_of_slow_link (gint number, gint64 load_us)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 6; i++) {
    gint64 begin_ns = i * 20 * MS, late_ns = number == 1 ? 5 * MS : number * US;
    job_rank_work (&rank, "kernel", begin_ns - 2 * MS, begin_ns - MS);
    if (number == 1)
      job_rank_step (&rank, "load", begin_ns - load_us * US, begin_ns);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, begin_ns + late_ns, begin_ns + 6 * MS);
  }
  return job_rank_end (&rank);
}

/* 100 µs of work on the host do not explain a lateness of 5 ms, although they precede each late arrival; 3 ms do. */
static void
test_small_cause (void)
{
  static const gint64 loads_us[] = { 100, 3000 };
  for (guint i = 0; i < G_N_ELEMENTS (loads_us); i++) {
    LoomTrace *traces[3];
    for (gint r = 0; r < 3; r++)
      traces[r] = new_of_slow_link (r, loads_us[i]);
    g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 3);
    g_assert_cmpint (stragglers->ranks[0].rank, ==, 1);
    g_assert_cmpstr (stragglers->ranks[0].before, ==, "load");
    g_autoptr (LoomHostDelay) late = loom_host_delay_find (stragglers);
    g_assert_true (i == 0 ? late == NULL : late->main == &stragglers->ranks[0] && late->n == 1);
    if (late != NULL) /* 3 ms in each collective; of the first load, only 2 ms are in the recording of all ranks */
      g_assert_cmpint (late->saved_ns, ==, (2 + 5 * 3) * MS);
  }
}

/* Builds one of three ranks. Rank 1 mostly waits before it arrives and computes for a shorter time:
 * the wait must not be reported as the cause. */
static LoomTrace *
new_waiting_rank (gint number)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 3; i++) {
    gint64 begin_ns = i * 10 * MS, late_ns = number == 1 ? 900 * US : 0;
    job_rank_work (&rank, "kernel", begin_ns - 2 * MS, begin_ns - 1500 * US + (number == 1 ? 500 * US : 0));
    if (number == 1)
      job_rank_wait (&rank, "Stream Wait Event", begin_ns - MS, begin_ns + late_ns);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, begin_ns + late_ns, begin_ns + MS);
  }
  return job_rank_end (&rank);
}

static void
test_waits (void)
{
  LoomTrace *traces[] = { new_waiting_rank (0), new_waiting_rank (1), new_waiting_rank (2) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 3);
  const LoomStraggler *ranks = stragglers->ranks;
  g_assert_cmpint (ranks[0].rank, ==, 1);
  g_assert_cmpstr (ranks[0].before, ==, "kernel");
  g_assert_cmpint (ranks[0].before_ns, ==, 3 * 500 * US);
}

/* Builds one of three ranks. Ranks 0 and 2 load data inside a step; rank 1 does nothing there, and
 * arrives later. */
static LoomTrace *
new_idle_rank (gint number)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 3; i++) {
    gint64 begin_ns = i * 10 * MS, late_ns = number == 1 ? 900 * US : 0;
    job_rank_step (&rank, i == 0 ? "ProfilerStep#4" : "ProfilerStep#5", begin_ns - 3 * MS, begin_ns + 2 * MS);
    if (number != 1)
      job_rank_step (&rank, "load", begin_ns - 2 * MS, begin_ns - MS);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, begin_ns + late_ns, begin_ns + MS);
  }
  return job_rank_end (&rank);
}

/* The durations of steps are not compared, so the time of their nested spans must not be subtracted either: nothing
 * explains that rank 1 is late. */
static void
test_unexplained (void)
{
  LoomTrace *traces[] = { new_idle_rank (0), new_idle_rank (1), new_idle_rank (2) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 3);
  g_assert_cmpint (stragglers->ranks[0].rank, ==, 1);
  g_assert_null (stragglers->ranks[0].before);
}

/* Two ranks of one merged file have one clock. Rank 1 is recorded from 5 ms on, so the 5 ms that rank 0 computed before do
 * not explain why it is late. */
static void
test_recorded_later (void)
{
  JobRank rank = job_rank_begin (0, LOOM_CLOCK_EXACT);
  guint32 process = loom_trace_builder_process (rank.builder, 0, "1", 1);
  loom_trace_builder_process_set_place (rank.builder, process, NULL, 0);
  job_rank_work (&rank, "kernel", 0, 9 * MS);
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", 0, 9 * MS, 10 * MS);
  process = loom_trace_builder_process (rank.builder, 0, "2", 1);
  loom_trace_builder_process_set_place (rank.builder, process, NULL, 1);
  rank.device = loom_trace_builder_thread (rank.builder, process, "7", 1);
  loom_trace_builder_thread_add_flags (rank.builder, rank.device, LOOM_TRACK_DEVICE);
  job_rank_work (&rank, "kernel", 5 * MS, 8 * MS);
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", 0, 8 * MS, 10 * MS);
  LoomTrace *traces[] = { job_rank_end (&rank) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 1);
  g_assert_cmpuint (stragglers->n_ranks, ==, 2);
  g_assert_cmpint (stragglers->ranks[0].rank, ==, 0);
  g_assert_cmpstr (stragglers->ranks[0].before, ==, "kernel");
  g_assert_cmpint (stragglers->ranks[0].before_ns, ==, MS);
}

static void
test_none (void)
{
  LoomTrace *traces[] = { new_rank (0) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 1);
  g_assert_cmpuint (stragglers->n_ranks, ==, 0);
}

static void
test_cancelled (void)
{
  LoomTrace *traces[] = { new_rank (0), new_rank (1) };
  g_autoptr (LoomStragglers) stragglers = stragglers_of (traces, 2);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_stragglers_new (stragglers->collectives, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/stragglers/paper", test_paper);
  g_test_add_func ("/analysis/stragglers/group", test_group);
  g_test_add_func ("/analysis/stragglers/range", test_range);
  g_test_add_func ("/analysis/stragglers/shares", test_shares);
  g_test_add_func ("/analysis/stragglers/host", test_host);
  g_test_add_func ("/analysis/stragglers/small-cause", test_small_cause);
  g_test_add_func ("/analysis/stragglers/waits", test_waits);
  g_test_add_func ("/analysis/stragglers/unexplained", test_unexplained);
  g_test_add_func ("/analysis/stragglers/recorded-later", test_recorded_later);
  g_test_add_func ("/analysis/stragglers/none", test_none);
  g_test_add_func ("/analysis/stragglers/cancelled", test_cancelled);
  return g_test_run ();
}
