/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests which rank arrives last in a collective, and how long the others wait for it, on runs of three ranks whose
 * times can be calculated by hand.
 */
#include "job-run.h"
#include "loom-collective-times.h"
#include "loom-collectives.h"
#include "loom-rank-waits.h"

#define US LOOM_NS_PER_US
#define MS LOOM_NS_PER_MS

/* Arrival times by [collective][rank], in µs after the nominal begin of the collective. Ranks 0 and 1 leave each
 * collective 1 ms after its nominal begin; rank 2 leaves 2 µs later than they do. */
static const gint64 arrivals_us[3][3] = { { 0, 100, 40 }, { 10, 300, 50 }, { 500, 20, 499 } };

static LoomTrace *
new_rank (gint number, const char *group)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 3; i++) {
    gint64 begin_ns = i * 10 * MS, arrival_ns = begin_ns + arrivals_us[i][number] * US;
    job_rank_work (&rank, number == 1 ? "slow kernel" : "kernel", begin_ns - 2 * MS, arrival_ns - 5 * US);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, group, "allreduce", i, arrival_ns,
                   begin_ns + MS + (number == 2 ? 2 * US : 0));
  }
  return job_rank_end (&rank);
}

static LoomCollectives *
collectives_of (LoomRun *run, LoomAlignMode mode)
{
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, mode, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  return loom_collectives_new (timeline, NULL, NULL);
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
  const LoomCollective *all = collectives->all;
  g_assert_cmpuint (collectives->n, ==, 3);
  for (guint i = 0; i < collectives->n; i++) {
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

/* The span of a collective on a rank can be looked up from the collective, and the collective from the span. The span
 * of a kernel that is not part of a collective has no collective. */
static void
test_spans (void)
{
  g_autoptr (LoomRun) run = three_ranks ();
  g_autoptr (LoomCollectives) collectives = collectives_of (run, LOOM_ALIGN_AUTO);
  guint n_found = 0;
  const LoomCollective *all = collectives->all;
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &all[i]);
    for (guint m = 0; m < all[i].n; m++) {
      LoomSpanId span = loom_collectives_get_span (collectives, &members[m]);
      gint64 start_ns, end_ns;
      g_assert_false (loom_timeline_span_id_is_none (span));
      g_assert_cmpuint (span.trace, ==, members[m].trace);
      loom_timeline_get_span (collectives->timeline, span, &start_ns, &end_ns);
      g_assert_cmpint (start_ns, ==, members[m].arrival_ns);
      g_assert_cmpint (end_ns, ==, members[m].end_ns);
      g_assert_cmpuint (loom_collectives_find (collectives, span), ==, i);
    }
  }
  for (guint32 span = 0; span < loom_trace_get_spans (loom_run_get_trace (run, 0))->n; span++)
    n_found += loom_collectives_find (collectives, (LoomSpanId) { 0, span }) != G_MAXUINT;
  g_assert_cmpuint (n_found, ==, 3);
  g_assert_cmpuint (loom_collectives_find (collectives, LOOM_SPAN_ID_NONE), ==, G_MAXUINT);
}

static guint
count_in (LoomTimeline *timeline, gint64 begin_ns, gint64 end_ns)
{
  LoomRange range = { JOB_BASE_NS + begin_ns, JOB_BASE_NS + end_ns };
  g_autoptr (LoomCollectives) found = loom_collectives_new (timeline, &range, NULL);
  g_assert_cmpint (found->range.begin_ns, ==, range.begin_ns);
  return found->n;
}

/* A range contains each collective that it overlaps. A collective lasts from its first arrival to its end. */
static void
test_range (void)
{
  g_autoptr (LoomRun) run = three_ranks ();
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_assert_cmpuint (count_in (timeline, MS + 1, 10 * MS + 10 * US), ==, 0);
  g_assert_cmpuint (count_in (timeline, MS, 10 * MS + 10 * US), ==, 1);
  g_assert_cmpuint (count_in (timeline, MS, 10 * MS + 10 * US + 1), ==, 2);
  g_assert_cmpuint (count_in (timeline, 200 * US, 201 * US), ==, 1);
  g_assert_cmpuint (count_in (timeline, -MS, 0), ==, 0);
}

/* Two jobs with equal ranks and groups are not mixed into one collective; different groups form different
 * collectives. */
static void
test_apart (void)
{
  LoomTrace *doubled[] = { new_rank (0, "dp"), new_rank (1, "dp"), new_rank (0, "dp") };
  LoomTrace *grouped[] = { new_rank (0, "a"), new_rank (1, "a"), new_rank (2, "b") };
  g_autoptr (LoomRun) two_jobs = job_run_new (doubled, 3);
  g_autoptr (LoomRun) groups = job_run_new (grouped, 3);
  g_autoptr (LoomCollectives) none = collectives_of (two_jobs, LOOM_ALIGN_DECLARED);
  g_autoptr (LoomCollectives) pairs = collectives_of (groups, LOOM_ALIGN_DECLARED);
  g_assert_cmpuint (none->n, ==, 0);
  g_assert_cmpuint (pairs->n, ==, 3);
  g_assert_cmpuint (pairs->all[0].n, ==, 2);
}

