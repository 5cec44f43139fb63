/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the pages of the analysis: each page shows figures of the sample run, or reports which data a run lacks. Pages
 * follow the range that the user chose, and never present figures of an old range as figures of the current range.
 */
#include <math.h>

#include "loom-chart-layout.h"
#include "loom-run-navigation.h"
#include "loom-trace-health.h"
#include "page-fixture.h"

#include <string.h>

static LoomRange
range_of (LoomAnalysisPage *page)
{
  return loom_analysis_page_get_content (page_fixture_wait (page))->range;
}

static void
assert_range (LoomAnalysisPage *page, LoomRange wanted)
{
  LoomRange range = range_of (page);
  g_assert_cmpint (range.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (range.end_ns, ==, wanted.end_ns);
}

static void
set_scope (LoomRunState *run, LoomRangeScope scope)
{
  loom_analysis_context_set_scope (loom_run_state_get_analysis (run), scope);
}

static void
move_to (LoomRunState *run, gint64 begin_ns, gint64 end_ns)
{
  LoomViewport view = *loom_timeline_state_get_viewport (loom_run_state_get_view (run));
  view.begin_ns = begin_ns;
  view.end_ns = end_ns;
  loom_timeline_state_set_viewport (loom_run_state_get_view (run), &view);
}

/* --- figures --------------------------------------------------------------------------------------------------------- */

/* Every page shows figures of the sample run and lacks no data. Exceptions are the shapes and the modules of operators,
 * which only traces of Kineto contain, and the dumps of a job that hung. */
static void
test_pages (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  g_assert_cmpuint (n, >=, 5);
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, pages[i].id);
    g_test_message ("%s: %s", pages[i].id, loom_analysis_page_get_summary (page));
    gboolean is_whole = !g_str_equal (pages[i].id, "operators") && !g_str_equal (pages[i].id, "hang");
    g_assert_cmpuint (loom_analysis_page_get_content (page)->blocks->len, >, 1);
    g_assert_cmpint (page_fixture_lacks (page), !=, is_whole);
    g_assert_nonnull (strstr (loom_analysis_page_get_summary (page), " s starting at 0 s"));
  }
  run_fixture_close (run);
}

/* Writes the dump of a flight recorder of one of three ranks: the rank has called `n` all_reduce, and completed 2. */
static void
write_dump (const char *folder, guint rank, guint n)
{
  g_autofree char *name = g_strdup_printf ("trace_%u.json", rank);
  g_autoptr (GString) dump =
    g_string_new ("{\"version\": \"2.9\", \"pg_config\": {\"0\": {\"name\": \"0\", \"desc\": \"world\", "
                  "\"ranks\": \"[0, 1, 2]\"}}, \"entries\": [");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (
      dump,
      "%s{\"record_id\": %u, \"pg_id\": 0, \"process_group\": [\"0\", \"world\"], \"collective_seq_id\": %u, "
      "\"p2p_seq_id\": 0, \"op_id\": %u, \"profiling_name\": \"nccl:all_reduce\", "
      "\"time_created_ns\": %" G_GINT64_FORMAT ", \"input_sizes\": [[8]], \"input_dtypes\": [\"Float\"], "
      "\"output_sizes\": [[8]], \"output_dtypes\": [\"Float\"], \"state\": \"%s\", \"retired\": false, "
      "\"timeout_ms\": 600000, \"is_p2p\": false, \"frames\": []}",
      i > 0 ? ", " : "", i, i + 1, i + 1, G_GINT64_CONSTANT (1758610505880883597) + i * LOOM_NS_PER_MS,
      i < 2 ? "completed" : "scheduled");
  g_string_append_printf (dump,
                          "], \"pg_status\": {\"0\": {\"last_enqueued_collective\": %u, "
                          "\"last_started_collective\": -1, \"last_completed_collective\": 2}}}",
                          n);
  g_free (fixture_file (folder, name, dump->str));
}

