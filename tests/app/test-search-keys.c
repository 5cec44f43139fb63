/* SPDX-License-Identifier: Apache-2.0
 *
 * The search, by keys and the buttons beside its entry.
 */
#include "hands-run.h"

static gboolean
has_hits (gpointer n)
{
  gsize found;
  loom_timeline_state_get_hits (state (), &found);
  return found == GPOINTER_TO_UINT (n);
}

static void
type_word (const char *word)
{
  for (const char *at = word; *at != '\0'; at++)
    hands_type (0, (guint) *at);
}

/* rows: ../README.md §keys/search / | Enter | Shift+Enter */
static void
test_walk (void)
{
  reset ();
  hands_type (0, GDK_KEY_slash);
  g_assert_true (loom_search_bar_is_open (search ()));
  type_word ("tick");
  g_assert_cmpstr (gtk_editable_get_text (loom_search_bar_get_entry (search ())), ==, "tick");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (5)));
  LoomSpanId first = loom_timeline_state_get_lead (state ());
  hands_type (0, GDK_KEY_Return);
  LoomSpanId second = loom_timeline_state_get_lead (state ());
  g_assert_false (loom_timeline_span_id_equal (first, second));
  hands_type (0, GDK_KEY_Return);
  g_assert_false (loom_timeline_span_id_equal (second, loom_timeline_state_get_lead (state ())));
  hands_type (GDK_KEY_Shift_L, GDK_KEY_Return);
  g_assert_true (loom_timeline_span_id_equal (second, loom_timeline_state_get_lead (state ())));
  hands_type (0, GDK_KEY_Escape);
  g_assert_false (loom_search_bar_is_open (search ()));
  g_assert_true (gtk_widget_has_focus (tracks ())); /* keys are the timeline's again */
}

/* rows: ../README.md §keys/search Ctrl+F | ticks in the overview */
static void
test_ticks (void)
{
  reset ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_f);
  g_assert_true (loom_search_bar_is_open (search ()));
  type_word ("send");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (1)));
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (state (), &options);
  g_assert_cmpuint (options.n_ticks, ==, 1);
  g_assert_cmpint (options.ticks_ns[0], ==, range_of (span_of ("send", 0)).begin_ns);
  hands_type (0, GDK_KEY_Escape);
}

static gboolean
is_counted (gpointer panel)
{
  LoomResultTable *table = loom_table_view_get_table (loom_search_results_panel_get_view (panel));
  return !loom_search_results_panel_is_working (panel) && loom_result_table_get_n_rows (table) > 0;
}

/* The first row of the list that is seen and laid out; NULL. */
static GtkWidget *
first_row_of (LoomTableView *view)
{
  GtkWidget *row = below (GTK_WIDGET (view), "row");
  while (row != NULL && (!gtk_widget_get_mapped (row) || gtk_widget_get_height (row) == 0))
    row = gtk_widget_get_next_sibling (row);
  return row;
}

static gboolean
has_row (gpointer view)
{
  return first_row_of (view) != NULL;
}

static gboolean
leads_to_tick (gpointer data)
{
  return loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("tick", 0));
}

static void
assert_cell (LoomResultTable *table, guint row, guint column, const char *expected)
{
  g_autofree char *cell = loom_result_table_dup_cell (table, row, column);
  g_assert_cmpstr (cell, ==, expected);
}

/* Five ticks, of which four last 50 µs and one 40 µs, and two spans that end: the most time first; a row leads to the longest.
   rows: ../README.md §keys/search a list of what was found, with counts and total time */
