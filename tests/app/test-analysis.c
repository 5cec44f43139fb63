/* SPDX-License-Identifier: Apache-2.0
 *
 * The panels of the analysis: every page of the sample run and of runs that lack something, the range they follow, the
 * way from an element to the timeline, copies, the keyboard, names for all controls.
 */
#include "fixture.h"
#include "loom-analysis-panel.h"
#include "loom-panel-tabs.h"
#include "loom-range-table.h"
#include "loom-selection-panel.h"

#include <math.h>
#include <string.h>

static GtkStack *
stack_of (LoomWindow *window)
{
  return loom_run_view_get_panels (loom_window_get_run_view (window));
}

static gboolean
is_idle (gpointer panel)
{
  return !loom_analysis_panel_is_working (panel) && loom_sheet_view_get_sheet (loom_analysis_panel_get_view (panel)) != NULL;
}

static LoomAnalysisPanel *
wait_for (LoomAnalysisPanel *panel)
{
  fixture_spin (20);
  g_assert_true (fixture_wait (is_idle, panel));
  fixture_spin (60);
  return panel;
}

static LoomAnalysisPanel *
show (LoomWindow *window, const char *page)
{
  gtk_stack_set_visible_child_name (stack_of (window), page);
  return wait_for (LOOM_ANALYSIS_PANEL (gtk_stack_get_visible_child (stack_of (window))));
}

static LoomWindow *
open_sample (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return window;
}

static LoomSheet *
sheet_of (LoomAnalysisPanel *panel)
{
  return loom_sheet_view_get_sheet (loom_analysis_panel_get_view (panel));
}

/* The number of the block whose chart or table has the title. */
static guint
find_block (LoomAnalysisPanel *panel, const char *title)
{
  LoomSheet *sheet = sheet_of (panel);
  for (guint i = 0; i < loom_sheet_get_n_blocks (sheet); i++)
    if (strcmp (loom_sheet_get_block (sheet, i)->text, title) == 0)
      return i;
  g_error ("no block “%s”", title);
}

static GtkWidget *
widget_of (LoomAnalysisPanel *panel, const char *title)
{
  return loom_sheet_view_get_block (loom_analysis_panel_get_view (panel), find_block (panel, title));
}

static gboolean
lacks_something (LoomAnalysisPanel *panel)
{
  LoomSheet *sheet = sheet_of (panel);
  for (guint i = 0; i < loom_sheet_get_n_blocks (sheet); i++)
    if (loom_sheet_get_block (sheet, i)->kind == LOOM_BLOCK_MISSING)
      return TRUE;
  return FALSE;
}

/* Every page has figures, and says nothing is missing. */
static void
test_pages (void)
{
  LoomWindow *window = open_sample ();
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  g_assert_cmpuint (n, >=, 5);
  for (guint i = 0; i < n; i++) {
    LoomAnalysisPanel *panel = show (window, pages[i].id);
    g_test_message ("%s: %s", pages[i].id, loom_analysis_panel_get_summary (panel));
    g_assert_cmpuint (loom_sheet_get_n_blocks (sheet_of (panel)), >, 1);
    g_assert_false (lacks_something (panel));
    g_assert_nonnull (strstr (loom_analysis_panel_get_summary (panel), " s from +"));
  }
  fixture_close (window);
}

/* The sample has 12 steps per rank; the seventh of each is an outlier. */
static void
test_steps (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps");
  LoomChart *chart = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget_of (panel, "Duration of each step")));
  g_assert_cmpuint (chart->lines.lines->len, ==, 4);
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, 48);
  for (guint i = 0; i < 48; i++)
    g_assert_cmpint (g_array_index (chart->lines.points, LoomChartPoint, i).flagged, ==, i % 12 == 6);
  LoomTable *table = loom_table_view_get_table (LOOM_TABLE_VIEW (widget_of (panel, "Outlier steps")));
  g_assert_cmpuint (loom_table_get_n_rows (table), ==, 4);
  for (guint row = 0; row < 4; row++)
    g_assert_cmpfloat (loom_table_get_number (table, row, 0), ==, 6);
  fixture_close (window);
}

static void
set_scope (LoomWindow *window, LoomScope scope)
{
  loom_analysis_set_scope (loom_run_view_get_analysis (loom_window_get_run_view (window)), scope);
}

