/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the page “Query”, on which users type SQL: running a query with Ctrl+Enter and showing its rows, following a
 * row to the timeline, saving a query by name, and underlining errors.
 */
#include "fixture.h"
#include "groups.h"
#include "loom-chart-view.h"
#include "loom-json-editor.h"
#include "loom-lane-area.h"
#include "loom-lane-row.h"
#include "loom-query-panel.h"
#include "loom-query-result.h"
#include "loom-table-view.h"
#include "loom-toasts.h"
#include "loom-window-private.h"

#include <glib/gstdio.h>

static gboolean
is_idle (gpointer query)
{
  return !loom_query_state_is_running (query);
}

static GtkWidget *
open_page (LoomWindow *window)
{
  fixture_open (window, fixture_sample ());
  loom_run_state_set_page (loom_window_get_run_state (window), "query");
  fixture_frames (window);
  GtkWidget *panel = loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window)));
  g_assert_true (LOOM_IS_QUERY_PANEL (panel));
  return panel;
}

static AdwToast *
get_toast (GtkWidget *panel, const char *key)
{
  return loom_toasts_get_shown (G_OBJECT (panel), key);
}

static void
run (LoomWindow *window, GtkWidget *panel, const char *sql)
{
  LoomQueryState *query = loom_run_state_get_query (loom_window_get_run_state (window));
  LoomJsonEditor *editor = LOOM_JSON_EDITOR (fixture_find_type (panel, LOOM_TYPE_JSON_EDITOR));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (loom_json_editor_get_view (editor)), sql, -1);
  gtk_widget_activate_action (panel, "query.run", NULL);
  g_assert_cmpstr (loom_query_state_get_text (query), ==, sql);
  g_assert_true (fixture_wait (is_idle, query));
  fixture_frames (window);
}

/* Returns the number of characters with a tag that underlines errors. */
static guint
count_underlined (GtkTextView *view)
{
  GtkTextIter at;
  guint n = 0;
  gtk_text_buffer_get_start_iter (gtk_text_view_get_buffer (view), &at);
  do {
    g_autoptr (GSList) tags = gtk_text_iter_get_tags (&at);
    for (GSList *tag = tags; tag != NULL; tag = tag->next) {
      PangoUnderline underline;
      g_object_get (tag->data, "underline", &underline, NULL);
      n += underline == PANGO_UNDERLINE_ERROR;
    }
  } while (gtk_text_iter_forward_char (&at));
  return n;
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

/* Whichever command or button opens the page “Query”, its text editor gets the focus. */
static void
test_focus (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomRunState *state = loom_window_get_run_state (window);
  LoomRunPage *page = loom_window_get_run_view (window);
  LoomJsonEditor *editor = LOOM_JSON_EDITOR (fixture_find_type (panel, LOOM_TYPE_JSON_EDITOR));
  GtkWidget *text = GTK_WIDGET (loom_json_editor_get_view (editor));
  g_assert_true (fixture_wait (is_mapped, panel));
  for (guint i = 0; i < 2; i++) {
    loom_run_state_set_page (state, "selection");
    gtk_widget_grab_focus (GTK_WIDGET (page));
    fixture_frames (window);
    g_assert_false (gtk_root_get_focus (GTK_ROOT (window)) == text);
    if (i == 0)
      loom_run_state_set_page (state, "query");
    else
      loom_run_views_show_view (loom_run_page_get_panels (page), "query");
    fixture_frames (window);
    g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == text);
  }
  fixture_close (window);
}

/* Before the first query, the page lists examples and tables. Activating one of them runs a query: the example, or a
 * query of the rows of the table. */
static void
test_start (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window), *rows = fixture_find_type (panel, LOOM_TYPE_QUERY_RESULT);
  LoomQueryState *query = loom_run_state_get_query (loom_window_get_run_state (window));
  GtkWidget *example = fixture_find_type (panel, GTK_TYPE_LIST_BOX_ROW);
  g_assert_true (fixture_wait (is_mapped, example));
  g_assert_false (gtk_widget_get_visible (rows));
  g_assert_true (gtk_widget_activate (example));
  g_assert_true (fixture_wait (is_idle, query));
  g_assert_nonnull (loom_query_state_get_answer (query));
  fixture_frames (window);
  g_assert_true (gtk_widget_get_visible (rows));
  g_assert_false (gtk_widget_get_mapped (example));
  gtk_widget_activate_action (panel, "query.take-table", "s", "track");
  g_assert_cmpstr (loom_query_state_get_text (query), ==, "SELECT *\nFROM track\nLIMIT 100");
  g_assert_true (fixture_wait (is_idle, query));
  g_assert_cmpuint (loom_query_state_get_answer (query)->table->n_rows, >, 0);
  fixture_close (window);
}