static void
test_list (void)
{
  reset ();
  GtkStack *panels = loom_panel_area_get_stack (loom_run_page_get_panels (loom_window_get_run_view (the_window ())));
  GtkWidget *list = loom_search_bar_get_list (search ());
  hands_type (GDK_KEY_Control_L, GDK_KEY_f);
  type_word ("[te][in][cd]");
  GtkWidget *regex = GTK_WIDGET (loom_search_bar_get_regex (search ()));
  hands_move (regex, gtk_widget_get_width (regex) / 2.0, gtk_widget_get_height (regex) / 2.0);
  hands_click (1);
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (7)));
  hands_move (list, gtk_widget_get_width (list) / 2.0, gtk_widget_get_height (list) / 2.0);
  hands_click (1);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (panels), ==, "found");
  LoomSearchResultsPanel *found =
    loom_panel_area_get_found (loom_run_page_get_panels (loom_window_get_run_view (the_window ())));
  g_assert_true (fixture_wait (is_counted, found));
  LoomResultTable *table = loom_table_view_get_table (loom_search_results_panel_get_view (found));
  g_assert_cmpstr (loom_search_results_panel_get_summary (found), ==, "7 found · 440 µs in all");
  g_assert_cmpuint (loom_result_table_get_n_rows (table), ==, 3);
  guint tick = 0;
  while (!g_str_equal (loom_result_table_get_text (table, tick, 0), "tick"))
    tick++;
  assert_cell (table, tick, 2, "5");
  assert_cell (table, tick, 3, "240 µs");
  loom_timeline_state_select_nothing (state ());
  g_assert_true (fixture_wait (has_row, loom_search_results_panel_get_view (found)));
  GtkWidget *row = first_row_of (loom_search_results_panel_get_view (found)); /* the one with the most time */
  hands_move (row, 40, gtk_widget_get_height (row) / 2.0);
  hands_double_click (1);
  g_assert_true (fixture_wait (leads_to_tick, NULL));
  gtk_widget_grab_focus (GTK_WIDGET (loom_search_bar_get_entry (search ())));
  hands_move (regex, gtk_widget_get_width (regex) / 2.0, gtk_widget_get_height (regex) / 2.0);
  hands_click (1);
  hands_type (0, GDK_KEY_Escape);
  g_assert_false (loom_search_bar_is_open (search ()));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (panels), ==, "selection");
}

/* Of the five ticks the one whose args say that it is at 200, and of all spans those at 520.
   rows: ../README.md §keys/search args */
static void
test_args (void)
{
  reset ();
  hands_type (0, GDK_KEY_slash);
  type_word ("tick args.at=200");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (1)));
  hands_type (0, GDK_KEY_Return);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("tick", 2)));
  hands_type (GDK_KEY_Control_L, GDK_KEY_a);
  type_word ("args.at=520");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (1)));
  hands_type (0, GDK_KEY_Return);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("first", 0)));
  type_word ("0");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (0)));
  hands_type (0, GDK_KEY_Escape);
  g_assert_false (loom_search_bar_is_open (search ()));
}

/* The button's place is clicked, and the letters go on into the entry.
   rows: ../README.md §keys/search regular expression */
static void
test_regex (void)
{
  reset ();
  GtkWidget *regex = GTK_WIDGET (loom_search_bar_get_regex (search ()));
  hands_type (0, GDK_KEY_slash);
  hands_move (regex, gtk_widget_get_width (regex) / 2.0, gtk_widget_get_height (regex) / 2.0);
  hands_click (1);
  type_word ("t.c[k]");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (5)));
  type_word ("[");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (0)));
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (loom_search_bar_get_entry (search ())), "error"));
  hands_type (0, GDK_KEY_BackSpace);
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (5)));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (loom_search_bar_get_entry (search ())), "error"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (regex), FALSE);
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (0)));
  hands_type (0, GDK_KEY_Escape);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/search-keys/walk", test_walk);
  g_test_add_func ("/app/search-keys/ticks", test_ticks);
  g_test_add_func ("/app/search-keys/list", test_list);
  g_test_add_func ("/app/search-keys/args", test_args);
  g_test_add_func ("/app/search-keys/regex", test_regex);
  return hands_run ();
}
