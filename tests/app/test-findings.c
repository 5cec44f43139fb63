/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel of what the rules found: filled after a load, ticks in the overview, the way to the timeline, the explanation,
 * dismissing and restoring, the three answers of a rule that found nothing, another range on request.
 */
#include "fixture.h"

#include "loom-overview-bar.h"

#include <glib/gstdio.h>
#include <string.h>

static GHashTable *
get_dismissed (LoomWindow *window)
{
  return loom_run_rules_get_dismissed (loom_run_state_get_rules (loom_window_get_run_state (window)));
}

static LoomFindingsPanel *
panel_of (LoomWindow *window)
{
  return loom_panel_area_get_findings (loom_run_page_get_panels (loom_window_get_run_view (window)));
}

static gboolean
is_evaluated (gpointer panel)
{
  return !loom_findings_panel_is_working (panel) && loom_findings_panel_get_findings (panel) != NULL;
}

static LoomFindingsPanel *
wait_for (LoomWindow *window)
{
  g_assert_true (fixture_wait (is_evaluated, panel_of (window)));
  return panel_of (window);
}

static LoomWindow *
open_and_show (const char *path)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  wait_for (window);
  gtk_stack_set_visible_child_name (
    loom_panel_area_get_stack (loom_run_page_get_panels (loom_window_get_run_view (window))), "findings");
  fixture_spin (60);
  return window;
}

static guint
count_ticks (LoomWindow *window)
{
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (fixture_state (window), &options);
  for (guint i = 1; i < options.n_findings; i++)
    g_assert_cmpint (options.findings_ns[i - 1], <=, options.findings_ns[i]);
  return options.n_findings;
}

/* A node of eight cores with two loader workers: the training process waits for each of its batches. */
static char *
few_loaders (void)
{
  char *path = fixture_folder ();
  g_autoptr (GString)
    lines = g_string_new (NULL),
    events = g_string_new (
      "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":1700000000000000}},"
      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"DataLoaderIter\"}},"
      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":\"DataLoaderWorker\"}}");
  for (int second = 0; second < 30; second++) {
    for (int core = 0; core < 8; core++)
      g_string_append_printf (
        lines,
        "{\"Type\":\"cpu\",\"Name\":\"cpu%d\",\"Dimension\":\"CPUUtilization\",\"Value\":50,\"NodeId\":\"algo-1\",\"Timestamp\":%d}\n",
        core, 1700000000 + second);
    g_string_append_printf (
      events,
      ",{\"name\":\"_MultiProcessingDataLoaderIter::GetNext\",\"ph\":\"X\",\"pid\":1,\"ts\":%d,\"dur\":400000,\"args\":{\"pid\":99,\"worker_id\":%d}}",
      1000000 * second, second % 2);
  }
  for (int i = 0; i < 2; i++)
    g_string_append_printf (
      events,
      ",{\"name\":\"DataLoaderWorker\",\"ph\":\"X\",\"pid\":2,\"ts\":%d,\"dur\":27999000,\"args\":{\"pid\":%d,\"worker_id\":%d}}",
      i, 100 + i, i);
  g_string_append (events, "]");
  g_free (fixture_file (path, "1700000000.algo-1.json", lines->str));
  g_free (fixture_file (path, "1700000030000000_99-algo-1_pythontimeline.json", events->str));
  return path;
}

