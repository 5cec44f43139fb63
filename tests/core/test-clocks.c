/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the clocks of generated ranks: the table, the residuals and the sentence of the panel “Clocks”; the commands
 * that change clocks, their undo steps, and how a session stores the changes.
 */
#include "clock-ranks.h"
#include "run-fixture.h"

#include "loom-clock-at-row.h"
#include "loom-clock-commands.h"
#include "loom-page-clocks.h"
#include "loom-sentence.h"
#include "loom-session-file.h"
#include "loom-session-state.h"
#include "loom-source-commands.h"

#include <math.h>
#include <string.h>

static LoomRunState *
open_ranks (const ClockRank *ranks, guint n)
{
  g_autofree char *folder = clock_ranks_write (ranks, n);
  return run_fixture_open (folder);
}

static LoomDocument *
document_of (LoomRunState *run)
{
  return loom_run_state_get_document (run);
}

static LoomTimeline *
timeline_of (LoomRunState *run)
{
  return loom_document_get_timeline (document_of (run));
}

/* --- the contents of the panel --------------------------------------------------------------------------------------- */

static LoomResultTable *
new_table (LoomRunState *run)
{
  g_autoptr (GArray) clocks = loom_page_clocks_list (timeline_of (run));
  return loom_page_clocks_new_table (timeline_of (run), loom_document_get_source_edits (document_of (run)), clocks);
}

static guint
column_of (LoomResultTable *table, const char *title)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (strcmp (loom_result_table_get_column (table, i)->title, title) == 0)
      return i;
  g_error ("no column “%s”", title);
}

static double
number_of (LoomResultTable *table, guint row, const char *title)
{
  return loom_result_table_get_number (table, row, column_of (table, title));
}

static const char *
text_of (LoomResultTable *table, guint row, const char *title)
{
  return loom_result_table_get_text (table, row, column_of (table, title));
}

static void
assert_quality (LoomRunState *run, guint clock, const char *words)
{
  g_autofree char *sentence = loom_page_clocks_dup_fit_quality (timeline_of (run), clock),
                  *text = loom_sentence_dup_bound (sentence);
  if (strstr (text, words) == NULL)
    g_error ("“%s” is not in “%s”", words, text);
}

/* Returns the clock that the panel selects first. */
static guint
notable_of (LoomRunState *run)
{
  g_autoptr (GArray) clocks = loom_page_clocks_list (timeline_of (run));
  return loom_clock_commands_find_notable (timeline_of (run), clocks);
}

static void
assert_answer (LoomRunState *run, const char *answer, const char *reason)
{
  g_autoptr (GArray) clocks = loom_page_clocks_list (timeline_of (run));
  g_autofree char *said = loom_page_clocks_dup_answer (timeline_of (run), clocks),
                  *why = loom_page_clocks_dup_reason (timeline_of (run), clocks);
  if (strstr (said, answer) == NULL || strstr (why, reason) == NULL)
    g_error ("“%s” and “%s” do not say “%s” and “%s”", said, why, answer, reason);
}

