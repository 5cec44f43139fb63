/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the panels (pages of results) of the window: every control has a name for screen readers, ranges and thresholds
 * can be chosen, elements lead to the timeline, and findings can be explained and dismissed.
 */
#include "groups.h"
#include "loom-analysis-window.h"
#include "loom-compare-window.h"
#include "loom-empty-page.h"
#include "loom-finding-row.h"
#include "loom-overview-bar.h"
#include "loom-session-file.h"
#include "panels.h"

#include <string.h>

/* --- names ----------------------------------------------------------------------------------------------------------- */

static gboolean
has_text_below (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_label_get_text (GTK_LABEL (widget))[0] != '\0')
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_text_below (child))
      return TRUE;
  return FALSE;
}

/* Every focusable widget has a text, a tooltip or an accessible name; a chart has its title. */
static void
check_names (GtkWidget *widget)
{
  if (gtk_widget_get_mapped (widget) &&
      (GTK_IS_BUTTON (widget) || GTK_IS_DROP_DOWN (widget) || LOOM_IS_CHART_VIEW (widget))) {
    gboolean named = has_text_below (widget) || gtk_widget_get_tooltip_text (widget) != NULL;
    if (LOOM_IS_CHART_VIEW (widget))
      named = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget))->title[0] != '\0';
    if (!named)
      g_error ("a %s has no name", G_OBJECT_TYPE_NAME (widget));
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_names (child);
}

static void
test_names (void)
{
  LoomWindow *window = panels_open_sample ();
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++) {
    panels_show (window, pages[i].id);
    check_names (GTK_WIDGET (panels_analysis (window)));
  }
  fixture_close (window);
}

/* Closing a window while its panels compute is safe. */
static void
test_close_at_work (void)
{
  LoomWindow *window = panels_open_sample ();
  panels_turn (window, "overview");
  fixture_spin (1);
  fixture_close (window);
}

/* --- ranges and thresholds ------------------------------------------------------------------------------------------- */

static GtkWidget *
find_back (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget) && gtk_button_get_label (GTK_BUTTON (widget)) != NULL &&
      g_str_has_prefix (gtk_button_get_label (GTK_BUTTON (widget)), "Back to"))
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_back (child);
  return found;
}

static void
assert_range (LoomAnalysisPanel *panel, LoomRange wanted)
{
  LoomRange range = panels_sheet (panels_wait (panel))->range;
  g_assert_cmpint (range.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (range.end_ns, ==, wanted.end_ns);
}

/* A range that the user makes on the timeline becomes the range of the panels at once, and a button appears that
 * restores the earlier range. A range that a panel selects on the timeline, such as by a table row, does not change the
 * range of the panels. */
static void
test_range_made (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomTimelineState *state = fixture_state (window);
  LoomRange all = panels_sheet (panel)->range,
            made = { all.begin_ns + LOOM_NS_PER_S, all.begin_ns + 20 * LOOM_NS_PER_S };
  GtkDropDown *choice = panels_range (panels_range_chooser (window));
  loom_timeline_state_select_range (state, made); /* panels select a range in this way, for example for a table row */
  assert_range (panel, all);
  g_assert_null (find_back (panels_range_chooser (window)));
  loom_timeline_state_make_range (state, made);
  assert_range (panel, made);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_SELECTION);
  GtkWidget *back = find_back (panels_range_chooser (window));
  g_assert_true (back != NULL && gtk_widget_get_visible (back));
  g_signal_emit_by_name (back, "clicked");
  assert_range (panel, all);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_ALL);
  g_assert_false (gtk_widget_get_visible (back));
  loom_timeline_state_make_range (state, made);
  assert_range (panel, made);
  loom_timeline_state_select_nothing (state); /* the range on the timeline is removed */
  assert_range (panel, all);
  g_assert_false (gtk_widget_get_visible (back));
  loom_timeline_state_make_range (state, made);
  /* the user chose “Visible” explicitly, so the button that restores the earlier range is hidden */
  gtk_drop_down_set_selected (choice, LOOM_RANGE_SCOPE_VISIBLE);
  panels_wait (panel);
  g_assert_false (gtk_widget_get_visible (back));
  loom_timeline_state_select_nothing (state);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_VISIBLE);
  fixture_close (window);
}

