/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the search with keys and with the buttons beside its entry.
 */
#include "groups.h"
#include "hands-run.h"
#include "loom-search-results-panel.h"
#include "loom-timeline-description.h"

static gboolean
has_hits (gpointer n)
{
  gsize found;
  loom_timeline_state_get_hits (state (), &found);
  return found == GPOINTER_TO_UINT (n);
}

/* Returns a template child of the search bar. */
static gpointer
part (const char *name)
{
  return gtk_widget_get_template_child (search (), LOOM_TYPE_SEARCH_BAR, name);
}

static void
click_on (GtkWidget *widget)
{
  hands_move (widget, gtk_widget_get_width (widget) / 2.0, gtk_widget_get_height (widget) / 2.0);
  hands_click (1);
}

static void
type_word (const char *word)
{
  for (const char *at = word; *at != '\0'; at++)
    hands_type (0, (guint) *at);
}

/* Covers documented rows: ../README.md §keys/search / | Enter | Shift+Enter */
static void
test_walk (void)
{
  reset ();
  hands_type (0, GDK_KEY_slash);
  g_assert_true (is_searching ());
  type_word ("tick");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (part ("entry"))), ==, "tick");
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
  g_assert_false (is_searching ());
  g_assert_true (gtk_widget_has_focus (tracks ())); /* the timeline receives keys again */
}

/* tests/core/test-search.c tests which spans a text finds and which ticks are drawn.
 * Covers documented rows: ../README.md §keys/search ticks in the overview | args */
static void
test_args (void)
{
  reset ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_f);
  g_assert_true (is_searching ());
  type_word ("tick args.at=200");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (1)));
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (state (), &options);
  g_assert_cmpuint (options.n_ticks, ==, 1);
  g_assert_cmpint (options.ticks_ns[0], ==, range_of (span_of ("tick", 2)).begin_ns);
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
  g_assert_false (is_searching ());
}

static gboolean
is_counted (gpointer panel)
{
  LoomResultTable *table = loom_table_view_get_table (
    LOOM_TABLE_VIEW (gtk_widget_get_template_child (GTK_WIDGET (panel), LOOM_TYPE_SEARCH_RESULTS_PANEL, "view")));
  return !loom_search_results_panel_is_working (panel) && table->n_rows > 0;
}

/* Returns the first visible row of the list, or NULL. */
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

/* Moves through some hits: the row of the name of the current hit is selected in the list. */
static void
assert_row_follows_hit (LoomTableView *view)
{
  LoomResultTable *table = loom_table_view_get_table (view);
  for (guint i = 0; i < 4; i++) {
    g_assert_true (
      loom_search_state_step (loom_run_state_get_search (loom_window_get_run_state (the_window ())), TRUE));
    guint row = loom_table_view_get_selected (view);
    g_assert_cmpuint (row, <, table->n_rows);
    g_assert_cmpstr (loom_result_table_get_text (table, row, 0), ==,
                     loom_timeline_description_name (state (), loom_timeline_state_get_lead (state ())));
  }
}

static gboolean
is_idle (gpointer panel)
{
  return !loom_search_results_panel_is_working (panel);
}

/* The row that the user chooses in the list stays selected until the search moves to another hit: while the search
 * reports progress, and when its hits are counted again. */
static void
assert_row_stays (LoomSearchResultsPanel *panel, LoomTableView *view)
{
  LoomSearchState *searching = loom_run_state_get_search (loom_window_get_run_state (the_window ()));
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state ());
  guint other = (loom_table_view_get_selected (view) + 1) % loom_table_view_get_table (view)->n_rows;
  loom_table_view_select (view, other);
  g_signal_emit_by_name (searching, "changed");
  g_assert_cmpuint (loom_table_view_get_selected (view), ==, other);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (LoomSearchResult) again =
      loom_search_result_new_timed (timeline, loom_search_state_get_result (searching));
    loom_search_results_panel_show (panel, timeline, again);
    g_assert_true (fixture_wait (is_idle, panel));
    if (i == 0)
      loom_table_view_select (view, other);
  }
  g_assert_cmpuint (loom_table_view_get_selected (view), ==, other);
}

/* The list of results contains the names of the found spans, sorted by total time, largest first: five spans "tick"
 * (four of 50 µs, one of 40 µs) come before two spans "end". Activating a row selects the longest span of its name.
 *
 * Covers documented rows: ../README.md §keys/search Ctrl+F
 * Covers documented rows: ../README.md §keys/search a list of hits with counts and total time */