static void
test_table (void)
{
  LoomRunState *run = open_ranks (clock_ranks_drifted, 3);
  g_autoptr (LoomResultTable) table = new_table (run);
  g_assert_cmpuint (table->n_rows, ==, 3);
  g_assert_cmpstr (text_of (table, 0, "Source"), ==, "rank 0");
  g_assert_cmpfloat (number_of (table, 0, "Offset"), ==, 0);
  g_assert_cmpfloat (fabs (number_of (table, 1, "Offset") + 5e6), <, 2000);
  g_assert_cmpfloat (fabs (number_of (table, 2, "Offset") - 250e3), <, 2000);
  g_assert_cmpfloat (number_of (table, 2, "Pairs"), ==, CLOCK_RANKS_N_MEETINGS);
  g_assert_cmpfloat (number_of (table, 2, "Rejected"), ==, 4);
  g_assert_cmpfloat (number_of (table, 2, "Measured ±"), >, 0);
  g_assert_cmpfloat (number_of (table, 2, "Measured ±"), <, number_of (table, 2, "95 % Within"));
  g_assert_true (isnan (number_of (table, 0, "Measured ±"))); /* residuals are relative to the reference clock, which
                                                               * therefore has none */
  g_assert_cmpfloat (number_of (table, 1, "Max Residual"), <, 2000);
  g_assert_cmpstr (text_of (table, 1, "Verdict"), ==, "good");
  g_assert_cmpstr (text_of (table, 1, "State"), ==, "aligned");
  g_assert_cmpstr (text_of (table, 1, "Basis"), ==, "fit");
  g_assert_false (loom_result_table_get_column (table, column_of (table, "Offset"))->is_detail);
  g_assert_false (loom_result_table_get_column (table, column_of (table, "Rejected"))->is_detail);
  assert_answer (run, "can be trusted if they are more than 868", "of the events that ranks share");
  g_autofree char *reference = loom_page_clocks_dup_details (table, 0),
                  *moved = loom_page_clocks_dup_details (table, 1);
  g_assert_null (strstr (reference, "Measured")); /* the reference clock is not moved, and zeros are omitted */
  g_assert_nonnull (strstr (moved, "Measured"));
  run_fixture_close (run);
}

static void
assert_name (LoomRunState *run, guint clock, const char *expected)
{
  g_autoptr (LoomResultTable) table = new_table (run);
  g_autofree char *name =
    loom_page_clocks_dup_name (timeline_of (run), loom_document_get_source_edits (document_of (run)), clock);
  g_assert_cmpstr (text_of (table, clock, "Source"), ==, expected);
  g_assert_cmpstr (name, ==, expected);
}

/* If the user gave a name to a source, its clock is shown with this name. */
static void
test_named (void)
{
  LoomRunState *run = open_ranks (clock_ranks_drifted, 3);
  g_autofree char *path = g_strdup (loom_run_get_source (loom_document_get_run (document_of (run)), 1)->path);
  const char *paths[] = { path, NULL };
  loom_source_commands_describe (document_of (run), paths, LOOM_SOURCE_NAME, "the slow one", -1, NULL);
  assert_name (run, 1, "rank 1 · the slow one");
  loom_source_commands_describe (document_of (run), paths, LOOM_SOURCE_NAME, "", -1, NULL);
  assert_name (run, 1, "rank 1");
  run_fixture_close (run);
}

static GArray *
residuals_of (LoomRunState *run, guint clock)
{
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  return loom_clock_residuals_new (timeline_of (run), clock, progress);
}

static guint
count_flagged (const LoomChart *chart)
{
  guint n = 0;
  for (guint i = 0; i < chart->lines.points->len; i++)
    n += g_array_index (chart->lines.points, LoomChartPoint, i).flagged;
  return n;
}

/* The chart of residuals shows as many used and rejected points as the table states. */
static void
test_residuals (void)
{
  LoomRunState *run = open_ranks (clock_ranks_drifted, 3);
  g_autoptr (GArray) points = residuals_of (run, 2);
  /* the panel selects this clock, because the reference clock has no residuals */
  g_assert_cmpuint (notable_of (run), ==, 1);
  assert_quality (run, 2, "36\u00a0of 40\u00a0pairs fit");
  g_autoptr (LoomChart) chart = loom_page_clocks_new_residuals (timeline_of (run), 2, points, 0);
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, CLOCK_RANKS_N_MEETINGS);
  g_assert_cmpuint (count_flagged (chart), ==, 4);
  for (guint i = 0; i < CLOCK_RANKS_N_MEETINGS; i++) {
    const LoomChartPoint *point = &g_array_index (chart->lines.points, LoomChartPoint, i);
    g_assert_true (point->flagged == (fabs (point->y) > 1e6));
    g_assert_true (point->flagged || fabs (point->y) < 2000);
  }
  g_autoptr (LoomChart) overlay = loom_page_clocks_new_overlay (timeline_of (run), 2, points, 0);
  const LoomChartPoint *before = &g_array_index (overlay->lines.points, LoomChartPoint, 0);
  g_assert_cmpuint (loom_chart_get_n_elements (overlay), ==, 2 * (CLOCK_RANKS_N_MEETINGS - 4));
  g_assert_cmpfloat (before->y, <, -240e3);
  g_assert_cmpfloat (fabs (g_array_index (overlay->lines.points, LoomChartPoint, CLOCK_RANKS_N_MEETINGS).y), <, 2000);
  run_fixture_close (run);
}

