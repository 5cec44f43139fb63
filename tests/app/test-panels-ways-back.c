/* SPDX-License-Identifier: Apache-2.0
 *
 * From an element of a panel to its place on the timeline.
 */
#include "panels.h"

#include <math.h>
#include <string.h>

typedef struct {
  LoomWindow *window;
  gint64 duration_ns;
} Closeness;

static gboolean
is_close (gpointer data)
{
  const Closeness *close = data;
  LoomViewport view = fixture_view (close->window);
  return view.end_ns - view.begin_ns < close->duration_ns;
}

/* A click on a step goes to it and outlines its span; the row of an outlier does as well. */
static void
test_leads_back (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomNavigationTarget place;
  guint block = panels_find_block (panel, "Duration of each step");
  panels_click (panels_widget (panel, "Duration of each step"), 6);
  g_assert_true (loom_page_content_get_place (panels_sheet (panel), block, 6, &place));
  panels_wait_in_view (window, place.range);
  LoomSpanId lead = loom_timeline_state_get_lead (fixture_state (window));
  g_assert_cmpuint (place.n_spans, ==, 1);
  g_assert_true (loom_timeline_span_id_equal (lead, place.spans[0]));
  Closeness close = { window, 3 * (place.range.end_ns - place.range.begin_ns) };
  g_assert_true (fixture_wait (is_close, &close));
  loom_timeline_state_select_nothing (fixture_state (window));
  g_signal_emit_by_name (panels_widget (panel, "Outlier steps"), "row-activated", 0u);
  g_assert_false (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (fixture_state (window))));
  fixture_close (window);
}

static void
note_scrolls (GtkWidget *window, GParamSpec *pspec, gboolean *scrolls)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), GTK_TYPE_VIEWPORT);
  *scrolls = gtk_viewport_get_scroll_to_focus (GTK_VIEWPORT (viewport));
}

/* The panel, which may be lower than the chart, does not scroll to the chart that is clicked. GTK scrolls when the focus moves in a
 * window that is active, as none is without a window manager: what it asks then is looked at. */
static void
test_stays (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  GtkWidget *chart = panels_widget (panel, "Duration of each step");
  gboolean scrolls = TRUE;
  gtk_widget_grab_focus (
    loom_timeline_view_get_tracks (loom_run_page_get_timeline_view (loom_window_get_run_view (window))));
  g_signal_connect (window, "notify::focus-widget", G_CALLBACK (note_scrolls), &scrolls);
  panels_click (chart, 6);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == chart);
  g_assert_false (scrolls);
  note_scrolls (GTK_WIDGET (window), NULL, &scrolls);
  g_assert_true (scrolls); /* to what comes by Tab */
  g_signal_handlers_disconnect_by_data (window, &scrolls);
  fixture_close (window);
}

static LoomSpanId
lead_after_click (LoomWindow *window, LoomAnalysisPanel *panel, const char *title, guint element)
{
  loom_timeline_state_select_nothing (fixture_state (window));
  panels_click (panels_widget (panel, title), element);
  return loom_timeline_state_get_lead (fixture_state (window));
}

static const char *
name_of_span (LoomWindow *window, LoomSpanId id)
{
  g_assert_false (loom_timeline_span_id_is_none (id));
  const LoomTrace *trace = loom_run_get_trace (loom_document_get_run (loom_window_get_document (window)), id.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span])->text;
}

/* Bars come in pairs, at bottlenecks and otherwise: both lead to the same metric, and none to a data loader's process. */
static void
check_bars (LoomWindow *window, LoomAnalysisPanel *panel, guint block)
{
  guint n = loom_chart_get_n_elements (loom_page_content_get_block (panels_sheet (panel), block)->chart), both = 0;
  g_assert_cmpuint (n, >=, 4);
  for (guint i = 0; i + 1 < n; i += 2) {
    LoomNavigationTarget place, otherwise;
    g_assert_true (loom_page_content_get_place (panels_sheet (panel), block, i, &place));
    const char *name = name_of_span (window, place.spans[0]);
    g_assert_cmpstr (name, !=, "DataLoaderWorker");
    if (!loom_page_content_get_place (panels_sheet (panel), block, i + 1, &otherwise))
      continue;
    g_assert_cmpstr (name, ==, name_of_span (window, otherwise.spans[0]));
    both++;
  }
  g_assert_cmpuint (both, >, 0);
}

