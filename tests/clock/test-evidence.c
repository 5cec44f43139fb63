/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the collection of each kind of evidence for clock alignment (collectives, clock syncs, messages, steps,
 * markers) on a run small enough to be calculated by hand, and the alignment that results.
 */
#include "job-run.h"
#include "loom-alignment.h"
#include "loom-collective-matching.h"
#include "loom-evidence.h"

#include <string.h>

#define MS LOOM_NS_PER_MS
#define US LOOM_NS_PER_US

typedef void (*FillFunc) (JobRank *rank, guint number);
typedef void (*AddFunc) (LoomEvidence *evidence, const LoomRun *run);

static LoomRun *
new_run (FillFunc fill, guint n, LoomClockState state)
{
  LoomTrace *traces[8];
  for (guint i = 0; i < n; i++) {
    JobRank rank = job_rank_begin ((gint) i, state);
    fill (&rank, i);
    traces[i] = job_rank_end (&rank);
  }
  return job_run_new (traces, n);
}

static LoomEvidence *
gather (FillFunc fill, guint n, AddFunc add)
{
  g_autoptr (LoomRun) run = new_run (fill, n, LOOM_CLOCK_EXACT);
  LoomEvidence *evidence = loom_evidence_new (n);
  add (evidence, run);
  return evidence;
}

static const LoomSimultaneity *
occasion (const LoomEvidence *evidence, guint i)
{
  return &g_array_index (evidence->occasions, LoomSimultaneity, i);
}