/* Figures follow the visible range, and say which one they are of. */
static void
test_visible (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps");
  LoomChart *all = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget_of (panel, "Duration of each step")));
  guint n_all = loom_chart_get_n_elements (all);
  set_scope (window, LOOM_SCOPE_VISIBLE);
  LoomViewport view = fixture_view (window);
  gint64 middle = view.begin_ns + (view.end_ns - view.begin_ns) / 2;
  view.begin_ns = middle;
  view.end_ns = middle + 2 * LOOM_NS_PER_S;
  loom_view_state_set_viewport (fixture_state (window), &view);
  wait_for (panel);
  LoomRange range = loom_sheet_get_range (sheet_of (panel));
  view = fixture_view (window);
  g_assert_cmpint (range.begin_ns, ==, view.begin_ns);
  g_assert_cmpint (range.end_ns, ==, view.end_ns);
  LoomChart *part = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget_of (panel, "Duration of each step")));
  g_assert_cmpuint (loom_chart_get_n_elements (part), <, n_all);
  g_assert_cmpuint (loom_chart_get_n_elements (part), >, 0);
  fixture_close (window);
}

static void
test_other_scopes (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps");
  LoomRange all = loom_sheet_get_range (sheet_of (panel));
  set_scope (window, LOOM_SCOPE_LOOP);
  LoomRange loop = loom_sheet_get_range (sheet_of (wait_for (panel)));
  g_assert_cmpint (loop.begin_ns, >, all.begin_ns);
  g_assert_cmpint (loop.end_ns, <, all.end_ns);
  set_scope (window, LOOM_SCOPE_SELECTION);
  wait_for (panel);
  g_assert_true (lacks_something (panel)); /* nothing is selected */
  LoomRange selected = { loop.begin_ns, loop.begin_ns + 3 * LOOM_NS_PER_S };
  loom_view_state_select_range (fixture_state (window), selected);
  wait_for (panel);
  g_assert_cmpint (loom_sheet_get_range (sheet_of (panel)).end_ns, ==, selected.end_ns);
  g_assert_false (lacks_something (panel));
  /* What is not seen is asked for when it is, and not before. */
  set_scope (window, LOOM_SCOPE_ALL);
  LoomRange of_other = loom_sheet_get_range (sheet_of (show (window, "overview")));
  g_assert_cmpint (of_other.begin_ns, ==, all.begin_ns);
  fixture_close (window);
}

/* --- the page of the selection ---------------------------------------------------------------------------------------- */

static LoomSelectionPanel *
selection_page (LoomWindow *window)
{
  gtk_stack_set_visible_child_name (stack_of (window), "selection");
  return LOOM_SELECTION_PANEL (gtk_stack_get_visible_child (stack_of (window)));
}

static LoomPanelTabs *
tabs_of (LoomWindow *window)
{
  return LOOM_PANEL_TABS (gtk_widget_get_first_child (gtk_widget_get_parent (GTK_WIDGET (stack_of (window)))));
}

typedef struct {
  LoomSelectionPanel *panel;
  const char *begin;
} Saying;

static gboolean
says (gpointer data)
{
  const Saying *saying = data;
  return g_str_has_prefix (loom_selection_panel_get_summary (saying->panel), saying->begin) &&
         strstr (loom_selection_panel_get_summary (saying->panel), " spans") != NULL;
}

/* The line above the figures tells of this range, and how many spans it has: they are counted. */
static void
wait_for_range (LoomSelectionPanel *panel, LoomRange range)
{
  g_autofree char *duration = loom_time_format_exact (range.end_ns - range.begin_ns);
  Saying saying = { panel, duration };
  g_assert_true (fixture_wait (says, &saying));
}

static void
choose_scope (LoomWindow *window, LoomScope scope)
{
  gtk_drop_down_set_selected (loom_panel_tabs_get_range (tabs_of (window)), scope);
}