/* A shipped rule on communication fires on the sample, without anybody asking. */
static void
test_found (void)
{
  LoomWindow *window = open_and_show (fixture_sample ());
  LoomFindings *findings = loom_findings_panel_get_findings (panel_of (window));
  const LoomFinding *own =
    loom_finding_row_get_finding (loom_findings_panel_find_row (panel_of (window), "CommunicationShare"));
  g_assert_cmpuint (loom_findings_count (findings, LOOM_RULE_FIRED), ==, 1);
  g_assert_cmpint (own->result->status, ==, LOOM_RULE_FIRED);
  /* Two ranks wait for a batch, the others for them: that is what to look at, before buckets. */
  g_autofree char *over = loom_rule_result_dup_over (own->result);
  g_assert_cmpstr (over, ==, "summed over 2 devices");
  g_assert_cmpint (own->result->lost_ns, >,
                   (loom_findings_get_range (findings).end_ns - loom_findings_get_range (findings).begin_ns) / 5);
  g_assert_cmpint (own->severity, ==, LOOM_RULE_WARNING); /* of each of the two it is less than a fifth of the range */
  g_assert_true (g_str_has_suffix (own->result->sentence, "; most of that is waiting for ranks 3, 2, which come late"));
  g_assert_nonnull (strstr (own->result->advice, "waiting for ranks that come late: Stragglers says which"));
  g_assert_cmpstr (loom_findings_panel_get_notes (panel_of (window)), ==, "");
  const LoomFinding *finding =
    loom_finding_row_get_finding (loom_findings_panel_find_row (panel_of (window), "Dataloader"));
  g_assert_cmpint (finding->result->status, ==, LOOM_RULE_PASSED);
  g_assert_cmpstr (loom_findings_panel_get_empty (panel_of (window)), ==, "");
  g_assert_cmpuint (count_ticks (window), ==, own->result->marks->len);
  fixture_close (window);
}

/* Chosen, it selects its range, brings it into view and marks its rows until something else is selected. */
static void
test_chosen (void)
{
  g_autofree char *folder = few_loaders ();
  LoomWindow *window = open_and_show (folder);
  LoomFindingRow *row = loom_findings_panel_find_row (panel_of (window), "Dataloader");
  LoomRange meant = loom_finding_row_get_finding (row)->range;
  g_signal_emit_by_name (gtk_widget_get_parent (GTK_WIDGET (row)), "row-activated", row);
  LoomRange range = loom_timeline_state_get_range (fixture_state (window));
  g_assert_cmpint (range.begin_ns, ==, meant.begin_ns);
  g_assert_cmpint (range.end_ns, ==, meant.end_ns);
  g_assert_nonnull (
    loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (fixture_state (window)))[0]);
  fixture_spin (300);
  LoomViewport view = fixture_view (window);
  g_assert_cmpint (view.begin_ns, <=, meant.begin_ns);
  g_assert_cmpint (view.end_ns, >=, meant.end_ns);
  g_assert_true (loom_findings_panel_get_findings (panel_of (window)) != NULL);
  loom_timeline_state_select_nothing (fixture_state (window));
  g_assert_null (
    loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (fixture_state (window)))[0]);
  fixture_close (window);
}

typedef struct {
  gint64 time_ns;
  int change;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;
  return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* By another way than the rule's: where at least one of the calls for the next batch on the host is open. */
static gint64
time_of_waits (LoomWindow *window, const char *host)
{
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (loom_timeline_state_get_timeline (fixture_state (window)),
                                                         LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  const LoomDataFrameRows *rows = loom_data_frame_get_rows (frame);
  guint n_workers;
  const LoomWorker *workers = loom_data_frame_get_workers (frame, &n_workers);
  gint64 total_ns = 0;
  int open = 0;
  for (guint32 i = 0; i < rows->n; i++) {
    if (strstr (loom_data_frame_get_event_name (frame, i), "DataLoaderIter::GetNext") == NULL ||
        strcmp (workers[rows->worker[i]].host, host) != 0)
      continue;
    Edge begin = { rows->start_ns[i], 1 }, end = { rows->end_ns[i], -1 };
    g_array_append_val (edges, begin);
    g_array_append_val (edges, end);
  }
  g_array_sort (edges, compare_edges);
  for (guint i = 0; i < edges->len; i++) {
    const Edge *edge = &g_array_index (edges, Edge, i);
    total_ns += open > 0 ? edge->time_ns - (edge - 1)->time_ns : 0;
    open += edge->change;
  }
  return total_ns;
}

static gboolean
has_places (gpointer row)
{
  return loom_page_view_get_block (loom_finding_row_get_view (row), 3) != NULL;
}

#define N_STEPS 8064 /* every twelfth is long: 672 */

/* A file of steps of 0.1 ms, of which every twelfth takes a hundred times as long. Owned. */
static char *
write_steps (void)
{
  g_autoptr (GString) text = g_string_new (
    "{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": 0}, \"baseTimeNanoseconds\": 1735632360000000000,"
    "\"traceEvents\": [");
  g_autofree char *folder = fixture_folder ();
  guint begin_us = 0;
  for (guint i = 0; i < N_STEPS; i++) {
    guint us = i % 12 == 11 ? 10000 : 100;
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"name\":\"ProfilerStep#%u\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u}",
      i > 0 ? "," : "", i, begin_us, us);
    begin_us += us + 10;
  }
  g_string_append (text, "]}");
  return fixture_file (folder, "steps.json", text->str);
}

