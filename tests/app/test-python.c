/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel of Python profiles: when it is there, what is chosen, added, compared and narrowed, and what it shows.
 */
#include "fixture.h"
#include "loom-python-panel.h"
#include "loom-source-commands.h"

#include <string.h>

static LoomPythonPanel *
panel_of (LoomWindow *window)
{
  return loom_panel_area_get_python (loom_run_page_get_panels (loom_window_get_run_view (window)));
}

static gboolean
is_idle (gpointer panel)
{
  return !loom_python_panel_is_working (panel);
}

static void
wait_for_answer (LoomPythonPanel *panel)
{
  fixture_spin (20);
  g_assert_true (fixture_wait (is_idle, panel));
}

static LoomWindow *
open_case (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("LOOM_TEST_CASES"), name, NULL);
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  wait_for_answer (panel_of (window));
  return window;
}

static void
check_text (LoomPythonPanel *panel, const char *expected)
{
  g_autofree char *text = loom_function_table_dup_text (loom_python_panel_get_table (panel));
  const char *rows = strchr (text, '\n');
  g_assert_nonnull (rows);
  g_assert_cmpstr (rows + 1, ==, expected);
}

static void
check_summary (LoomPythonPanel *panel, const char *part)
{
  if (strstr (loom_python_panel_get_summary (panel), part) == NULL)
    g_error ("“%s” does not say “%s”", loom_python_panel_get_summary (panel), part);
}

/* A run of profiles alone opens to the panel, with the earliest one chosen. */
static void
test_opens (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomPythonPanel *panel = panel_of (window);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (panel)));
  g_assert_cmpuint (loom_python_profile_chooser_get_n_profiles (loom_python_panel_get_chooser (panel)), ==, 10);
  check_summary (panel, "elapsed time · 7 calls · 6.00 ms in all");
  check_text (panel, "{built-in method time.sleep}\t\t4\t4\t3 ms\t750 µs\t3 ms\t750 µs\n"
                     "work\tt.py:5\t2\t2\t2 ms\t1 ms\t5 ms\t2.5 ms\n"
                     "main\tt.py:1\t1\t1\t1 ms\t1 ms\t6 ms\t6 ms\n");
  fixture_close (window);
}

/* Without times there is no timeline. */
static void
test_without_times (void)
{
  LoomWindow *window = open_case ("python-profiles-files");
  LoomPythonPanel *panel = panel_of (window);
  g_assert_cmpstr (loom_window_get_page (window), ==, "run");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (panel)));
  g_assert_false (
    gtk_widget_get_mapped (GTK_WIDGET (loom_run_page_get_timeline_view (loom_window_get_run_view (window)))));
  check_summary (panel, "No calls recorded.");
  fixture_close (window);
}

/* A run without profiles has no such panel. */
static void
test_no_profiles (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "a.json", "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}]");
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (panel_of (window))));
  g_assert_cmpuint (loom_python_profile_chooser_get_n_profiles (loom_python_panel_get_chooser (panel_of (window))), ==,
                    0);
  fixture_close (window);
}

/* formats/python-profiles.md §2 "By steps": of step 9 the two that are inside it; they are added up. */
static void
test_steps (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomPythonPanel *panel = panel_of (window);
  LoomPythonProfileChooser *chooser = loom_python_panel_get_chooser (panel);
  g_assert_true (loom_python_profile_chooser_set_steps (chooser, "9"));
  g_assert_cmpuint (loom_python_profile_chooser_get_n_listed (chooser), ==, 2);
  wait_for_answer (panel);
  check_summary (panel, "2 profiles added up · elapsed time · 14 calls · 30.0 ms in all");
  g_assert_true (loom_python_profile_chooser_set_steps (chooser, "9 – 10"));
  g_assert_cmpuint (loom_python_profile_chooser_get_n_listed (chooser), ==, 5);
  wait_for_answer (panel);
  check_summary (panel, "different timers");
  g_assert_false (loom_python_profile_chooser_set_steps (chooser, "9 to 10"));
  g_assert_false (loom_python_profile_chooser_set_steps (chooser, "10-9"));
  g_assert_cmpuint (loom_python_profile_chooser_get_n_listed (chooser), ==, 10);
  fixture_close (window);
}