static const LoomClockObservation *
reading (const LoomEvidence *evidence, const LoomSimultaneity *of, guint i)
{
  g_assert_cmpuint (i, <, of->n);
  return &g_array_index (evidence->readings, LoomClockObservation, of->first + i);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* Adds collectives with sequence numbers: rank 1 misses the first one; rank 2 is in another group. Also adds a
 * collective with another name, and a second kernel with the sequence number 5. */
static void
fill_numbered (JobRank *rank, guint number)
{
  const char *group = number == 2 ? "tp" : "dp";
  for (gint64 i = number == 1 ? 1 : 0; i < 3; i++)
    job_rank_meet (rank, LOOM_SYNC_EVENT_COLLECTIVE, group, "allreduce", 5 + i / 2, i * MS + number,
                   i * MS + 100 + number);
  job_rank_meet (rank, LOOM_SYNC_EVENT_ROOTED, group, "broadcast", 5, 9 * MS, 9 * MS + 50);
}

static void
test_numbered (void)
{
  g_autoptr (LoomEvidence) evidence = gather (fill_numbered, 3, loom_evidence_add_collectives);
  /* rank 2 shares no collective; the second kernel with the sequence number 5 exists on one rank only */
  g_assert_cmpuint (evidence->occasions->len, ==, 3);
  const LoomSimultaneity *first = occasion (evidence, 0);
  g_assert_cmpuint (first->n, ==, 2);
  g_assert_cmpint (first->kind, ==, LOOM_EVIDENCE_COLLECTIVES);
  g_assert_cmpint (first->uncertainty_ns, ==, 1000);
  g_assert_cmpint (reading (evidence, first, 0)->local_ns, ==, JOB_BASE_NS + 100);
  g_assert_cmpint (reading (evidence, first, 0)->arrival_ns, ==, JOB_BASE_NS);
  /* of the two kernels of rank 1 with the sequence number 5, the first one counts */
  g_assert_cmpint (reading (evidence, first, 1)->local_ns, ==, JOB_BASE_NS + MS + 101);
  const LoomSimultaneity *last = occasion (evidence, 2);
  /* large uncertainty, because the sender of a broadcast may leave the collective before the other
   * ranks */
  g_assert_cmpint (last->uncertainty_ns, ==, 20000);
  g_assert_cmpint (reading (evidence, last, 0)->arrival_ns, ==, LOOM_TIME_NONE);
}

/* Collectives without numbers are matched by order of occurrence, for each name separately. */
static void
fill_unnumbered (JobRank *rank, guint number)
{
  for (gint64 i = 0; i < 4; i++) {
    job_rank_meet (rank, LOOM_SYNC_EVENT_COLLECTIVE, "", "allreduce", LOOM_SEQUENCE_NONE, i * MS, i * MS + 100);
    if (i % 2 == 0)
      job_rank_meet (rank, LOOM_SYNC_EVENT_COLLECTIVE, "", "alltoall", LOOM_SEQUENCE_NONE, i * MS + 200, i * MS + 300);
  }
}

static void
test_unnumbered (void)
{
  g_autoptr (LoomEvidence) evidence = gather (fill_unnumbered, 2, loom_evidence_add_collectives);
  g_assert_cmpuint (evidence->occasions->len, ==, 6);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (reading (evidence, occasion (evidence, i), 0)->local_ns, ==,
                     reading (evidence, occasion (evidence, i), 1)->local_ns);
}

static void
test_matching (void)
{
  g_autoptr (LoomRun) run = new_run (fill_numbered, 3, LOOM_CLOCK_EXACT);
  g_autoptr (LoomCollectiveMatching) matching = loom_collective_matching_new (run);
  guint n_members = 0;
  for (guint i = 0; i < matching->matches->len; i++)
    n_members += g_array_index (matching->matches, LoomCollectiveMatch, i).n;
  g_assert_cmpuint (n_members, ==, 11); /* each event was counted once */
  g_assert_cmpuint (matching->members->len, ==, 11);
  g_assert_cmpint (g_array_index (matching->members, LoomCollectiveMatchMember, 1).rank, ==, 1);
}

/* --- clock syncs, messages, steps, markers ------------------------------------------------------------------------ */

static void
fill_syncs (JobRank *rank, guint number)
{
  job_rank_meet (rank, LOOM_SYNC_EVENT_CLOCK_SYNC, "", "one", LOOM_SEQUENCE_NONE, 1000, number == 0 ? 9000 : 1000);
  if (number == 0)
    job_rank_meet (rank, LOOM_SYNC_EVENT_CLOCK_SYNC, "", "alone", LOOM_SEQUENCE_NONE, 1000, 1000);
}

static void
test_clock_sync (void)
{
  g_autoptr (LoomEvidence) evidence = gather (fill_syncs, 2, loom_evidence_add_clock_sync);
  g_assert_cmpuint (evidence->occasions->len, ==, 1);
  g_assert_cmpint (occasion (evidence, 0)->uncertainty_ns, ==, 4000);
  g_assert_cmpint (reading (evidence, occasion (evidence, 0), 0)->local_ns, ==, JOB_BASE_NS + 5000);
  g_assert_cmpint (reading (evidence, occasion (evidence, 0), 1)->local_ns, ==, JOB_BASE_NS + 1000);
}

/* Adds messages that take 10 µs between two ranks, one in each direction per part of the run. The clock of rank 1 is 1
 * ms ahead. */
static void
fill_messages (JobRank *rank, guint number)
{
  gint64 ahead = number == 1 ? MS : 0;
  for (gint64 i = 0; i < 4; i++) {
    gint64 at = i * LOOM_NS_PER_S * 2 + ahead;
    job_rank_meet (rank, number == 0 ? LOOM_SYNC_EVENT_SEND : LOOM_SYNC_EVENT_RECEIVE, "pp", "0>1", LOOM_SEQUENCE_NONE,
                   at, at + 10 * US);
    job_rank_meet (rank, number == 0 ? LOOM_SYNC_EVENT_RECEIVE : LOOM_SYNC_EVENT_SEND, "pp", "1>0", LOOM_SEQUENCE_NONE,
                   at + 50 * US, at + 60 * US);
  }
}

static void
test_messages (void)
{
  g_autoptr (LoomEvidence) evidence = gather (fill_messages, 2, loom_evidence_add_messages);
  g_assert_cmpuint (evidence->orders->len, ==, 8);
  const LoomCausalOrder *order = &g_array_index (evidence->orders, LoomCausalOrder, 0);
  g_assert_cmpuint (order->before, ==, 0);
  g_assert_cmpint (order->after_ns - order->before_ns, ==, MS + 10 * US);
  g_assert_cmpuint (evidence->occasions->len, ==, 4);
  const LoomSimultaneity *first = occasion (evidence, 0);
  g_assert_cmpint (first->uncertainty_ns, ==, 10 * US); /* the uncertainty is the duration of a message */
  g_assert_cmpint (reading (evidence, first, 1)->local_ns - reading (evidence, first, 0)->local_ns, ==, MS);
}

static void
fill_one_way (JobRank *rank, guint number)
{
  for (gint64 i = 0; i < 4; i++)
    job_rank_meet (rank, number == 0 ? LOOM_SYNC_EVENT_SEND : LOOM_SYNC_EVENT_RECEIVE, "pp", "0>1", LOOM_SEQUENCE_NONE,
                   i * MS, i * MS + 10 * US);
}

/* If messages go in one direction only, they limit the offset of a clock on one side only, so the fit does not use them
 * as evidence. */
static void
test_one_way (void)
{
  g_autoptr (LoomEvidence) evidence = gather (fill_one_way, 2, loom_evidence_add_messages);
  g_assert_cmpuint (evidence->orders->len, ==, 4);
  g_assert_cmpuint (evidence->occasions->len, ==, 0);
}

static void
fill_steps (JobRank *rank, guint number)
{
  static const char *const names[] = { "ProfilerStep#4", "step 5", "train_batch:6", "forward", "7", "footstep" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    job_rank_step (rank, names[i], i * MS + number, i * MS + 900 * US);
  job_rank_mark (rank, "here", 3 * MS + number);
  job_rank_mark (rank, "twice", 4 * MS);
  if (number == 1)
    job_rank_mark (rank, "twice", 5 * MS);
  job_rank_mark (rank, "Record Window End", 6 * MS);
}

static void
test_steps (void)
{
  g_autoptr (LoomEvidence) evidence = gather (fill_steps, 2, loom_evidence_add_steps);
  g_assert_cmpuint (evidence->occasions->len, ==, 3);
  g_assert_cmpint (reading (evidence, occasion (evidence, 2), 1)->local_ns, ==, JOB_BASE_NS + 2 * MS + 1);
  g_assert_cmpint (occasion (evidence, 0)->kind, ==, LOOM_EVIDENCE_STEPS);
}

static void
test_markers (void)
{
  g_autoptr (LoomEvidence) evidence = gather (fill_steps, 2, loom_evidence_add_markers);
  g_assert_cmpuint (evidence->occasions->len, ==, 1); /* the label "twice" occurs twice on a rank, so it is ambiguous
                                                       * and is not used */
  g_assert_cmpint (reading (evidence, occasion (evidence, 0), 0)->local_ns, ==, JOB_BASE_NS + 3 * MS);
}

/* --- the resulting alignment --- */

static gint64 ahead_ns[8];

static void
fill_job (JobRank *rank, guint number)
{
  for (gint64 i = 0; i < 20; i++) {
    gint64 end = i * 30 * MS + (i * 7919 % 13) * 100 * US;
    job_rank_meet (rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, end - 100 * US + ahead_ns[number],
                   end + ahead_ns[number]);
  }
}

/* A fit replaces a declared clock only if it contradicts this clock by more than ten times the accuracy of the clock.
 * The accuracy is 1 µs here, so a contradiction of 9 µs changes nothing, but one of 11 µs does. */
static void
test_contradiction (void)
{
  for (guint i = 0; i < 2; i++) {
    ahead_ns[0] = 0;
    ahead_ns[1] = i == 0 ? 9 * US : 11 * US;
    g_autoptr (LoomRun) run = new_run (fill_job, 2, LOOM_CLOCK_EXACT);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
    const LoomClockFit *fit = loom_alignment_get (alignment, 1);
    g_assert_cmpint (fit->map.offset_ns, ==, i == 0 ? 0 : -11 * US);
    g_assert_cmpint (fit->state, ==, i == 0 ? LOOM_CLOCK_EXACT : LOOM_CLOCK_SYNCHRONISED);
    g_assert_cmpstr (fit->basis, ==, i == 0 ? "wall clock" : "fit");
    g_assert_cmpint (fit->verdict, ==, LOOM_FIT_QUALITY_GOOD);
    g_assert_cmpfloat (fit->declared_residuals.median_ns, ==, (double) ahead_ns[1]);
    g_assert_cmpfloat (fit->residuals.median_ns, ==, i == 0 ? 9000 : 0);
    g_assert_cmpuint (alignment->n_components, ==, 1);
    g_assert_true ((loom_alignment_get_notices (alignment)[0] != NULL) == (i == 1));
  }
}

/* If no clock declares its epoch, every fit is used; the clock of the lowest rank is not shifted. */
static void
test_undeclared (void)
{
  ahead_ns[0] = 5 * MS;
  ahead_ns[1] = 3;
  g_autoptr (LoomRun) run = new_run (fill_job, 2, LOOM_CLOCK_NONE);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  const LoomClockFit *fit = loom_alignment_get (alignment, 1);
  g_assert_cmpint (loom_alignment_get (alignment, 0)->map.offset_ns, ==, 0);
  g_assert_cmpint (fit->map.offset_ns, ==, 5 * MS - 3);
  g_assert_true (fit->fitted);
  g_assert_false (fit->anchored);
  g_autoptr (LoomAlignment) declared = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_assert_cmpint (loom_alignment_get (declared, 1)->map.offset_ns, ==, 0);
  g_assert_cmpint (loom_alignment_get (declared, 1)->verdict, ==, LOOM_FIT_QUALITY_DECLARED);
}

/* Clocks without an epoch that were fitted to each other are shifted together when they are placed next to clocks with
 * an epoch. */
static void
test_placed_together (void)
{
  LoomTrace *traces[3];
  ahead_ns[0] = 5 * MS;
  ahead_ns[1] = 0;
  for (guint i = 0; i < 3; i++) {
    JobRank rank = job_rank_begin ((gint) i, i < 2 ? LOOM_CLOCK_NONE : LOOM_CLOCK_EXACT);
    if (i < 2)
      fill_job (&rank, i);
    else
      job_rank_work (&rank, "other", 700 * MS, 800 * MS);
    traces[i] = job_rank_end (&rank);
  }
  g_autoptr (LoomRun) run = job_run_new (traces, 3);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  const LoomClockFit *a = loom_alignment_get (alignment, 0), *b = loom_alignment_get (alignment, 1);
  g_assert_true (a->placed && b->placed);
  g_assert_cmpint (b->map.offset_ns - a->map.offset_ns, ==, 5 * MS);
  g_assert_cmpint (loom_clock_map_to_timeline (&a->map, 5 * MS - 100 * US), ==, JOB_BASE_NS + 700 * MS);
}

/* A clock that shares no events with other clocks gets the same offset as another clock of its domain, which counts
 * from the boot of the same host. */
static void
test_domain (void)
{
  LoomTrace *traces[3];
  ahead_ns[0] = 5 * MS;
  ahead_ns[1] = 0;
  for (guint i = 0; i < 3; i++) {
    JobRank rank = job_rank_begin ((gint) i, i == 1 ? LOOM_CLOCK_EXACT : LOOM_CLOCK_NONE);
    if (i < 2)
      fill_job (&rank, i);
    else
      job_rank_work (&rank, "other", 700 * MS, 800 * MS);
    if (i != 1)
      loom_trace_builder_get_clock (rank.builder, 0)->domain = g_strdup ("host");
    traces[i] = job_rank_end (&rank);
  }
  g_autoptr (LoomRun) run = job_run_new (traces, 3);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  const LoomClockFit *fit = loom_alignment_get (alignment, 2);
  g_assert_cmpint (loom_clock_map_to_timeline (&fit->map, 700 * MS), ==, JOB_BASE_NS + 695 * MS);
  g_assert_true (fit->anchored && !fit->placed);
  g_assert_cmpint (fit->state, ==, loom_alignment_get (alignment, 0)->state);
}

/* If the user picks two events that happened at the same time, the clock of one of them is shifted, together with all
 * clocks that were fitted with it. An offset set by the user is added to this shift. */
static void
test_picks (void)
{
  LoomTrace *traces[3];
  ahead_ns[0] = ahead_ns[1] = 0;
  for (guint i = 0; i < 3; i++) {
    JobRank rank = job_rank_begin ((gint) i, i < 2 ? LOOM_CLOCK_NONE : LOOM_CLOCK_EXACT);
    if (i < 2)
      fill_job (&rank, i);
    else
      job_rank_work (&rank, "other", 700 * MS, 800 * MS);
    traces[i] = job_rank_end (&rank);
  }
  g_autoptr (LoomRun) run = job_run_new (traces, 3);
  const LoomUserPick picks[] = { { 2, 1, JOB_BASE_NS + 750 * MS, 10 * MS }, { 99, 0, 0, 0 } };
  const LoomUserOffset offset = { 1, 7 };
  LoomAlignOptions options = {
    .mode = LOOM_ALIGN_AUTO, .picks = picks, .n_picks = 2, .offsets = &offset, .n_offsets = 1
  };
  g_autoptr (LoomAlignment) alignment = loom_alignment_new_full (run, &options, NULL);
  const LoomClockFit *a = loom_alignment_get (alignment, 0), *b = loom_alignment_get (alignment, 1);
  g_assert_cmpint (loom_clock_map_to_timeline (&b->map, 10 * MS), ==, JOB_BASE_NS + 750 * MS + 7);
  g_assert_cmpint (loom_clock_map_to_timeline (&a->map, 10 * MS), ==, JOB_BASE_NS + 750 * MS);
  g_assert_true (a->anchored && !a->placed && b->anchored);
  g_assert_cmpstr (b->basis, ==, "manually selected events");
  options.mode = LOOM_ALIGN_NONE; /* the user's choices apply in every mode */
  g_autoptr (LoomAlignment) none = loom_alignment_new_full (run, &options, NULL);
  g_assert_cmpint (loom_clock_map_to_timeline (&loom_alignment_get (none, 1)->map, 10 * MS), ==,
                   JOB_BASE_NS + 750 * MS + 7);
}

/* The begins of steps align clocks that declare no epoch, but do not change the clocks that declare one. */
static void
fill_coarse (JobRank *rank, guint number)
{
  for (guint i = 0; i < 12; i++) {
    g_autofree char *name = g_strdup_printf ("step %u", i);
    job_rank_step (rank, name, i * 40 * MS + (i % 3) * number * 10 * US + number * 900 * MS,
                   i * 40 * MS + 30 * MS + number * 900 * MS);
  }
}

static void
test_coarse (void)
{
  g_autoptr (LoomRun) undeclared = new_run (fill_coarse, 2, LOOM_CLOCK_NONE);
  g_autoptr (LoomRun) exact = new_run (fill_coarse, 2, LOOM_CLOCK_EXACT);
  g_autoptr (LoomAlignment) fitted = loom_alignment_new (undeclared, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomAlignment) kept = loom_alignment_new (exact, LOOM_ALIGN_AUTO, NULL, 0);
  const LoomClockFit *fit = loom_alignment_get (fitted, 1);
  g_assert_cmpint (ABS (fit->map.offset_ns + 900 * MS), <=, 20 * US);
  g_assert_cmpint (fit->verdict, ==, LOOM_FIT_QUALITY_DOUBTFUL);
  g_assert_cmpint (loom_alignment_get (kept, 1)->map.offset_ns, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/evidence/numbered", test_numbered);
  g_test_add_func ("/clock/evidence/unnumbered", test_unnumbered);
  g_test_add_func ("/clock/evidence/matching", test_matching);
  g_test_add_func ("/clock/evidence/clock-sync", test_clock_sync);
  g_test_add_func ("/clock/evidence/messages", test_messages);
  g_test_add_func ("/clock/evidence/one-way", test_one_way);
  g_test_add_func ("/clock/evidence/steps", test_steps);
  g_test_add_func ("/clock/evidence/markers", test_markers);
  g_test_add_func ("/clock/evidence/contradiction", test_contradiction);
  g_test_add_func ("/clock/evidence/undeclared", test_undeclared);
  g_test_add_func ("/clock/evidence/placed-together", test_placed_together);
  g_test_add_func ("/clock/evidence/domain", test_domain);
  g_test_add_func ("/clock/evidence/picks", test_picks);
  g_test_add_func ("/clock/evidence/coarse", test_coarse);
  return g_test_run ();
}