static void
test_rows (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomRunState *state = loom_window_get_run_state (window);
  LoomTableView *rows = LOOM_TABLE_VIEW (fixture_find_type (panel, LOOM_TYPE_TABLE_VIEW));
  run (window, panel, "SELECT id, name FROM span WHERE kind = 'communication' ORDER BY duration DESC, id LIMIT 3");
  g_assert_cmpuint (loom_table_view_get_n_shown (rows), ==, 3);
  LoomSpanId first = loom_query_state_get_answer (loom_run_state_get_query (state))->places[0].span;
  GtkColumnView *view = GTK_COLUMN_VIEW (fixture_find_type (GTK_WIDGET (rows), GTK_TYPE_COLUMN_VIEW));
  guint n;
  gtk_selection_model_select_range (gtk_column_view_get_model (view), 1, 2, TRUE);
  loom_timeline_state_get_selected (loom_run_state_get_view (state), &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (loom_run_state_get_page (state), ==, "query");
  gtk_selection_model_unselect_all (gtk_column_view_get_model (view));
  g_signal_emit_by_name (rows, "row-activated", 0);
  fixture_frames (window);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (loom_run_state_get_view (state)), first));
  g_assert_cmpstr (loom_run_state_get_page (state), ==, "selection");
  loom_run_state_set_page (state, "query");
  gtk_widget_activate_action (panel, "query.show", NULL);
  loom_timeline_state_get_selected (loom_run_state_get_view (state), &n);
  g_assert_cmpuint (n, ==, 3);
  fixture_close (window);
}

static void
test_problem (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomQueryState *query = loom_run_state_get_query (loom_window_get_run_state (window));
  run (window, panel, "SELECT kind,\n  absent FROM span");
  g_assert_nonnull (loom_query_state_get_problem (query));
  LoomJsonEditor *editor = LOOM_JSON_EDITOR (fixture_find_type (panel, LOOM_TYPE_JSON_EDITOR));
  GtkTextView *view = loom_json_editor_get_view (editor);
  GtkWidget *status = gtk_widget_get_last_child (GTK_WIDGET (editor));
  g_assert_true (gtk_widget_has_css_class (status, "error"));
  g_assert_true (gtk_widget_get_visible (status));
  g_assert_cmpuint (count_underlined (view), ==, strlen ("absent"));
  g_signal_emit_by_name (status, "clicked");
  int place;
  g_object_get (gtk_text_view_get_buffer (view), "cursor-position", &place, NULL);
  g_assert_cmpint (place, ==, (int) strlen ("SELECT kind,\n  "));
  gtk_widget_activate_action (panel, "query.take", "s", "ranks-by-waiting");
  g_assert_true (fixture_wait (is_idle, query));
  g_assert_null (loom_query_state_get_problem (query));
  g_assert_false (gtk_widget_get_visible (status));
  g_assert_cmpuint (count_underlined (view), ==, 0);
  g_autofree char *text = loom_json_editor_dup_text (editor);
  g_assert_cmpstr (text, ==, loom_query_state_get_text (query));
  g_assert_cmpuint (loom_query_state_get_answer (query)->table->n_rows, ==, 4);
  fixture_close (window);
}

/* A drop-down changes the display of the result from rows to a chart, whose elements lead to the timeline; further
 * drop-downs choose the columns that are drawn. */
