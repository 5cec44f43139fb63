/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the page “Selection”: the range that it describes, the figures of the range, and the table of span names.
 */
#include "groups.h"
#include "loom-finding-row.h"
#include "loom-main-finding-bar.h"
#include "loom-overview-bar.h"
#include "loom-range-table.h"
#include "loom-selection-panel.h"
#include "loom-sentence.h"
#include "panels.h"

#include <math.h>
#include <string.h>

static LoomSelectionPanel *
selection_page (LoomWindow *window)
{
  panels_turn (window, "selection");
  return LOOM_SELECTION_PANEL (loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window))));
}

typedef struct {
  LoomSelectionPanel *panel;
  const char *begin, *exact;
} Saying;

static gboolean
says (gpointer data)
{
  const Saying *saying = data;
  GtkLabel *summary =
    GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (saying->panel), LOOM_TYPE_SELECTION_PANEL, "summary"));
  const char *text = gtk_label_get_text (summary), *tip = gtk_widget_get_tooltip_text (GTK_WIDGET (summary));
  return g_str_has_prefix (text, saying->begin) && strstr (text, " spans") != NULL && tip != NULL &&
         g_str_has_prefix (tip, saying->exact);
}

/* Waits until the line above the figures states the rounded duration of `range` and a number of spans, and its tooltip
 * states the exact duration. */
static void
wait_for_range (LoomSelectionPanel *panel, LoomRange range)
{
  g_autofree char *duration = loom_time_format_duration (range.end_ns - range.begin_ns),
                  *exact = loom_time_format_exact (range.end_ns - range.begin_ns);
  Saying saying = { panel, duration, exact };
  g_assert_true (fixture_wait (says, &saying));
}

static GtkDropDown *
range_of_selection (LoomWindow *window)
{
  return panels_range (GTK_WIDGET (
    gtk_widget_get_template_child (GTK_WIDGET (selection_page (window)), LOOM_TYPE_SELECTION_PANEL, "range")));
}

static void
choose_scope (LoomWindow *window, LoomRangeScope scope)
{
  gtk_drop_down_set_selected (range_of_selection (window), scope);
}

/* The range chooser of the page “Selection” is independent of the range chooser of the other pages. With the choice
 * “Visible” the range follows the view; if spans are selected, the figures describe these instead of the range. */
static void
test_selection_page (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomRange loop, extent = loom_timeline_state_get_extent (fixture_state (window));
  LoomAnalysisPanel *steps = panels_show (window, "steps");
  panels_set_scope (window, LOOM_RANGE_SCOPE_LOOP);
  loop = panels_sheet (panels_wait (steps))->range;
  LoomSelectionPanel *panel = selection_page (window);
  g_assert_cmpuint (gtk_drop_down_get_selected (range_of_selection (window)), ==, LOOM_RANGE_SCOPE_SELECTION);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (
                     gtk_widget_get_template_child (GTK_WIDGET (panel), LOOM_TYPE_SELECTION_PANEL, "summary"))),
                   ==, "");
  choose_scope (window, LOOM_RANGE_SCOPE_ALL);
  wait_for_range (panel, extent);
  choose_scope (window, LOOM_RANGE_SCOPE_LOOP);
  wait_for_range (panel, loop);
  choose_scope (window, LOOM_RANGE_SCOPE_VISIBLE);
  LoomViewport view = fixture_view (window);
  view.end_ns = view.begin_ns + 7 * LOOM_NS_PER_S;
  loom_timeline_state_set_viewport (fixture_state (window), &view);
  wait_for_range (panel, (LoomRange) { view.begin_ns, view.end_ns });
  g_assert_cmpuint (loom_analysis_context_get_scope (loom_run_state_get_analysis (loom_window_get_run_state (window))),
                    ==, LOOM_RANGE_SCOPE_LOOP);
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 0, 0 }, FALSE);
  g_autofree char *facts = loom_selection_panel_dup_text (panel);
  g_assert_nonnull (strstr (facts, "Duration"));
  loom_timeline_state_select_nothing (fixture_state (window));
  wait_for_range (panel, (LoomRange) { view.begin_ns, view.end_ns });
  panels_show (window, "steps");
  g_assert_cmpuint (gtk_drop_down_get_selected (panels_range (panels_range_chooser (window))), ==,
                    LOOM_RANGE_SCOPE_LOOP);
  fixture_close (window);
}

