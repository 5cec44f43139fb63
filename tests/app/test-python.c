/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the panel of Python profiles: when it is available, what it shows, and what users can do with it.
 */
#include "fixture.h"
#include "loom-function-table.h"
#include "loom-icicle-view.h"
#include "loom-python-profile-chooser.h"
#include "loom-source-commands.h"

#include <string.h>

static LoomPythonPanel *
panel_of (LoomWindow *window)
{
  return loom_run_views_get_python (loom_run_page_get_panels (loom_window_get_run_view (window)));
}

static LoomPythonProfiles *
profiles_of (LoomWindow *window)
{
  return loom_run_state_get_profiles (loom_run_page_get_run_state (loom_window_get_run_view (window)));
}

static gpointer
part_of (LoomWindow *window, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)), LOOM_TYPE_PYTHON_PANEL, name);
}

static gboolean
is_idle (gpointer profiles)
{
  return !loom_python_profiles_is_working (profiles);
}

static void
wait_for_answer (LoomWindow *window)
{
  fixture_spin (20);
  g_assert_true (fixture_wait (is_idle, profiles_of (window)));
}

static LoomWindow *
open_case (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("LOOM_TEST_CASES"), name, NULL);
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  wait_for_answer (window);
  return window;
}

static void
check_text (LoomWindow *window, const char *expected)
{
  g_autofree char *text = loom_function_table_dup_text (part_of (window, "table"));
  const char *rows = strchr (text, '\n');
  g_assert_nonnull (rows);
  g_assert_cmpstr (rows + 1, ==, expected);
}

/* The file is the last column, so that a narrow table shows times and calls first. */
static void
check_columns (LoomWindow *window)
{
  static const char *const titles[] = { "Function",   "Calls",           "Self", "Self/Call",
                                        "Cumulative", "Cumulative/Call", "File" };
  GtkWidget *scrolled = gtk_widget_get_first_child (part_of (window, "table"));
  GListModel *columns =
    gtk_column_view_get_columns (GTK_COLUMN_VIEW (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled))));
  guint n = 0;
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    if (gtk_column_view_column_get_visible (column))
      g_assert_cmpstr (gtk_column_view_column_get_title (column), ==, titles[n++]);
  }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (titles));
}

/* The chart has a description for screen readers. */
static void
check_tree (LoomWindow *window)
{
  LoomIcicleView *view = part_of (window, "tree");
  guint n;
  const LoomIcicleBox *marks = loom_icicle_get_marks (loom_icicle_view_get_icicle (view), 600, &n);
  g_assert_cmpuint (n, ==, 3);
  g_autofree char *words = loom_icicle_view_dup_words (view, marks[1].node);
  g_assert_cmpstr (words, ==, "work\nt.py:5\n5 ms, 83.3 % of total · 2 ms self");
  g_assert_null (loom_icicle_view_dup_words (view, LOOM_FRAME_NONE));
}

/* A run that contains only profiles opens with this panel and the earliest profile. */
static void
test_opens (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (panel_of (window))));
  g_assert_nonnull (
    strstr (gtk_label_get_text (part_of (window, "summary")), "elapsed time · 7 calls · 6.00 ms total"));
  check_columns (window);
  check_text (window, "{built-in method time.sleep}\t4\t4\t3 ms\t750 µs\t3 ms\t750 µs\t\n"
                      "work\t2\t2\t2 ms\t1 ms\t5 ms\t2.5 ms\tt.py:5\n"
                      "main\t1\t1\t1 ms\t1 ms\t6 ms\t6 ms\tt.py:1\n");
  check_tree (window);
  loom_function_table_set_filter (part_of (window, "table"), "WORK");
  check_text (window, "work\t2\t2\t2 ms\t1 ms\t5 ms\t2.5 ms\tt.py:5\n");
  loom_function_table_set_filter (part_of (window, "table"), "t.py");
  check_text (window, "work\t2\t2\t2 ms\t1 ms\t5 ms\t2.5 ms\tt.py:5\n"
                      "main\t1\t1\t1 ms\t1 ms\t6 ms\t6 ms\tt.py:1\n");
  fixture_close (window);
}

/* Profiles without times cannot be placed on a timeline, so no timeline is shown; a run without
 * profiles has no panel of Python profiles. */
static void
test_without_times (void)
{
  LoomWindow *window = open_case ("python-profiles-files");
  g_assert_cmpstr (loom_tab_get_page (loom_window_get_tab (window)), ==, "run");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (panel_of (window))));
  g_assert_false (
    gtk_widget_get_mapped (GTK_WIDGET (loom_run_page_get_timeline_view (loom_window_get_run_view (window)))));
  g_assert_nonnull (strstr (adw_status_page_get_title (part_of (window, "nothing")), "No calls recorded"));
  for (guint i = 0; i < 3; i++)
    g_assert_false (gtk_widget_get_visible (part_of (window, (const char *[]) { "filter", "forms", "copy" }[i])));
  fixture_close (window);
  window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "a.json", "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}]");
  fixture_open (window, path);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (panel_of (window))));
  fixture_close (window);
}

/* --- the chooser ----------------------------------------------------------------------------------------------------- */

static gpointer
choice_of (LoomWindow *window, const char *name)
{
  return gtk_widget_get_template_child (part_of (window, "chooser"), LOOM_TYPE_PYTHON_PROFILE_CHOOSER, name);
}