static GMutex gate; /* the test locks it, so that tasks in worker threads wait */

static void
wait_at_gate (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_task_return_boolean (task, TRUE);
}

static gboolean
is_dimmed (gpointer view)
{
  return gtk_widget_has_css_class (view, "old");
}

/* While all worker threads are busy, figures of a new range cannot be computed: the panel dims the figures of the old
 * range. */
static void
test_dimmed (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  GtkWidget *view = GTK_WIDGET (loom_analysis_panel_get_view (panel));
  g_mutex_lock (&gate);
  for (guint i = 0; i < 64; i++) { /* more tasks than GLib's thread pool starts in the next seconds */
    g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
    g_task_run_in_thread (task, wait_at_gate);
  }
  panels_set_scope (window, LOOM_RANGE_SCOPE_LOOP);
  g_assert_false (is_dimmed (view));
  g_assert_true (fixture_wait (is_dimmed, view));
  g_mutex_unlock (&gate);
  panels_wait (panel);
  g_assert_false (is_dimmed (view));
  fixture_close (window);
}

static GtkWidget *
find_class (GtkWidget *widget, const char *name)
{
  GtkWidget *found = gtk_widget_has_css_class (widget, name) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_class (child, name);
  return found;
}

/* A page that has nothing to show displays a text in its middle that says which data is missing. Pages that show
 * figures have no such text. */
static void
test_bare (void)
{
  LoomWindow *window = panels_open_sample ();
  GtkWidget *hang = GTK_WIDGET (loom_analysis_panel_get_view (panels_show (window, "hang"))),
            *page = find_class (hang, "empty-page");
  g_assert_nonnull (page);
  g_assert_cmpint (*gtk_label_get_text (GTK_LABEL (find_class (page, "title-1"))), !=, '\0');
  GtkWidget *steps = GTK_WIDGET (loom_analysis_panel_get_view (panels_show (window, "steps")));
  g_assert_null (find_class (steps, "empty-page"));
  fixture_close (window);
}

/* The title of an empty page is not cut off if it needs several lines: a narrow page is higher than a wide one. */
static void
test_bare_narrow (void)
{
  GtkWidget *page = g_object_ref_sink (loom_empty_page_new ("The data that this page shows were not recorded.", NULL));
  int narrow_px, wide_px;
  gtk_widget_measure (page, GTK_ORIENTATION_VERTICAL, 300, NULL, &narrow_px, NULL, NULL);
  gtk_widget_measure (page, GTK_ORIENTATION_VERTICAL, 2000, NULL, &wide_px, NULL, NULL);
  g_assert_cmpint (narrow_px, >, wide_px);
  g_object_unref (page);
}

static gboolean
has_no_outliers (gpointer panel)
{
  return !loom_analysis_page_is_outdated (loom_analysis_panel_get_page (panel)) &&
         !panels_has_block (panel, "Outlier steps");
}

/* The outlier step of the sample takes 3.7 times the median. A changed threshold applies to other windows and is saved.
 */
static void
test_thresholds (void)
{
  LoomWindow *window = panels_open_sample (), *other = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps"), *of_other = panels_show (other, "steps");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (panels_thresholds (window))));
  g_assert_true (panels_has_block (panel, "Outlier steps"));
  loom_threshold_button_set (panels_thresholds (window), (LoomAnalysisThresholds) { { 90, 10 }, 5, 0.5 });
  g_signal_emit_by_name (panels_thresholds (window), "changed");
  g_assert_true (fixture_wait (has_no_outliers, panel));
  g_assert_true (fixture_wait (has_no_outliers, of_other));
  g_assert_cmpfloat (loom_threshold_button_get (panels_thresholds (other)).outlier_factor, ==, 5);
  LoomWindow *third = panels_open_sample ();
  g_assert_false (panels_has_block (panels_show (third, "steps"), "Outlier steps"));
  loom_threshold_button_reset (panels_thresholds (third));
  g_assert_true (panels_has_block (panels_wait (panel), "Outlier steps"));
  fixture_close (third);
  fixture_close (other);
  fixture_close (window);
}