/* While the figures of a new range are being computed, the line above still describes the range of the figures that are
 * shown. */
static void
test_never_new_names_on_old_figures (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomSelectionPanel *panel = selection_page (window);
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  LoomRange first = { extent.begin_ns, extent.begin_ns + 12 * LOOM_NS_PER_S },
            second = { extent.begin_ns, extent.begin_ns + 17 * LOOM_NS_PER_S };
  loom_timeline_state_select_range (fixture_state (window), first);
  wait_for_range (panel, first);
  g_autofree char *before = g_strdup (gtk_label_get_text (GTK_LABEL (
                    gtk_widget_get_template_child (GTK_WIDGET (panel), LOOM_TYPE_SELECTION_PANEL, "summary")))),
                  *figures = loom_selection_panel_dup_text (panel);
  loom_timeline_state_select_range (fixture_state (window), second);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (
                     gtk_widget_get_template_child (GTK_WIDGET (panel), LOOM_TYPE_SELECTION_PANEL, "summary"))),
                   ==, before);
  g_autofree char *figures_then = loom_selection_panel_dup_text (panel);
  g_assert_cmpstr (figures_then, ==, figures);
  wait_for_range (panel, second);
  g_autofree char *figures_after = loom_selection_panel_dup_text (panel);
  g_assert_cmpstr (figures_after, !=, figures);
  fixture_close (window);
}

static gboolean
is_high (gpointer panels)
{
  return gtk_widget_get_height (panels) > 200;
}

static gboolean
is_low (gpointer panels)
{
  return gtk_widget_get_height (panels) < 150;
}

/* While nothing is selected, the panel below the timeline is only as high as its hint. As soon as something is
 * selected, the panel has the height that is saved in the settings. It has the same height when it is shown again in a
 * window that has grown meanwhile. When the selection is removed, it is as low as before. */
static void
test_low_without_selection (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomRunPage *page = loom_window_get_run_view (window);
  LoomRunState *run = loom_run_page_get_run_state (page);
  GtkWidget *panels = GTK_WIDGET (loom_run_page_get_panels (page));
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  loom_run_state_set_shows_details (run, FALSE);
  loom_timeline_state_select_nothing (fixture_state (window));
  loom_run_state_set_shows_details (run, TRUE);
  fixture_frames (window);
  fixture_frames (window);
  g_assert_cmpint (gtk_widget_get_height (panels), >, 20);
  g_assert_cmpint (gtk_widget_get_height (panels), <, 150);
  int low = gtk_widget_get_height (panels);
  g_assert_cmpint (loom_run_page_get_panel_height (page), >, 200); /* this height is saved */
  loom_timeline_state_select_range (fixture_state (window), extent);
  g_assert_true (fixture_wait (is_high, panels));
  int height = gtk_widget_get_height (panels);
  loom_run_state_set_shows_details (run, FALSE);
  fixture_resize (window, 1100, 1000);
  loom_run_state_set_shows_details (run, TRUE);
  g_assert_true (fixture_wait (is_high, panels));
  g_assert_cmpint (gtk_widget_get_height (panels), ==, height);
  loom_timeline_state_select_nothing (fixture_state (window));
  g_assert_true (fixture_wait (is_low, panels));
  g_assert_cmpint (gtk_widget_get_height (panels), ==, low);
  fixture_close (window);
}

/* A divider that the user moves while nothing is selected stays where it is when something is selected. */
static void
test_moved_divider (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomRunPage *page = loom_window_get_run_view (window);
  GtkWidget *panels = GTK_WIDGET (loom_run_page_get_panels (page));
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  loom_run_state_set_shows_details (loom_run_page_get_run_state (page), TRUE);
  loom_timeline_state_select_nothing (fixture_state (window));
  loom_run_page_set_panel_height (page, 250);
  fixture_frames (window);
  GtkPaned *paned = GTK_PANED (gtk_widget_get_template_child (GTK_WIDGET (page), LOOM_TYPE_RUN_PAGE, "paned"));
  gtk_paned_set_position (paned, gtk_paned_get_position (paned) - 80);
  fixture_frames (window);
  int height = gtk_widget_get_height (panels);
  g_assert_cmpint (height, <, 210);
  g_assert_cmpint (height, >, 170); /* the least height of the figures of a range */
  loom_timeline_state_select_range (fixture_state (window), extent);
  fixture_frames (window);
  fixture_frames (window);
  g_assert_cmpint (gtk_widget_get_height (panels), ==, height);
  fixture_close (window);
}