/* The page about a hang begins with a diagram: the rank that holds up the job, and the ranks that wait for it. */
static void
test_hang (void)
{
  g_autofree char *folder = fixture_folder ();
  for (guint rank = 0; rank < 3; rank++)
    write_dump (folder, rank, rank == 1 ? 2 : 4);
  LoomRunState *run = run_fixture_open (folder);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "hang");
  const LoomChart *chart = page_fixture_get (page, "Who waits for whom")->chart;
  g_assert_cmpuint (chart->waits->len, ==, 2);
  const LoomChartWait *cause = &g_array_index (chart->waits, LoomChartWait, 0),
                      *waits = &g_array_index (chart->waits, LoomChartWait, 1);
  g_assert_cmpstr (cause->label, ==, "rank 1");
  g_assert_true (cause->is_cause);
  g_assert_cmpuint (cause->awaited, ==, LOOM_CHART_NONE);
  g_assert_cmpstr (waits->label, ==, "ranks 0, 2");
  g_assert_cmpstr (waits->detail, ==, "all_reduce");
  g_assert_cmpuint (waits->awaited, ==, 0);
  g_assert_false (waits->is_cause);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* The sample has 12 steps per rank; the seventh of each is an outlier. */
static void
test_steps (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  LoomChart *chart = page_fixture_get (page, "Duration of each step")->chart;
  g_assert_cmpuint (chart->lines.lines->len, ==, 4);
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, 48);
  for (guint i = 0; i < 48; i++)
    g_assert_cmpint (g_array_index (chart->lines.points, LoomChartPoint, i).flagged, ==, i % 12 == 6);
  LoomResultTable *table = page_fixture_get (page, "Outlier steps")->table;
  g_assert_cmpuint (table->n_rows, ==, 4);
  for (guint row = 0; row < 4; row++)
    g_assert_cmpfloat (loom_result_table_get_number (table, row, 0), ==, 6);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* The chart of operators shows the operators in the order of the table, which is by self time: the first bar is the
 * first row. */
static void
test_operators (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "operators");
  LoomChart *chart = page_fixture_get (page, "Longest self time on devices")->chart;
  LoomResultTable *table = page_fixture_get (page, "Operators")->table;
  gboolean descending;
  guint order = loom_result_table_get_order (table, &descending), first = 0;
  g_assert_true (descending && g_str_has_suffix (loom_result_table_get_column (table, order)->title, " Self"));
  for (guint row = 1; row < table->n_rows; row++) {
    double longest = loom_result_table_get_number (table, first, order); /* NaN: no time */
    if (isnan (longest) || loom_result_table_get_number (table, row, order) > longest)
      first = row;
  }
  g_assert_cmpstr (g_array_index (chart->bars.groups, const char *, 0), ==,
                   loom_result_table_get_text (table, first, 0));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* The headline of the page “Trace health” says by how much times are wrong if observations are listed below it. */
static void
test_health (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "health");
  LoomPageContent *content = loom_analysis_page_get_content (page);
  g_assert_cmpstr (
    loom_page_content_get_block (content, 0)->text, ==,
    "No contradictions were found; the profiler itself took up to 2.06 ms in a trace, by which host times are too long.");
  g_assert_cmpstr (loom_page_content_get_block (content, 1)->text, ==,
                   "13 checks passed, 4 could not be made, and 1 led to an observation, listed below.");
  g_assert_cmpuint (page_fixture_get (page, "Other observations about the recording")->table->n_rows, >, 0);
  LoomResultTable *checks = page_fixture_get (page, "What was checked")->table;
  /* first the check that found something, then those that passed; a note names those that could not be made */
  g_assert_cmpuint (checks->n_rows, ==, LOOM_N_HEALTH - 4);
  g_assert_cmpstr (loom_result_table_get_text (checks, 0, 1), ==, "• observation");
  g_assert_cmpstr (loom_result_table_get_text (checks, 1, 1), ==, "✓ passed");
  gboolean is_named = FALSE;
  for (guint i = 0; i < content->blocks->len; i++) {
    const char *text = loom_page_content_get_block (content, i)->text;
    is_named |= text != NULL && g_str_has_prefix (text, "Not checked, because there are no such records: ");
  }
  g_assert_true (is_named);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* In the sample run, both Composer and Kineto recorded the same ranks: the page shows each rank once, and the numbers of
 * its steps. */