static void
test_cancelled (void)
{
  g_autoptr (LoomRun) run = three_ranks ();
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_collectives_new (timeline, NULL, cancellable));
}

typedef struct {
  const LoomCollectives *collectives;
  GMutex lock;
  GCond changed;
  gboolean began, may_end;
} Making;

static Making making;

/* Replaces a computation that takes long: waits until the test sets `may_end`, then returns `collectives`. */
static gpointer
make_late (const LoomCollectives *collectives, GCancellable *cancellable)
{
  g_mutex_lock (&making.lock);
  making.began = TRUE;
  g_cond_broadcast (&making.changed);
  while (!making.may_end)
    g_cond_wait (&making.changed, &making.lock);
  g_mutex_unlock (&making.lock);
  return g_strdup ("made");
}

static gpointer
share (gpointer cancellable)
{
  return (gpointer) loom_collectives_share (making.collectives, LOOM_COLLECTIVES_TRANSFERS, make_late, g_free,
                                            cancellable);
}

/* A caller that waits for a result, because another thread computes it, returns as soon as the caller is cancelled. */
static void
test_share_cancelled (void)
{
  g_autoptr (LoomRun) run = three_ranks ();
  g_autoptr (LoomCollectives) collectives = collectives_of (run, LOOM_ALIGN_DECLARED);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  making.collectives = collectives;
  GThread *making_thread = g_thread_new ("make", share, NULL);
  g_mutex_lock (&making.lock);
  while (!making.began)
    g_cond_wait (&making.changed, &making.lock);
  g_mutex_unlock (&making.lock);
  GThread *waiting = g_thread_new ("wait", share, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_null (g_thread_join (waiting));
  g_mutex_lock (&making.lock);
  making.may_end = TRUE;
  g_cond_broadcast (&making.changed);
  g_mutex_unlock (&making.lock);
  g_assert_cmpstr (g_thread_join (making_thread), ==, "made");
}

/* --- time in collectives ------------------------------------------------------------------------------------------ */

/* Two groups of ranks meet in collectives on two streams. In the collective of the first group, rank 0 is from 0 to 10
 * ms and rank 1 from 4 to 10 ms. In the collective of the second group, rank 0 is from 2 to 9 ms and rank 1 from 3 to 9
 * ms. */
static LoomTrace *
new_overlapping (gint number)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "a", "all_reduce", 0, (number == 0 ? 0 : 4) * MS, 10 * MS);
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "b", "all_reduce", 0, (number == 0 ? 2 : 3) * MS, 9 * MS);
  return job_rank_end (&rank);
}

/* Times at which a rank is in two collectives count once. Rank 0 waits from 0 to 4 ms and transfers until 10 ms. Rank 1
 * arrives last in both, so it transfers from 3 to 10 ms. */
static void
test_times (void)
{
  LoomTrace *traces[] = { new_overlapping (0), new_overlapping (1) };
  g_autoptr (LoomRun) run = job_run_new (traces, 2);
  g_autoptr (LoomCollectives) collectives = collectives_of (run, LOOM_ALIGN_DECLARED);
  LoomCollectiveTimes times = loom_collective_times_sum (collectives);
  g_assert_cmpuint (collectives->n, ==, 2);
  g_assert_cmpint (times.waits_ns, ==, 4 * MS);
  g_assert_cmpint (times.transfers_ns, ==, (6 + 7) * MS);
}

/* Rank 0 sends from 0 to 2 ms, rank 1 receives from 5 to 7 ms. */
static LoomTrace *
new_message (gint number)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "a", "all_reduce", 0, 10 * MS, 11 * MS);
  if (number == 0)
    job_rank_meet (&rank, LOOM_SYNC_EVENT_SEND, "0>1", "send", 0, 0, 2 * MS);
  else
    job_rank_meet (&rank, LOOM_SYNC_EVENT_RECEIVE, "0>1", "send", 0, 5 * MS, 7 * MS);
  return job_rank_end (&rank);
}

/* If a send ends before the receive begins, its wait is as long as the send; the wait does not last until the receive
 * begins. Both ranks transfer during the all-reduce (1 ms), and rank 1 also while it receives. */
static void
test_early_send (void)
{
  LoomTrace *traces[] = { new_message (0), new_message (1) };
  g_autoptr (LoomRun) run = job_run_new (traces, 2);
  g_autoptr (LoomCollectives) collectives = collectives_of (run, LOOM_ALIGN_DECLARED);
  LoomCollectiveTimes times = loom_collective_times_sum (collectives);
  g_assert_cmpint (times.waits_ns, ==, 2 * MS);
  g_assert_cmpint (times.transfers_ns, ==, (1 + 1 + 2) * MS);
}

/* --- waits of adjacent ranges ------------------------------------------------------------------------------------- */

#define N_MESSAGES 60

/* Returns a pseudo-random number from 0 to `most`. It depends only on the arguments, so all runs of the test use the
 * same numbers. */