/* The switch drives this page as it does the others, and follows what is panned; spans that are clicked come first. */
static void
test_selection_page (void)
{
  LoomWindow *window = open_sample ();
  LoomRange loop, extent = loom_view_state_get_extent (fixture_state (window));
  LoomAnalysisPanel *steps = show (window, "steps");
  set_scope (window, LOOM_SCOPE_LOOP);
  loop = loom_sheet_get_range (sheet_of (wait_for (steps)));
  LoomSelectionPanel *panel = selection_page (window);
  g_assert_cmpuint (gtk_drop_down_get_selected (loom_panel_tabs_get_range (tabs_of (window))), ==, LOOM_SCOPE_SELECTION);
  g_assert_cmpstr (loom_selection_panel_get_summary (panel), ==, "");
  choose_scope (window, LOOM_SCOPE_ALL);
  wait_for_range (panel, extent);
  choose_scope (window, LOOM_SCOPE_LOOP);
  wait_for_range (panel, loop);
  choose_scope (window, LOOM_SCOPE_VISIBLE);
  LoomViewport view = fixture_view (window);
  view.end_ns = view.begin_ns + 7 * LOOM_NS_PER_S;
  loom_view_state_set_viewport (fixture_state (window), &view);
  wait_for_range (panel, (LoomRange) { view.begin_ns, view.end_ns });
  g_assert_cmpuint (loom_analysis_get_scope (loom_run_view_get_analysis (loom_window_get_run_view (window))), ==, LOOM_SCOPE_LOOP);
  loom_view_state_select_span (fixture_state (window), (LoomSpanId) { 0, 0 }, FALSE);
  g_autofree char *facts = loom_selection_panel_dup_text (panel);
  g_assert_nonnull (strstr (facts, "Duration"));
  loom_view_state_select_nothing (fixture_state (window));
  wait_for_range (panel, (LoomRange) { view.begin_ns, view.end_ns });
  show (window, "steps");
  g_assert_cmpuint (gtk_drop_down_get_selected (loom_panel_tabs_get_range (tabs_of (window))), ==, LOOM_SCOPE_LOOP);
  fixture_close (window);
}

/* Between the question and the answer the line tells of the range whose figures are still there. */
static void
test_never_new_names_on_old_figures (void)
{
  LoomWindow *window = open_sample ();
  LoomSelectionPanel *panel = selection_page (window);
  LoomRange extent = loom_view_state_get_extent (fixture_state (window));
  LoomRange first = { extent.begin_ns, extent.begin_ns + 12 * LOOM_NS_PER_S }, second = { extent.begin_ns, extent.begin_ns + 17 * LOOM_NS_PER_S };
  loom_view_state_select_range (fixture_state (window), first);
  wait_for_range (panel, first);
  g_autofree char *before = g_strdup (loom_selection_panel_get_summary (panel)), *figures = loom_selection_panel_dup_text (panel);
  loom_view_state_select_range (fixture_state (window), second);
  g_assert_cmpstr (loom_selection_panel_get_summary (panel), ==, before);
  g_autofree char *figures_then = loom_selection_panel_dup_text (panel);
  g_assert_cmpstr (figures_then, ==, figures);
  wait_for_range (panel, second);
  g_autofree char *figures_after = loom_selection_panel_dup_text (panel);
  g_assert_cmpstr (figures_after, !=, figures);
  fixture_close (window);
}

/* Names of a range are sorted, filtered, copied and exported as every table; a row leads to the longest span of its name. */
static void
test_names_of_range (void)
{
  LoomWindow *window = open_sample ();
  LoomSelectionPanel *panel = selection_page (window);
  LoomRange extent = loom_view_state_get_extent (fixture_state (window));
  choose_scope (window, LOOM_SCOPE_ALL);
  wait_for_range (panel, extent);
  LoomRangeTable *names = LOOM_RANGE_TABLE (gtk_widget_get_template_child (GTK_WIDGET (panel), LOOM_TYPE_SELECTION_PANEL, "table"));
  LoomTableView *view = loom_range_table_get_view (names);
  guint n = loom_table_view_get_n_shown (view);
  loom_table_view_set_filter (view, "modekeys.train");
  g_assert_cmpuint (loom_table_view_get_n_shown (view), ==, 1);
  g_autofree char *csv = loom_table_view_dup_csv (view);
  g_assert_true (g_str_has_prefix (csv, "Name,Count,In range (ns),Share (%),Total (ns),Self (ns),Mean (ns),"));
  g_assert_nonnull (strstr (csv, "\r\nStep:ModeKeys.TRAIN,48,"));
  choose_scope (window, LOOM_SCOPE_VISIBLE); /* the filter stays */
  wait_for_range (panel, extent);
  g_assert_cmpuint (loom_table_view_get_n_shown (view), ==, 1);
  loom_table_view_set_filter (view, "");
  g_assert_cmpuint (loom_table_view_get_n_shown (view), ==, n);
  g_signal_emit_by_name (view, "row-activated", 0u);
  g_assert_false (loom_span_id_is_none (loom_view_state_get_lead (fixture_state (window))));
  fixture_close (window);
}