static void
test_phases (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomPythonProfileChooser *chooser = loom_python_panel_get_chooser (panel_of (window));
  static const struct {
    LoomProfileNarrowing narrowing;
    guint n;
  } cases[] = {
    { LOOM_PROFILES_INITIALISATION, 1 }, { LOOM_PROFILES_TRAINING, 8 }, { LOOM_PROFILES_FINALISATION, 1 },
    { LOOM_PROFILES_IN_SELECTION, 0 },   { LOOM_PROFILES_IN_VIEW, 10 }, { LOOM_PROFILES_ALL, 10 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    loom_python_profile_chooser_narrow (chooser, cases[i].narrowing);
    g_assert_cmpuint (loom_python_profile_chooser_get_n_listed (chooser), ==, cases[i].n);
  }
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

/* What a person called a profile stands beside it at once. */
static void
test_given_name (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomPythonProfileChooser *chooser = loom_python_panel_get_chooser (panel_of (window));
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  guint number = 0;
  while (loom_run_get_source (run, number)->profile == NULL ||
         loom_python_profile_get_start (loom_run_get_source (run, number)->profile)->step != LOOM_STEP_BEFORE_FIRST)
    number++; /* the first that is listed */
  const char *const paths[] = { loom_run_get_source (run, number)->path, NULL };
  g_assert_false (is_named (chooser));
  loom_source_commands_describe (loom_window_get_document (window), paths, LOOM_SOURCE_NAME, "the slow one", -1, NULL);
  g_assert_true (fixture_wait (is_named, chooser));
  fixture_close (window);
}

/* A range of the timeline takes all that touch it, also those that enclose it. */
static void
test_time (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomPythonProfileChooser *chooser = loom_python_panel_get_chooser (panel_of (window));
  const gint64 start_ns = G_GINT64_CONSTANT (1932984100000000000);
  loom_python_profile_chooser_narrow (chooser, LOOM_PROFILES_IN_SELECTION);
  loom_timeline_state_select_range (fixture_state (window),
                                    (LoomRange) { start_ns + 2200 * LOOM_NS_PER_MS, start_ns + 2300 * LOOM_NS_PER_MS });
  g_assert_cmpuint (loom_python_profile_chooser_get_n_listed (chooser), ==, 1);
  loom_timeline_state_select_range (fixture_state (window),
                                    (LoomRange) { start_ns + 2200 * LOOM_NS_PER_MS, start_ns + 4300 * LOOM_NS_PER_MS });
  g_assert_cmpuint (loom_python_profile_chooser_get_n_listed (chooser), ==, 3);
  fixture_close (window);
}

/* Numbers of the chosen one without those of the other. */
static void
test_compare (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomPythonPanel *panel = panel_of (window);
  LoomPythonProfileChooser *chooser = loom_python_panel_get_chooser (panel);
  loom_python_profile_chooser_choose (chooser, 0, 1);
  loom_python_profile_chooser_compare_with (chooser, 1);
  wait_for_answer (panel);
  check_summary (panel, "the table shows the difference");
  check_text (panel, "main\tt.py:1\t0\t0\t−1 ms\t−1 ms\t−6 ms\t−6 ms\n"
                     "work\tt.py:5\t0\t0\t−2 ms\t−1 ms\t−5 ms\t−2.5 ms\n"
                     "{built-in method time.sleep}\t\t0\t0\t−3 ms\t−750 µs\t−3 ms\t−750 µs\n");
  loom_python_profile_chooser_compare_with (chooser, 5);
  wait_for_answer (panel);
  check_summary (panel, "different timers");
  loom_python_profile_chooser_compare_with (chooser, G_MAXUINT);
  wait_for_answer (panel);
  check_summary (panel, "7 calls");
  fixture_close (window);
}

static void
test_filter (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomFunctionTable *table = loom_python_panel_get_table (panel_of (window));
  loom_function_table_set_filter (table, "WORK");
  g_assert_cmpuint (loom_function_table_get_n_shown (table), ==, 1);
  loom_function_table_set_filter (table, "t.py");
  g_assert_cmpuint (loom_function_table_get_n_shown (table), ==, 2);
  loom_function_table_set_filter (table, "");
  g_assert_cmpuint (loom_function_table_get_n_shown (table), ==, 3);
  fixture_close (window);
}

static void
function_chosen (LoomFunctionTable *table, guint function, guint *chosen)
{
  *chosen = function;
}

/* The order of the rows is no choice of a function. */
static void
test_sorted_selection (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomFunctionTable *table = loom_python_panel_get_table (panel_of (window));
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
  g_assert_cmpuint (up + down, ==, 2); /* of three rows */
  g_assert_cmpuint (chosen, ==, before);
  fixture_close (window);
}

/* formats/python-profiles.md §4 "HTML next to a missing JSON": it is offered, and nothing else. */
static void
test_pages (void)
{
  LoomWindow *window = open_case ("python-profiles-pyinstrument");
  LoomPythonPanel *panel = panel_of (window);
  LoomPythonProfileChooser *chooser = loom_python_panel_get_chooser (panel);
  guint n = loom_python_profile_chooser_get_n_profiles (chooser);
  g_assert_cmpuint (n, ==, 8);
  loom_python_profile_chooser_choose (chooser, n - 1, 1);
  wait_for_answer (panel);
  g_autofree char *alone = loom_python_profile_chooser_dup_page (chooser);
  g_assert_nonnull (strstr (alone, "train-11-"));
  check_summary (panel, "open it in a browser");
  loom_python_profile_chooser_choose (chooser, 0, 1);
  wait_for_answer (panel);
  g_autofree char *beside = loom_python_profile_chooser_dup_page (chooser);
  g_assert_nonnull (strstr (beside, "train-9-"));
  check_summary (panel, "390 samples");
  loom_python_profile_chooser_choose (chooser, 0, 2);
  g_assert_null (loom_python_profile_chooser_dup_page (chooser));
  fixture_close (window);
}

/* The chart tells what it shows, in words too. */
static void
test_tree (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomIcicleView *view = loom_python_panel_get_tree (panel_of (window));
  guint n;
  LoomIcicle *icicle = loom_icicle_view_get_icicle (view);
  const LoomIcicleBox *marks = loom_icicle_get_marks (icicle, 600, &n);
  g_assert_cmpuint (n, ==, 3);
  g_autofree char *words = loom_icicle_view_dup_words (view, marks[1].node);
  g_assert_cmpstr (words, ==, "work\nt.py:5\n5 ms, 83.3 % of all · 2 ms its own");
  g_assert_null (loom_icicle_view_dup_words (view, LOOM_FRAME_NONE));
  fixture_close (window);
}

/* The span of an interval on the timeline chooses its profile. */
static void
test_span_chooses (void)
{
  LoomWindow *window = open_case ("python-profiles-folder");
  LoomPythonPanel *panel = panel_of (window);
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 0, 1 }, FALSE);
  wait_for_answer (panel);
  g_autoptr (GPtrArray) chosen = loom_python_profile_chooser_dup_chosen (loom_python_panel_get_chooser (panel));
  g_assert_cmpuint (chosen->len, ==, 1);
  g_assert_cmpint (loom_python_profile_get_start (chosen->pdata[0])->step, ==, 9);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  /* Of an AdwFlap that folds while its window closes, libadwaita 1.2 may lose the animation and its target. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/app/python/opens", test_opens);
  g_test_add_func ("/app/python/without-times", test_without_times);
  g_test_add_func ("/app/python/no-profiles", test_no_profiles);
  g_test_add_func ("/app/python/steps", test_steps);
  g_test_add_func ("/app/python/phases", test_phases);
  g_test_add_func ("/app/python/time", test_time);
  g_test_add_func ("/app/python/given-name", test_given_name);
  g_test_add_func ("/app/python/compare", test_compare);
  g_test_add_func ("/app/python/filter", test_filter);
  g_test_add_func ("/app/python/sorted-selection", test_sorted_selection);
  g_test_add_func ("/app/python/python-profiles/4 HTML next to a missing JSON", test_pages);
  g_test_add_func ("/app/python/tree", test_tree);
  g_test_add_func ("/app/python/span-chooses", test_span_chooses);
  return fixture_run ();
}
