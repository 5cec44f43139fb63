/* SPDX-License-Identifier: Apache-2.0
 *
 * The problems list in its window: what it shows, how it is sorted, filtered and copied, and the badge that opens it.
 */
#include "fixture.h"

#include "loom-problem-columns.h"
#include "loom-problems-window.h"

#include <string.h>

#define EVENT "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}"
#define BROKEN "{\"ph\":\"X\",\"a\":[}}"

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
problems_window (LoomWindow *parent)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GObject) toplevel = g_list_model_get_item (windows, i);
    if (GTK_IS_WINDOW (toplevel) && gtk_window_get_transient_for (GTK_WINDOW (toplevel)) == GTK_WINDOW (parent) &&
        loom_problems_window_get_view (GTK_WINDOW (toplevel)) != NULL) /* the overview of keys is above it too */
      return GTK_WINDOW (toplevel);
  }
  g_assert_not_reached ();
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
test_list (void)
{
  LoomWindow *window = open_broken ();
  g_action_group_activate_action (G_ACTION_GROUP (window), "problems", NULL);
  fixture_spin (100);
  LoomProblemsView *view = loom_problems_window_get_view (problems_window (window));
  g_assert_cmpstr (loom_problems_view_get_page (view), ==, "list");
  assert_files (view, "rank0.json rank0.json rank1.json notes.txt");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (view, "notes")), FALSE);
  assert_files (view, "rank0.json rank0.json rank1.json");
  gtk_editable_set_text (GTK_EDITABLE (part (view, "words")), "RANK1");
  g_assert_true (fixture_wait (shows_one, view));
  assert_files (view, "rank1.json");
  gtk_editable_set_text (GTK_EDITABLE (part (view, "words")), "no such words");
  g_assert_true (fixture_wait (shows_none, view));
  g_assert_cmpstr (loom_problems_view_get_page (view), ==, "no-match");
  fixture_close (window);
}

static void
test_sort (void)
{
  LoomWindow *window = open_broken ();
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  GtkWindow *problems = loom_problems_window_present (GTK_WINDOW (window), run, NULL, NULL);
  LoomProblemsView *view = loom_problems_window_get_view (problems);
  GtkColumnView *table = GTK_COLUMN_VIEW (part (view, "table"));
  g_autoptr (GtkColumnViewColumn) file = g_list_model_get_item (gtk_column_view_get_columns (table), LOOM_PROBLEM_FILE);
  gtk_column_view_sort_by_column (table, file, GTK_SORT_ASCENDING);
  assert_files (view, "notes.txt rank0.json rank0.json rank1.json");
  gtk_column_view_sort_by_column (table, file, GTK_SORT_DESCENDING);
  assert_files (view, "rank1.json rank0.json rank0.json notes.txt");
  gtk_column_view_sort_by_column (table, NULL, GTK_SORT_ASCENDING);
  assert_files (view, "rank0.json rank0.json rank1.json notes.txt");
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

static void
assert_clipboard (LoomProblemsView *view, const char *words)
{
  g_autofree char *text = NULL;
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)), NULL, on_text, &text);
  g_assert_true (fixture_wait (has_text, &text));
  if (strstr (text, words) == NULL)
    g_error ("“%s” is not in “%s”", words, text);
}

/* One of everything: what is lost is above what is damaged, that above what is only said, each in the order of files. */
static LoomWindow *
open_all_kinds (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *cut = fixture_file (folder, "rank0.json", "[" EVENT ",\n{\"ph\":\"X\",\"na");
  g_autofree char *broken =
    fixture_file (folder, "rank1.json", "[" EVENT "," BROKEN "," EVENT "," BROKEN "," EVENT "]");
  g_autofree char *empty = fixture_file (folder, "w_2.pt.trace.json", "{\"schemaVersion\": 1, \"devicePro");
  g_autofree char *other = fixture_file (folder, "notes.txt", "nothing to see\n");
  fixture_open (window, folder);
  return window;
}

static void
sort_by (LoomProblemsView *view, LoomProblemColumn number, GtkSortType order)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (part (view, "table"));
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (table), number);
  gtk_column_view_sort_by_column (table, column, order);
}

static void
assert_count (LoomProblemsView *view, const char *name, const char *expected)
{
  GtkWidget *button = part (view, name);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, expected);
  g_assert_cmpint (gtk_widget_get_sensitive (button), ==, *expected != '0');
}

static void
assert_found (LoomProblemsView *view, const char *words, const char *expected)
{
  gtk_editable_set_text (GTK_EDITABLE (part (view, "words")), words);
  g_signal_emit_by_name (part (view, "words"), "search-changed"); /* at once */
  assert_files (view, expected);
}