static gboolean
has_layout (gpointer chart)
{
  return loom_chart_view_get_layout (chart) != NULL;
}

static void
click (GtkWidget *chart, guint element)
{
  LoomChartBox box;
  GtkEventController *gesture = NULL;
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (chart);
  g_assert_true (fixture_wait (has_layout, chart));
  g_assert_true (loom_chart_layout_get_box (loom_chart_view_get_layout (LOOM_CHART_VIEW (chart)), element, &box));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_GESTURE_CLICK (controller) && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_PRIMARY)
      gesture = controller;
  }
  g_signal_emit_by_name (gesture, "released", 1, box.x + box.width / 2, box.y + box.height / 2);
}

/* A click on a step goes to it and outlines its span; the row of an outlier does as well. */
static void
test_leads_back (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps");
  LoomPlace place;
  guint block = find_block (panel, "Duration of each step");
  click (widget_of (panel, "Duration of each step"), 6);
  fixture_spin (400);
  g_assert_true (loom_sheet_get_place (sheet_of (panel), block, 6, &place));
  LoomSpanId lead = loom_view_state_get_lead (fixture_state (window));
  g_assert_cmpuint (place.n_spans, ==, 1);
  g_assert_true (loom_span_id_equal (lead, place.spans[0]));
  LoomViewport view = fixture_view (window);
  g_assert_cmpint (view.begin_ns, <=, place.range.begin_ns);
  g_assert_cmpint (view.end_ns, >=, place.range.end_ns);
  g_assert_cmpint (view.end_ns - view.begin_ns, <, 3 * (place.range.end_ns - place.range.begin_ns));
  loom_view_state_select_nothing (fixture_state (window));
  g_signal_emit_by_name (widget_of (panel, "Outlier steps"), "row-activated", 0u);
  fixture_spin (400);
  g_assert_false (loom_span_id_is_none (loom_view_state_get_lead (fixture_state (window))));
  fixture_close (window);
}

static LoomSpanId
lead_after_click (LoomWindow *window, LoomAnalysisPanel *panel, const char *title, guint element)
{
  loom_view_state_select_nothing (fixture_state (window));
  click (widget_of (panel, title), element);
  fixture_spin (400);
  return loom_view_state_get_lead (fixture_state (window));
}

static const char *
name_of_span (LoomWindow *window, LoomSpanId id)
{
  g_assert_false (loom_span_id_is_none (id));
  const LoomTrace *trace = loom_run_get_trace (loom_document_get_run (loom_window_get_document (window)), id.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span])->text;
}

/* What ran at bottlenecks leads to the longest span of it: the slice, the row of the same metric, and the bar. */
static void
test_bottlenecks_lead_back (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "bottlenecks");
  LoomChart *pie = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget_of (panel, "Training phases at bottlenecks")));
  const LoomChartSlice *slice = &g_array_index (pie->pie.slices, LoomChartSlice, 0);
  LoomSpanId lead = lead_after_click (window, panel, "Training phases at bottlenecks", 0);
  g_assert_cmpstr (name_of_span (window, lead), ==, slice->label);
  LoomPlace place, otherwise;
  guint bars = find_block (panel, "Mean duration at bottlenecks and while GPUs are busy");
  g_assert_true (loom_sheet_get_place (sheet_of (panel), bars, 0, &place));
  g_assert_true (loom_sheet_get_place (sheet_of (panel), bars, 1, &otherwise));
  g_assert_cmpstr (name_of_span (window, place.spans[0]), ==, name_of_span (window, otherwise.spans[0]));
  guint pie_block = find_block (panel, "Functions at bottlenecks");
  LoomPlace same;
  g_assert_true (loom_sheet_get_place (sheet_of (panel), pie_block, 0, &same));
  g_assert_true (loom_span_id_equal (place.spans[0], same.spans[0]));
  fixture_close (window);
}