/* A clock whose fit was refused is selected first, because it needs attention. */
static void
test_refused (void)
{
  LoomRunState *run = open_ranks (clock_ranks_stepped, 3);
  g_autoptr (LoomResultTable) table = new_table (run);
  g_autoptr (GArray) points = residuals_of (run, 2);
  g_autoptr (LoomChart) chart = loom_page_clocks_new_residuals (timeline_of (run), 2, points, 0);
  g_assert_cmpuint (notable_of (run), ==, 2);
  g_assert_cmpstr (text_of (table, 2, "Verdict"), ==, "rejected");
  g_assert_cmpstr (text_of (table, 2, "State"), ==, "stated in UTC");
  g_assert_cmpfloat (number_of (table, 2, "Offset"), ==, 0);
  assert_quality (run, 2, "jumps by");
  g_assert_cmpstr (chart->title, ==, "Residuals of the rejected alignment");
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, CLOCK_RANKS_N_MEETINGS);
  assert_answer (run, "can be trusted", "contradicts the others");
  run_fixture_close (run);
}

/* A run with a single clock has no residuals, and the sentence of the panel says why. */
static void
test_alone (void)
{
  LoomRunState *run = open_ranks (clock_ranks_drifted, 1);
  g_autoptr (LoomResultTable) table = new_table (run);
  g_autoptr (GArray) points = residuals_of (run, 0);
  g_assert_cmpuint (points->len, ==, 0);
  g_assert_null (loom_page_clocks_new_residuals (timeline_of (run), 0, points, 0));
  g_assert_true (isnan (number_of (table, 0, "Pairs")));
  assert_quality (run, 0, "There is no other clock to compare");
  /* the offset of a single clock is always 0, so this column is a detail */
  g_assert_true (loom_result_table_get_column (table, column_of (table, "Offset"))->is_detail);
  g_assert_true (loom_result_table_get_column (table, column_of (table, "Rejected"))->is_detail);
  assert_answer (run, "There is one clock", "");
  run_fixture_close (run);
}

/* Opens the three ranks of a job and `n` traces that share no events with them. */
static LoomRunState *
open_with_loners (guint n)
{
  g_autofree char *folder = clock_ranks_write (clock_ranks_drifted, 3);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("loner-%u.pt.trace.json", i);
    g_autofree char *text = g_strdup_printf (
      "{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":["
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":%u,\"tid\":1,\"ts\":%u,\"dur\":5}]}",
      90 + i, 500000 + i);
    g_free (fixture_file (folder, name, text));
  }
  return run_fixture_open (folder);
}

static void
assert_folded (LoomRunState *run, guint n_shown, guint n_folded)
{
  g_autoptr (GArray) clocks = loom_page_clocks_list (timeline_of (run));
  g_autoptr (GArray) folded = loom_page_clocks_take_declared (timeline_of (run), clocks);
  g_assert_cmpuint (clocks->len, ==, n_shown);
  g_assert_cmpuint (folded->len, ==, n_folded);
  for (guint i = 0; n_folded > 0 && i < clocks->len; i++)
    g_assert_cmpuint (
      loom_alignment_get (loom_timeline_get_alignment (timeline_of (run)), g_array_index (clocks, guint, i))->pairs, >,
      0);
}

/* Sources whose clock is used as the file declares it are folded into one row of the table, unless there are only a few
 * of them or all sources are of this kind. */