static gboolean
has_other_rules (gpointer list)
{
  return gtk_list_box_get_row_at_index (list, 0) != NULL;
}

/* A rule without a finding is shown as one line. The line begins with the name of the rule; then it says what the rule
 * computed, or which data the rule lacks. */
static void
test_other_rules (void)
{
  LoomWindow *window = panels_open_sample ();
  panels_show (window, "overview");
  LoomFindingsPanel *findings = panels_findings (window);
  GtkListBox *others =
    GTK_LIST_BOX (gtk_widget_get_template_child (GTK_WIDGET (findings), LOOM_TYPE_FINDINGS_PANEL, "others"));
  g_assert_true (fixture_wait (has_other_rules, others));
  LoomFindingRow *row = LOOM_FINDING_ROW (gtk_list_box_get_row_at_index (others, 0));
  const LoomFinding *finding = loom_finding_row_get_finding (row);
  g_autofree char *text = loom_findings_state_dup_rule_line (finding->result), *line = loom_sentence_dup_bound (text);
  GtkWidget *sentence =
              GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (row), LOOM_TYPE_FINDING_ROW, "sentence")),
            *facts = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (row), LOOM_TYPE_FINDING_ROW, "facts"));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (sentence)), ==, line);
  g_assert_false (gtk_widget_get_visible (facts));
  fixture_close (window);
}

static gboolean
states_range (gpointer summary)
{
  return g_str_has_suffix (gtk_label_get_text (summary), " in this range");
}

/* When the pages cover a part of the run, so do the findings, without a request; the text above them says so. */
static void
test_range_of_findings (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  panels_show (window, "overview");
  LoomFindingsPanel *findings = panels_findings (window);
  gpointer others = gtk_widget_get_template_child (GTK_WIDGET (findings), LOOM_TYPE_FINDINGS_PANEL, "others"),
           summary = gtk_widget_get_template_child (GTK_WIDGET (findings), LOOM_TYPE_FINDINGS_PANEL, "summary");
  g_assert_true (fixture_wait (has_other_rules, others));
  g_assert_true (g_str_has_suffix (gtk_label_get_text (summary), " in the whole run"));
  loom_timeline_state_select_range (
    fixture_state (window), (LoomRange) { extent.begin_ns + 9 * LOOM_NS_PER_S, extent.begin_ns + 12 * LOOM_NS_PER_S });
  panels_set_scope (window, LOOM_RANGE_SCOPE_SELECTION);
  g_assert_true (fixture_wait (states_range, summary));
  g_assert_false (gtk_widget_get_visible (
    GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (findings), LOOM_TYPE_FINDINGS_PANEL, "evaluate"))));
  fixture_close (window);
}

/* Only pages that use the thresholds have the button that changes them. */
static void
test_thresholds_of_pages (void)
{
  LoomWindow *window = panels_open_sample ();
  panels_show (window, "steps");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (panels_thresholds (window))));
  panels_show (window, "stragglers");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panels_thresholds (window))));
  fixture_close (window);
}

/* The share of a name is its part of the self time of all names inside the range. The shares add up to 100 % for names
 * that run on devices, which come first, and to 100 % for names that run on hosts. Names without self time come last.
 */
static void
check_shares (LoomResultTable *table)
{
  double shares[2] = { 0 }, self_ns = 0, inside_ns = 0;
  gboolean was_host = FALSE, was_without = FALSE;
  for (guint i = 0; i < table->n_rows; i++) {
    double share = loom_result_table_get_number (table, i, 3), own_ns = loom_result_table_get_number (table, i, 2);
    gboolean is_host = strcmp (loom_result_table_get_text (table, i, 1), "hosts") == 0;
    g_assert_true (isnan (share) || !was_without);
    g_assert_true (isnan (share) || is_host || !was_host);
    was_without = isnan (share);
    was_host = is_host;
    g_assert_true (isnan (share) == isnan (own_ns));
    g_assert_true (isnan (own_ns) || own_ns <= loom_result_table_get_number (table, i, 5));
    shares[is_host] += isnan (share) ? 0 : share;
    self_ns += isnan (own_ns) ? 0 : own_ns;
    inside_ns += loom_result_table_get_number (table, i, 5);
  }
  g_assert_cmpfloat (fabs (shares[0] - 100), <, 1e-6);
  g_assert_cmpfloat (fabs (shares[1] - 100), <, 1e-6);
  g_assert_cmpfloat (self_ns, <, inside_ns);
}

