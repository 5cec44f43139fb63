/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests navigation from an element of an analysis page (a bar, a cell, a table row) to its place on the timeline.
 */
#include "loom-page-index.h"
#include "loom-run-navigation.h"
#include "page-fixture.h"

#include <math.h>
#include <string.h>

static LoomTimelineState *
view_of (LoomRunState *run)
{
  return loom_run_state_get_view (run);
}

static const LoomTimelineAnnotations *
marks_of (LoomRunState *run)
{
  return loom_timeline_state_get_finding_marks (view_of (run));
}

/* Stores the place of an element in `place`, whose contents the page owns. Returns FALSE if the element has no
 * place. */
static gboolean
get_place (LoomAnalysisPage *page, const char *title, guint element, LoomNavigationTarget *place)
{
  return loom_page_content_get_place (loom_analysis_page_get_content (page), page_fixture_find (page, title), element,
                                      place);
}

/* Shows an element, like a click on it. */
static void
show (LoomRunState *run, LoomAnalysisPage *page, const char *title, guint element)
{
  LoomNavigationTarget place;
  g_assert_true (get_place (page, title, element, &place));
  loom_run_navigation_show (run, &place, LOOM_RUN_NAVIGATION_KEEP_RANGE);
}

static void
assert_in_view (LoomRunState *run, LoomRange range)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (view_of (run));
  g_assert_cmpint (view->begin_ns, <=, range.begin_ns);
  g_assert_cmpint (view->end_ns, >=, range.end_ns);
}

/* The bar of a step leads to the span of the step and selects it; so does the row of an outlier in the table. */
static void
test_steps (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  LoomNavigationTarget place;
  g_assert_true (get_place (page, "Duration of each step", 6, &place));
  show (run, page, "Duration of each step", 6);
  assert_in_view (run, place.range);
  g_assert_cmpuint (place.n_spans, ==, 1);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (view_of (run)), place.spans[0]));
  const LoomViewport *view = loom_timeline_state_get_viewport (view_of (run));
  g_assert_cmpint (view->end_ns - view->begin_ns, <, 3 * (place.range.end_ns - place.range.begin_ns));
  loom_timeline_state_select_nothing (view_of (run));
  show (run, page, "Outlier steps", 0);
  g_assert_false (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (view_of (run))));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Showing an element while another view is open switches to the page "selection" of the timeline, unless the caller
 * keeps the page. If a page of the timeline is already open, it stays open. */
static void
test_turns_to_timeline (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  const LoomSpanId span = { 0, 0 };
  const LoomNavigationTarget target = { .spans = &span, .n_spans = 1 };
  loom_run_state_set_page (run, "events");
  loom_run_navigation_show (run, &target, LOOM_RUN_NAVIGATION_KEEP_PAGE);
  g_assert_cmpstr (loom_run_state_get_page (run), ==, "events");
  loom_run_navigation_show (run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  g_assert_cmpstr (loom_run_state_get_page (run), ==, "selection");
  loom_run_state_set_page (run, "found");
  loom_run_navigation_show (run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  g_assert_cmpstr (loom_run_state_get_page (run), ==, "found");
  run_fixture_close (run);
}

/* The index contains every page of the analysis, and finds pages by the names that older sessions use. */
static void
test_index (void)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (loom_page_index_find (pages[i].id)->view, ==, "analysis");
  g_assert_cmpstr (loom_page_index_find ("findings")->name, ==, "overview");
  g_assert_null (loom_page_index_find ("nothing"));
  g_assert_null (loom_page_index_find (NULL));
  g_assert_cmpstr (loom_page_index_find_of_rule ("SlowRank")->name, ==, "stragglers");
  for (guint i = 0; i < LOOM_N_RULES; i++) /* rules about the whole run, which lead to no element, have no page */
    if (i != LOOM_RULE_BATCH_SIZE && i < LOOM_RULE_OVERALL_SYSTEM_USAGE)
      g_assert_nonnull (loom_page_index_find_of_rule (loom_rule_parameters_rules[i].name));
  g_assert_null (loom_page_index_find_of_rule ("of the user"));
}

/* --- bottlenecks ----------------------------------------------------------------------------------------------------- */

static const char *
name_of_span (LoomRunState *run, LoomSpanId id)
{
  g_assert_false (loom_timeline_span_id_is_none (id));
  const LoomTrace *trace = loom_run_get_trace (loom_document_get_run (loom_run_state_get_document (run)), id.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span])->text;
}

