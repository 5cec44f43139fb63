/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the list of the problems that were found while the files of a run were read: its filters, its details and the
 * copies of rows. Also tests the badge in the list of sources, which shows the number of problems of a source.
 */
#include "groups.h"

#include "loom-problem-columns.h"
#include "loom-problems-window.h"

#include <string.h>

#define BROKEN "{\"ph\":\"X\",\"a\":[}}"
#define EVENT "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}"
#define NARROW_PX 620 /* half of a screen of 1,280 px without its frame */

static LoomWindow *
open_broken (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *cut = fixture_file (folder, "rank0.json", "[" EVENT ",\n{\"ph\":\"X\",\"na");
  g_autofree char *trailing = fixture_file (folder, "rank1.json", "[" EVENT "] rubbish");
  g_autofree char *other = fixture_file (folder, "notes.txt", "nothing to see\n");
  fixture_open (window, folder);
  return window;
}

static GtkWindow *
find_problems (gpointer parent)
{
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GObject) toplevel = g_list_model_get_item (windows, i);
    if (GTK_IS_WINDOW (toplevel) && gtk_window_get_transient_for (GTK_WINDOW (toplevel)) == parent &&
        loom_problems_window_get_view (GTK_WINDOW (toplevel)) != NULL) /* the shortcuts window is also transient for the
                                                                        * main window */
      return GTK_WINDOW (toplevel);
  }
  return NULL;
}

static gboolean
has_problems (gpointer parent)
{
  return find_problems (parent) != NULL;
}

/* Waits for the problems window and returns its view. */
static LoomProblemsView *
wait_problems (LoomWindow *window)
{
  g_assert_true (fixture_wait (has_problems, window));
  return loom_problems_window_get_view (find_problems (window));
}

static GtkWidget *
part (LoomProblemsView *view, const char *name)
{
  return GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (view), LOOM_TYPE_PROBLEMS_VIEW, name));
}

static char *
draw (LoomProblemsView *view)
{
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (part (view, "table"))));
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (LoomProblemItem) item = g_list_model_get_item (model, i);
    g_autofree char *name = loom_problem_item_dup_name (item);
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "", name);
  }
  return g_string_free (out, FALSE);
}

static void
assert_files (LoomProblemsView *view, const char *expected)
{
  g_autofree char *shown = draw (view);
  g_assert_cmpstr (shown, ==, expected);
}

static guint
count_shown (LoomProblemsView *view)
{
  return g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (part (view, "table")))));
}

static gboolean
shows_one (gpointer view)
{
  return count_shown (view) == 1;
}

static gboolean
shows_none (gpointer view)
{
  return count_shown (view) == 0;
}

static void
assert_count (LoomProblemsView *view, const char *name, const char *expected)
{
  GtkWidget *button = part (view, name);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, expected);
  g_assert_cmpint (gtk_widget_get_sensitive (button), ==, *expected != '0');
}

/* The buttons for severities show counts, with plural forms, and hide or show the rows. */
static void
test_counts (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one = fixture_file (folder, "rank0.json", "[" BROKEN "," EVENT),
                  *two = fixture_file (folder, "rank1.json", "[" BROKEN "," EVENT);
  fixture_open (window, folder);
  g_action_group_activate_action (G_ACTION_GROUP (window), "problems", NULL);
  LoomProblemsView *view = wait_problems (window);
  assert_count (view, "errors", "2 errors");
  assert_count (view, "warnings", "2 warnings");
  assert_count (view, "notes", "0 notes");
  g_assert_cmpuint (count_shown (view), ==, 4);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (view, "errors")), FALSE);
  g_assert_cmpuint (count_shown (view), ==, 2);
  assert_count (view, "errors", "2 errors"); /* the button counts all problems, including those that a filter hides */
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (view, "warnings")), FALSE);
  g_assert_cmpuint (count_shown (view), ==, 0);
  fixture_close (window);
}

/* If some files fail, the rest of the run is shown, a message names the failures, and the list contains all
 * problems. */
static void
test_list (void)
{
  LoomWindow *window = open_broken ();
  const char *message = loom_tab_get_load_error (loom_window_get_tab (window));
  g_assert_cmpstr (loom_tab_get_page (loom_window_get_tab (window)), ==, "run");
  g_assert_true (message != NULL && strstr (message, "rank0.json") != NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "problems", NULL);
  LoomProblemsView *view = wait_problems (window);
  g_assert_cmpstr (loom_problems_view_get_page (view), ==, "list");
  assert_files (view, "rank0.json rank0.json rank1.json notes.txt");
  assert_count (view, "errors", "0 errors");
  assert_count (view, "warnings", "3 warnings");
  assert_count (view, "notes", "1 note");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (view, "notes")), FALSE);
  assert_files (view, "rank0.json rank0.json rank1.json");
  gtk_editable_set_text (GTK_EDITABLE (part (view, "words")), "RANK1");
  g_assert_true (fixture_wait (shows_one, view));
  assert_files (view, "rank1.json");
  gtk_editable_set_text (GTK_EDITABLE (part (view, "words")), "no such words");
  g_assert_true (fixture_wait (shows_none, view));
  g_assert_cmpstr (loom_problems_view_get_page (view), ==, "no-match");
  GtkWindow *problems = loom_problems_window_present (GTK_WINDOW (window), NULL, NULL, NULL);
  g_assert_cmpstr (loom_problems_view_get_page (loom_problems_window_get_view (problems)), ==, "none");
  fixture_close (window);
}