static gboolean
press (GtkWidget *chart, guint keyval)
{
  gboolean taken = FALSE;
  g_signal_emit_by_name (fixture_controller (chart, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", keyval, 0, 0, &taken);
  return taken;
}

/* --- samples and bottlenecks ----------------------------------------------------------------------------------------- */

static const LoomFindingMarks *
marks_of (LoomWindow *window)
{
  return loom_view_state_get_finding_marks (fixture_state (window));
}

static guint
find_element (LoomAnalysisPanel *panel, const char *title, guint first)
{
  LoomPlace place;
  guint block = find_block (panel, title), n = loom_chart_get_n_elements (loom_sheet_get_block (sheet_of (panel), block)->chart);
  for (guint i = first; i < n; i++)
    if (loom_sheet_get_place (sheet_of (panel), block, i, &place))
      return i;
  g_error ("nothing of “%s” leads anywhere", title);
}

/* Of what was chosen the stretches lie over the timeline, in view, until something is selected. */
static void
assert_shows (LoomWindow *window, LoomAnalysisPanel *panel, const char *title, guint element)
{
  LoomPlace place;
  g_assert_true (loom_sheet_get_place (sheet_of (panel), find_block (panel, title), element, &place));
  g_assert_cmpuint (place.n_parts, >, 0);
  g_assert_cmpuint (loom_finding_marks_get_n_stretches (marks_of (window)), ==, place.n_parts);
  fixture_spin (400);
  LoomViewport view = fixture_view (window);
  g_assert_cmpint (view.begin_ns, <=, place.range.begin_ns);
  g_assert_cmpint (view.end_ns, >=, place.range.end_ns);
  loom_view_state_select_nothing (fixture_state (window));
  g_assert_cmpuint (loom_finding_marks_get_n_stretches (marks_of (window)), ==, 0);
}

/* Bars, cells and rows that count samples lead to when these were taken; the keyboard does the same. */
static void
test_samples_lead_back (void)
{
  static const struct { const char *page, *title; } charts[] = {
    { "utilization", "GPU utilization" }, { "utilization", "CPU utilization in the training loop" },
    { "balance", "Distance of workloads" }, { "balance", "algo-1 gpu0" } };
  LoomWindow *window = open_sample ();
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++) {
    LoomAnalysisPanel *panel = show (window, charts[i].page);
    guint element = find_element (panel, charts[i].title, 0);
    GtkWidget *chart = widget_of (panel, charts[i].title);
    click (chart, element);
    assert_shows (window, panel, charts[i].title, element);
    loom_chart_view_set_focused (LOOM_CHART_VIEW (chart), element);
    g_assert_true (press (chart, GDK_KEY_Return));
    assert_shows (window, panel, charts[i].title, element);
  }
  g_signal_emit_by_name (widget_of (show (window, "balance"), "Pairs"), "row-activated", 0u);
  g_assert_cmpuint (loom_finding_marks_get_n_stretches (marks_of (window)), >, 0);
  fixture_close (window);
}

typedef struct {
  LoomWindow *window;
  guint n;
} Awaited;

static gboolean
has_bottlenecks (gpointer data)
{
  const Awaited *awaited = data;
  return loom_finding_marks_get_n_bottlenecks (marks_of (awaited->window)) == awaited->n;
}

static void
wait_for_bottlenecks (LoomWindow *window, guint n)
{
  Awaited awaited = { window, n };
  g_assert_true (fixture_wait (has_bottlenecks, &awaited));
}

static LoomThresholdButton *
thresholds_of (LoomWindow *window)
{
  return loom_panel_tabs_get_thresholds (tabs_of (window));
}

/* Five instants in the sample; with other thresholds others, and none when nobody wants to see them. */
static void
test_bottleneck_marks (void)
{
  LoomWindow *window = open_sample ();
  wait_for_bottlenecks (window, 5);
  g_action_group_activate_action (G_ACTION_GROUP (window), "bottleneck-marks", NULL);
  wait_for_bottlenecks (window, 0);
  g_action_group_activate_action (G_ACTION_GROUP (window), "bottleneck-marks", NULL);
  wait_for_bottlenecks (window, 5);
  loom_threshold_button_set (thresholds_of (window), (LoomThresholds) { { 100, 10 }, 2 });
  g_signal_emit_by_name (thresholds_of (window), "changed");
  wait_for_bottlenecks (window, 0);
  loom_threshold_button_reset (thresholds_of (window));
  wait_for_bottlenecks (window, 5);
  fixture_close (window);
}

static gboolean
has_block (LoomAnalysisPanel *panel, const char *title)
{
  for (guint i = 0; i < loom_sheet_get_n_blocks (sheet_of (panel)); i++)
    if (strcmp (loom_sheet_get_block (sheet_of (panel), i)->text, title) == 0)
      return TRUE;
  return FALSE;
}

/* Outliers of the sample take 3.7 medians. What is set holds in other windows, and is kept. */
static void
test_thresholds (void)
{
  LoomWindow *window = open_sample (), *other = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps"), *of_other = show (other, "steps");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (thresholds_of (window))));
  g_assert_true (has_block (panel, "Outlier steps"));
  loom_threshold_button_set (thresholds_of (window), (LoomThresholds) { { 90, 10 }, 5 });
  g_signal_emit_by_name (thresholds_of (window), "changed");
  g_assert_false (has_block (wait_for (panel), "Outlier steps"));
  g_assert_false (has_block (wait_for (of_other), "Outlier steps"));
  g_assert_cmpfloat (loom_threshold_button_get (thresholds_of (other)).outlier_factor, ==, 5);
  LoomWindow *third = open_sample ();
  g_assert_false (has_block (show (third, "steps"), "Outlier steps"));
  loom_threshold_button_reset (thresholds_of (third));
  g_assert_true (has_block (wait_for (panel), "Outlier steps"));
  fixture_close (third);
  fixture_close (other);
  fixture_close (window);
}

/* The panel that speaks of the selection keeps its figures when it shows one of its own elements. */
static void
test_holds (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps");
  LoomRange all = loom_sheet_get_range (sheet_of (panel));
  loom_view_state_select_range (fixture_state (window), all);
  set_scope (window, LOOM_SCOPE_SELECTION);
  wait_for (panel);
  click (widget_of (panel, "Duration of each step"), 6);
  fixture_spin (400);
  wait_for (panel);
  g_assert_cmpint (loom_sheet_get_range (sheet_of (panel)).begin_ns, ==, all.begin_ns);
  g_assert_cmpint (loom_sheet_get_range (sheet_of (panel)).end_ns, ==, all.end_ns);
  fixture_close (window);
}

static void
note_element (LoomChartView *chart, guint element, guint *noted)
{
  *noted = element;
}

static void
test_keyboard (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps");
  GtkWidget *chart = widget_of (panel, "Duration of each step");
  guint activated = LOOM_CHART_NONE;
  g_assert_true (fixture_wait (has_layout, chart));
  g_signal_connect (chart, "element-activated", G_CALLBACK (note_element), &activated);
  g_assert_true (gtk_widget_get_focusable (chart));
  loom_chart_view_set_focused (LOOM_CHART_VIEW (chart), LOOM_CHART_NONE);
  g_assert_true (press (chart, GDK_KEY_Right));
  g_assert_cmpuint (loom_chart_view_get_focused (LOOM_CHART_VIEW (chart)), ==, 0);
  g_assert_true (press (chart, GDK_KEY_Right));
  g_assert_true (press (chart, GDK_KEY_Return));
  g_assert_cmpuint (activated, ==, 1);
  g_assert_true (press (chart, GDK_KEY_End));
  g_assert_cmpuint (loom_chart_view_get_focused (LOOM_CHART_VIEW (chart)), ==, 47);
  g_assert_false (press (chart, GDK_KEY_w)); /* flies through the timeline */
  fixture_close (window);
}

typedef struct {
  char *text;
  gboolean done;
} Pasted;

static void
pasted (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  Pasted *paste = user_data;
  paste->text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
  paste->done = TRUE;
}

static gboolean
is_pasted (gpointer data)
{
  return ((Pasted *) data)->done;
}

static char *
paste (GtkWidget *widget)
{
  Pasted paste = { NULL, FALSE };
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, pasted, &paste);
  g_assert_true (fixture_wait (is_pasted, &paste));
  return paste.text;
}

