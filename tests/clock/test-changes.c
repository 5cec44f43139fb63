/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests changes of the alignment options, which must not collect the evidence again, and the residuals that the window
 * shows for a fit.
 */
#include "job-run.h"
#include "loom-clock-overrides.h"
#include "loom-clock-residuals.h"

#define N 40
#define AHEAD_NS (3 * LOOM_NS_PER_MS)

/* Returns an error of 1 ms for one of eight collectives, and 0 for the others. */
static gint64
wrong_at (gint64 i)
{
  return i % 8 == 3 ? LOOM_NS_PER_MS : 0;
}

/* Builds two ranks; the second clock is 3 ms ahead. */
static LoomRun *
new_run (gboolean has_wrong)
{
  JobRank ranks[] = { job_rank_begin (0, LOOM_CLOCK_EXACT), job_rank_begin (1, LOOM_CLOCK_EXACT) };
  for (gint64 i = 0; i < N; i++) {
    gint64 end_ns = (i + 1) * LOOM_NS_PER_S, wrong_ns = has_wrong ? wrong_at (i) : 0;
    job_rank_meet (&ranks[0], LOOM_SYNC_EVENT_COLLECTIVE, "0", "allreduce", i, end_ns - 5000, end_ns);
    job_rank_meet (&ranks[1], LOOM_SYNC_EVENT_COLLECTIVE, "0", "allreduce", i, end_ns + AHEAD_NS - 5000,
                   end_ns + AHEAD_NS + 100 * (i % 5) + wrong_ns);
  }
  LoomTrace *traces[] = { job_rank_end (&ranks[0]), job_rank_end (&ranks[1]) };
  return job_run_new (traces, 2);
}

static LoomAlignment *
change (LoomAlignment *alignment, LoomRun *run, LoomAlignMode mode, gint64 offset_ns)
{
  LoomUserOffset offset = { 1, offset_ns };
  LoomAlignOptions options = { .mode = mode, .offsets = &offset, .n_offsets = offset_ns != 0 };
  return loom_alignment_new_changed (alignment, run, &options);
}

static void
check_equal (const LoomAlignment *a, const LoomAlignment *b)
{
  for (guint i = 0; i < 2; i++) {
    const LoomClockFit *x = loom_alignment_get (a, i), *y = loom_alignment_get (b, i);
    g_assert_cmpint (x->map.offset_ns, ==, y->map.offset_ns);
    g_assert_cmpint (x->map.drift_ppt, ==, y->map.drift_ppt);
    g_assert_cmpint (x->state, ==, y->state);
    g_assert_cmpstr (x->basis, ==, y->basis);
    g_assert_cmpint (x->verdict, ==, y->verdict);
    g_assert_cmpint (x->user_offset_ns, ==, y->user_offset_ns);
  }
}

/* Changing the options and changing them back restores the alignment; the numbers that describe the evidence do not
 * change. */
static void
test_changed (void)
{
  g_autoptr (LoomRun) run = new_run (FALSE);
  g_autoptr (LoomAlignment) fitted = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomAlignment) declared = change (fitted, run, LOOM_ALIGN_DECLARED, 0);
  g_autoptr (LoomAlignment) moved = change (declared, run, LOOM_ALIGN_AUTO, 777);
  g_autoptr (LoomAlignment) again = change (moved, run, LOOM_ALIGN_AUTO, 0);
  const LoomClockFit *fit = loom_alignment_get (declared, 1);
  g_assert_true (loom_alignment_get (fitted, 1)->fitted);
  g_assert_cmpint (fit->map.offset_ns, ==, 0);
  g_assert_cmpint (fit->state, ==, LOOM_CLOCK_EXACT);
  g_assert_false (fit->fitted);
  g_assert_cmpint (fit->verdict, ==, LOOM_FIT_QUALITY_GOOD);
  g_assert_cmpuint (fit->pairs, ==, N);
  g_assert_cmpfloat (fit->residuals.median_ns, >=, AHEAD_NS);
  g_assert_cmpint (loom_alignment_get (moved, 1)->map.offset_ns, ==,
                   loom_alignment_get (fitted, 1)->map.offset_ns + 777);
  check_equal (fitted, again);
  g_assert_cmpint (loom_alignment_get_made_mode (declared), ==, LOOM_ALIGN_AUTO);
}