/* A finding with many places lists and marks each of them, to the end of the run. */
static void
test_many_places (void)
{
  g_autofree char *path = write_steps ();
  LoomWindow *window = open_and_show (path);
  LoomTimelineState *state = fixture_state (window);
  LoomFindingRow *row = loom_findings_panel_find_row (panel_of (window), "StepOutlier");
  const LoomFinding *finding = loom_finding_row_get_finding (row);
  const LoomRuleOccurrence *last = &g_array_index (finding->result->marks, LoomRuleOccurrence, N_STEPS / 12 - 1);
  g_assert_cmpuint (finding->result->marks->len, ==, N_STEPS / 12);
  gboolean is_listed = FALSE;
  for (guint i = 0; i < loom_page_content_get_n_blocks (finding->sheet); i++) {
    const LoomBlock *block = loom_page_content_get_block (finding->sheet, i);
    is_listed |= block->table != NULL && strcmp (block->text, "Places") == 0 &&
                 loom_result_table_get_n_rows (block->table) == N_STEPS / 12;
  }
  g_assert_true (is_listed);
  g_assert_cmpuint (count_ticks (window), ==, N_STEPS / 12);
  g_signal_emit_by_name (gtk_widget_get_parent (GTK_WIDGET (row)), "row-activated", row);
  guint n;
  const LoomSpanId *selected = loom_timeline_state_get_selected (state, &n);
  g_assert_cmpuint (n, ==, N_STEPS / 12);
  g_assert_true (loom_timeline_span_id_equal (selected[n - 1], last->span));
  LoomRange all, shown;
  g_assert_true (loom_timeline_state_get_selected_range (state, &shown));
  all = loom_timeline_state_get_extent (state);
  g_assert_cmpint (all.end_ns - shown.end_ns, <, 2 * LOOM_NS_PER_MS);
  fixture_close (window);
}

static void
test_explained (void)
{
  g_autofree char *folder = few_loaders ();
  LoomWindow *window = open_and_show (folder);
  LoomFindingRow *row = loom_findings_panel_find_row (panel_of (window), "Dataloader");
  g_assert_null (loom_finding_row_get_view (row));
  loom_finding_row_set_explained (row, TRUE);
  LoomPageContent *sheet = loom_page_view_get_content (loom_finding_row_get_view (row));
  g_assert_cmpuint (loom_page_content_get_n_blocks (sheet), ==, 5);
  g_assert_cmpint (loom_page_content_get_block (sheet, 0)->kind, ==, LOOM_BLOCK_NOTE);
  const LoomBlock *figures = loom_page_content_get_block (sheet, 1), *evidence = loom_page_content_get_block (sheet, 2),
                  *places = loom_page_content_get_block (sheet, 3), *numbers = loom_page_content_get_block (sheet, 4);
  const LoomRuleResult *result = loom_finding_row_get_finding (row)->result;
  g_assert_cmpint (result->lost_ns, >, 0);
  gint64 lost_ns = 0;
  for (guint i = 0; i < result->marks->len; i++)
    lost_ns += time_of_waits (window, g_array_index (result->marks, LoomRuleOccurrence, i).host);
  g_assert_cmpint (result->lost_ns, ==, lost_ns);
  g_assert_cmpstr (g_array_index (figures->facts, LoomKeyValue, 2).name, ==, "min_threshold");
  g_assert_cmpstr (g_array_index (figures->facts, LoomKeyValue, 2).value, ==, "70");
  g_assert_cmpint (evidence->kind, ==, LOOM_BLOCK_CHART);
  g_assert_cmpfloat (evidence->chart->limit, ==, 6);
  g_assert_cmpuint (result->evidence->len, ==, 2); /* two workers from the first second to the last */
  g_assert_cmpuint (result->groups->len, ==, result->marks->len);
  g_assert_cmpuint (loom_result_table_get_n_rows (places->table), ==,
                    loom_finding_row_get_finding (row)->result->marks->len);
  g_assert_cmpuint (loom_result_table_get_n_rows (numbers->table), ==, 2); /* cores and processes */
  g_assert_true (fixture_wait (has_places, row));                          /* what a sheet shows is made bit by bit */
  g_signal_emit_by_name (loom_page_view_get_block (loom_finding_row_get_view (row), 3), "row-activated", 0);
  g_assert_cmpint (loom_timeline_state_get_range (fixture_state (window)).begin_ns, ==,
                   loom_finding_row_get_finding (row)->range.begin_ns);
  fixture_close (window);
}