static void
test_copies (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "steps");
  gtk_widget_activate_action (widget_of (panel, "Duration of each step"), "chart.copy", NULL);
  g_autofree char *chart = paste (GTK_WIDGET (window));
  g_assert_nonnull (chart);
  g_assert_nonnull (strstr (chart, "algo-1 rank 0\t6\t3."));
  GtkWidget *view = widget_of (panel, "Outlier steps");
  gtk_widget_activate_action (view, "table.copy", NULL);
  g_autofree char *table = paste (GTK_WIDGET (window));
  g_assert_nonnull (table);
  g_assert_true (g_str_has_prefix (table, "Step\tRank\tBegin\tDuration\tMedians\n6\talgo-"));
  g_autofree char *csv = loom_table_view_dup_csv (LOOM_TABLE_VIEW (view));
  g_assert_true (g_str_has_prefix (csv, "Step,Rank,Begin (ns),Duration (ns),Medians\r\n6,algo-"));
  loom_table_view_set_filter (LOOM_TABLE_VIEW (view), "RANK 3");
  g_assert_cmpuint (loom_table_view_get_n_shown (LOOM_TABLE_VIEW (view)), ==, 1);
  loom_table_view_set_filter (LOOM_TABLE_VIEW (view), "nobody");
  g_autofree char *nothing = loom_table_view_dup_tsv (LOOM_TABLE_VIEW (view));
  g_assert_cmpstr (nothing, ==, "Step\tRank\tBegin\tDuration\tMedians\n");
  fixture_close (window);
}