/* An alignment made without a fit can be changed to a fitted one. */
static void
test_from_declared (void)
{
  g_autoptr (LoomRun) run = new_run (FALSE);
  g_autoptr (LoomAlignment) declared = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomAlignment) fitted = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomAlignment) changed = change (declared, run, LOOM_ALIGN_AUTO, 0);
  g_autoptr (LoomAlignment) none = change (changed, run, LOOM_ALIGN_NONE, 0);
  check_equal (fitted, changed);
  g_assert_cmpint (loom_alignment_get (none, 1)->map.offset_ns, ==, 0);
}

static GArray *
proof_of (LoomRun *run, LoomAlignment *alignment, guint clock)
{
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  return loom_clock_residuals_new (timeline, clock, NULL);
}

static void
test_proof (void)
{
  g_autoptr (LoomRun) run = new_run (TRUE);
  g_autoptr (LoomAlignment) fitted = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomAlignment) moved = change (fitted, run, LOOM_ALIGN_AUTO, 50000);
  g_autoptr (GArray) points = proof_of (run, fitted, 1);
  g_autoptr (GArray) after_move = proof_of (run, moved, 1);
  guint n_rejected = 0;
  g_assert_cmpuint (points->len, ==, N);
  for (guint i = 0; i < points->len; i++) {
    const LoomProofPoint *point = &g_array_index (points, LoomProofPoint, i);
    gint64 wrong_ns = wrong_at (i);
    n_rejected += point->rejected;
    g_assert_cmpint (point->declared_ns, ==, AHEAD_NS + 100 * (i % 5) + wrong_ns);
    g_assert_cmpint (ABS (point->in_force_ns - wrong_ns), <, 1000);
    g_assert_cmpint (point->line_ns, ==, point->in_force_ns);
    g_assert_cmpint (g_array_index (after_move, LoomProofPoint, i).in_force_ns, ==, point->in_force_ns + 50000);
    g_assert_cmpint (g_array_index (after_move, LoomProofPoint, i).line_ns, ==, point->line_ns);
    g_assert_true (i == 0 || point->at_ns > g_array_index (points, LoomProofPoint, i - 1).at_ns);
  }
  g_assert_cmpuint (n_rejected, ==, 5);
  g_assert_cmpuint (n_rejected, ==, loom_alignment_get (fitted, 1)->rejected);
}

static int
compare_ns (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *) a < *(const gint64 *) b ? -1 : *(const gint64 *) a > *(const gint64 *) b;
}

/* Checks that the statistics of a clock are those of the points that the window shows as used. */
static void
check_residuals (LoomRun *run, LoomAlignment *alignment, guint clock, gint64 median_ns)
{
  g_autoptr (GArray) points = proof_of (run, alignment, clock), used = g_array_new (FALSE, FALSE, sizeof (gint64));
  const LoomFitResiduals *residuals = &loom_alignment_get (alignment, clock)->residuals;
  for (guint i = 0; i < points->len; i++) {
    const LoomProofPoint *point = &g_array_index (points, LoomProofPoint, i);
    gint64 value_ns = ABS (point->in_force_ns);
    if (!point->rejected)
      g_array_append_val (used, value_ns);
  }
  g_array_sort (used, compare_ns);
  g_assert_cmpfloat (residuals->median_ns, ==, (double) median_ns);
  g_assert_cmpfloat (residuals->p95_ns, ==, (double) g_array_index (used, gint64, (used->len * 95 + 99) / 100 - 1));
  g_assert_cmpfloat (residuals->max_ns, ==, (double) g_array_index (used, gint64, used->len - 1));
}

/* The clock of rank 1 is 5 µs ahead, which is too little to replace declared clocks. So ranks 0 and 2 differ by 2.5 µs
 * from the median of the two others, although they do not differ from the fitted lines of the others. One of 40
 * collectives ends 2 µs later on rank 2. */