static void
test_chart (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomRunState *state = loom_window_get_run_state (window);
  LoomQueryState *query = loom_run_state_get_query (state);
  run (window, panel, "SELECT name, start, duration, self FROM span WHERE self < duration ORDER BY start LIMIT 120");
  GtkWidget *result = fixture_find_type (panel, LOOM_TYPE_QUERY_RESULT);
  LoomChartView *chart = LOOM_CHART_VIEW (fixture_find_type (result, LOOM_TYPE_CHART_VIEW));
  GtkDropDown *kind = GTK_DROP_DOWN (fixture_find_type (result, GTK_TYPE_DROP_DOWN));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (chart)));
  gtk_drop_down_set_selected (kind, LOOM_QUERY_CHART_BARS);
  fixture_frames (window);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (chart)));
  g_assert_cmpstr (loom_chart_view_get_chart (chart)->title, ==, "duration by name");
  g_assert_cmpuint (loom_chart_get_n_elements (loom_chart_view_get_chart (chart)), ==, LOOM_QUERY_CHART_MOST_BARS);
  GtkWidget *y = gtk_widget_get_next_sibling (gtk_widget_get_next_sibling (GTK_WIDGET (kind)));
  GtkDropDown *choice = GTK_DROP_DOWN (fixture_find_type (y, GTK_TYPE_DROP_DOWN));
  gtk_drop_down_set_selected (choice, gtk_drop_down_get_selected (choice) + 1);
  fixture_frames (window);
  g_assert_cmpstr (loom_chart_view_get_chart (chart)->title, ==, "self by name");
  g_assert_cmpstr (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_Y), ==, "self");
  LoomRange range = loom_query_state_get_answer (query)->places[3].range;
  g_signal_emit_by_name (chart, "element-activated", 3);
  fixture_frames (window);
  g_assert_cmpstr (loom_run_state_get_page (state), ==, "selection");
  g_assert_cmpint (loom_timeline_state_get_range (loom_run_state_get_view (state)).begin_ns, ==, range.begin_ns);
  fixture_close (window);
}

static gboolean
has_lane (gpointer lanes)
{
  return loom_query_lanes_get_n (lanes) > 0 && loom_query_lanes_get_result (lanes, 0) != NULL;
}

/* Returns the height of a picture of the view, without the rows of the timeline. */
static double
get_picture_height_above_rows (LoomWindow *window)
{
  g_autoptr (LoomViewSnapshot) picture = loom_run_page_new_snapshot (loom_window_get_run_view (window));
  return picture->height - fixture_view (window).height_px;
}

/* The rows of a query can be shown as a lane above the tracks, also in pictures of the view. A click on a bar of the
 * lane selects the span of the row, and the lane can be renamed and removed. */
static void
test_lane (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomRunState *state = loom_window_get_run_state (window);
  LoomTimelineState *view = loom_run_state_get_view (state);
  LoomQueryLanes *lanes = loom_run_state_get_lanes (state);
  run (window, panel, "SELECT count(*) FROM span");
  gtk_widget_activate_action (panel, "query.add-lane", NULL);
  g_assert_cmpuint (loom_query_lanes_get_n (lanes), ==, 0);
  run (window, panel, "-- Longest\nSELECT id, name FROM span ORDER BY duration DESC LIMIT 1");
  gtk_widget_activate_action (panel, "query.add-lane", NULL);
  g_assert_true (fixture_wait (has_lane, lanes));
  loom_run_state_set_page (state, "selection");
  fixture_frames (window);
  GtkWidget *row = fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_LANE_ROW),
            *area = fixture_find_type (row, LOOM_TYPE_LANE_AREA);
  guint n;
  const LoomResultBar *bar = loom_result_lane_get_bars (loom_query_lanes_get_result (lanes, 0), &n);
  double x = (loom_viewport_x (loom_timeline_state_get_viewport (view), bar->range.begin_ns) +
              loom_viewport_x (loom_timeline_state_get_viewport (view), bar->range.end_ns)) /
             2;
  g_assert_true (gtk_widget_get_mapped (area));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (fixture_find_type (row, GTK_TYPE_LABEL))), ==, "Longest");
  g_signal_emit_by_name (fixture_controller (area, GTK_TYPE_GESTURE_CLICK), "released", 1, x, 5.0);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (view), bar->span));
  loom_query_lanes_rename (lanes, 0, "renamed");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (fixture_find_type (row, GTK_TYPE_LABEL))), ==, "renamed");
  double lane_px = loom_result_lane_get_height (loom_query_lanes_get_result (lanes, 0)),
         above_px = get_picture_height_above_rows (window);
  loom_query_lanes_remove (lanes, 0);
  fixture_frames (window);
  g_assert_cmpfloat_with_epsilon (above_px - get_picture_height_above_rows (window), lane_px, 1);
  g_assert_null (fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_LANE_ROW));
  fixture_close (window);
}