static void
test_save (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "overview");
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "phases.svg", NULL), *text = NULL;
  g_autoptr (GError) error = NULL;
  g_assert_true (loom_chart_view_save (LOOM_CHART_VIEW (widget_of (panel, "Phases of the job")), path, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<svg"));
  fixture_close (window);
}

/* In words: with all values where there are few, with the ends where there are many. */
static void
test_words (void)
{
  LoomWindow *window = open_sample ();
  LoomAnalysisPanel *panel = show (window, "overview");
  g_autofree char *few = loom_chart_view_dup_description (loom_chart_view_get_chart (LOOM_CHART_VIEW (widget_of (panel, "Phases of the job"))));
  g_assert_true (g_str_has_prefix (few, "Phases of the job: initialization "));
  g_assert_nonnull (strstr (few, ", finalization "));
  panel = show (window, "steps");
  g_autofree char *many = loom_chart_view_dup_description (loom_chart_view_get_chart (LOOM_CHART_VIEW (widget_of (panel, "Duration of each step"))));
  g_assert_nonnull (strstr (many, "48 values, lowest "));
  g_assert_nonnull (strstr (many, " · step 6)"));
  fixture_close (window);
}

/* --- numbers --------------------------------------------------------------------------------------------------------- */

static void
set_numbers (LoomWindow *window, LoomNumbers numbers)
{
  loom_analysis_set_numbers (loom_run_view_get_analysis (loom_window_get_run_view (window)), numbers);
}

static gboolean
says_compatible (LoomAnalysisPanel *panel)
{
  return strstr (loom_analysis_panel_get_summary (panel), "SageMaker-compatible numbers") != NULL;
}

static char *
write_job (const char *folder)
{
  static const char text[] =
    "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":1735632360000000}},"
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"Step:ModeKeys.TRAIN\"}},"
    "{\"name\":\"Step:ModeKeys.TRAIN\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":1000,\"dur\":500.75,\"args\":{\"step_num\":\"1\"}},"
    "{\"name\":\"Step:ModeKeys.TRAIN\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":2000,\"dur\":500.75,\"args\":{\"step_num\":\"2\"}}]";
  g_autofree char *pevents = g_build_filename (folder, "framework", "pevents", "2024123108", NULL);
  g_assert_cmpint (g_mkdir_with_parents (pevents, 0755), ==, 0);
  g_autofree char *file = fixture_file (pevents, "1735632360100000_0-algo-1_pythontimeline.json", text);
  return g_strdup (folder);
}

static double
first_step_ns (LoomAnalysisPanel *panel)
{
  LoomChart *chart = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget_of (panel, "Duration of each step")));
  return g_array_index (chart->lines.points, LoomChartPoint, 0).y;
}

/* As SageMaker's analysis counts, in whole µs, and back again; the page says so. */
static void
test_numbers (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder (), *job = write_job (folder);
  fixture_open (window, job);
  LoomAnalysisPanel *panel = show (window, "steps");
  g_assert_cmpfloat (first_step_ns (panel), ==, 500750);
  g_assert_false (says_compatible (panel));
  set_numbers (window, LOOM_NUMBERS_SMDEBUG);
  g_assert_cmpfloat (first_step_ns (wait_for (panel)), ==, 500000);
  g_assert_true (says_compatible (panel));
  set_numbers (window, LOOM_NUMBERS_INTENDED);
  g_assert_cmpfloat (first_step_ns (wait_for (panel)), ==, 500750);
  g_assert_false (says_compatible (panel));
  fixture_close (window);
}