static void
test_waits (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "loading");
  LoomPageContent *content = loom_analysis_page_get_content (page);
  LoomChart *chart = page_fixture_get (page, "Waits for the next batch")->chart;
  g_assert_cmpstr (chart->lines.flagged_label, ==, "outlier"); /* the legend explains that a bar with an outline is a
                                                                * long wait */
  LoomResultTable *table = page_fixture_get (page, "Waits by rank")->table;
  g_assert_true (loom_page_content_get_block (content, 0)->large);
  g_assert_cmpstr (
    loom_page_content_get_block (content, 0)->text, ==,
    "Waits for data are longest on ranks 2 and 3: up to 3.00 s in total; the other ranks wait less. Most of it "
    "is one wait of 2.90 s in step 6.");
  g_assert_nonnull (strstr (loom_page_content_get_block (content, 1)->text, "the waits that composer recorded"));
  g_assert_true (chart->lines.columns);
  g_assert_cmpuint (chart->lines.lines->len, ==, 4);
  for (guint i = 0; i < 4; i++) /* each rank has a color, by which the legend names it */
    g_assert_cmpuint (g_array_index (chart->lines.lines, LoomChartLine, i).color, ==, i);
  g_assert_cmpstr (loom_page_content_get_block (content, 3)->text, ==,
                   "Steps 4 and 5 have no columns, because no waits for data were recorded in them.");
  g_assert_cmpuint (page_fixture_get (page, "Waits by duration")->chart->histogram.color, ==,
                    loom_chart_work_color (LOOM_WORK_KIND_DATA));
  g_assert_cmpuint (table->n_rows, ==, 4);
  g_assert_cmpstr (chart->x_name, ==, "step");
  g_assert_true (page_fixture_get (page, "Waits by duration")->chart->histogram.has_rest);
  g_clear_object (&page);
  run_fixture_close (run);
}

static double
first_outlier_ns (LoomAnalysisPage *page)
{
  LoomResultTable *table = page_fixture_get (page, "Outlier steps")->table;
  for (guint column = 0; column < table->columns->len; column++)
    if (g_str_equal (g_array_index (table->columns, LoomResultTableColumn, column).title, "Start"))
      return loom_result_table_get_number (table, 0, column);
  g_assert_not_reached ();
}

/* Pages count time from the zero of the ruler, which is the first event, or, if the user chooses so, the start of the
 * job. In the sample run the job starts 48 s before the first event. */
static void
test_zero (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomTimelineState *view = loom_run_state_get_view (run);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view);
  gint64 distance_ns = loom_timeline_get_start (timeline) - loom_timeline_get_origin (timeline);
  g_assert_cmpint (distance_ns / LOOM_NS_PER_S, ==, 48);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  double since_start_ns = first_outlier_ns (page);
  loom_timeline_state_set_reading (view, LOOM_RULER_UNIT_JOB);
  page_fixture_wait (page);
  g_assert_cmpfloat (first_outlier_ns (page), ==, since_start_ns + (double) distance_ns);
  g_assert_nonnull (strstr (loom_analysis_page_get_summary (page), " s starting at +48."));
  loom_timeline_state_set_reading (view, LOOM_RULER_UNIT_UTC);
  page_fixture_wait (page);
  g_assert_cmpfloat (first_outlier_ns (page), ==, since_start_ns);
  g_clear_object (&page);
  run_fixture_close (run);
}

static void
test_missing (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "trace.json",
                  "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5},"
                  "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":5}]}");
  LoomRunState *run = run_fixture_open (path);
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, pages[i].id);
    g_assert_true (page_fixture_lacks (page));
  }
  set_scope (run, LOOM_RANGE_SCOPE_LOOP);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "utilization");
  g_assert_true (page_fixture_lacks (page));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* The result of the worker that finds out which data a run lacks. */
typedef struct {
  const char **lacks;
  gboolean is_found;
} Lacks;

static void
lacks_found (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  Lacks *lacks = owner;
  lacks->lacks = result;
  lacks->is_found = TRUE;
}

static gboolean
has_lacks (gpointer data)
{
  return ((Lacks *) data)->is_found;
}

static const char *
lack_of (LoomRunState *run, const char *id)
{
  GCancellable *running = NULL;
  Lacks lacks = { 0 };
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  loom_analysis_context_find_lacks (loom_run_state_get_analysis (run), &running, lacks_found, &lacks);
  g_assert_true (fixture_wait (has_lacks, &lacks));
  g_autofree const char **found = lacks.lacks;
  for (guint i = 0; i < n; i++)
    if (g_str_equal (pages[i].id, id))
      return found[i];
  g_error ("no page %s", id);
}