static void
test_severities (void)
{
  LoomWindow *window = open_all_kinds ();
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  LoomProblemsView *view =
    loom_problems_window_get_view (loom_problems_window_present (GTK_WINDOW (window), run, NULL, NULL));
  assert_files (view, "w_2.pt.trace.json rank1.json rank0.json rank0.json notes.txt");
  assert_count (view, "errors", "2 errors");
  assert_count (view, "warnings", "2 warnings");
  assert_count (view, "notes", "1 note");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (view, "errors")), FALSE);
  assert_files (view, "rank0.json rank0.json notes.txt");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (view, "warnings")), FALSE);
  assert_files (view, "notes.txt");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (view, "errors")), TRUE);
  sort_by (view, LOOM_PROBLEM_SEVERITY, GTK_SORT_ASCENDING);
  assert_files (view, "notes.txt w_2.pt.trace.json rank1.json");
  sort_by (view, LOOM_PROBLEM_SEVERITY, GTK_SORT_DESCENDING);
  assert_files (view, "w_2.pt.trace.json rank1.json notes.txt");
  sort_by (view, LOOM_PROBLEM_COUNT, GTK_SORT_DESCENDING);
  assert_files (view, "rank1.json w_2.pt.trace.json notes.txt");
  sort_by (view, LOOM_PROBLEM_OFFSET, GTK_SORT_ASCENDING);
  assert_files (view, "w_2.pt.trace.json notes.txt rank1.json");
  fixture_close (window);
}

/* Words are looked for in the file's name, the sentence and the code; all of them have to be there. */
static void
test_words (void)
{
  LoomWindow *window = open_all_kinds ();
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  LoomProblemsView *view =
    loom_problems_window_get_view (loom_problems_window_present (GTK_WINDOW (window), run, NULL, NULL));
  assert_found (view, "not readable", "rank1.json");
  assert_found (view, "BROKEN-event", "rank1.json");
  assert_found (view, "json nk0", "rank0.json rank0.json"); /* the folder's name may hold any single letter */
  assert_found (view, "rank1 truncated", "");
  assert_found (view, "rank1", "rank1.json");
  const char *place = gtk_label_get_text (GTK_LABEL (part (view, "place")));
  if (!g_str_has_suffix (place, "rank1.json · 2 times, first at byte 54"))
    g_error ("the place is “%s”", place);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (part (view, "message"))), "not readable"));
  fixture_close (window);
}

/* The details show what stands at the place of the chosen row; both copies have it. */
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
  fixture_spin (300);
  assert_clipboard (view, "rank1.json\t");
  assert_clipboard (view, "\t{\"ph\":\"X\",\"na\n");
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

/* The badge of a source opens the list at that source, and the rest is one click away. */
static void
test_badge (void)
{
  LoomWindow *window = open_broken ();
  fixture_spin (200);
  GtkWidget *badge = find_badge (GTK_WIDGET (loom_run_page_get_sources (loom_window_get_run_view (window))));
  g_assert_nonnull (badge);
  g_signal_emit_by_name (badge, "clicked");
  fixture_spin (100);
  LoomProblemsView *view = loom_problems_window_get_view (problems_window (window));
  assert_files (view, "rank0.json rank0.json");
  g_assert_true (gtk_widget_get_visible (part (view, "only")));
  assert_count (view, "notes", "0 notes");
  g_signal_emit_by_name (part (view, "show_all"), "clicked");
  assert_files (view, "rank0.json rank0.json rank1.json notes.txt");
  g_assert_false (gtk_widget_get_visible (part (view, "only")));
  assert_count (view, "notes", "1 note");
  fixture_close (window);
}

static void
test_none (void)
{
  LoomWindow *window = fixture_window ();
  GtkWindow *problems = loom_problems_window_present (GTK_WINDOW (window), NULL, NULL, NULL);
  LoomProblemsView *view = loom_problems_window_get_view (problems);
  g_assert_cmpstr (loom_problems_view_get_page (view), ==, "none");
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/problem-list/list", test_list);
  g_test_add_func ("/app/problem-list/sort", test_sort);
  g_test_add_func ("/app/problem-list/severities", test_severities);
  g_test_add_func ("/app/problem-list/words", test_words);
  g_test_add_func ("/app/problem-list/details-and-copies", test_details_and_copies);
  g_test_add_func ("/app/problem-list/badge", test_badge);
  g_test_add_func ("/app/problem-list/none", test_none);
  return fixture_run ();
}