/* Every page of the sample has figures in these numbers too. */
static void
test_numbers_of_pages (void)
{
  LoomWindow *window = open_sample ();
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  set_numbers (window, LOOM_NUMBERS_SMDEBUG);
  for (guint i = 0; i < n; i++) {
    LoomAnalysisPanel *panel = show (window, pages[i].id);
    g_assert_true (says_compatible (panel));
    g_assert_false (lacks_something (panel));
  }
  fixture_close (window);
}

/* A run SageMaker's library cannot read has no such numbers: those there are stay. */
static void
test_numbers_of_others (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "trace.json", "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5.5}]}");
  set_numbers (window, LOOM_NUMBERS_SMDEBUG);
  fixture_open (window, path);
  g_assert_false (says_compatible (show (window, "steps")));
  fixture_close (window);
}

/* --- runs that lack something ---------------------------------------------------------------------------------------- */

static void
test_missing (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "trace.json", "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5},"
                                                             "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":5}]}");
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  fixture_open (window, path);
  for (guint i = 0; i < n; i++) {
    LoomAnalysisPanel *panel = show (window, pages[i].id);
    g_assert_true (lacks_something (panel));
  }
  set_scope (window, LOOM_SCOPE_LOOP);
  g_assert_true (lacks_something (show (window, "utilization")));
  fixture_close (window);
}

/* --- names ----------------------------------------------------------------------------------------------------------- */

static gboolean
has_text_below (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_label_get_text (GTK_LABEL (widget))[0] != '\0')
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (has_text_below (child))
      return TRUE;
  return FALSE;
}

/* Whatever takes the focus says what it is: by its text, its tooltip, or as a chart by its title. */
static void
check_names (GtkWidget *widget)
{
  if (gtk_widget_get_mapped (widget) && (GTK_IS_BUTTON (widget) || GTK_IS_DROP_DOWN (widget) || LOOM_IS_CHART_VIEW (widget))) {
    gboolean named = has_text_below (widget) || gtk_widget_get_tooltip_text (widget) != NULL;
    if (LOOM_IS_CHART_VIEW (widget))
      named = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget))->title[0] != '\0';
    if (!named)
      g_error ("a %s has no name", G_OBJECT_TYPE_NAME (widget));
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    check_names (child);
}

static void
test_names (void)
{
  LoomWindow *window = open_sample ();
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++) {
    show (window, pages[i].id);
    check_names (gtk_widget_get_parent (GTK_WIDGET (stack_of (window))));
  }
  fixture_close (window);
}

/* A window closed in the middle of the work goes in peace. */
static void
test_close_at_work (void)
{
  LoomWindow *window = open_sample ();
  gtk_stack_set_visible_child_name (stack_of (window), "overview");
  fixture_spin (1);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/analysis/pages", test_pages);
  g_test_add_func ("/analysis/steps", test_steps);
  g_test_add_func ("/analysis/visible", test_visible);
  g_test_add_func ("/analysis/other-scopes", test_other_scopes);
  g_test_add_func ("/analysis/selection-page", test_selection_page);
  g_test_add_func ("/analysis/never-new-names-on-old-figures", test_never_new_names_on_old_figures);
  g_test_add_func ("/analysis/names-of-range", test_names_of_range);
  g_test_add_func ("/analysis/leads-back", test_leads_back);
  g_test_add_func ("/analysis/bottlenecks-lead-back", test_bottlenecks_lead_back);
  g_test_add_func ("/analysis/samples-lead-back", test_samples_lead_back);
  g_test_add_func ("/analysis/bottleneck-marks", test_bottleneck_marks);
  g_test_add_func ("/analysis/thresholds", test_thresholds);
  g_test_add_func ("/analysis/holds", test_holds);
  g_test_add_func ("/analysis/keyboard", test_keyboard);
  g_test_add_func ("/analysis/copies", test_copies);
  g_test_add_func ("/analysis/save", test_save);
  g_test_add_func ("/analysis/words", test_words);
  g_test_add_func ("/analysis/numbers", test_numbers);
  g_test_add_func ("/analysis/numbers-of-pages", test_numbers_of_pages);
  g_test_add_func ("/analysis/numbers-of-others", test_numbers_of_others);
  g_test_add_func ("/analysis/missing", test_missing);
  g_test_add_func ("/analysis/names", test_names);
  g_test_add_func ("/analysis/close-at-work", test_close_at_work);
  return fixture_run ();
}