/* Bars are in pairs: the duration of a function at bottlenecks and at other times. Both bars lead to the same function,
 * and never to a process of the data loader. */
static void
check_bars (LoomRunState *run, LoomAnalysisPage *page, const char *title)
{
  guint n = loom_chart_get_n_elements (page_fixture_get (page, title)->chart), both = 0;
  g_assert_cmpuint (n, >=, 4);
  for (guint i = 0; i + 1 < n; i += 2) {
    LoomNavigationTarget place, otherwise;
    g_assert_true (get_place (page, title, i, &place));
    const char *name = name_of_span (run, place.spans[0]);
    g_assert_cmpstr (name, !=, "DataLoaderWorker");
    if (!get_place (page, title, i + 1, &otherwise))
      continue;
    g_assert_cmpstr (name, ==, name_of_span (run, otherwise.spans[0]));
    both++;
  }
  g_assert_cmpuint (both, >, 0);
}

/* A function that ran at bottlenecks has a slice, a row and a bar. Each leads to the longest span of this function. */
static void
test_bottlenecks (void)
{
  static const char bars[] = "Mean duration during bottlenecks and at other times";
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "bottlenecks");
  g_assert_false (page_fixture_has (page, "Training phases during bottlenecks")); /* there is only one phase */
  check_bars (run, page, bars);
  LoomNavigationTarget place, same;
  g_assert_true (get_place (page, bars, 0, &place));
  g_assert_true (get_place (page, "Functions during bottlenecks, not counting data loader workers", 0, &same));
  g_assert_true (loom_timeline_span_id_equal (place.spans[0], same.spans[0]));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* --- samples --------------------------------------------------------------------------------------------------------- */

static guint
find_element (LoomAnalysisPage *page, const char *title)
{
  LoomNavigationTarget place;
  guint n = loom_chart_get_n_elements (page_fixture_get (page, title)->chart);
  for (guint i = 0; i < n; i++)
    if (get_place (page, title, i, &place))
      return i;
  g_error ("nothing of “%s” leads anywhere", title);
}

/* Bars, cells and rows that count samples of counters lead to the times of these samples, which are highlighted on the
 * timeline until something is selected. */
static void
test_samples (void)
{
  static const struct {
    const char *page, *title;
  } charts[] = { { "utilization", "GPU utilization" },
                 { "utilization", "CPU utilization in the training loop" },
                 { "balance", "Difference in GPU Utilization on algo-2 (0: identical)" },
                 { "balance", "algo-1 gpu0" } };
  LoomRunState *run = run_fixture_open (fixture_sample ());
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++) {
    g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, charts[i].page);
    LoomNavigationTarget place;
    guint element = find_element (page, charts[i].title);
    g_assert_true (get_place (page, charts[i].title, element, &place));
    show (run, page, charts[i].title, element);
    g_assert_cmpuint (place.n_parts, >, 0);
    g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks_of (run)), ==, place.n_parts);
    assert_in_view (run, place.range);
    loom_timeline_state_select_nothing (view_of (run));
    g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks_of (run)), ==, 0);
  }
  g_autoptr (LoomAnalysisPage) balance = page_fixture_show (run, "balance");
  show (run, balance, "Pairs", 0);
  g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks_of (run)), >, 0);
  g_clear_object (&balance);
  run_fixture_close (run);
}

/* --- devices --------------------------------------------------------------------------------------------------------- */

static gboolean
draws_device (const LoomTimelineRow *row, const char *node, const char *device)
{
  for (guint i = 0; i < row->n_series; i++)
    if (g_strcmp0 (row->node, node) == 0 && strcmp (row->series[i].label, device) == 0)
      return TRUE;
  return FALSE;
}