/* --- links to the timeline --- */

/* Clicking a step in the chart shows the step on the timeline and selects its span. Activating it with the keyboard, or
 * activating a row of the table of outliers, does the same. */
static void
test_leads_back (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomTimelineState *state = fixture_state (window);
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  GtkWidget *chart = panels_widget (panel, "Duration of each step");
  LoomNavigationTarget place;
  g_assert_true (
    loom_page_content_get_place (panels_sheet (panel), panels_find_block (panel, "Duration of each step"), 6, &place));
  panels_click (chart, 6);
  panels_wait_in_view (window, place.range);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), place.spans[0]));
  loom_timeline_state_select_nothing (state);
  loom_chart_view_set_focused (LOOM_CHART_VIEW (chart), 6);
  g_assert_true (panels_press (chart, GDK_KEY_Return));
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), place.spans[0]));
  loom_timeline_state_select_nothing (state);
  g_signal_emit_by_name (panels_widget (panel, "Outlier steps"), "row-activated", 0u);
  g_assert_false (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (state)));
  fixture_close (window);
}

static GtkAdjustment *
scroll_of (LoomAnalysisPanel *panel)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (gtk_widget_get_template_child (
    GTK_WIDGET (loom_analysis_panel_get_view (panel)), LOOM_TYPE_PAGE_VIEW, "scrolled")));
}

/* A click on an element of a chart leads to the timeline. When the user returns to the page, its scroll position is
 * nearly unchanged: GTK scrolls only as far as needed to make the whole chart visible. */
static void
test_stays (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  gtk_adjustment_set_value (scroll_of (panel), 40);
  fixture_frames (window);
  panels_click (panels_widget (panel, "Duration of each step"), 6);
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "selection");
  fixture_frames (window);
  panels_show (window, "steps");
  fixture_frames (window);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (scroll_of (panel)), 40, 20);
  fixture_close (window);
}

static gpointer
part_of (gpointer widget, GType type, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (widget), type, name);
}

static GtkWidget *
find_analysis_window (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (gtk_window_get_title (window) != NULL && g_str_has_prefix (gtk_window_get_title (window), "Analysis – "))
      return GTK_WIDGET (window); /* borrowed: GTK owns the window */
  }
  return NULL;
}

/* A page can be moved to a window of its own; the main window then shows the timeline. Closing the main window also
 * closes the window of the page. */
static void
test_own_window (void)
{
  LoomWindow *window = panels_open_sample ();
  panels_show (window, "steps");
  g_signal_emit_by_name (part_of (panels_analysis (window), LOOM_TYPE_ANALYSIS_VIEW, "new_window"), "clicked");
  GtkWidget *other = find_analysis_window ();
  g_assert_nonnull (other);
  LoomAnalysisView *view = LOOM_ANALYSIS_VIEW (fixture_find_type (GTK_WIDGET (other), LOOM_TYPE_ANALYSIS_VIEW));
  g_assert_cmpstr (loom_analysis_view_get_page (view), ==, "steps");
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "selection");
  LoomAnalysisPanel *panel = panels_wait (LOOM_ANALYSIS_PANEL (loom_analysis_view_get_panel (view, "steps")));
  g_assert_true (panels_has_block (panel, "Outlier steps"));
  loom_analysis_view_set_page (view, "stragglers");
  panels_wait (LOOM_ANALYSIS_PANEL (loom_analysis_view_get_panel (view, "stragglers")));
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "selection");
  fixture_close (window);
  g_assert_null (find_analysis_window ());
}

/* --- findings -------------------------------------------------------------------------------------------------------- */

static gboolean
is_evaluated (gpointer window)
{
  LoomFindingsState *state = loom_run_state_get_findings (loom_window_get_run_state (window));
  return !loom_findings_state_is_working (state) && loom_findings_state_get_findings (state) != NULL;
}