/* The table of names can be sorted, filtered, copied and exported; activating a row selects the longest span of its
 * name. */
static void
test_names_of_range (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomSelectionPanel *panel = selection_page (window);
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  choose_scope (window, LOOM_RANGE_SCOPE_ALL);
  wait_for_range (panel, extent);
  LoomRangeTable *names =
    LOOM_RANGE_TABLE (gtk_stack_get_child_by_name (loom_selection_panel_get_tables (panel), "names"));
  LoomTableView *view = loom_range_table_get_view (names);
  guint n = loom_table_view_get_n_shown (view);
  loom_table_view_set_filter (view, "modekeys.train");
  g_assert_cmpuint (loom_table_view_get_n_shown (view), ==, 1);
  g_autofree char *csv = loom_table_view_dup_csv (view);
  g_assert_true (g_str_has_prefix (csv, "Name,Runs On,Self (ns),Share (%),Count,In Range (ns),Total (ns),Mean (ns),"));
  g_assert_nonnull (strstr (csv, "\r\nStep:ModeKeys.TRAIN,hosts,,,48,"));
  check_shares (loom_table_view_get_table (view));
  GtkMenuButton *more =
    GTK_MENU_BUTTON (gtk_widget_get_template_child (GTK_WIDGET (view), LOOM_TYPE_TABLE_VIEW, "more"));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (more)));
  g_assert_cmpint (g_menu_model_get_n_items (gtk_menu_button_get_menu_model (more)), ==, 4);
  choose_scope (window, LOOM_RANGE_SCOPE_VISIBLE); /* the text of the filter must stay when the range changes */
  wait_for_range (panel, extent);
  g_assert_cmpuint (loom_table_view_get_n_shown (view), ==, 1);
  loom_table_view_set_filter (view, "");
  g_assert_cmpuint (loom_table_view_get_n_shown (view), ==, n);
  g_signal_emit_by_name (view, "row-activated", 0u);
  g_assert_false (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (fixture_state (window))));
  fixture_close (window);
}

static gboolean
has_rows (gpointer table)
{
  return loom_table_view_get_n_shown (loom_range_table_get_view (table)) > 0;
}

/* The table of ranks says how the devices of each rank spend the range; the shares of a rank are 100 % in sum. Activating
 * a row marks the row of the rank on the timeline, and keeps the range. */
static void
test_ranks_of_range (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomSelectionPanel *panel = selection_page (window);
  LoomTimelineState *state = fixture_state (window);
  LoomRange extent = loom_timeline_state_get_extent (state);
  LoomRange half = { extent.begin_ns, extent.begin_ns + (extent.end_ns - extent.begin_ns) / 2 };
  loom_timeline_state_select_range (state, half);
  LoomRangeTable *ranks =
    LOOM_RANGE_TABLE (gtk_stack_get_child_by_name (loom_selection_panel_get_tables (panel), "ranks"));
  g_assert_true (fixture_wait (has_rows, ranks));
  LoomTableView *view = loom_range_table_get_view (ranks);
  LoomResultTable *table = loom_table_view_get_table (view);
  g_assert_cmpstr (loom_result_table_get_text (table, 0, 0), ==, "rank 0");
  for (guint i = 0; i < table->n_rows; i++) {
    double sum = 0;
    for (guint k = 1; k <= 6; k++) {
      double share = loom_result_table_get_number (table, i, k);
      sum += isnan (share) ? 0 : share;
    }
    g_assert_cmpfloat (fabs (sum - 100), <, 1e-6);
  }
  g_signal_emit_by_name (view, "row-activated", 1u);
  const char *const *rows = loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (state));
  LoomRowList *list = loom_timeline_state_get_row_list (state);
  g_assert_true (rows != NULL && rows[0] != NULL && rows[1] == NULL);
  g_assert_cmpint (loom_row_list_get_row (list, loom_row_list_find (list, rows[0]))->rank, ==, 1);
  g_assert_cmpint (loom_timeline_state_get_range (state).end_ns, ==, half.end_ns);
  fixture_close (window);
}

