/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests following a run whose files grow on disk: new data appears automatically, and the view and the edits of the
 * user stay.
 */
#include "run-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEAD "[\n"
#define N_FIRST 20

typedef struct {
  LoomRunState *run;
  guint64 n;
} Wanted;

static gboolean
has_spans (gpointer data)
{
  const Wanted *wanted = data;
  return loom_document_count_spans (loom_run_state_get_document (wanted->run)) == wanted->n &&
         !loom_document_is_loading (loom_run_state_get_document (wanted->run));
}

static void
wait_for_spans (LoomRunState *run, guint64 n)
{
  Wanted wanted = { run, n };
  if (!fixture_wait (has_spans, &wanted))
    g_error ("%" G_GUINT64_FORMAT " spans, not %" G_GUINT64_FORMAT,
             loom_document_count_spans (loom_run_state_get_document (run)), n);
}

static void
append (const char *path, const char *text)
{
  FILE *file = g_fopen (path, "a");
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* Appends `n` events, from number `first` on. Event i begins at i ms and lasts 0.5 ms. */
static void
append_events (const char *path, guint first, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = first; i < first + n; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":500,\"name\":\"n%u\"},\n",
                            i * 1000, i);
  append (path, text->str);
}

static LoomViewport
view_of (LoomRunState *run)
{
  return *loom_timeline_state_get_viewport (loom_run_state_get_view (run));
}

static const char *
name_of_lead (LoomRunState *run)
{
  LoomSpanId lead = loom_timeline_state_get_lead (loom_run_state_get_view (run));
  if (loom_timeline_span_id_is_none (lead))
    return NULL;
  const LoomTrace *trace = loom_run_get_trace (loom_document_get_run (loom_run_state_get_document (run)), lead.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[lead.span])->text;
}

/* Opens a folder with one trace that is still being written: its JSON array is not closed. */
static LoomRunState *
open_growing (char **folder, char **path)
{
  *folder = fixture_folder ();
  *path = fixture_file (*folder, "a.json", HEAD);
  append_events (*path, 0, N_FIRST);
  LoomRunState *run = run_fixture_open (*folder);
  g_assert_cmpuint (loom_document_count_spans (loom_run_state_get_document (run)), ==, N_FIRST);
  return run;
}

static void
show_range (LoomRunState *run, gint64 begin_ms, gint64 end_ms)
{
  LoomViewport view = view_of (run);
  LoomRange extent = loom_timeline_state_get_extent (loom_run_state_get_view (run));
  view.begin_ns = extent.begin_ns + begin_ms * 1000000;
  view.end_ns = extent.begin_ns + end_ms * 1000000;
  loom_timeline_state_set_viewport (loom_run_state_get_view (run), &view);
}

/* The view, the selection, the marks and the folded rows stay when the file grows, when its last event is incomplete,
 * and when another file appears.
 * Covers documented rows: ../README.md §live growing files and new files are read automatically | a reload keeps view, selection, marks and rows */
static void
test_grows (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomRunState *run = open_growing (&folder, &path);
  LoomTimelineState *state = loom_run_state_get_view (run);
  loom_row_list_fold_all (loom_timeline_state_get_row_list (state), TRUE);
  loom_timeline_state_rows_changed (state);
  guint n_rows = loom_row_list_get_n_rows (loom_timeline_state_get_row_list (state));
  show_range (run, 3, 9);
  loom_timeline_state_toggle_mark (state, view_of (run).begin_ns + 1000, FALSE);
  loom_timeline_state_select_span (state, (LoomSpanId) { 0, 5 }, FALSE);
  g_autofree char *selected = g_strdup (name_of_lead (run));
  LoomViewport view = view_of (run);

  append_events (path, N_FIRST, 10);
  append (path, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":9");
  wait_for_spans (run, N_FIRST + 10);
  LoomTrace *grown = loom_run_get_trace (loom_document_get_run (loom_run_state_get_document (run)), 0);
  g_autofree char *other =
    fixture_file (folder, "b.json", HEAD "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":5,\"dur\":9,\"name\":\"other\"}\n");
  wait_for_spans (run, N_FIRST + 11);

  g_assert_true (loom_run_get_trace (loom_document_get_run (loom_run_state_get_document (run)), 0) ==
                 grown); /* the file was not read again from its begin */
  g_assert_cmpstr (name_of_lead (run), ==, selected);
  LoomViewport now = view_of (run);
  g_assert_cmpint (now.begin_ns, ==, view.begin_ns);
  g_assert_cmpint (now.end_ns, ==, view.end_ns);
  guint n_marks;
  loom_timeline_state_get_marks (state, &n_marks);
  g_assert_cmpuint (n_marks, ==, 1);
  g_assert_cmpuint (loom_row_list_get_n_rows (loom_timeline_state_get_row_list (state)), >=, n_rows);
  g_assert_true (
    /* while the file grows, no window reports that its last event is truncated */
    loom_document_is_quiet (loom_run_state_get_document (run)));
  run_fixture_close (run);
}