static GtkListBox *
list_of (LoomWindow *window, const char *name)
{
  return part_of (panels_findings (window), LOOM_TYPE_FINDINGS_PANEL, name);
}

static gpointer
first_row (LoomWindow *window, const char *list)
{
  return gtk_list_box_get_row_at_index (list_of (window, list), 0);
}

static gboolean
has_found (gpointer window)
{
  return first_row (window, "found") != NULL;
}

static gboolean
has_dismissed (gpointer window)
{
  return first_row (window, "dismissed") != NULL;
}

static LoomWindow *
open_findings (void)
{
  LoomWindow *window = panels_open_sample ();
  g_assert_true (fixture_wait (is_evaluated, window));
  panels_turn (window, "findings");
  g_assert_true (fixture_wait (has_found, window));
  return window;
}

static gboolean
has_places (gpointer view)
{
  return fixture_find_type (view, LOOM_TYPE_TABLE_VIEW) != NULL;
}

/* Selecting a finding selects its range on the timeline. Its explanation is built when the user expands it. The table
 * of places in the explanation leads to the timeline. */
static void
test_finding (void)
{
  LoomWindow *window = open_findings ();
  GtkListBoxRow *row = first_row (window, "found");
  LoomRange meant = loom_finding_row_get_finding (LOOM_FINDING_ROW (row))->range;
  g_signal_emit_by_name (list_of (window, "found"), "row-activated", row);
  LoomRange range;
  g_assert_true (loom_timeline_state_get_selected_range (fixture_state (window), &range));
  g_assert_cmpint (range.begin_ns, ==, meant.begin_ns);
  panels_wait_in_view (window, meant);
  loom_timeline_state_select_nothing (fixture_state (window));
  GtkExpander *explain = part_of (row, LOOM_TYPE_FINDING_ROW, "explain");
  g_assert_null (gtk_expander_get_child (explain));
  loom_finding_row_set_explained (LOOM_FINDING_ROW (row), TRUE);
  g_assert_true (fixture_wait (has_places, explain)); /* the blocks of a page are built in several iterations of the
                                                       * main loop */
  g_signal_emit_by_name (fixture_find_type (GTK_WIDGET (explain), LOOM_TYPE_TABLE_VIEW), "row-activated", 0);
  g_assert_true (loom_timeline_state_get_selected_range (fixture_state (window), &range));
  fixture_close (window);
}

/* The page of findings shows a headline, figures and the list of findings, in this order, also for a single finding. */
static void
test_headline (void)
{
  LoomWindow *window = open_findings ();
  GtkWidget *panel = GTK_WIDGET (panels_findings (window)),
            *view = gtk_widget_get_ancestor (panel, LOOM_TYPE_PAGE_VIEW),
            *figures = part_of (view, LOOM_TYPE_PAGE_VIEW, "first"),
            *headline = part_of (view, LOOM_TYPE_PAGE_VIEW, "headline");
  g_assert_true (gtk_widget_get_visible (headline));
  g_assert_true (gtk_widget_get_prev_sibling (panel) == figures && gtk_widget_get_prev_sibling (figures) == headline);
  fixture_close (window);
}

/* A finding dismissed with a note moves to the list of dismissed findings, and can be restored. */
static void
test_dismissed (void)
{
  LoomWindow *window = open_findings ();
  GHashTable *dismissed = loom_run_rules_get_dismissed (loom_run_state_get_rules (loom_window_get_run_state (window)));
  GtkWidget *row = first_row (window, "found");
  GtkLabel *empty = part_of (panels_findings (window), LOOM_TYPE_FINDINGS_PANEL, "empty_title");
  g_assert_cmpstr (gtk_label_get_text (empty), ==, "");
  gtk_editable_set_text (part_of (row, LOOM_TYPE_FINDING_ROW, "note"), " as it should be ");
  g_signal_emit_by_name (part_of (row, LOOM_TYPE_FINDING_ROW, "note"), "activate");
  g_assert_true (fixture_wait (has_dismissed, window));
  g_assert_cmpstr (g_hash_table_lookup (dismissed, "CommunicationShare"), ==, "as it should be");
  g_assert_null (first_row (window, "found"));
  g_assert_cmpstr (gtk_label_get_text (empty), ==, "Nothing Found");
  row = first_row (window, "dismissed");
  g_assert_cmpstr (gtk_label_get_text (part_of (row, LOOM_TYPE_FINDING_ROW, "dismissed")), ==,
                   "Dismissed: as it should be");
  g_signal_emit_by_name (part_of (row, LOOM_TYPE_FINDING_ROW, "restore"), "clicked");
  g_assert_true (fixture_wait (has_found, window));
  g_assert_cmpuint (g_hash_table_size (dismissed), ==, 0);
  g_assert_nonnull (first_row (window, "found"));
  fixture_close (window);
}