static void
test_kept (void)
{
  JobRank ranks[3];
  LoomTrace *traces[3];
  for (gint r = 0; r < 3; r++) {
    ranks[r] = job_rank_begin (r, LOOM_CLOCK_EXACT);
    for (gint64 i = 0; i < N; i++) {
      gint64 end_ns = (i + 1) * LOOM_NS_PER_S + (r == 1 ? 5000 : 0) + (r == 2 && i == 7 ? 2000 : 0);
      job_rank_meet (&ranks[r], LOOM_SYNC_EVENT_COLLECTIVE, "0", "allreduce", i, end_ns - 100000, end_ns);
    }
    traces[r] = job_rank_end (&ranks[r]);
  }
  g_autoptr (LoomRun) run = job_run_new (traces, 3);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_assert_false (loom_alignment_get (alignment, 1)->fitted);
  check_residuals (run, alignment, 0, 2500);
  check_residuals (run, alignment, 1, 5000);
  check_residuals (run, alignment, 2, 2500);
}

static void
test_cancelled (void)
{
  g_autoptr (LoomRun) run = new_run (FALSE);
  g_autoptr (LoomAlignment) fitted = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, fitted);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_clock_residuals_new (timeline, 1, progress));
}

/* --- edits by path --------------------------------------------------------------------------------------------------- */

static void
test_edits (void)
{
  g_autoptr (LoomRun) run = new_run (FALSE);
  g_autoptr (LoomAlignment) fitted = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomClockOverrides) edits = loom_clock_overrides_new ();
  g_autofree char *full = g_canonicalize_filename ("rank1.json", NULL);
  gint64 fitted_ns = loom_alignment_get (fitted, 1)->map.offset_ns;
  g_assert_true (loom_clock_overrides_is_empty (edits));
  loom_clock_overrides_set_offset (edits, full, 4000); /* the user gives a full path, but paths in the run are relative
                                                        * to its folder */
  loom_clock_overrides_set_offset (edits, "elsewhere.json", 9);
  g_autoptr (LoomAlignment) moved = loom_clock_overrides_apply (edits, fitted, run);
  g_assert_cmpint (loom_alignment_get (moved, 1)->map.offset_ns, ==, fitted_ns + 4000);
  g_assert_cmpint (loom_alignment_get (moved, 0)->map.offset_ns, ==, 0);
  edits->mode = LOOM_ALIGN_DECLARED;
  g_autoptr (LoomAlignment) declared = loom_clock_overrides_apply (edits, moved, run);
  g_assert_cmpint (loom_alignment_get (declared, 1)->map.offset_ns, ==, 4000);
  loom_clock_overrides_set_offset (edits, full, 0);
  loom_clock_overrides_add_pick (edits, "rank0.json", JOB_BASE_NS + 500, "rank1.json", JOB_BASE_NS);
  g_autoptr (LoomAlignment) picked = loom_clock_overrides_apply (edits, declared, run);
  g_assert_cmpint (loom_alignment_get (picked, 1)->map.offset_ns, ==, 500);
}

static void
test_edits_copied (void)
{
  g_autoptr (LoomClockOverrides) edits = loom_clock_overrides_new ();
  loom_clock_overrides_set_offset (edits, "a", 1);
  loom_clock_overrides_set_offset (edits, "b", 2);
  loom_clock_overrides_add_pick (edits, "a", 3, "b", 4);
  g_autoptr (LoomClockOverrides) copy = loom_clock_overrides_copy (edits);
  g_assert_true (loom_clock_overrides_equal (edits, copy));
  loom_clock_overrides_set_offset (copy, "b", 3);
  g_assert_false (loom_clock_overrides_equal (edits, copy));
  /* the offset is as before, but this edit may now be stored after other edits; two sets of edits
   * are equal whatever the order of their edits */
  loom_clock_overrides_set_offset (copy, "b", 2);
  g_assert_true (loom_clock_overrides_equal (edits, copy));
  copy->mode = LOOM_ALIGN_NONE;
  g_assert_false (loom_clock_overrides_equal (edits, copy));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/changes/changed", test_changed);
  g_test_add_func ("/changes/from-declared", test_from_declared);
  g_test_add_func ("/changes/proof", test_proof);
  g_test_add_func ("/changes/kept", test_kept);
  g_test_add_func ("/changes/cancelled", test_cancelled);
  g_test_add_func ("/changes/edits", test_edits);
  g_test_add_func ("/changes/edits-copied", test_edits_copied);
  return g_test_run ();
}