/* The sample run lacks only the dumps of a job that hung; a single file of spans lacks metrics, steps and a second
 * rank. */
static void
test_lacks (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (lack_of (run, pages[i].id), ==, g_str_equal (pages[i].id, "hang") ? "no flight recorder" : NULL);
  run_fixture_close (run);
  g_autofree char *folder = fixture_folder (),
                  *path = fixture_file (folder, "one.json",
                                        "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  run = run_fixture_open (path);
  g_assert_cmpstr (lack_of (run, "utilization"), ==, "no metrics, no kernels");
  g_assert_cmpstr (lack_of (run, "steps"), ==, "no training steps");
  g_assert_cmpstr (lack_of (run, "bottlenecks"), ==, "no system metrics");
  g_assert_cmpstr (lack_of (run, "balance"), ==, "no GPU metrics");
  g_assert_cmpstr (lack_of (run, "stragglers"), ==, "only one rank");
  g_assert_null (lack_of (run, "work"));
  g_assert_cmpstr (lack_of (run, "operators"), ==, "no operators");
  g_assert_cmpstr (lack_of (run, "efficiency"), ==, "no operators");
  g_assert_cmpstr (lack_of (run, "loading"), ==, "no data loader");
  run_fixture_close (run);
}

static void
test_save (void)
{
  static const struct {
    const char *name, *begin;
  } files[] = { { "phases.svg", "<?xml" }, { "phases.png", "\211PNG" }, { "phases.pdf", "%PDF" } };
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "overview");
  g_autofree char *folder = fixture_folder ();
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (folder, files[i].name, NULL), *text = NULL;
    g_autoptr (GError) error = NULL;
    g_assert_true (loom_chart_layout_to_file (page_fixture_get (page, "Phases of the job")->chart, path, 600, 200,
                                              LOOM_THEME_LIGHT, &error));
    g_assert_no_error (error);
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_assert_true (g_str_has_prefix (text, files[i].begin));
  }
  g_clear_object (&page);
  run_fixture_close (run);
}

/* --- ranges ---------------------------------------------------------------------------------------------------------- */

/* Figures follow the visible range, and the summary names the range. */
static void
test_visible (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  const LoomViewport *view = loom_timeline_state_get_viewport (loom_run_state_get_view (run));
  guint n_all = loom_chart_get_n_elements (page_fixture_get (page, "Duration of each step")->chart);
  set_scope (run, LOOM_RANGE_SCOPE_VISIBLE);
  gint64 middle_ns = view->begin_ns + (view->end_ns - view->begin_ns) / 2;
  move_to (run, middle_ns, middle_ns + 2 * LOOM_NS_PER_S);
  assert_range (page, (LoomRange) { view->begin_ns, view->end_ns });
  guint n_part = loom_chart_get_n_elements (page_fixture_get (page, "Duration of each step")->chart);
  g_assert_cmpuint (n_part, <, n_all);
  g_assert_cmpuint (n_part, >, 0);
  g_clear_object (&page);
  run_fixture_close (run);
}

static void
test_other_scopes (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps"), other = NULL;
  LoomRange all = range_of (page);
  /* the range is the whole run, so the summary does not mention clipped spans */
  g_assert_null (strstr (loom_analysis_page_get_summary (page), loom_page_range_rule));
  set_scope (run, LOOM_RANGE_SCOPE_LOOP);
  LoomRange loop = range_of (page);
  g_assert_nonnull (strstr (loom_analysis_page_get_summary (page), loom_page_range_rule));
  g_assert_cmpint (loop.begin_ns, >, all.begin_ns);
  g_assert_cmpint (loop.end_ns, <, all.end_ns);
  set_scope (run, LOOM_RANGE_SCOPE_SELECTION);
  g_assert_true (page_fixture_lacks (page_fixture_wait (page))); /* without a selected range the page has no data */
  LoomRange selected = { loop.begin_ns, loop.begin_ns + 3 * LOOM_NS_PER_S };
  loom_timeline_state_select_range (loom_run_state_get_view (run), selected);
  g_assert_cmpint (range_of (page).end_ns, ==, selected.end_ns);
  g_assert_false (page_fixture_lacks (page));
  /* a page that is not shown computes nothing */
  loom_analysis_page_set_wanted (page, FALSE);
  set_scope (run, LOOM_RANGE_SCOPE_ALL);
  other = page_fixture_show (run, "overview");
  g_assert_cmpint (range_of (other).begin_ns, ==, all.begin_ns);
  g_assert_true (loom_analysis_page_is_outdated (page));
  loom_analysis_page_set_wanted (page, TRUE);
  assert_range (page, all);
  g_clear_object (&page);
  g_clear_object (&other);
  run_fixture_close (run);
}