static void
test_dismissed (void)
{
  g_autofree char *folder = few_loaders ();
  LoomWindow *window = open_and_show (folder);
  LoomFindingsPanel *panel = panel_of (window);
  guint n_ticks = count_ticks (window);
  GtkWidget *list = gtk_widget_get_parent (GTK_WIDGET (loom_findings_panel_find_row (panel, "Dataloader")));
  loom_finding_row_dismiss (loom_findings_panel_find_row (panel, "Dataloader"), " as it should be ");
  fixture_spin (20);
  g_assert_cmpstr (g_hash_table_lookup (get_dismissed (window), "Dataloader"), ==, "as it should be");
  LoomFindingRow *row = loom_findings_panel_find_row (panel, "Dataloader");
  g_assert_true (gtk_widget_get_parent (GTK_WIDGET (row)) != list);
  g_assert_cmpuint (count_ticks (window), <, n_ticks);
  g_assert_cmpuint (count_ticks (window), ==, 0);
  g_assert_cmpstr (loom_findings_panel_get_empty (panel), ==, "Nothing Found");
  row = loom_findings_panel_find_row (panel, "Dataloader");
  g_signal_emit_by_name (row, "restored");
  fixture_spin (20);
  g_assert_cmpuint (g_hash_table_size (get_dismissed (window)), ==, 0);
  g_assert_cmpuint (count_ticks (window), >, 0);
  fixture_close (window);
}

/* Ten steps are too few, spans of a trace without steps and metrics are nothing to look at. */
static void
test_answers (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autoptr (GString) steps =
    g_string_new ("{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[");
  for (guint i = 0; i < 10; i++)
    g_string_append_printf (
      steps,
      "%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":90}",
      i > 0 ? "," : "", i, 100 * i);
  g_string_append (steps, "]}");
  g_autofree char *few = fixture_file (folder, "rank0.pt.trace.json", steps->str);
  g_autofree char *other = fixture_folder ();
  g_autofree char *plain =
    fixture_file (other, "t.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  const struct {
    const char *path, *says;
  } cases[] = { { few, "Not Enough Data" }, { plain, "Not Applicable" } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    LoomWindow *window = open_and_show (cases[i].path);
    g_assert_cmpstr (loom_findings_panel_get_empty (panel_of (window)), ==, cases[i].says);
    g_assert_cmpuint (count_ticks (window), ==, 0);
    fixture_close (window);
  }
}

static gboolean
is_of_selection (gpointer window)
{
  LoomFindings *findings = loom_findings_panel_get_findings (panel_of (window));
  return is_evaluated (panel_of (window)) &&
         loom_findings_get_range (findings).begin_ns == loom_timeline_state_get_range (fixture_state (window)).begin_ns;
}