/* Asserts that exactly one row is marked, that it shows the device, and that it is visible. */
static void
assert_shows_row_of (LoomRunState *run, const char *node, const char *device)
{
  LoomRowList *list = loom_timeline_state_get_row_list (view_of (run));
  const char *const *rows = loom_timeline_annotations_get_rows (marks_of (run));
  const LoomViewport *view = loom_timeline_state_get_viewport (view_of (run));
  g_assert_true (rows[0] != NULL && rows[1] == NULL);
  guint row = loom_row_list_find (list, rows[0]);
  g_assert_cmpuint (row, !=, G_MAXUINT);
  g_assert_true (draws_device (loom_row_list_get_row (list, row), node, device));
  double top_px = loom_row_list_row_top (list, row, view->scroll_px);
  g_assert_cmpfloat (top_px, >=, 0);
  g_assert_cmpfloat (top_px, <, view->height_px);
}

/* Table rows and cells that describe one device lead to the timeline row of the device. */
static void
test_devices (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "utilization");
  LoomResultTable *figures = page_fixture_get (page, "Utilization by device")->table;
  for (guint row = 0; row < figures->n_rows; row++) {
    g_autofree char *name = loom_result_table_dup_cell (figures, row, 0);
    if (strcmp (name, "algo-2 gpu1") == 0)
      show (run, page, "Utilization by device", row);
  }
  assert_shows_row_of (run, "algo-2", "gpu1");
  LoomNavigationTarget place;
  g_assert_true (get_place (page, "Utilization over time", 0, &place));
  show (run, page, "Utilization over time", 0);
  assert_shows_row_of (run, place.node, place.device);
  assert_in_view (run, place.range);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* --- all of them ----------------------------------------------------------------------------------------------------- */

/* Returns TRUE if the value of an element is 0 or missing, for example for a bin without samples. The value of a table
 * row is the number in its second column; rows without a number column there count as elements with data. */
static gboolean
is_empty (const LoomBlock *block, guint element)
{
  if (block->kind == LOOM_BLOCK_TABLE && !loom_result_table_is_number (block->table, 1))
    return FALSE;
  double value = block->kind == LOOM_BLOCK_CHART ? loom_chart_get_value (block->chart, element)
                                                 : loom_result_table_get_number (block->table, element, 1);
  return isnan (value) || value == 0;
}

static guint
count_elements (const LoomBlock *block)
{
  return block->kind == LOOM_BLOCK_CHART   ? loom_chart_get_n_elements (block->chart)
         : block->kind == LOOM_BLOCK_TABLE ? block->table->n_rows
                                           : 0;
}

static guint
count_nowhere (LoomPageContent *content, const char *id)
{
  guint n = 0;
  for (guint b = 0; b < content->blocks->len; b++) {
    const LoomBlock *block = loom_page_content_get_block (content, b);
    for (guint element = 0; element < count_elements (block); element++) {
      LoomNavigationTarget place;
      if (loom_page_content_get_place (content, b, element, &place) || is_empty (block, element))
        continue;
      g_test_message ("%s: %u of “%s” leads nowhere", id, element, block->text);
      n++;
    }
  }
  return n;
}

/* On all pages, each element that shows data leads to a place. */
static void
test_all (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  guint n, n_nowhere = 0;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, pages[i].id);
    n_nowhere += count_nowhere (loom_analysis_page_get_content (page), pages[i].id);
  }
  g_assert_cmpuint (n_nowhere, ==, 0);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/page-navigation/steps", test_steps);
  g_test_add_func ("/core/page-navigation/turns-to-timeline", test_turns_to_timeline);
  g_test_add_func ("/core/page-navigation/index", test_index);
  g_test_add_func ("/core/page-navigation/bottlenecks", test_bottlenecks);
  g_test_add_func ("/core/page-navigation/samples", test_samples);
  g_test_add_func ("/core/page-navigation/devices", test_devices);
  g_test_add_func ("/core/page-navigation/all", test_all);
  return run_fixture_run ();
}