/* What ran at bottlenecks leads to the longest span of it: the slice, the row of the same metric, and the bar. */
static void
test_bottlenecks_lead_back (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "bottlenecks");
  LoomChart *pie =
    loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Training phases at bottlenecks")));
  const LoomChartSlice *slice = &g_array_index (pie->pie.slices, LoomChartSlice, 0);
  LoomSpanId lead = lead_after_click (window, panel, "Training phases at bottlenecks", 0);
  g_assert_cmpstr (name_of_span (window, lead), ==, slice->label);
  guint bars = panels_find_block (panel, "Mean duration at bottlenecks and otherwise");
  check_bars (window, panel, bars);
  guint pie_block = panels_find_block (panel, "Functions at bottlenecks, without data loader processes");
  LoomNavigationTarget place, same;
  g_assert_true (loom_page_content_get_place (panels_sheet (panel), bars, 0, &place));
  g_assert_true (loom_page_content_get_place (panels_sheet (panel), pie_block, 0, &same));
  g_assert_true (loom_timeline_span_id_equal (place.spans[0], same.spans[0]));
  fixture_close (window);
}

/* --- samples and bottlenecks ----------------------------------------------------------------------------------------- */

static const LoomTimelineAnnotations *
marks_of (LoomWindow *window)
{
  return loom_timeline_state_get_finding_marks (fixture_state (window));
}

static guint
find_element (LoomAnalysisPanel *panel, const char *title, guint first)
{
  LoomNavigationTarget place;
  guint block = panels_find_block (panel, title),
        n = loom_chart_get_n_elements (loom_page_content_get_block (panels_sheet (panel), block)->chart);
  for (guint i = first; i < n; i++)
    if (loom_page_content_get_place (panels_sheet (panel), block, i, &place))
      return i;
  g_error ("nothing of “%s” leads anywhere", title);
}

/* Of what was chosen the stretches lie over the timeline, in view, until something is selected. */
static void
assert_shows (LoomWindow *window, LoomAnalysisPanel *panel, const char *title, guint element)
{
  LoomNavigationTarget place;
  g_assert_true (loom_page_content_get_place (panels_sheet (panel), panels_find_block (panel, title), element, &place));
  g_assert_cmpuint (place.n_parts, >, 0);
  g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks_of (window)), ==, place.n_parts);
  panels_wait_in_view (window, place.range);
  loom_timeline_state_select_nothing (fixture_state (window));
  g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks_of (window)), ==, 0);
}

/* Bars, cells and rows that count samples lead to when these were taken; the keyboard does the same. */
static void
test_samples_lead_back (void)
{
  static const struct {
    const char *page, *title;
  } charts[] = { { "utilization", "GPU utilization" },
                 { "utilization", "CPU utilization in the training loop" },
                 { "balance", "Distance of workloads" },
                 { "balance", "algo-1 gpu0" } };
  LoomWindow *window = panels_open_sample ();
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++) {
    LoomAnalysisPanel *panel = panels_show (window, charts[i].page);
    guint element = find_element (panel, charts[i].title, 0);
    GtkWidget *chart = panels_widget (panel, charts[i].title);
    panels_click (chart, element);
    assert_shows (window, panel, charts[i].title, element);
    loom_chart_view_set_focused (LOOM_CHART_VIEW (chart), element);
    g_assert_true (panels_press (chart, GDK_KEY_Return));
    assert_shows (window, panel, charts[i].title, element);
  }
  g_signal_emit_by_name (panels_widget (panels_show (window, "balance"), "Pairs"), "row-activated", 0u);
  g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks_of (window)), >, 0);
  fixture_close (window);
}

