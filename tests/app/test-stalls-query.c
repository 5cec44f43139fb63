/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the main loop is not blocked while a heavy query runs, while its rows are filled into the table and the
 * chart, and while a query is typed.
 */
#include "groups.h"
#include "loom-json-editor.h"
#include "loom-query-panel.h"
#include "loom-query-result.h"
#include "loom-table-view.h"
#include "loom-window-private.h"
#include "stalls.h"

/* A query with the maximum number of rows that the page shows, and as many columns as fit into its width. */
#define MANY_ROWS \
  "SELECT a.id, a.name, a.start, a.duration, a.rank, b.name AS other FROM span a, (SELECT name FROM span LIMIT 100) b ORDER BY a.start + 0"
#define ENDLESS "SELECT count(*) FROM span a, span b, span c WHERE a.name || b.name = c.name"
#define WATCHED_MS 700 /* time for which the endless query runs */

static LoomQueryState *
get_query (void)
{
  return loom_run_state_get_query (loom_window_get_run_state (stalls_window ()));
}

static GtkWidget *
get_panel (void)
{
  return loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (stalls_window ())));
}

static gboolean
is_idle (gpointer data)
{
  return !loom_query_state_is_running (get_query ());
}

static void
begin (const char *sql)
{
  GtkWidget *editor = fixture_find_type (get_panel (), LOOM_TYPE_JSON_EDITOR);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (loom_json_editor_get_view (LOOM_JSON_EDITOR (editor))), sql, -1);
  gtk_widget_activate_action (get_panel (), "query.run", NULL);
}

static void
run (gconstpointer sql)
{
  begin (sql);
  g_assert_true (fixture_wait (is_idle, NULL));
  stalls_settle ();
}

/* Runs a query that never ends, and cancels it. */
static void
run_endless (gconstpointer data)
{
  begin (ENDLESS);
  fixture_spin (WATCHED_MS);
  g_assert_cmpstr (loom_query_state_get_problem (get_query ()), ==, NULL);
  g_assert_true (loom_query_state_is_running (get_query ()));
  gtk_widget_activate_action (get_panel (), "query.cancel", NULL);
  g_assert_true (fixture_wait (is_idle, NULL));
  stalls_settle ();
}

/* Types a query that contains a name which the editor completes. */
static void
type_query (gconstpointer data)
{
  GtkWidget *editor = fixture_find_type (get_panel (), LOOM_TYPE_JSON_EDITOR);
  gtk_widget_grab_focus (GTK_WIDGET (loom_json_editor_get_view (LOOM_JSON_EDITOR (editor))));
  for (const char *letter = "select name from span where name = 'aten::"; *letter != '\0'; letter++) {
    fixture_type (stalls_window (), (guint) *letter, 0, 0);
    fixture_spin (20);
  }
  fixture_type (stalls_window (), GDK_KEY_Escape, 9, 0);
  stalls_settle ();
}

/* Draws the rows as each kind of chart, and as a table again. */
static void
change_chart (gconstpointer data)
{
  for (guint kind = 0; kind < LOOM_N_QUERY_CHARTS; kind++) {
    loom_query_state_set_chart (get_query (), (LoomQueryChartKind) kind);
    stalls_settle ();
  }
  loom_query_state_set_chart (get_query (), LOOM_QUERY_CHART_NONE);
  stalls_settle ();
}

static void
scroll_rows (gconstpointer data)
{
  GtkWidget *view = fixture_find_type (get_panel (), LOOM_TYPE_TABLE_VIEW);
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (fixture_find_type (view, GTK_TYPE_SCROLLED_WINDOW));
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scrolled);
  for (guint i = 0; i <= 8; i++)
    stalls_scroll_to (adjustment, gtk_adjustment_get_upper (adjustment) * i / 8);
}

static void
test_query (void)
{
  stalls_load (NULL);
  loom_run_state_set_page (loom_window_get_run_state (stalls_window ()), "query");
  stalls_settle ();
  run ("SELECT 1");
  stalls_check ("a query without end", run_endless, NULL);
  stalls_check ("a query with very many rows", run, MANY_ROWS);
  g_test_message ("%u rows", loom_query_state_get_answer (get_query ())->table->n_rows);
  g_assert_cmpuint (loom_query_state_get_answer (get_query ())->table->n_rows, >=, 10000);
  stalls_check ("rows of a query, by the scroll bar", scroll_rows, NULL);
  stalls_check ("charts of very many rows", change_chart, NULL);
  stalls_check ("typing a query", type_query, NULL);
}

void
groups_add_stalls_query (void)
{
  g_test_add_func ("/app/stalls/query", test_query);
}