static gboolean
has_tip (GtkWidget *widget, double x)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows;
  g_signal_emit_by_name (widget, "query-tooltip", (int) x, 3, FALSE, tooltip, &shows);
  return shows;
}

/* A finding has a button that opens the page about the finding; the label of the button is the name of that page. Here
 * the finding names a late rank, so the page is “Stragglers”. */
static void
test_finding_page (void)
{
  LoomWindow *window = open_findings ();
  GtkListBoxRow *row = first_row (window, "found");
  GtkButton *page = part_of (row, LOOM_TYPE_FINDING_ROW, "page");
  g_assert_cmpstr (loom_finding_row_get_finding (LOOM_FINDING_ROW (row))->result->name, ==, "CommunicationShare");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (page)));
  g_assert_cmpstr (gtk_button_get_label (page), ==, "Stragglers ›");
  g_signal_emit_by_name (page, "clicked");
  fixture_frames (window);
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "stragglers");
  fixture_close (window);
}

/* A click on the line of a finding in the overview opens the summary; a click below it only moves the view. */
static void
test_finding_line (void)
{
  LoomWindow *window = open_findings ();
  LoomRunState *run = loom_window_get_run_state (window);
  fixture_wait_facts (window);
  loom_run_state_set_page (run, "selection");
  fixture_frames (window);
  GtkWidget *bar = fixture_find_type (GTK_WIDGET (loom_window_get_run_view (window)), LOOM_TYPE_OVERVIEW_BAR);
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (fixture_state (window), &options);
  double x = loom_timeline_painter_overview_x (loom_timeline_state_get_overview (fixture_state (window)),
                                               gtk_widget_get_width (bar), options.findings[0].range.begin_ns);
  GtkEventController *drag = fixture_controller (bar, GTK_TYPE_GESTURE_DRAG);
  for (guint i = 0; i < 2; i++) {
    g_signal_emit_by_name (drag, "drag-begin", x + 1, i == 0 ? 30.0 : 2.0);
    g_signal_emit_by_name (drag, "drag-end", 0.0, 0.0);
    fixture_rest (window);
    g_assert_cmpstr (loom_run_state_get_page (run), ==, i == 0 ? "selection" : "overview");
  }
  fixture_close (window);
}

/* The overview shows the name of a finding only while the pointer is over the mark of the finding at its top. */
static void
test_named (void)
{
  LoomWindow *window = open_findings ();
  fixture_wait_facts (window);
  GtkWidget *bar = fixture_find_type (GTK_WIDGET (loom_window_get_run_view (window)), LOOM_TYPE_OVERVIEW_BAR);
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (fixture_state (window), &options);
  LoomMinimapData *overview = loom_timeline_state_get_overview (fixture_state (window));
  double width = gtk_widget_get_width (bar),
         finding = loom_timeline_painter_overview_x (overview, width, options.findings[0].range.begin_ns),
         finding_end = 0;
  for (guint i = 0; i < options.n_findings; i++)
    finding_end =
      MAX (finding_end, loom_timeline_painter_overview_x (overview, width, options.findings[i].range.end_ns));
  g_assert_cmpuint (options.n_bottlenecks, >, 0);
  g_assert_true (has_tip (bar, finding));
  g_assert_true (has_tip (bar, finding + 3));
  g_assert_true (has_tip (bar, finding_end));
  g_assert_false (has_tip (bar, finding_end + 12));
  g_assert_true (has_tip (bar, loom_timeline_painter_overview_x (overview, width, options.bottlenecks_ns[0])));
  g_assert_false (has_tip (bar, width - 2));
  fixture_close (window);
}