/* Returns the label with this text below the widget, or NULL. */
static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  GtkWidget *found =
    GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child, text);
  return found;
}

/* Returns the row of the open list of ranges that has this title. */
static GtkWidget *
row_of (GtkWidget *list, const char *title)
{
  GtkWidget *row = find_label (list, title);
  g_assert_nonnull (row);
  while (gtk_widget_get_parent (row) != list)
    row = gtk_widget_get_parent (row);
  return row;
}

/* Chooses the row as Enter does: it becomes selected in the list, and is activated. */
static void
activate_row (GtkWidget *row)
{
  gtk_widget_activate_action (row, "listitem.select", "(bb)", FALSE, FALSE);
  gtk_widget_activate (row);
}

/* While nothing is selected on the timeline, the range “Selection” cannot be chosen, and the list says why. */
static void
test_no_choice_of_nothing (void)
{
  LoomWindow *window = panels_open_sample ();
  panels_show (window, "steps");
  GtkDropDown *choice = panels_range (panels_range_chooser (window));
  g_signal_emit_by_name (choice, "activate");
  fixture_frames (window);
  GtkWidget *list = fixture_find_type (GTK_WIDGET (choice), GTK_TYPE_LIST_VIEW), *row = row_of (list, "Selection"),
            *reason = find_label (row, "Nothing is selected on the timeline");
  g_assert_false (gtk_widget_is_sensitive (find_label (row, "Selection")));
  g_assert_true (gtk_widget_get_visible (reason));
  activate_row (row);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_ALL);
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 0, 0 }, FALSE);
  g_assert_true (gtk_widget_is_sensitive (find_label (row, "Selection")));
  g_assert_false (gtk_widget_get_visible (reason));
  activate_row (row);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_SELECTION);
  fixture_close (window);
}

/* A page of an empty selection has a button that shows the whole run. */
static void
test_way_out (void)
{
  LoomWindow *window = panels_open_sample ();
  static const char *const pages[] = { "steps", "overview" };
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
    LoomAnalysisPanel *panel = panels_show (window, pages[i]);
    LoomRange all = panels_sheet (panel)->range;
    g_assert_null (find_label (GTK_WIDGET (panel), "Show Whole Run"));
    panels_set_scope (window, LOOM_RANGE_SCOPE_SELECTION);
    panels_wait (panel);
    GtkWidget *label = find_label (GTK_WIDGET (panel), "Show Whole Run");
    g_assert_nonnull (label);
    g_signal_emit_by_name (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON), "clicked");
    panels_wait (panel);
    g_assert_cmpint (panels_sheet (panel)->range.end_ns, ==, all.end_ns);
    g_assert_null (find_label (GTK_WIDGET (panel), "Show Whole Run"));
  }
  fixture_close (window);
}

/* Dragging over the strip above a page selects this range for the page, and does not move the view. If the page is of
 * the visible range, dragging changes the visible range instead. */
static void
test_drag_on_strip (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  fixture_wait_facts (window);
  fixture_frames (window);
  GtkWidget *strip = fixture_find_type (GTK_WIDGET (panels_analysis (window)), LOOM_TYPE_OVERVIEW_BAR);
  GtkEventController *drag = fixture_controller (strip, GTK_TYPE_GESTURE_DRAG);
  LoomMinimapData *overview = loom_timeline_state_get_overview (fixture_state (window));
  gint64 begin_ns = loom_timeline_painter_overview_time (overview, gtk_widget_get_width (strip), 50),
         end_ns = loom_timeline_painter_overview_time (overview, gtk_widget_get_width (strip), 150);
  LoomViewport view = fixture_view (window);
  for (guint i = 0; i < 2; i++) {
    g_signal_emit_by_name (drag, "drag-begin", 150.0, 30.0);
    g_signal_emit_by_name (drag, "drag-update", -100.0, 0.0);
    g_signal_emit_by_name (drag, "drag-end", -100.0, 0.0);
    fixture_rest (window);
    if (i == 0) {
      g_assert_cmpint (panels_sheet (panels_wait (panel))->range.begin_ns, ==, begin_ns);
      g_assert_cmpint (panels_sheet (panel)->range.end_ns, ==, end_ns);
    }
    g_assert_cmpint (fixture_view (window).end_ns - fixture_view (window).begin_ns, ==,
                     i == 0 ? view.end_ns - view.begin_ns : end_ns - begin_ns);
    loom_timeline_state_select_nothing (fixture_state (window));
    panels_set_scope (window, LOOM_RANGE_SCOPE_VISIBLE);
    panels_wait (panel);
  }
  fixture_close (window);
}