/* A lane has the name that the menu of queries shows. */
static void
test_lane_name (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomRunState *state = loom_window_get_run_state (window);
  LoomQueryLanes *lanes = loom_run_state_get_lanes (state);
  loom_saved_queries_save (loom_run_state_get_saved_queries (state), "the longest",
                           "SELECT id, name FROM span ORDER BY duration DESC LIMIT 1");
  gtk_widget_activate_action (panel, "query.take-saved", "s", "the longest");
  g_assert_true (fixture_wait (is_idle, loom_run_state_get_query (state)));
  gtk_widget_activate_action (panel, "query.add-lane", NULL);
  g_assert_cmpstr (loom_query_lanes_get_name (lanes, 0), ==, "the longest");
  fixture_close (window);
}

/* Returns the open dialog that belongs to the window. */
static GtkWindow *
find_dialog (LoomWindow *window)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) each = g_list_model_get_item (all, i);
    if (gtk_window_get_transient_for (each) == GTK_WINDOW (window) && gtk_widget_get_visible (GTK_WIDGET (each)))
      return each;
  }
  return NULL;
}

/* Types a name into the open dialog and applies it. Returns FALSE if the dialog refuses the name. */
static gboolean
answer_dialog (LoomWindow *window, const char *name)
{
  GtkWindow *dialog = find_dialog (window);
  g_assert_nonnull (dialog);
  GtkWidget *entry = fixture_find_type (GTK_WIDGET (dialog), ADW_TYPE_ENTRY_ROW),
            *apply = gtk_window_get_default_widget (dialog);
  gtk_editable_set_text (GTK_EDITABLE (entry), name);
  gboolean can = gtk_widget_get_sensitive (apply);
  if (can)
    g_signal_emit_by_name (apply, "clicked");
  else
    gtk_window_close (dialog);
  fixture_frames (window);
  g_assert_null (find_dialog (window));
  return can;
}