/* --- comparison of two runs --- */

static LoomCompareWindow *
find_compare_window (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    if (LOOM_IS_COMPARE_WINDOW (window))
      return LOOM_COMPARE_WINDOW (window); /* borrowed: GTK owns the window */
  }
  return NULL;
}

static gboolean
can_compare (gpointer window)
{
  return g_action_group_get_action_enabled (window, "compare");
}

static gboolean
has_compared (gpointer window)
{
  return loom_table_view_get_table (part_of (window, LOOM_TYPE_COMPARE_WINDOW, "names")) != NULL;
}

static gboolean
is_comparing (gpointer window)
{
  return gtk_spinner_get_spinning (part_of (window, LOOM_TYPE_COMPARE_WINDOW, "spinner"));
}

static gboolean
is_idle (gpointer window)
{
  return !is_comparing (window);
}

/* Returns TRUE if the headline says how long a step takes in each run, which it does after the comparison. */
static gboolean
has_answer (LoomCompareWindow *compare)
{
  return strstr (gtk_label_get_text (part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "headline")), "median ") != NULL;
}

/* Swapping exchanges both names and repeats the comparison. */
static void
check_swap (LoomCompareWindow *compare)
{
  GtkLabel *before = part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "name_before"),
           *after = part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "name_after");
  g_autofree char *first = g_strdup (gtk_label_get_text (before)), *second = g_strdup (gtk_label_get_text (after));
  gtk_widget_activate_action (GTK_WIDGET (compare), "compare.swap", NULL);
  g_assert_true (is_comparing (compare));
  g_assert_cmpstr (gtk_label_get_text (before), ==, second);
  g_assert_cmpstr (gtk_label_get_text (after), ==, first);
  g_assert_true (fixture_wait (is_idle, compare));
  g_assert_true (has_answer (compare));
}

/* In the window that compares two runs, a file or a saved session can replace one of them. A file that cannot be read,
 * or a session whose files would have to be fetched, leaves both runs unchanged. */
static void
check_choice (LoomCompareWindow *compare)
{
  GtkLabel *after = part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "name_after"),
           *headline = part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "headline");
  g_autofree char *rank =
    g_build_filename (fixture_sample (), "llama-8b", "composer", "traces", "ep0-ba5-rank0.json", NULL);
  g_autofree char *name = g_strdup (gtk_label_get_text (after));
  loom_compare_window_open (compare, 1, (const char *const[]) { "/nowhere/run.json", NULL });
  g_assert_cmpstr (gtk_label_get_text (headline), ==, "Loading…");
  g_assert_true (fixture_wait (is_idle, compare));
  g_assert_cmpstr (gtk_label_get_text (after), ==, name);
  g_assert_true (has_answer (compare));
  loom_compare_window_open (compare, 1, (const char *const[]) { rank, NULL });
  g_assert_true (fixture_wait (is_idle, compare));
  g_assert_cmpstr (gtk_label_get_text (after), ==, "ep0-ba5-rank0.json");
  g_autofree char *folder = fixture_folder (), *before = g_build_filename (folder, "before.traceloom", NULL);
  g_autoptr (LoomSession) session = loom_session_file_new ();
  loom_session_file_add_path (session, rank);
  g_assert_true (loom_session_file_write (session, before, NULL));
  loom_compare_window_open (compare, 1, (const char *const[]) { before, NULL });
  g_assert_true (fixture_wait (is_idle, compare));
  g_assert_cmpstr (gtk_label_get_text (after), ==, "before");
  loom_session_file_add_path (session, "s3://bucket/run");
  g_assert_true (loom_session_file_write (session, before, NULL));
  loom_compare_window_open (compare, 1, (const char *const[]) { before, NULL });
  g_assert_true (fixture_wait (is_idle, compare));
  g_assert_true (has_answer (compare));
}