static gboolean
has_excerpt (gpointer label)
{
  return gtk_widget_get_visible (label) && *gtk_label_get_text (label) != '\0';
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static gboolean
has_text (gpointer text)
{
  return *(char **) text != NULL;
}

/* Waits until the clipboard contains `words`. Until then it may be empty or contain the text of an earlier copy. */
static void
assert_clipboard (LoomProblemsView *view, const char *words)
{
  gint64 end_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  g_autofree char *text = NULL;
  while (text == NULL || strstr (text, words) == NULL) {
    if (g_get_monotonic_time () > end_us)
      g_error ("“%s” is not in “%s”", words, text);
    g_clear_pointer (&text, g_free);
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)), NULL, on_text, &text);
    g_assert_true (fixture_wait (has_text, &text));
  }
}

/* The details show an excerpt: the file's text at the place of the selected problem. Both ways of copying include this
 * excerpt. */
static void
test_details_and_copies (void)
{
  LoomWindow *window = open_broken ();
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  GtkWindow *problems = loom_problems_window_present (GTK_WINDOW (window), run, NULL, NULL);
  LoomProblemsView *view = loom_problems_window_get_view (problems);
  GtkWidget *excerpt = part (view, "excerpt");
  g_assert_true (fixture_wait (has_excerpt, excerpt));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (excerpt)), ==, "{\"ph\":\"X\",\"na");
  loom_problems_view_copy_row (view);
  assert_clipboard (view, "rank0.json\ttruncated\t1\t55\t");
  assert_clipboard (view, "\t{\"ph\":\"X\",\"na\n");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view)), "");
  loom_problems_view_copy_all (view);
  assert_clipboard (view, "rank1.json\t");
  assert_clipboard (view, "\t{\"ph\":\"X\",\"na\n");
  fixture_close (window);
}

static gboolean
is_narrow (gpointer window)
{
  int width = gtk_widget_get_width (window);
  return width > 0 && width <= NARROW_PX;
}

/* The details of a problem show its file and position. This text wraps, so that it is never wider than the details,
 * however long the path is. The text also contains Chinese letters, whose lines are higher than those of Latin letters:
 * a horizontal GtkBox would then put some of the texts into one wide line, beyond the edge of the window. */
static void
test_long_places (void)
{
  LoomWindow *window = open_broken ();
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  GtkWindow *problems = loom_problems_window_present (GTK_WINDOW (window), run, NULL, NULL);
  LoomProblemsView *view = loom_problems_window_get_view (problems);
  GtkWidget *place = part (view, "place"), *details = part (view, "details"), *excerpt = part (view, "excerpt");
  gtk_window_set_default_size (problems, NARROW_PX, 600);
  g_assert_true (fixture_wait (is_narrow, problems) && fixture_wait (has_excerpt, excerpt));
  for (guint n = 40; n < 120; n++) {
    g_autofree char *folders = g_strnfill (n, 'x'), *two_lines = g_strnfill (120, 'x');
    g_autofree char *text = g_strdup_printf ("/%s/ep0-ba5-rank0.json · 12 次，首次位于第 130 字节", folders);
    gtk_label_set_text (GTK_LABEL (place), text);
    gtk_label_set_text (GTK_LABEL (excerpt), two_lines);
    fixture_frames_of (GTK_WIDGET (problems));
    g_assert_cmpint (gtk_widget_get_width (place), <=, gtk_widget_get_width (details));
  }
  fixture_close (window);
}

static GtkWidget *
find_badge (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "problem-badge") && gtk_widget_get_mapped (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_badge (child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static gboolean
has_badge (gpointer sources)
{
  return find_badge (sources) != NULL;
}

/* The badge of a source opens the list of problems, filtered by that source; one click removes the filter. */
static void
test_badge (void)
{
  LoomWindow *window = open_broken ();
  GtkWidget *sources = fixture_sources (window);
  g_assert_true (fixture_wait (has_badge, sources));
  g_signal_emit_by_name (find_badge (sources), "clicked");
  LoomProblemsView *view = wait_problems (window);
  assert_files (view, "rank0.json rank0.json");
  g_assert_true (gtk_widget_get_visible (part (view, "only")));
  assert_count (view, "notes", "0 notes");
  g_signal_emit_by_name (part (view, "show_all"), "clicked");
  assert_files (view, "rank0.json rank0.json rank1.json notes.txt");
  g_assert_false (gtk_widget_get_visible (part (view, "only")));
  assert_count (view, "notes", "1 note");
  fixture_close (window);
}

void
groups_add_problem_list (void)
{
  g_test_add_func ("/app/sources/problem-list", test_list);
  g_test_add_func ("/app/sources/problem-counts", test_counts);
  g_test_add_func ("/app/sources/problem-details-and-copies", test_details_and_copies);
  g_test_add_func ("/app/sources/problem-long-places", test_long_places);
  g_test_add_func ("/app/sources/problem-badge", test_badge);
}