/* A changed range is looked at when somebody asks, not before. */
static void
test_range (void)
{
  LoomWindow *window = open_and_show (fixture_sample ());
  LoomRange all = loom_timeline_state_get_extent (fixture_state (window));
  LoomFindings *before = loom_findings_panel_get_findings (panel_of (window));
  loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_window_get_run_state (window)),
                                   LOOM_RANGE_SCOPE_SELECTION);
  loom_timeline_state_select_range (fixture_state (window),
                                    (LoomRange) { all.begin_ns + LOOM_NS_PER_S, all.begin_ns + 2 * LOOM_NS_PER_S });
  fixture_spin (60);
  g_assert_true (loom_findings_panel_get_findings (panel_of (window)) == before);
  loom_findings_panel_evaluate (panel_of (window));
  g_assert_true (fixture_wait (is_of_selection, window));
  loom_timeline_state_select_nothing (fixture_state (window));
  loom_findings_panel_evaluate (panel_of (window));
  wait_for (window);
  g_assert_cmpstr (loom_findings_panel_get_empty (panel_of (window)), ==, "No Range");
  fixture_close (window);
}

/* A file in the person's folder counts at the next evaluation; what is wrong with one is said with its line. */
static void
test_own (void)
{
  LoomWindow *window = open_and_show (fixture_sample ());
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "traceloom", "rules", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_autofree char *good = fixture_file (
    folder, "a.json",
    "{\"traceloom-rules\":1,\"rules\":[{\"name\":\"Mine\",\"where\":{\"name\":\"gemm\"},"
    "\"statistic\":\"count\",\"above\":3,\"sentence\":\"{count} of {windows}: {value}\",\"severity\":\"severe\"}]}");
  g_autofree char *bad = fixture_file (folder, "b.json", "{\"traceloom-rules\":1,\n\"rules\":7}");
  loom_findings_panel_evaluate (panel_of (window));
  wait_for (window);
  const LoomFinding *mine = loom_finding_row_get_finding (loom_findings_panel_find_row (panel_of (window), "Mine"));
  g_assert_cmpint (mine->result->status, ==, LOOM_RULE_FIRED);
  g_assert_true (g_str_has_prefix (mine->result->sentence, "1 of 1: "));
  g_assert_cmpint (mine->severity, ==, LOOM_RULE_SEVERE);
  g_assert_cmpstr (loom_findings_panel_get_notes (panel_of (window)), ==, "b.json: line 2: “rules” must be an array");
  g_assert_cmpint (g_remove (good), ==, 0);
  g_assert_cmpint (g_remove (bad), ==, 0);
  fixture_close (window);
}

static GtkWidget *
find_overview (GtkWidget *widget)
{
  GtkWidget *found = LOOM_IS_OVERVIEW_BAR (widget) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_overview (child);
  return found;
}

static gboolean
has_tip (GtkWidget *widget, double x)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows;
  g_signal_emit_by_name (widget, "query-tooltip", (int) x, 3, FALSE, tooltip, &shows);
  return shows;
}

/* What the overview marks at its top is named where the pointer is, and nowhere else. */
static void
test_named (void)
{
  LoomWindow *window = open_and_show (fixture_sample ());
  fixture_wait_facts (window);
  GtkWidget *bar = find_overview (GTK_WIDGET (loom_window_get_run_view (window)));
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (fixture_state (window), &options);
  LoomMinimapData *overview = loom_timeline_state_get_overview (fixture_state (window));
  double width = gtk_widget_get_width (bar),
         finding = loom_timeline_painter_overview_x (overview, width, options.findings_ns[0]);
  g_assert_cmpuint (options.n_bottlenecks, >, 0);
  g_assert_true (has_tip (bar, finding));
  g_assert_true (has_tip (bar, finding + 3));
  g_assert_false (has_tip (bar, finding + 12));
  g_assert_true (has_tip (bar, loom_timeline_painter_overview_x (overview, width, options.bottlenecks_ns[0])));
  g_assert_false (has_tip (bar, width - 2));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/findings/found", test_found);
  g_test_add_func ("/findings/chosen", test_chosen);
  g_test_add_func ("/findings/explained", test_explained);
  g_test_add_func ("/findings/many-places", test_many_places);
  g_test_add_func ("/findings/dismissed", test_dismissed);
  g_test_add_func ("/findings/answers", test_answers);
  g_test_add_func ("/findings/range", test_range);
  g_test_add_func ("/findings/own", test_own);
  g_test_add_func ("/findings/named", test_named);
  return fixture_run ();
}
