/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests how a device spends a short range of time: computing, transferring, waiting for another rank, idle. The ranges
 * contain few spans, whose times can be added up by hand.
 */
#include "job-run.h"
#include "loom-lane-time.h"

#define US LOOM_NS_PER_US

typedef struct {
  LoomTimeline *timeline;
  LoomCollectives *collectives;
} Job;

/* Rank 0 computes until 40 µs, is idle until 50 µs, waits from 50 µs until rank 1 arrives at 70 µs, and transfers until
 * 100 µs, while it computes again from 90 µs on. In a second collective from 200 to 300 µs it waits until 210 µs for
 * rank 2. A collective of which no other rank was recorded takes from 400 to 450 µs. */
static LoomTrace *
new_rank (gint number)
{
  static const gint64 arrivals_us[2][3] = { { 50, 70, 60 }, { 200, 201, 210 } };
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  job_rank_step (&rank, "step", 0, 500 * US);
  job_rank_work (&rank, "kernel", 0, 40 * US);
  job_rank_wait (&rank, "Stream Wait Event", 40 * US, 49 * US); /* a wait of a stream is not work */
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", 0, arrivals_us[0][number] * US, 100 * US);
  job_rank_work (&rank, "kernel", 90 * US, 110 * US);
  job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", 1, arrivals_us[1][number] * US, 300 * US);
  if (number == 0)
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "other", "allreduce", 0, 400 * US, 450 * US);
  return job_rank_end (&rank);
}

static Job
new_job (void)
{
  LoomTrace *traces[] = { new_rank (0), new_rank (1), new_rank (2) };
  g_autoptr (LoomRun) run = job_run_new (traces, 3);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  Job job = { .timeline = loom_timeline_new (run, alignment) };
  job.collectives = loom_collectives_new (job.timeline, NULL, NULL);
  return job;
}

static void
job_clear (Job *job)
{
  loom_collectives_unref (job->collectives);
  loom_timeline_unref (job->timeline);
}

/* Lists the tracks of a trace that are of a device or, if `device` is FALSE, all tracks. */
static GArray *
list_tracks (const Job *job, guint32 number, gboolean device)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (job->timeline), number);
  GArray *tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  for (guint32 i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    LoomTrackId id = { number, i };
    if (!device || loom_trace_track_is_device (loom_trace_get_track (trace, i)))
      g_array_append_val (tracks, id);
  }
  return tracks;
}

static LoomLaneTime
measure (const Job *job, const LoomCollectives *collectives, gint64 begin_us, gint64 end_us)
{
  LoomLaneTime time;
  g_autoptr (GArray) tracks = list_tracks (job, 0, TRUE);
  gint64 begin_ns, end_ns;
  loom_timeline_get_span (job->timeline, (LoomSpanId) { 0, 0 }, &begin_ns, &end_ns);
  const LoomRange range = { begin_ns + begin_us * US, begin_ns + end_us * US };
  g_assert_true (loom_lane_time_measure (job->timeline, (const LoomTrackId *) (gpointer) tracks->data, tracks->len,
                                         collectives, range, &time));
  g_assert_cmpint (time.compute_ns + time.transfer_ns + time.wait_ns + time.copy_ns + time.other_ns + time.idle_ns, ==,
                   (end_us - begin_us) * US);
  return time;
}

static void
test_parts (void)
{
  Job job = new_job ();
  LoomLaneTime time = measure (&job, job.collectives, 0, 120);
  g_assert_cmpint (time.compute_ns, ==, 60 * US);
  g_assert_cmpint (time.transfer_ns, ==, 20 * US);
  g_assert_cmpint (time.wait_ns, ==, 20 * US);
  g_assert_cmpint (time.idle_ns, ==, 20 * US);
  g_assert_true (time.knows_waits);
  g_assert_cmpint (time.wait_rank, ==, 1);
  g_assert_true (time.waits_for_one);
  job_clear (&job);
}

/* Spans are cut at the ends of the range. */
static void
test_cut (void)
{
  Job job = new_job ();
  LoomLaneTime time = measure (&job, job.collectives, 60, 80);
  g_assert_cmpint (time.wait_ns, ==, 10 * US);
  g_assert_cmpint (time.transfer_ns, ==, 10 * US);
  time = measure (&job, job.collectives, 75, 80);
  g_assert_cmpint (time.wait_ns, ==, 0);
  g_assert_cmpint (time.wait_rank, ==, -1);
  job_clear (&job);
}

/* If the device waits for several ranks, the result is the one for which it waits longest. */
static void
test_several (void)
{
  Job job = new_job ();
  LoomLaneTime time = measure (&job, job.collectives, 65, 210);
  g_assert_cmpint (time.wait_ns, ==, 15 * US);
  g_assert_cmpint (time.wait_rank, ==, 2);
  g_assert_false (time.waits_for_one);
  job_clear (&job);
}

/* Without knowledge of the other ranks, communication is not divided into waiting and transferring. */
static void
test_unknown (void)
{
  Job job = new_job ();
  LoomLaneTime time = measure (&job, NULL, 0, 120);
  g_assert_false (time.knows_waits);
  g_assert_cmpint (time.transfer_ns, ==, 40 * US);
  g_assert_cmpint (time.wait_ns, ==, 0);
  time = measure (&job, job.collectives, 390, 450);
  g_assert_false (time.knows_waits);
  g_assert_cmpint (time.transfer_ns, ==, 50 * US);
  job_clear (&job);
}

/* No result for tracks that are not of one device. */
static void
test_refused (void)
{
  Job job = new_job ();
  LoomLaneTime time;
  g_autoptr (GArray) all = list_tracks (&job, 0, FALSE), one = list_tracks (&job, 0, TRUE),
                     other = list_tracks (&job, 1, TRUE);
  const LoomRange whole = { JOB_BASE_NS, JOB_BASE_NS + LOOM_NS_PER_S };
  GArray *const lists[] = { all, one, other };
  g_array_append_vals (one, other->data, other->len);
  for (guint i = 0; i < 3; i++)
    g_assert_true (loom_lane_time_measure (job.timeline, (const LoomTrackId *) (gpointer) lists[i]->data, lists[i]->len,
                                           job.collectives, whole, &time) == (i == 2));
  job_clear (&job);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/lane-time/parts", test_parts);
  g_test_add_func ("/analysis/lane-time/cut", test_cut);
  g_test_add_func ("/analysis/lane-time/several", test_several);
  g_test_add_func ("/analysis/lane-time/unknown", test_unknown);
  g_test_add_func ("/analysis/lane-time/refused", test_refused);
  return g_test_run ();
}
