/* SPDX-License-Identifier: Apache-2.0
 *
 * A run that grows on the disk while it is open: it comes by itself, and what a person did stays.
 */
#include "fixture.h"

#include "loom-settings.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEAD "[\n"
#define N_FIRST 20

typedef struct {
  LoomWindow *window;
  guint64 n;
} Wanted;

static LoomDocument *
document_of (LoomWindow *window)
{
  return loom_window_get_document (window);
}

static gboolean
has_spans (gpointer data)
{
  const Wanted *wanted = data;
  return loom_document_count_spans (document_of (wanted->window)) == wanted->n &&
         !loom_document_is_loading (document_of (wanted->window));
}

static void
wait_for_spans (LoomWindow *window, guint64 n)
{
  Wanted wanted = { window, n };
  if (!fixture_wait (has_spans, &wanted))
    g_error ("%" G_GUINT64_FORMAT " spans, not %" G_GUINT64_FORMAT, loom_document_count_spans (document_of (window)),
             n);
}

static void
append (const char *path, const char *text)
{
  FILE *file = g_fopen (path, "a");
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* Event i begins at i ms and lasts half of one. */
static void
append_events (const char *path, guint first, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = first; i < first + n; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":500,\"name\":\"n%u\"},\n",
                            i * 1000, i);
  append (path, text->str);
}

static const char *
name_of_lead (LoomWindow *window)
{
  LoomSpanId lead = loom_timeline_state_get_lead (fixture_state (window));
  if (loom_timeline_span_id_is_none (lead))
    return NULL;
  const LoomTrace *trace = loom_run_get_trace (loom_document_get_run (document_of (window)), lead.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[lead.span])->text;
}

/* A folder of one file whose array is not closed, opened. */
static LoomWindow *
open_growing (char **folder, char **path)
{
  *folder = fixture_folder ();
  *path = fixture_file (*folder, "a.json", HEAD);
  append_events (*path, 0, N_FIRST);
  LoomWindow *window = fixture_window ();
  fixture_open (window, *folder);
  g_assert_cmpuint (loom_document_count_spans (document_of (window)), ==, N_FIRST);
  return window;
}

static void
show_range (LoomWindow *window, gint64 begin_ms, gint64 end_ms)
{
  LoomViewport view = fixture_view (window);
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  view.begin_ns = extent.begin_ns + begin_ms * 1000000;
  view.end_ns = extent.begin_ns + end_ms * 1000000;
  loom_timeline_state_set_viewport (fixture_state (window), &view);
}

/* The file grows, its last event is half written, another file comes: view, selection, marks and folds are as they were.
   rows: ../README.md §live files that grow and files that come are read by themselves | view, selection, marks and rows stay */
static void
test_grows (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomWindow *window = open_growing (&folder, &path);
  LoomTimelineState *state = fixture_state (window);
  g_action_group_activate_action (G_ACTION_GROUP (window), "fold-all", NULL);
  guint n_rows = loom_row_list_get_n_rows (loom_timeline_state_get_row_list (state));
  show_range (window, 3, 9);
  loom_timeline_state_toggle_mark (state, fixture_view (window).begin_ns + 1000, FALSE);
  loom_timeline_state_select_span (state, (LoomSpanId) { 0, 5 }, FALSE);
  g_autofree char *selected = g_strdup (name_of_lead (window));
  LoomViewport view = fixture_view (window);

  append_events (path, N_FIRST, 10);
  append (path, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":9");
  wait_for_spans (window, N_FIRST + 10);
  LoomTrace *grown = loom_run_get_trace (loom_document_get_run (document_of (window)), 0);
  g_autofree char *other =
    fixture_file (folder, "b.json", HEAD "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":5,\"dur\":9,\"name\":\"other\"}\n");
  wait_for_spans (window, N_FIRST + 11);

  g_assert_true (loom_run_get_trace (loom_document_get_run (document_of (window)), 0) ==
                 grown); /* not read once more */
  g_assert_cmpstr (name_of_lead (window), ==, selected);
  LoomViewport now = fixture_view (window);
  g_assert_cmpint (now.begin_ns, ==, view.begin_ns);
  g_assert_cmpint (now.end_ns, ==, view.end_ns);
  guint n_marks;
  loom_timeline_state_get_marks (state, &n_marks);
  g_assert_cmpuint (n_marks, ==, 1);
  g_assert_cmpuint (loom_row_list_get_n_rows (loom_timeline_state_get_row_list (state)), >=, n_rows);
  g_assert_null (loom_window_get_load_error (window));
  fixture_close (window);
}