static const char *
answer_of (const LoomPageContent *content)
{
  for (guint i = 0; i < content->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (content, i);
    if (block->kind == LOOM_BLOCK_NOTE && block->large)
      return block->text;
  }
  g_assert_not_reached ();
}

/* In the seventh step of the sample run, ranks 2 and 3 wait 3 s for data and differ a little in what they compute. The
 * page “Stragglers” names both ranks, what repairing them would save, and what they do before they arrive. It must not say
 * that all ranks compute equally long: neither for this step, which the slowdown analysis cannot simulate, nor for the
 * run. */
static void
test_uncovered (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) steps = page_fixture_show (run, "steps"), page = page_fixture_show (run, "stragglers");
  const LoomPageContent *content = loom_analysis_page_get_content (steps);
  g_autoptr (LoomNavigationTarget) place =
    loom_page_content_dup_place (content, page_fixture_find (steps, "Duration of each step"), 6);
  set_scope (run, LOOM_RANGE_SCOPE_SELECTION);
  loom_timeline_state_select_range (loom_run_state_get_view (run), place->range);
  const char *answer = answer_of (loom_analysis_page_get_content (page_fixture_wait (page)));
  g_assert_true (
    g_str_has_prefix (answer, "The others wait for ranks 2 and 3: fixing these ranks would save up to 2.88 s (73"));
  g_assert_nonnull (strstr (
    answer, " % of this range). Before they arrive, their hosts spend up to 2.88 s longer in “enumerate(DataLoader)"));
  set_scope (run, LOOM_RANGE_SCOPE_ALL);
  answer = answer_of (loom_analysis_page_get_content (page_fixture_wait (page)));
  g_assert_true (g_str_has_prefix (
    answer, "The others wait for ranks 2 and 3: fixing these ranks would save up to 2.88 s (12.2 % of the run)."));
  g_assert_false (page_fixture_has (page, "What fixing a rank would save"));
  g_clear_object (&steps);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Shows the seventh element of the chart, like a click on it. */
static void
show_step (LoomRunState *run, LoomAnalysisPage *page)
{
  g_autoptr (LoomNavigationTarget) place = loom_page_content_dup_place (
    loom_analysis_page_get_content (page), page_fixture_find (page, "Duration of each step"), 6);
  loom_run_navigation_show (run, place, LOOM_RUN_NAVIGATION_KEEP_RANGE);
  const LoomViewport *view = loom_timeline_state_get_viewport (loom_run_state_get_view (run));
  g_assert_cmpint (view->begin_ns, <=, place->range.begin_ns);
  g_assert_cmpint (view->end_ns, >=, place->range.end_ns);
}

/* With the scope "visible" or "selection", an element of a page that is shown on the timeline changes the view or the
 * selection. The range of the pages, even of pages opened later, must not follow until the user moves the view or
 * selects something. */
static void
test_keeps (void)
{
  static const LoomRangeScope scopes[] = { LOOM_RANGE_SCOPE_VISIBLE, LOOM_RANGE_SCOPE_SELECTION };
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomTimelineState *view = loom_run_state_get_view (run);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  LoomRange all = range_of (page);
  for (guint i = 0; i < G_N_ELEMENTS (scopes); i++) {
    LoomViewport fitted = loom_timeline_state_fitted (view);
    loom_timeline_state_set_viewport (view, &fitted);
    loom_timeline_state_select_range (view, all);
    set_scope (run, scopes[i]);
    LoomRange before = range_of (page);
    show_step (run, page);
    g_assert_false (loom_analysis_page_is_outdated (page));
    LoomRange asked = loom_analysis_context_get_asked_range (loom_run_state_get_analysis (run));
    g_assert_cmpint (asked.begin_ns, ==, before.begin_ns);
    g_assert_cmpint (asked.end_ns, ==, before.end_ns);
    assert_range (page, before);
    g_autoptr (LoomAnalysisPage) other = page_fixture_show (run, "overview");
    assert_range (other, before);
    LoomRange next = { before.begin_ns, before.begin_ns + LOOM_NS_PER_S };
    loom_timeline_state_select_range (view, next);
    move_to (run, next.begin_ns, next.end_ns);
    asked = loom_analysis_context_get_asked_range (loom_run_state_get_analysis (run));
    g_assert_cmpint (asked.end_ns, ==, next.end_ns);
  }
  g_clear_object (&page);
  run_fixture_close (run);
}