static void
test_list (void)
{
  reset ();
  GtkWidget *list = GTK_WIDGET (part ("list"));
  hands_type (GDK_KEY_Control_L, GDK_KEY_f);
  g_assert_true (is_searching ());
  type_word ("[te][in][cd]");
  GtkWidget *regex = GTK_WIDGET (GTK_TOGGLE_BUTTON (part ("regex")));
  click_on (regex);
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (7)));
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (the_window ())), ==,
                   "found"); /* the first hits show the list */
  click_on (list);
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (the_window ())), ==, "found");
  LoomSearchResultsPanel *found =
    LOOM_SEARCH_RESULTS_PANEL (fixture_find_type (GTK_WIDGET (the_window ()), LOOM_TYPE_SEARCH_RESULTS_PANEL));
  g_assert_true (fixture_wait (is_counted, found));
  LoomResultTable *table = loom_table_view_get_table (
    LOOM_TABLE_VIEW (gtk_widget_get_template_child (GTK_WIDGET (found), LOOM_TYPE_SEARCH_RESULTS_PANEL, "view")));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (
                     gtk_widget_get_template_child (GTK_WIDGET (found), LOOM_TYPE_SEARCH_RESULTS_PANEL, "summary"))),
                   ==, "7 found · 440 µs total");
  g_assert_cmpuint (table->n_rows, ==, 3);
  guint tick = 0;
  while (!g_str_equal (loom_result_table_get_text (table, tick, 0), "tick"))
    tick++;
  assert_cell (table, tick, 2, "5");
  assert_cell (table, tick, 3, "240 µs");
  assert_row_follows_hit (
    LOOM_TABLE_VIEW (gtk_widget_get_template_child (GTK_WIDGET (found), LOOM_TYPE_SEARCH_RESULTS_PANEL, "view")));
  assert_row_stays (found, LOOM_TABLE_VIEW (gtk_widget_get_template_child (GTK_WIDGET (found),
                                                                           LOOM_TYPE_SEARCH_RESULTS_PANEL, "view")));
  click_on (list);
  loom_timeline_state_select_nothing (state ());
  g_assert_true (fixture_wait (has_row, LOOM_TABLE_VIEW (gtk_widget_get_template_child (
                                          GTK_WIDGET (found), LOOM_TYPE_SEARCH_RESULTS_PANEL, "view"))));
  GtkWidget *row = first_row_of (LOOM_TABLE_VIEW (gtk_widget_get_template_child (
    GTK_WIDGET (found), LOOM_TYPE_SEARCH_RESULTS_PANEL, "view"))); /* the row with the largest total time */
  hands_move (row, 40, gtk_widget_get_height (row) / 2.0);
  hands_double_click (1);
  g_assert_true (fixture_wait (leads_to_tick, NULL));
  gtk_widget_grab_focus (GTK_WIDGET (part ("entry")));
  click_on (regex);
  hands_type (0, GDK_KEY_Escape);
  g_assert_false (is_searching ());
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (the_window ())), ==, "selection");
}

/* After a click on the regular expression button, typed letters still go into the entry.
 * Covers documented rows: ../README.md §keys/search regular expression */
static void
test_regex (void)
{
  reset ();
  GtkWidget *regex = GTK_WIDGET (GTK_TOGGLE_BUTTON (part ("regex")));
  hands_type (0, GDK_KEY_slash);
  click_on (regex);
  type_word ("t.c[k]");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (5)));
  type_word ("[");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (0)));
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (part ("entry")), "error"));
  hands_type (0, GDK_KEY_BackSpace);
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (5)));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (part ("entry")), "error"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (regex), FALSE);
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (0)));
  hands_type (0, GDK_KEY_Escape);
}

static gboolean
is_visible (gpointer widget)
{
  return gtk_widget_get_visible (widget);
}

static gboolean
is_hidden (gpointer widget)
{
  return !gtk_widget_get_visible (widget);
}

static gboolean
has_few_rows (gpointer all)
{
  return n_rows () < GPOINTER_TO_UINT (all);
}

static gboolean
has_all_rows (gpointer all)
{
  return n_rows () == GPOINTER_TO_UINT (all);
}

/* A text that matches row names but no spans offers these rows. The button beside it hides rows without a match.
 * Covers documented rows: ../README.md §keys/rows only matching rows */
static void
test_rows (void)
{
  reset ();
  guint all = n_rows ();
  GtkWidget *offer = GTK_WIDGET (part ("rows"));
  LoomRowFilter *filter = loom_timeline_view_get_row_filter (view ());
  hands_type (0, GDK_KEY_slash);
  type_word ("second");
  g_assert_true (fixture_wait (has_hits, GUINT_TO_POINTER (1)));
  click_on (part ("only"));
  g_assert_true (fixture_wait (has_few_rows, GUINT_TO_POINTER (all)));
  g_assert_cmpuint (row_of (span_of ("second", 0)), !=, G_MAXUINT);
  click_on (part ("only"));
  g_assert_true (fixture_wait (has_all_rows, GUINT_TO_POINTER (all)));
  gtk_editable_set_text (GTK_EDITABLE (part ("entry")), "LOAD");
  g_assert_true (fixture_wait (is_visible, offer));
  guint n = loom_row_list_count_like (outline (), "LOAD"), n_plain = 0;
  g_signal_emit_by_name (offer, "clicked");
  g_assert_true (loom_row_list_is_filtered (outline ()));
  for (guint i = 0; i < n_rows (); i++)
    n_plain += loom_row_list_get_row (outline (), i)->kind != LOOM_ROW_GROUP;
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n_plain, ==, n);
  g_assert_cmpstr (
    gtk_label_get_text (GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (filter), LOOM_TYPE_ROW_FILTER, "count"))),
    ==, gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (offer)))));
  loom_row_filter_set_open (filter, FALSE);
  gtk_editable_set_text (GTK_EDITABLE (part ("entry")), "no row is called so");
  g_assert_true (fixture_wait (is_hidden, offer));
  loom_search_state_set_open (search_state (), FALSE);
}

void
groups_add_search_keys (void)
{
  g_test_add_func ("/app/search-keys/walk", test_walk);
  g_test_add_func ("/app/search-keys/args", test_args);
  g_test_add_func ("/app/search-keys/list", test_list);
  g_test_add_func ("/app/search-keys/regex", test_regex);
  g_test_add_func ("/app/search-keys/rows", test_rows);
}