/* --- devices --------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomWindow *window;
  const char *node, *device;
} Wanted;

static gboolean
draws_device (const LoomTimelineRow *row, const Wanted *wanted)
{
  for (guint i = 0; i < row->n_series; i++)
    if (g_strcmp0 (row->node, wanted->node) == 0 && strcmp (row->series[i].label, wanted->device) == 0)
      return TRUE;
  return FALSE;
}

/* The one row that is marked draws the device, and is on the screen. */
static gboolean
shows_row_of (gpointer data)
{
  const Wanted *wanted = data;
  LoomRowList *outline = loom_timeline_state_get_row_list (fixture_state (wanted->window));
  const char *const *rows = loom_timeline_annotations_get_rows (marks_of (wanted->window));
  if (rows[0] == NULL || rows[1] != NULL)
    return FALSE;
  guint row = loom_row_list_find (outline, rows[0]);
  LoomViewport view = fixture_view (wanted->window);
  double top = row != G_MAXUINT ? loom_row_list_row_top (outline, row, view.scroll_px) : -1;
  return row != G_MAXUINT && draws_device (loom_row_list_get_row (outline, row), wanted) && top >= 0 &&
         top < view.height_px;
}

/* Rows and cells that speak of one device lead to its row. */
static void
test_devices_lead_back (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "utilization");
  GtkWidget *table = panels_widget (panel, "Utilization by device");
  LoomResultTable *figures = loom_table_view_get_table (LOOM_TABLE_VIEW (table));
  Wanted wanted = { window, "algo-2", "gpu1" };
  for (guint row = 0; row < loom_result_table_get_n_rows (figures); row++) {
    g_autofree char *name = loom_result_table_dup_cell (figures, row, 0);
    if (strcmp (name, "algo-2 gpu1") == 0)
      g_signal_emit_by_name (table, "row-activated", row);
  }
  g_assert_true (fixture_wait (shows_row_of, &wanted));
  LoomNavigationTarget place;
  g_assert_true (
    loom_page_content_get_place (panels_sheet (panel), panels_find_block (panel, "Utilization over time"), 0, &place));
  g_signal_emit_by_name (panels_widget (panel, "Utilization over time"), "element-activated", 0u);
  wanted = (Wanted) { window, place.node, place.device };
  g_assert_true (fixture_wait (shows_row_of, &wanted));
  panels_wait_in_view (window, place.range);
  fixture_close (window);
}

/* Whether an element shows nothing: bins and cells without samples, iterators that were not used. */
static gboolean
is_empty (const LoomBlock *block, guint element)
{
  double value = block->kind == LOOM_BLOCK_CHART ? loom_chart_get_value (block->chart, element)
                                                 : loom_result_table_get_number (block->table, element, 1);
  if (block->kind == LOOM_BLOCK_TABLE && !loom_result_table_is_number (block->table, 1))
    return FALSE;
  return isnan (value) || value == 0;
}

static guint
count_elements (const LoomBlock *block)
{
  return block->kind == LOOM_BLOCK_CHART   ? loom_chart_get_n_elements (block->chart)
         : block->kind == LOOM_BLOCK_TABLE ? loom_result_table_get_n_rows (block->table)
                                           : 0;
}

/* No element of any page that shows something leads nowhere. */
static void
test_all_lead_back (void)
{
  LoomWindow *window = panels_open_sample ();
  guint n, n_elements = 0, n_nowhere = 0;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++) {
    LoomPageContent *sheet = panels_sheet (panels_show (window, pages[i].id));
    for (guint b = 0; b < loom_page_content_get_n_blocks (sheet); b++) {
      const LoomBlock *block = loom_page_content_get_block (sheet, b);
      for (guint element = 0; element < count_elements (block); element++) {
        LoomNavigationTarget place;
        n_elements++;
        if (loom_page_content_get_place (sheet, b, element, &place) || is_empty (block, element))
          continue;
        g_test_message ("%s: %u of “%s” leads nowhere", pages[i].id, element, block->text);
        n_nowhere++;
      }
    }
  }
  g_test_message ("%u elements", n_elements);
  g_assert_cmpuint (n_nowhere, ==, 0);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/analysis/leads-back", test_leads_back);
  g_test_add_func ("/analysis/stays", test_stays);
  g_test_add_func ("/analysis/bottlenecks-lead-back", test_bottlenecks_lead_back);
  g_test_add_func ("/analysis/samples-lead-back", test_samples_lead_back);
  g_test_add_func ("/analysis/devices-lead-back", test_devices_lead_back);
  g_test_add_func ("/analysis/all-lead-back", test_all_lead_back);
  return fixture_run ();
}