/* Selecting the span of a profile's interval on the timeline selects the profile. */
static void
check_span (LoomWindow *window)
{
  guint n;
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 0, 1 }, FALSE);
  wait_for_answer (window);
  const guint *chosen = loom_python_profiles_get_chosen (profiles_of (window), &n);
  g_assert_cmpuint (n, ==, 1);
  LoomPythonProfileItem *item = loom_python_profiles_get_all (profiles_of (window))->pdata[chosen[0]];
  g_assert_cmpint (item->profile->start.step, ==, 9);
  g_assert_true (gtk_selection_model_is_selected (choice_of (window, "selection"), chosen[0]));
}

/* The chooser filters the list, selects several profiles, and compares them with another one. */
static void
test_chooser (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  GtkSelectionModel *selection = choice_of (window, "selection");
  GtkWidget *steps = choice_of (window, "steps");
  GListModel *list = loom_python_profiles_get_list (profiles_of (window));
  g_assert_true (gtk_selection_model_is_selected (selection, 0) && !gtk_selection_model_is_selected (selection, 1));
  check_span (window);
  gtk_editable_set_text (GTK_EDITABLE (steps), "9");
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 2);
  g_assert_true (gtk_selection_model_is_selected (selection, 0) && gtk_selection_model_is_selected (selection, 1));
  gtk_editable_set_text (GTK_EDITABLE (steps), "9 to 10");
  g_assert_true (gtk_widget_has_css_class (steps, "error"));
  gtk_editable_set_text (GTK_EDITABLE (steps), "");
  g_assert_false (gtk_widget_has_css_class (steps, "error"));
  gtk_drop_down_set_selected (choice_of (window, "narrowing"), LOOM_PROFILES_TRAINING);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 8);
  gtk_drop_down_set_selected (choice_of (window, "narrowing"), LOOM_PROFILES_ALL);
  gtk_selection_model_select_range (selection, 0, 1, TRUE);
  gtk_drop_down_set_selected (choice_of (window, "baseline"), 2);
  wait_for_answer (window);
  check_text (window, "main\t0\t0\t−1 ms\t−1 ms\t−6 ms\t−6 ms\tt.py:1\n"
                      "work\t0\t0\t−2 ms\t−1 ms\t−5 ms\t−2.5 ms\tt.py:5\n"
                      "{built-in method time.sleep}\t0\t0\t−3 ms\t−750 µs\t−3 ms\t−750 µs\t\n");
  fixture_close (window);
}

static guint
count_labels (GtkWidget *widget, const char *part)
{
  guint n = GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), part) != NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_labels (child, part);
  return n;
}

static gboolean
is_named (gpointer chooser)
{
  return count_labels (chooser, " · the slow one · ") == 1;
}

/* A name that the user gives to a profile appears in the chooser at once. */
static void
test_given_name (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  GtkWidget *chooser = part_of (window, "chooser");
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  guint number = 0;
  while (loom_run_get_source (run, number)->profile == NULL ||
         loom_run_get_source (run, number)->profile->start.step != LOOM_STEP_BEFORE_FIRST)
    number++; /* the loop ends at the first profile of the list, which covers the time before the first step */
  const char *const paths[] = { loom_run_get_source (run, number)->path, NULL };
  g_assert_false (is_named (chooser));
  loom_source_commands_describe (loom_window_get_document (window), paths, LOOM_SOURCE_NAME, "the slow one", -1, NULL);
  g_assert_true (fixture_wait (is_named, chooser));
  fixture_close (window);
}

static void
function_chosen (LoomFunctionTable *table, guint function, guint *chosen)
{
  *chosen = function;
}

/* Sorting the rows does not change the selected function. */
static void
test_sorted_selection (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomFunctionTable *table = part_of (window, "table");
  GtkWidget *scrolled = gtk_widget_get_first_child (GTK_WIDGET (table));
  GtkColumnView *view = GTK_COLUMN_VIEW (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled)));
  GtkSingleSelection *selection = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view));
  g_autoptr (GtkColumnViewColumn) first = g_list_model_get_item (gtk_column_view_get_columns (view), 0);
  guint chosen = G_MAXUINT - 1, before;
  g_signal_connect (table, "function-chosen", G_CALLBACK (function_chosen), &chosen);
  gtk_single_selection_set_selected (selection, 1);
  before = chosen;
  g_assert_cmpuint (before, <, 3);
  gtk_column_view_sort_by_column (view, first, GTK_SORT_ASCENDING);
  guint up = gtk_single_selection_get_selected (selection);
  gtk_column_view_sort_by_column (view, first, GTK_SORT_DESCENDING);
  guint down = gtk_single_selection_get_selected (selection);
  g_assert_cmpuint (up + down, ==, 2); /* descending order reverses the three rows, so the two positions of the selected
                                        * function have the sum 2 */
  g_assert_cmpuint (chosen, ==, before);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  /* If an AdwFlap folds while its window closes, libadwaita 1.2 may leak the animation. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/app/python/opens", test_opens);
  g_test_add_func ("/app/python/without-times", test_without_times);
  g_test_add_func ("/app/python/chooser", test_chooser);
  g_test_add_func ("/app/python/given-name", test_given_name);
  g_test_add_func ("/app/python/sorted-selection", test_sorted_selection);
  return fixture_run ();
}