#ifndef __SANITIZE_ADDRESS__
static GtkWindow *
find_file_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (GTK_IS_FILE_CHOOSER (window))
      return window; /* borrowed: GTK owns the window */
  }
  return NULL;
}

static gboolean
is_in_folder (gpointer path)
{
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (find_file_dialog ()));
  g_autofree char *now = folder != NULL ? g_file_get_path (folder) : NULL;
  return g_strcmp0 (now, path) == 0;
}

/* The dialog that asks for the folder of a run names the run that is replaced, and starts in the folder that contains
 * the folder of the other run. */
static void
check_dialog (LoomCompareWindow *compare)
{
  static const char *const titles[] = { "Choose the Run “Before”", "Choose the Run “After”" };
  g_autofree char *parent = g_strdup (fixture_sample ()); /* all files of the sample are in one folder in it */
  for (guint which = 0; which < 2; which++) {
    gtk_widget_activate_action (GTK_WIDGET (compare), "compare.open", "(ub)", which, TRUE);
    GtkWindow *dialog = find_file_dialog ();
    g_assert_nonnull (dialog);
    g_assert_cmpstr (gtk_window_get_title (dialog), ==, titles[which]);
    g_assert_true (fixture_wait (is_in_folder, parent));
    gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  }
}
#endif

/* Runs in two tabs can be compared; the window shows their names, their steps and the longest spans of a row. */
static void
test_compare (void)
{
  LoomWindow *window = panels_open_sample ();
  GActionGroup *actions = G_ACTION_GROUP (window);
  g_assert_true (can_compare (window)); /* the run in the first tab can be compared with another run in its folder */
  loom_window_add_tab (window, TRUE);
  fixture_open (window, fixture_sample ());
  g_action_group_activate_action (actions, "previous-tab", NULL);
  g_assert_true (fixture_wait (can_compare, window));
  g_action_group_activate_action (actions, "compare", NULL);
  LoomCompareWindow *compare = find_compare_window ();
  g_assert_nonnull (compare);
  g_assert_true (fixture_wait (has_compared, compare));
  g_assert_true (gtk_widget_get_visible (part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "step_box")));
  g_assert_true (
    g_str_has_prefix (gtk_label_get_text (part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "aligned")), "Aligned at step "));
  g_assert_true (has_answer (compare));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "tables")), ==,
                   "parts");
  g_signal_emit_by_name (part_of (compare, LOOM_TYPE_COMPARE_WINDOW, "names"), "row-activated", 0u);
  for (guint i = 0; i < 2; i++) {
    LoomTimelineView *view = part_of (compare, LOOM_TYPE_COMPARE_WINDOW, i == 0 ? "view_before" : "view_after");
    g_assert_false (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (loom_timeline_view_get_state (view))));
  }
  check_swap (compare);
#ifndef __SANITIZE_ADDRESS__ /* the file chooser of GTK 4.8 leaks 1 KB in each process that shows it */
  check_dialog (compare);
#endif
  check_choice (compare);
  gtk_window_close (GTK_WINDOW (compare));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/panels/names", test_names);
  g_test_add_func ("/panels/close-at-work", test_close_at_work);
  g_test_add_func ("/panels/range-made", test_range_made);
  g_test_add_func ("/panels/dimmed", test_dimmed);
  g_test_add_func ("/panels/bare", test_bare);
  g_test_add_func ("/panels/bare-narrow", test_bare_narrow);
  g_test_add_func ("/panels/thresholds", test_thresholds);
  g_test_add_func ("/panels/leads-back", test_leads_back);
  g_test_add_func ("/panels/stays", test_stays);
  g_test_add_func ("/panels/own-window", test_own_window);
  g_test_add_func ("/panels/finding", test_finding);
  g_test_add_func ("/panels/headline", test_headline);
  g_test_add_func ("/panels/finding-page", test_finding_page);
  g_test_add_func ("/panels/finding-line", test_finding_line);
  g_test_add_func ("/panels/dismissed", test_dismissed);
  g_test_add_func ("/panels/named", test_named);
  g_test_add_func ("/panels/compare", test_compare);
  groups_add_page_list ();
  return fixture_run ();
}