static gint64
pick (guint number, guint side, guint kind, gint64 most)
{
  return (gint64) ((number * 2654435761u + side * 40503u + kind * 97u) >> 7) % (most + 1);
}

/* Returns the time in µs during which a message is sent (`side` 0) or received (`side` 1). The two begin at most 700 µs
 * apart. A send may end before the receive begins; some receives end after the next message begins. */
static LoomRange
get_side (guint number, guint side)
{
  gint64 begin_us = 1000 * (gint64) number + pick (number, side, 0, 700);
  return (LoomRange) { begin_us, begin_us + 50 + pick (number, side, 1, side == 0 ? 500 : 900) };
}

/* Adds the messages of a pipeline of three ranks to one of them: message i goes from rank i % 2 to the next one. */
static LoomTrace *
new_stage (guint number)
{
  JobRank rank = job_rank_begin ((gint) number, LOOM_CLOCK_EXACT);
  for (guint i = 0; i < N_MESSAGES; i++)
    for (guint side = 0; side < 2; side++)
      if (i % 2 + side == number) {
        LoomRange own = get_side (i, side);
        job_rank_meet (&rank, side == 0 ? LOOM_SYNC_EVENT_SEND : LOOM_SYNC_EVENT_RECEIVE, "pp",
                       i % 2 == 0 ? "0 → 1" : "1 → 2", i, own.begin_ns * US, own.end_ns * US);
      }
  return job_rank_end (&rank);
}

/* Returns the sum of the waits of all messages in µs. Of each wait, only the part inside [begin_us, end_us) counts (µs
 * after JOB_BASE_NS). */
static gint64
count_waits_us (gint64 begin_us, gint64 end_us)
{
  gint64 sum_us = 0;
  for (guint i = 0; i < N_MESSAGES; i++) {
    LoomRange sent = get_side (i, 0), received = get_side (i, 1);
    LoomRange first = sent.begin_ns < received.begin_ns ? sent : received;
    gint64 until_us = MIN (first.end_ns, MAX (sent.begin_ns, received.begin_ns));
    sum_us += MAX (0, MIN (until_us, end_us) - MAX (first.begin_ns, begin_us));
  }
  return sum_us;
}

typedef struct {
  gint64 messages_ns, ranks_ns, times_ns;
} Waits;

static Waits
sum_waits (LoomTimeline *timeline, gint64 begin_us, gint64 end_us)
{
  LoomRange range = { JOB_BASE_NS + begin_us * US, JOB_BASE_NS + end_us * US };
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, &range, NULL);
  g_autoptr (GArray) ranks = loom_rank_waits_new (collectives, NULL);
  Waits waits = { loom_rank_waits_sum_messages (collectives, NULL), 0,
                  loom_collective_times_sum (collectives).waits_ns };
  for (guint i = 0; i < ranks->len; i++)
    waits.ranks_ns += g_array_index (ranks, LoomRankWaits, i).waits[LOOM_RANK_WAIT_MESSAGES].total_ns;
  return waits;
}

/* Of each wait, exactly the part inside the range counts, even if the other rank begins its send or receive only after
 * the range. So the sums of adjacent ranges equal the sum of the whole run. Waits of one rank may overlap; `times_ns`
 * counts overlapping waits once. */
static void
test_adjacent_ranges (void)
{
  LoomTrace *traces[] = { new_stage (0), new_stage (1), new_stage (2) };
  g_autoptr (LoomRun) run = job_run_new (traces, 3);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  const gint64 end_us = 1000 * (N_MESSAGES + 2), steps_us[] = { 61, 333, 1000, 7001 };
  const Waits whole = sum_waits (timeline, 0, end_us);
  g_assert_cmpint (whole.messages_ns, ==, count_waits_us (0, end_us) * US);
  for (guint i = 0; i < G_N_ELEMENTS (steps_us); i++) {
    Waits sum = { 0, 0, 0 };
    for (gint64 at_us = 0; at_us < end_us; at_us += steps_us[i]) {
      Waits part = sum_waits (timeline, at_us, MIN (at_us + steps_us[i], end_us));
      g_assert_cmpint (part.messages_ns, ==, count_waits_us (at_us, MIN (at_us + steps_us[i], end_us)) * US);
      g_assert_cmpint (part.ranks_ns, ==, part.messages_ns);
      sum.times_ns += part.times_ns;
    }
    g_assert_cmpint (sum.times_ns, ==, whole.times_ns);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/collectives/members", test_members);
  g_test_add_func ("/analysis/collectives/spans", test_spans);
  g_test_add_func ("/analysis/collectives/range", test_range);
  g_test_add_func ("/analysis/collectives/apart", test_apart);
  g_test_add_func ("/analysis/collectives/times", test_times);
  g_test_add_func ("/analysis/collectives/early-send", test_early_send);
  g_test_add_func ("/analysis/collectives/adjacent-ranges", test_adjacent_ranges);
  g_test_add_func ("/analysis/collectives/cancelled", test_cancelled);
  g_test_add_func ("/analysis/collectives/share-cancelled", test_share_cancelled);
  return g_test_run ();
}