static gboolean
is_enabled (LoomWindow *window, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

/* The commands of the window save, rename and delete the query of the editor, from any page. */
static void
test_saved (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomRunState *state = loom_window_get_run_state (window);
  LoomQueryState *query = loom_run_state_get_query (state);
  LoomSavedQueries *saved = loom_run_state_get_saved_queries (state);
  run (window, panel, "-- title: Kinds\nSELECT DISTINCT kind FROM span");
  g_assert_false (is_enabled (window, "rename-query") || is_enabled (window, "delete-query"));
  loom_run_state_set_page (state, "selection");
  g_action_group_activate_action (G_ACTION_GROUP (window), "save-query", NULL);
  g_assert_cmpstr (loom_run_state_get_page (state), ==, "query");
  GtkWidget *entry = fixture_find_type (GTK_WIDGET (find_dialog (window)), ADW_TYPE_ENTRY_ROW);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "Kinds");
  g_assert_true (answer_dialog (window, "kinds of work"));
  g_assert_cmpstr (adw_toast_get_title (get_toast (panel, "saved")), ==,
                   "Query saved in the session as “kinds of work”");
  g_assert_cmpstr (loom_saved_queries_find (saved, "kinds of work"), ==, loom_query_state_get_text (query));
  loom_saved_queries_save (saved, "other", "SELECT 1 AS one");
  g_action_group_activate_action (G_ACTION_GROUP (window), "rename-query", NULL);
  g_assert_false (answer_dialog (window, "kinds of work"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "rename-query", NULL);
  g_assert_true (answer_dialog (window, "another"));
  g_assert_null (loom_saved_queries_find (saved, "other"));
  gtk_widget_activate_action (panel, "query.take-saved", "s", "another");
  g_assert_true (fixture_wait (is_idle, query));
  g_assert_cmpstr (loom_query_state_get_text (query), ==, "SELECT 1 AS one");
  g_action_group_activate_action (G_ACTION_GROUP (window), "delete-query", NULL);
  g_assert_cmpuint (loom_saved_queries_get_n (saved), ==, 1);
  g_assert_cmpstr (loom_query_state_get_text (query), ==, "SELECT 1 AS one");
  g_assert_false (is_enabled (window, "delete-query"));
  fixture_close (window);
}

/* A query that is chosen from the menu or read from a file replaces the text of the editor, and this replacement can be
 * undone; a query from a file is not run. */
static void
test_files (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomQueryState *query = loom_run_state_get_query (loom_window_get_run_state (window));
  LoomJsonEditor *editor = LOOM_JSON_EDITOR (fixture_find_type (panel, LOOM_TYPE_JSON_EDITOR));
  g_autofree char *folder = g_dir_make_tmp ("loom-query-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "own.sql", NULL),
                  *absent = g_build_filename (folder, "no.sql", NULL);
  run (window, panel, "SELECT 1 AS one");
  loom_query_panel_save_file (LOOM_QUERY_PANEL (panel), path);
  g_assert_cmpstr (adw_toast_get_title (get_toast (panel, "saved")), ==, "Query saved as “own.sql”");
  run (window, panel, "SELECT 2 AS two");
  const LoomQueryAnswer *before = loom_query_state_get_answer (query);
  loom_query_panel_open_file (LOOM_QUERY_PANEL (panel), path);
  fixture_frames (window);
  g_assert_cmpstr (loom_query_state_get_text (query), ==, "SELECT 1 AS one\n");
  g_assert_true (loom_query_state_get_answer (query) == before && !loom_query_state_is_running (query));
  gtk_text_buffer_undo (gtk_text_view_get_buffer (loom_json_editor_get_view (editor)));
  g_autofree char *text = loom_json_editor_dup_text (editor);
  g_assert_cmpstr (text, ==, "SELECT 2 AS two");
  loom_query_panel_open_file (LOOM_QUERY_PANEL (panel), absent);
  g_assert_true (gtk_widget_has_css_class (gtk_widget_get_last_child (GTK_WIDGET (editor)), "error"));
  g_remove (path);
  g_rmdir (folder);
  fixture_close (window);
}

/* If an example replaces a query that the user wrote and that is stored nowhere, a toast brings the query back. For the
 * first text of the editor, and for a query that is stored, there is no toast. */
static void
test_replaced (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *panel = open_page (window);
  LoomRunState *state = loom_window_get_run_state (window);
  LoomQueryState *query = loom_run_state_get_query (state);
  LoomJsonEditor *editor = LOOM_JSON_EDITOR (fixture_find_type (panel, LOOM_TYPE_JSON_EDITOR));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (loom_json_editor_get_view (editor));
  gtk_widget_activate_action (panel, "query.take", "s", "ranks-by-waiting");
  gtk_widget_activate_action (panel, "query.take-table", "s", "track");
  gtk_widget_activate_action (panel, "query.take", "s", "step-times");
  loom_saved_queries_save (loom_run_state_get_saved_queries (state), "mine", "SELECT 1 AS one");
  gtk_text_buffer_set_text (buffer, "SELECT 1 AS one", -1);
  gtk_widget_activate_action (panel, "query.take", "s", "step-times");
  g_assert_null (get_toast (panel, "replaced"));
  gtk_text_buffer_set_text (buffer, "SELECT 2 AS two", -1);
  gtk_widget_activate_action (panel, "query.take", "s", "ranks-by-waiting");
  AdwToast *toast = get_toast (panel, "replaced");
  g_assert_nonnull (toast);
  g_assert_cmpstr (loom_query_state_get_text (query), !=, "SELECT 2 AS two");
  gtk_widget_activate_action (GTK_WIDGET (fixture_find_type (panel, ADW_TYPE_TOAST_OVERLAY)),
                              adw_toast_get_action_name (toast), NULL);
  g_autofree char *text = loom_json_editor_dup_text (editor);
  g_assert_cmpstr (text, ==, "SELECT 2 AS two");
  g_assert_cmpstr (loom_query_state_get_text (query), ==, "SELECT 2 AS two");
  g_assert_true (fixture_wait (is_idle, query));
  fixture_close (window);
}

void
groups_add_query (void)
{
  g_test_add_func ("/query/replaced", test_replaced);
  g_test_add_func ("/query/saved", test_saved);
  g_test_add_func ("/query/files", test_files);
  g_test_add_func ("/query/chart", test_chart);
  g_test_add_func ("/query/lane", test_lane);
  g_test_add_func ("/query/lane-name", test_lane_name);
  g_test_add_func ("/query/focus", test_focus);
  g_test_add_func ("/query/start", test_start);
  g_test_add_func ("/query/rows", test_rows);
  g_test_add_func ("/query/problem", test_problem);
}