/* The strip above a page marks the range that the results cover: the selected step, but not the whole run, and nothing
 * on pages whose results do not depend on the range. */
static void
test_range_on_strip (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomOverviewBar *strip =
    LOOM_OVERVIEW_BAR (fixture_find_type (GTK_WIDGET (panels_analysis (window)), LOOM_TYPE_OVERVIEW_BAR));
  g_assert_cmpint (loom_overview_bar_get_analyzed (strip).end_ns, ==, 0);
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 0, 0 }, FALSE);
  panels_set_scope (window, LOOM_RANGE_SCOPE_SELECTION);
  panels_wait (panel);
  g_assert_cmpint (panels_sheet (panel)->range.end_ns, >, panels_sheet (panel)->range.begin_ns);
  g_assert_cmpint (loom_overview_bar_get_analyzed (strip).begin_ns, ==, panels_sheet (panel)->range.begin_ns);
  g_assert_cmpint (loom_overview_bar_get_analyzed (strip).end_ns, ==, panels_sheet (panel)->range.end_ns);
  loom_analysis_view_set_page (panels_analysis (window), "clocks");
  g_assert_cmpint (loom_overview_bar_get_analyzed (strip).end_ns, ==, 0);
  loom_analysis_view_set_page (panels_analysis (window), "steps");
  g_assert_cmpint (loom_overview_bar_get_analyzed (strip).end_ns, ==, panels_sheet (panel)->range.end_ns);
  panels_set_scope (window, LOOM_RANGE_SCOPE_ALL);
  panels_wait (panel);
  g_assert_cmpint (loom_overview_bar_get_analyzed (strip).end_ns, ==, 0);
  fixture_close (window);
}

static gboolean
has_card (gpointer list)
{
  return fixture_find_type (list, LOOM_TYPE_FINDING_ROW) != NULL;
}

/* The buttons of a finding say where they lead: that of the banner to a page, that of a card to the timeline. */
static void
test_where_buttons_lead (void)
{
  LoomWindow *window = panels_open_sample ();
  panels_show (window, "overview");
  GtkWidget *list = GTK_WIDGET (panels_findings (window));
  g_assert_true (fixture_wait (has_card, list));
  panels_turn (window, "selection");
  GtkWidget *banner = fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_MAIN_FINDING_BAR);
  g_assert_nonnull (find_label (banner, "Show Page"));
  g_assert_nonnull (find_label (list, "Show on Timeline"));
  fixture_close (window);
}

void
groups_add_panels_selection (void)
{
  g_test_add_func ("/analysis/selection-page", test_selection_page);
  g_test_add_func ("/analysis/never-new-names-on-old-figures", test_never_new_names_on_old_figures);
  g_test_add_func ("/analysis/names-of-range", test_names_of_range);
  g_test_add_func ("/analysis/low-without-selection", test_low_without_selection);
  g_test_add_func ("/analysis/moved-divider", test_moved_divider);
  g_test_add_func ("/analysis/other-rules", test_other_rules);
  g_test_add_func ("/analysis/range-of-findings", test_range_of_findings);
  g_test_add_func ("/analysis/thresholds-of-pages", test_thresholds_of_pages);
  g_test_add_func ("/analysis/ranks-of-range", test_ranks_of_range);
  g_test_add_func ("/analysis/no-choice-of-nothing", test_no_choice_of_nothing);
  g_test_add_func ("/analysis/way-out", test_way_out);
  g_test_add_func ("/analysis/drag-on-strip", test_drag_on_strip);
  g_test_add_func ("/analysis/range-on-strip", test_range_on_strip);
  g_test_add_func ("/analysis/where-buttons-lead", test_where_buttons_lead);
}