/* If the system does not report changes of files, the program finds them by polling. */
static void
test_polls (void)
{
  g_setenv ("LOOM_FOLLOW", "poll", TRUE);
  g_autofree char *folder = NULL, *path = NULL;
  LoomRunState *run = open_growing (&folder, &path);
  append_events (path, N_FIRST, 1);
  wait_for_spans (run, N_FIRST + 1);
  g_unsetenv ("LOOM_FOLLOW");
  run_fixture_close (run);
}

/* A new file in a new folder appears.
 * Covers documented rows: ../README.md §live growing files and new files are read automatically */
static void
test_new_folder (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomRunState *run = open_growing (&folder, &path);
  g_autofree char *deeper = g_build_filename (folder, "later", NULL);
  g_assert_cmpint (g_mkdir (deeper, 0700), ==, 0);
  g_autofree char *other = fixture_file (deeper, "b.json", HEAD);
  append_events (other, 0, 3);
  wait_for_spans (run, N_FIRST + 3);
  run_fixture_close (run);
}

/* The trace of a file deleted from disk stays visible.
 * Covers documented rows: ../README.md §live files that were deleted are reported */
static void
test_removed (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomRunState *run = open_growing (&folder, &path);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_autofree char *other = fixture_file (folder, "b.json", HEAD);
  append_events (other, 0, 3);
  wait_for_spans (run, N_FIRST + 3);
  run_fixture_close (run);
}

/* If following is switched off, changes of files are ignored; when it is switched on again, they are loaded.
 * Covers documented rows: ../README.md §live the menu disables following */
static void
test_off (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomRunState *run = open_growing (&folder, &path);
  loom_run_state_set_follows_files (run, FALSE);
  append_events (path, N_FIRST, 1);
  fixture_spin (900);
  g_assert_cmpuint (loom_document_count_spans (loom_run_state_get_document (run)), ==, N_FIRST);
  loom_run_state_set_follows_files (run, TRUE);
  wait_for_spans (run, N_FIRST + 1);
  run_fixture_close (run);
}

static gboolean
follows_end (LoomRunState *run)
{
  gboolean follows;
  g_object_get (run, "follows-end", &follows, NULL);
  return follows;
}

/* Covers documented rows: ../README.md §live Follow the End keeps the latest events in view */
static void
test_end (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomRunState *run = open_growing (&folder, &path);
  LoomTimelineState *state = loom_run_state_get_view (run);
  show_range (run, 3, 9);
  loom_run_state_set_follows_end (run, TRUE);
  g_assert_true (follows_end (run));
  gint64 end_ns = loom_timeline_state_get_extent (state).end_ns;
  LoomViewport before = view_of (run);
  g_assert_cmpint (before.end_ns, >=, end_ns);
  append_events (path, N_FIRST, 10);
  wait_for_spans (run, N_FIRST + 10);
  LoomViewport after = view_of (run);
  g_assert_cmpint (after.end_ns - before.end_ns, ==, 10000000);
  g_assert_cmpint (after.end_ns - after.begin_ns, ==, before.end_ns - before.begin_ns);
  g_assert_true (follows_end (run));
  show_range (run, 3, 9); /* a range that does not contain the end of the run */
  g_assert_false (follows_end (run));
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/live-run/grows", test_grows);
  g_test_add_func ("/core/live-run/polls", test_polls);
  g_test_add_func ("/core/live-run/new-folder", test_new_folder);
  g_test_add_func ("/core/live-run/removed", test_removed);
  g_test_add_func ("/core/live-run/off", test_off);
  g_test_add_func ("/core/live-run/end", test_end);
  return run_fixture_run ();
}