static void
test_folded (void)
{
  static const struct {
    guint n_loners, n_shown, n_folded;
  } cases[] = { { 0, 3, 0 }, { 2, 5, 0 }, { 3, 3, 3 } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    LoomRunState *run = open_with_loners (cases[i].n_loners);
    assert_folded (run, cases[i].n_shown, cases[i].n_folded);
    run_fixture_close (run);
  }
  LoomRunState *alone = open_ranks (clock_ranks_drifted, 1);
  g_autoptr (GArray) clocks = loom_page_clocks_list (timeline_of (alone));
  g_autoptr (GArray) folded = loom_page_clocks_take_declared (timeline_of (alone), clocks);
  g_assert_cmpuint (folded->len, ==, 0);
  run_fixture_close (alone);
}

/* --- commands -------------------------------------------------------------------------------------------------------- */

static const LoomClockFit *
fit_of (LoomRunState *run, guint clock)
{
  return loom_alignment_get (loom_timeline_get_alignment (timeline_of (run)), clock);
}

static gint64
moved_by (LoomRunState *run, guint clock)
{
  return fit_of (run, clock)->user_offset_ns;
}

static gboolean
can_undo (LoomRunState *run)
{
  return loom_undo_stack_get_back (loom_document_get_undo (document_of (run))) != NULL;
}

static void
undo (LoomRunState *run)
{
  g_assert_true (loom_undo_stack_back (loom_document_get_undo (document_of (run))));
}

static void
redo (LoomRunState *run)
{
  g_assert_true (loom_undo_stack_forward (loom_document_get_undo (document_of (run))));
}

/* Opens generated ranks in a run session, as a tab does. The session records the fit of the clocks as an undo step. */
static LoomRunSession *
open_session_of_ranks (const ClockRank *ranks, guint n)
{
  g_autofree char *folder = clock_ranks_write (ranks, n);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, folder);
  return session;
}

/* The fit of clocks during a load is one undo step; reloading the same files adds no step. */
static void
test_fit_taken_back (void)
{
  LoomRunSession *session = open_session_of_ranks (clock_ranks_drifted, 3);
  LoomRunState *run = loom_run_session_get_run_state (session);
  gint64 fitted_ns = fit_of (run, 1)->map.offset_ns;
  g_assert_cmpint (fitted_ns, !=, 0);
  undo (run);
  g_assert_cmpint (fit_of (run, 1)->map.offset_ns, ==, 0);
  g_assert_false (can_undo (run));
  redo (run);
  g_assert_cmpint (fit_of (run, 1)->map.offset_ns, ==, fitted_ns);
  loom_document_reload (document_of (run));
  run_fixture_session_wait (session);
  g_assert_cmpint (fit_of (run, 1)->map.offset_ns, ==, fitted_ns);
  undo (run);
  g_assert_cmpint (fit_of (run, 1)->map.offset_ns, ==, 0);
  g_assert_false (can_undo (run));
  run_fixture_session_close (session);
}

/* Loading a run with a single clock adds no undo step, because no clock is fitted. */
static void
test_nothing_fitted (void)
{
  gint64 most_ns;
  LoomRunSession *session = open_session_of_ranks (clock_ranks_drifted, 1);
  LoomRunState *run = loom_run_session_get_run_state (session);
  g_assert_cmpuint (loom_clock_commands_count_fitted (document_of (run), &most_ns), ==, 0);
  g_assert_false (can_undo (run));
  run_fixture_session_close (session);
}

/* Drags a clock by `by_ns` in ten steps, the first of which begins the drag. */
static void
drag (LoomRunState *run, guint clock, gint64 by_ns)
{
  for (guint i = 0; i < 10; i++)
    loom_clock_commands_drag (document_of (run), clock, by_ns / 10, i == 0);
}