/* --- busy worker threads --- */

#define N_BUSY 64 /* more tasks than GLib's thread pool starts in the next seconds */

static GMutex gate; /* the test locks it, so that tasks in worker threads wait */

static void
wait_at_gate (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_task_return_boolean (task, TRUE);
}

static void
occupy_workers (void)
{
  g_mutex_lock (&gate);
  for (guint i = 0; i < N_BUSY; i++) {
    g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
    g_task_run_in_thread (task, wait_at_gate);
  }
}

static gboolean
says_working (gpointer page)
{
  return g_str_has_prefix (loom_analysis_page_get_summary (page), "Working…");
}

static gboolean
says_how_far (gpointer page)
{
  return says_working (page) && g_str_has_suffix (loom_analysis_page_get_summary (page), " %");
}

/* While the computation of a new range waits for a worker, the summary names the range of the old figures. Then the
 * page reports progress. A newer request cancels the older request, whose figures never appear. */
static void
test_old_figures (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomTimelineState *view = loom_run_state_get_view (run);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  LoomPageContent *content = loom_analysis_page_get_content (page);
  gint64 begin_ns = range_of (page).begin_ns;
  g_autofree char *summary = g_strdup (loom_analysis_page_get_summary (page));
  LoomRange first = { begin_ns, begin_ns + 12 * LOOM_NS_PER_S }, second = { begin_ns, begin_ns + 17 * LOOM_NS_PER_S };
  occupy_workers ();
  set_scope (run, LOOM_RANGE_SCOPE_SELECTION);
  loom_timeline_state_select_range (view, first);
  g_assert_true (loom_analysis_page_get_content (page) == content);
  g_assert_cmpstr (loom_analysis_page_get_summary (page), ==, summary);
  g_assert_false (loom_analysis_page_is_working (page));
  g_assert_true (fixture_wait (says_how_far, page));
  g_assert_true (loom_analysis_page_get_content (page) == content);
  g_assert_true (loom_analysis_page_is_working (page));
  loom_timeline_state_select_range (view, second);
  g_assert_true (says_working (page));
  g_assert_true (loom_analysis_page_is_working (page));
  g_assert_true (fixture_wait (says_how_far, page));
  g_mutex_unlock (&gate);
  assert_range (page, second);
  g_assert_false (loom_analysis_page_is_working (page));
  g_assert_false (says_working (page));
  g_clear_object (&page);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/analysis-pages/pages", test_pages);
  g_test_add_func ("/core/analysis-pages/hang", test_hang);
  g_test_add_func ("/core/analysis-pages/steps", test_steps);
  g_test_add_func ("/core/analysis-pages/waits", test_waits);
  g_test_add_func ("/core/analysis-pages/operators", test_operators);
  g_test_add_func ("/core/analysis-pages/health", test_health);
  g_test_add_func ("/core/analysis-pages/zero", test_zero);
  g_test_add_func ("/core/analysis-pages/missing", test_missing);
  g_test_add_func ("/core/analysis-pages/lacks", test_lacks);
  g_test_add_func ("/core/analysis-pages/save", test_save);
  g_test_add_func ("/core/analysis-pages/visible", test_visible);
  g_test_add_func ("/core/analysis-pages/other-scopes", test_other_scopes);
  g_test_add_func ("/core/analysis-pages/uncovered", test_uncovered);
  g_test_add_func ("/core/analysis-pages/keeps", test_keeps);
  g_test_add_func ("/core/analysis-pages/old-figures", test_old_figures);
  return run_fixture_run ();
}