/* Where nothing tells of changes they are looked for. */
static void
test_polls (void)
{
  g_setenv ("LOOM_FOLLOW", "poll", TRUE);
  g_autofree char *folder = NULL, *path = NULL;
  LoomWindow *window = open_growing (&folder, &path);
  append_events (path, N_FIRST, 1);
  wait_for_spans (window, N_FIRST + 1);
  g_unsetenv ("LOOM_FOLLOW");
  fixture_close (window);
}

/* A file whose folder is new, too.
   rows: ../README.md §live files that grow and files that come are read by themselves */
static void
test_new_folder (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomWindow *window = open_growing (&folder, &path);
  g_autofree char *deeper = g_build_filename (folder, "later", NULL);
  g_assert_cmpint (g_mkdir (deeper, 0700), ==, 0);
  g_autofree char *other = fixture_file (deeper, "b.json", HEAD);
  append_events (other, 0, 3);
  wait_for_spans (window, N_FIRST + 3);
  fixture_close (window);
}

/* What is removed from the disk stays to be seen.
   rows: ../README.md §live what is gone from the disk is shown */
static void
test_removed (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomWindow *window = open_growing (&folder, &path);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_autofree char *other = fixture_file (folder, "b.json", HEAD);
  append_events (other, 0, 3);
  wait_for_spans (window, N_FIRST + 3);
  fixture_close (window);
}

/* Turned off it is left alone; turned on again, what came meanwhile comes.
   rows: ../README.md §live the menu turns following off */
static void
test_off (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomWindow *window = open_growing (&folder, &path);
  g_action_group_activate_action (G_ACTION_GROUP (window), "follow", NULL);
  g_assert_false (loom_settings_get_boolean (LOOM_SETTING_FOLLOW));
  append_events (path, N_FIRST, 1);
  fixture_spin (900);
  g_assert_cmpuint (loom_document_count_spans (document_of (window)), ==, N_FIRST);
  g_action_group_activate_action (G_ACTION_GROUP (window), "follow", NULL);
  wait_for_spans (window, N_FIRST + 1);
  fixture_close (window);
}

static gboolean
follows_end (LoomWindow *window)
{
  g_autoptr (GVariant) value = g_action_group_get_action_state (G_ACTION_GROUP (window), "follow-end");
  return g_variant_get_boolean (value);
}

/* rows: ../README.md §live Follow the End keeps the latest in view */
static void
test_end (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  LoomWindow *window = open_growing (&folder, &path);
  LoomTimelineState *state = fixture_state (window);
  show_range (window, 3, 9);
  g_action_group_activate_action (G_ACTION_GROUP (window), "follow-end", NULL);
  g_assert_true (follows_end (window));
  gint64 end_ns = loom_timeline_state_get_extent (state).end_ns;
  LoomViewport before = fixture_view (window);
  g_assert_cmpint (before.end_ns, >=, end_ns);
  append_events (path, N_FIRST, 10);
  wait_for_spans (window, N_FIRST + 10);
  LoomViewport after = fixture_view (window);
  g_assert_cmpint (after.end_ns - before.end_ns, ==, 10000000);
  g_assert_cmpint (after.end_ns - after.begin_ns, ==, before.end_ns - before.begin_ns);
  g_assert_true (follows_end (window));
  show_range (window, 3, 9); /* away from the end */
  g_assert_false (follows_end (window));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/live/grows", test_grows);
  g_test_add_func ("/app/live/polls", test_polls);
  g_test_add_func ("/app/live/new-folder", test_new_folder);
  g_test_add_func ("/app/live/removed", test_removed);
  g_test_add_func ("/app/live/off", test_off);
  g_test_add_func ("/app/live/end", test_end);
  return fixture_run ();
}