/* Spans move with their clock; one drag is one undo step. */
static void
test_dragged (void)
{
  LoomRunState *run = open_ranks (clock_ranks_drifted, 3);
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  LoomSpanId span = { 1, 0 };
  gint64 begin_ns, end_ns, before_ns;
  guint row = G_MAXUINT, strip;
  double scroll_px = loom_timeline_state_get_viewport (state)->scroll_px;
  loom_timeline_get_span (timeline_of (run), span, &before_ns, &end_ns);
  loom_row_list_fold_all (rows, FALSE);
  loom_timeline_state_rows_changed (state);
  g_assert_true (loom_row_list_find_span (rows, span, &row, &strip));
  g_assert_cmpuint (loom_clock_at_row_at (state, loom_row_list_row_top (rows, row, scroll_px) + 4), ==, 1);
  g_assert_cmpuint (loom_clock_at_row_at (state, 1e6), ==, G_MAXUINT);
  drag (run, 1, 12000);
  drag (run, 1, -30000);
  loom_timeline_get_span (timeline_of (run), span, &begin_ns, &end_ns);
  g_assert_cmpint (begin_ns, ==, before_ns - 18000);
  undo (run);
  g_assert_cmpint (moved_by (run, 1), ==, 12000);
  undo (run);
  g_assert_cmpint (moved_by (run, 1), ==, 0);
  run_fixture_close (run);
}

/* Aligning the ends of two collectives makes them equal, whatever offsets the user set before. */
static void
test_aligned (void)
{
  LoomRunState *run = open_ranks (clock_ranks_stepped, 3);
  LoomSpanId kept = { 0, 30 }, moved = { 2, 31 };
  gint64 start_ns, kept_ns, moved_ns;
  loom_clock_commands_set_offset (document_of (run), 2, 777);
  loom_clock_commands_set_offset (document_of (run), 0, 50);
  g_assert_false (loom_clock_commands_can_align (document_of (run), kept, kept));
  g_assert_true (loom_clock_commands_can_align (document_of (run), kept, moved));
  loom_clock_commands_align (document_of (run), kept, moved);
  loom_timeline_get_span (timeline_of (run), kept, &start_ns, &kept_ns);
  loom_timeline_get_span (timeline_of (run), moved, &start_ns, &moved_ns);
  g_assert_cmpint (kept_ns, ==, moved_ns);
  g_assert_cmpstr (fit_of (run, 2)->basis, ==, "manually selected events");
  undo (run);
  g_assert_cmpint (moved_by (run, 2), ==, 777);
  run_fixture_close (run);
}

/* A session contains all changes of clocks, and opening it adds no undo step. */
static void
test_kept (void)
{
  LoomRunState *run = open_ranks (clock_ranks_stepped, 3);
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "kept.traceloom", NULL);
  loom_clock_commands_set_offset (document_of (run), 1, 12345);
  loom_clock_commands_align (document_of (run), (LoomSpanId) { 0, 3 }, (LoomSpanId) { 2, 3 });
  loom_clock_commands_use_fit (document_of (run), FALSE);
  gint64 offsets_ns[] = { fit_of (run, 0)->map.offset_ns, fit_of (run, 1)->map.offset_ns,
                          fit_of (run, 2)->map.offset_ns };
  g_autoptr (LoomSession) session = loom_session_state_collect (run);
  g_assert_true (loom_session_file_write (session, path, NULL));
  run_fixture_close (run);
  LoomRunSession *reopened = run_fixture_session ();
  run_fixture_session_open (reopened, path);
  LoomRunState *again = loom_run_session_get_run_state (reopened);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (fit_of (again, i)->map.offset_ns, ==, offsets_ns[i]);
  g_assert_cmpint (moved_by (again, 1), ==, 12345);
  g_assert_cmpint (loom_document_get_clock_edits (document_of (again))->mode, ==, LOOM_ALIGN_DECLARED);
  g_assert_false (can_undo (again));
  run_fixture_session_close (reopened);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/clocks/table", test_table);
  g_test_add_func ("/core/clocks/named", test_named);
  g_test_add_func ("/core/clocks/residuals", test_residuals);
  g_test_add_func ("/core/clocks/refused", test_refused);
  g_test_add_func ("/core/clocks/alone", test_alone);
  g_test_add_func ("/core/clocks/folded", test_folded);
  g_test_add_func ("/core/clocks/fit-taken-back", test_fit_taken_back);
  g_test_add_func ("/core/clocks/nothing-fitted", test_nothing_fitted);
  g_test_add_func ("/core/clocks/dragged", test_dragged);
  g_test_add_func ("/core/clocks/aligned", test_aligned);
  g_test_add_func ("/core/clocks/kept", test_kept);
  return run_fixture_run ();
}
