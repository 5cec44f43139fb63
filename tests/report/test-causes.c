/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the causes that reports and pages name for outlier steps and for bottlenecks: work that takes longer then, work
 * that runs only then, and waits for data.
 */
#include "report-jobs.h"

#include <math.h>
#include <string.h>

static double
difference_of (JsonNode *root, const char *path, const char *metric)
{
  JsonArray *metrics = json_node_get_array (find (root, path));
  for (guint i = 0; i < json_array_get_length (metrics); i++) {
    JsonNode *item = json_array_get_element (metrics, i);
    if (strcmp (text_at (item, "metric"), metric) == 0)
      return json_node_get_double (find (item, "difference"));
  }
  g_assert_not_reached ();
}

/* Asserts that the last column of the table is the mean duration in outlier steps or at bottlenecks minus the mean
 * duration at other times, in descending order. */
static void
check_causes (LoomPageContent *sheet, const char *title)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    LoomResultTable *table = loom_page_content_get_block (sheet, i)->table;
    if (table == NULL || strcmp (table->title, title) != 0)
      continue;
    guint last = table->columns->len - 1;
    gboolean descending;
    g_assert_cmpstr (loom_result_table_get_column (table, last)->title, ==, "Difference of Means");
    g_assert_cmpuint (loom_result_table_get_order (table, &descending), ==, last);
    g_assert_true (descending);
    for (guint row = 0; row < table->n_rows; row++) {
      double mean = loom_result_table_get_number (table, row, 3),
             otherwise = loom_result_table_get_number (table, row, 4);
      g_assert_cmpfloat_with_epsilon (loom_result_table_get_number (table, row, last), mean - otherwise, 1e-3);
    }
    return;
  }
  g_assert_not_reached ();
}

/* The span "load" takes 2.25 s in the outlier step, and 0.25 s in each of four normal steps. Both bottlenecks are
 * during the long span, so the mean at bottlenecks is that of the long span, and the mean at other times that of the
 * four short ones. */
static void
test_differences (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (slow_job ());
  g_autoptr (LoomPageContent) steps = page_of (timeline, "steps"), bottlenecks = page_of (timeline, "bottlenecks");
  check_causes (steps, "What takes longer in outlier steps");
  check_causes (bottlenecks, "What takes longer during bottlenecks");
  g_autoptr (JsonNode) root = intended (slow_job (), NULL);
  g_assert_cmpfloat_with_epsilon (difference_of (root, "root_cause.in_outlier_steps.metrics", "load"), 2.25e9 - 0.25e9,
                                  1);
  g_assert_cmpfloat_with_epsilon (difference_of (root, "root_cause.at_cpu_bottleneck.metrics", "load"), 2.25e9 - 0.25e9,
                                  1);
}

static JsonNode *
cause_of (JsonNode *root, const char *metric)
{
  JsonArray *metrics = json_node_get_array (find (root, "root_cause.at_cpu_bottleneck.metrics"));
  for (guint i = 0; i < json_array_get_length (metrics); i++)
    if (strcmp (text_at (json_array_get_element (metrics, i), "metric"), metric) == 0)
      return json_array_get_element (metrics, i);
  g_assert_not_reached ();
}

/* Four of five steps take 1 s. The step during a bottleneck takes 3 s on both nodes; on both it
 * counts as a step at the bottleneck, although only one node has the bottleneck. */
static void
test_otherwise_is_the_rest (void)
{
  FakeJob *job = slow_job ();
  for (int i = 0; i < 5; i++)
    fake_job_step (job, 2, 1, i, 10 + i + (i > 3 ? 2 : 0), 11 + i + (i > 2 ? 2 : 0));
  for (int i = 0; i < 12; i++) {
    fake_job_sample (job, 2, "gpu0", GPU, 8.5 + i, 50); /* node 2 has no bottleneck: its GPU is at 50 % and its core at
                                                         * 30 % */
    fake_job_sample (job, 2, "cpu0", CPU, 8.5 + i, 30);
  }
  g_autoptr (JsonNode) root = intended (job, NULL);
  JsonNode *step = cause_of (root, "Step:ModeKeys.TRAIN");
  g_assert_cmpint (int_at (step, "count"), ==, 1);
  g_assert_cmpfloat (json_node_get_double (find (step, "mean_ns")), ==, 3e9);
  g_assert_cmpfloat (json_node_get_double (find (step, "mean_otherwise_ns")), ==, 1e9);
  g_assert_cmpfloat (json_node_get_double (find (step, "ratio")), ==, 3);
  g_assert_false (json_node_get_boolean (find (step, "only_then")));
}

/* Returns a job in which a load of 1.2 s runs only at a bottleneck, and a span runs all the time. Only the load is
 * reported as running only at bottlenecks. */
static FakeJob *
only_job (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 5; i++)
    fake_job_step (job, 1, 0, i, 10 + 2 * i, 10.5 + 2 * i);
  fake_job_span (job, 1, 0, "Data", "worker", 8, 21, "{}");
  fake_job_span (job, 1, 0, "Data", "load", 14.7, 15.9, "{}");
  /* the span "brief" also runs only at the bottleneck, but is too short to be reported */
  fake_job_span (job, 1, 0, "Data", "brief", 14.999, 15.001, "{}");
  for (int i = 0; i < 12; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, 9 + i, i == 6 ? 5 : 60);
    fake_job_sample (job, 1, "cpu0", CPU, 9 + i, i == 6 ? 95 : 30);
  }
  return job;
}

static void
test_only_at_bottlenecks (void)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = intended (only_job (), &text);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (only_job ());
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "bottlenecks");
  g_assert_true (says (sheet, LOOM_BLOCK_NOTE, "Functions that ran only during bottlenecks: load (1 × 1.20 s)."));
  g_assert_false (says (sheet, LOOM_BLOCK_NOTE, "No function takes"));
  g_assert_nonnull (strstr (text, "  only at CPU bottlenecks: load ran 1 time, 1.20 s on average\n"));
  g_assert_null (strstr (text, "at CPU bottlenecks: nothing"));
  g_assert_null (strstr (text, "brief ran"));
  g_assert_true (json_node_get_boolean (find (cause_of (root, "brief"), "only_then")));
  g_assert_true (json_node_get_boolean (find (cause_of (root, "load"), "only_then")));
  g_assert_true (JSON_NODE_HOLDS_NULL (find (cause_of (root, "load"), "mean_otherwise_ns")));
  g_assert_cmpfloat (json_node_get_double (find (cause_of (root, "load"), "difference")), ==, 1.2e9);
  g_assert_false (json_node_get_boolean (find (cause_of (root, "worker"), "only_then")));
  g_assert_true (JSON_NODE_HOLDS_NULL (find (cause_of (root, "worker"), "difference")));
}

static const LoomKeyValue *
find_figure (LoomPageContent *sheet, const char *name)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    for (guint k = 0; block->large && k < block->facts->len; k++)
      if (strcmp (g_array_index (block->facts, LoomKeyValue, k).name, name) == 0)
        return &g_array_index (block->facts, LoomKeyValue, k);
  }
  return NULL;
}

/* Rank 0 waits for a second in GetNext before its second and its third step; the other ranks never wait. */
static void
check_waits_in_loop (int n_ranks)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 3; i++) {
    for (int rank = 0; rank < n_ranks; rank++)
      fake_job_step (job, 1, rank, i, 10 + 2 * i, 11 + 2 * i);
    fake_job_span (job, 1, 0, "DataIterator", "_MultiProcessingDataLoaderIter::GetNext", 11 + 2 * i, 12 + 2 * i, "{}");
    fake_job_span (job, 1, 0, "DataIterator", "DataLoaderWorker", 10, 15, "{}");
  }
  fake_job_sample (job, 1, "cpu0", CPU, 9, 50);
  fake_job_sample (job, 1, "cpu0", CPU, 15, 50);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) overview = page_of (timeline, "overview");
  const LoomKeyValue *waiting = find_figure (overview, "Exposed Waiting");
  g_assert_nonnull (waiting);
  /* the waiting is 2 s of the recorded time: of 5 s if there is one rank, or of 5 s + 3 × 3 s if there are four ranks
   */
  g_assert_cmpstr (waiting->value, ==, n_ranks == 1 ? "40 %" : "14.3 %");
  g_assert_nonnull (strstr (waiting->note, "2.00 s"));
}

/* The text report shows the same figures for calls of GetNext as the page “Overview”. */
static void
test_calls_are_waits (void)
{
  FakeJob *job = fake_job_new ();
  g_autofree char *text = NULL;
  for (int i = 0; i < 3; i++) {
    fake_job_step (job, 1, 901, i, 10 + 2 * i, 11 + 2 * i);
    fake_job_span (job, 1, 901, "DataIterator", "_MultiProcessingDataLoaderIter::GetNext", 11 + 2 * i, 12 + 2 * i,
                   "{}");
  }
  g_autoptr (JsonNode) root = intended (job, &text);
  g_assert_nonnull (strstr (
    text,
    "algo-1, process 901  3.00 s in 3 waits, median 1.00 s, longest 1.00 s, 0 longer than twice the median; all between steps\n"));
  JsonArray *ranks = json_node_get_array (find (root, "computed.data_loading.ranks"));
  g_assert_cmpuint (json_array_get_length (ranks), ==, 1);
  g_assert_cmpint (json_node_get_int (find (json_array_get_element (ranks, 0), "process_id")), ==, 901);
  g_assert_cmpint (json_node_get_int (find (json_array_get_element (ranks, 0), "total_ns")), ==,
                   3 * G_GINT64_CONSTANT (1000000000));
}

static void
test_waits_in_loop (void)
{
  check_waits_in_loop (1);
  check_waits_in_loop (4);
}

/* Data loader workers run for 12 s in total during 4 s of bottlenecks: charts exclude workers, the table includes
 * them. */
static void
test_causes_without_workers (void)
{
  FakeJob *job = whole_job ();
  fake_job_span (job, 1, 0, "Forward", "conv", 11, 13, "{}");
  for (int i = 0; i < 2; i++)
    fake_job_span (job, 1, 0, "DataIterator", "DataLoaderWorker", 10, 16 + i, "{}");
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) page = page_of (timeline, "bottlenecks");
  guint n_slices = 0;
  for (guint i = 0; i < page->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (page, i);
    if (block->chart != NULL &&
        strcmp (block->chart->title, "Functions during bottlenecks, not counting data loader workers") == 0)
      n_slices = loom_chart_get_n_elements (block->chart);
  }
  g_assert_cmpuint (n_slices, ==, 1);
  g_assert_true (says_row (page, "DataLoaderWorker"));
  g_assert_true (
    says (page, LOOM_BLOCK_NOTE,
          "Data loader workers run all the time, so they are in the table only: DataLoaderWorker (2 × 6.50 s)."));
}

static const LoomBlock *
block_of (LoomPageContent *page, const char *title)
{
  for (guint i = 0; i < page->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (page, i);
    if (strcmp (block->text, title) == 0)
      return block;
  }
  g_error ("no block “%s”", title);
}

/* The page of steps begins with the sentence that answers its question. Causes that are work are listed before the
 * waits that follow from them. Ranges that only enclose other work, such as "callback/around", are not causes. */
static void
test_answer (void)
{
  FakeJob *job = slow_job ();
  for (int i = 0; i < 5; i++) {
    double begin = 10 + i + (i > 3 ? 2 : 0), end = begin + (i == 3 ? 3 : 1);
    fake_job_span (job, 1, 0, "Other", "nccl:all_reduce", begin + 0.6, end - 0.1, "{}");
    fake_job_span (job, 1, 0, "Other", "callback/around", begin, end, "{}");
  }
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) page = page_of (timeline, "steps");
  const LoomBlock *answer = loom_page_content_get_block (page, 0), *cause = loom_page_content_get_block (page, 1),
                  *effect = loom_page_content_get_block (page, 2);
  g_assert_true (answer->large);
  g_assert_cmpstr (answer->text, ==, "Step 3 takes up to 3.00 s; the median step takes 1.00 s.");
  g_assert_cmpstr (cause->text, ==,
                   "Functions that take at least twice as long in outlier steps as in other steps: load (× 9.0).");
  g_assert_true (g_str_has_prefix (
    effect->text,
    "Waits (for other ranks or for devices) that take at least twice as long in outlier steps as in other steps: nccl:all_reduce (× "));
  const LoomChart *pie = block_of (page, "Functions in outlier steps")->chart;
  for (guint i = 0; i < loom_chart_get_n_elements (pie); i++) {
    g_autofree char *name = loom_chart_dup_name (pie, i);
    g_assert_false (g_str_has_prefix (name, "callback/"));
  }
}

/* Returns a job whose step 3 is an outlier during a bottleneck, but whose function "load" takes 0.25 s in all steps. */
static FakeJob *
even_job (gboolean waits_longer)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 5; i++) {
    double begin = 10 + i + (i > 3 ? 2 : 0), length = i == 3 ? 3 : 1;
    fake_job_step (job, 1, 0, i, begin, begin + length);
    fake_job_span (job, 1, 0, "Data", "load", begin + length / 2, begin + length / 2 + 0.25, "{}");
    if (waits_longer)
      fake_job_span (job, 1, 0, "Other", "nccl:all_reduce", begin + 0.1, begin + length / 2, "{}");
  }
  for (int i = 0; i < 12; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, 8.6 + i, i == 6 ? 5 : 95);
    fake_job_sample (job, 1, "cpu0", CPU, 8.6 + i, i == 6 ? 95 : 30);
  }
  return job;
}

/* If no function takes longer, each page says with which times it compares outlier steps or bottlenecks. */
static void
test_no_suspects (void)
{
  g_autoptr (LoomTimeline) even = fake_job_timeline (even_job (FALSE)), waits = fake_job_timeline (even_job (TRUE));
  g_autoptr (LoomPageContent) steps = page_of (even, "steps"), bottlenecks = page_of (even, "bottlenecks"),
                              waits_of_steps = page_of (waits, "steps");
  g_assert_true (
    says (steps, LOOM_BLOCK_NOTE, "No function takes at least twice as long in outlier steps as in other steps."));
  g_assert_true (says (bottlenecks, LOOM_BLOCK_NOTE,
                       "No function takes at least twice as long during bottlenecks as at other times."));
  g_assert_true (says (waits_of_steps, LOOM_BLOCK_NOTE,
                       "Only waits take at least twice as long in outlier steps as in other steps."));
}

/* If an operator only calls another one, both take equally long: the inner operator is named as the cause, and a note
 * says that the outer one is the same work. */
static void
test_wrapper (void)
{
  FakeJob *job = slow_job ();
  for (int i = 0; i < 5; i++) {
    double begin = 10 + i + (i > 3 ? 2 : 0), end = begin + (i == 3 ? 3 : 1);
    fake_job_span (job, 1, 0, "Forward", "aten::linear", begin + 0.1, end - 0.1, "{}");
    fake_job_span (job, 1, 0, "Forward", "aten::addmm", begin + 0.101, end - 0.101, "{}");
  }
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) page = page_of (timeline, "steps");
  g_assert_true (says (
    page, LOOM_BLOCK_NOTE,
    "Functions that take at least twice as long in outlier steps as in other steps: aten::addmm (× 3.5), load (× 9.0)."));
  g_assert_true (
    says (page, LOOM_BLOCK_NOTE,
          "Work that was recorded under several names appears only once in the charts: aten::linear = aten::addmm."));
}

/* In the histogram of steps, the few steps that are very much longer than the others are in an additional bin at the
 * end. The place to which this bin leads is the longest step. */
static void
test_rest (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 20; i++)
    fake_job_step (job, 1, 0, i, 10 + 20 * i, 11 + 20 * i + 0.01 * i + (i == 7 ? 12 : i == 9 ? 15 : 0));
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) page = page_of (timeline, "steps");
  const LoomBlock *block = block_of (page, "Steps by duration");
  const LoomChartHistogram *histogram = &block->chart->histogram;
  guint last = loom_chart_get_n_elements (block->chart) - 1;
  double sum = 0;
  g_assert_true (histogram->has_rest);
  g_assert_cmpuint (last, ==, 10);
  g_assert_cmpfloat (loom_chart_get_value (block->chart, last), ==, 2);
  g_assert_cmpfloat_with_epsilon (histogram->rest_begin, 13.07e9, 1);
  g_assert_cmpfloat_with_epsilon (histogram->end, 1.19e9, 1);
  for (guint i = 0; i < last; i++)
    sum += loom_chart_get_value (block->chart, i);
  g_assert_cmpfloat (sum, ==, 18);
  const LoomNavigationTarget *longest = &g_array_index (block->places, LoomNavigationTarget, last);
  g_assert_cmpint (longest->range.end_ns - longest->range.begin_ns, ==, 16090000000);
}

/* The sentence about waits for data does not require a span of a data loader: here the waits have other names. */
static void
test_waits_without_loader (void)
{
  FakeJob *job = fake_job_new ();
  g_autofree char *text = NULL;
  fake_job_step (job, 1, 0, 0, 10, 12);
  fake_job_span (job, 1, 0, "Other", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 10, 11, "{}");
  g_autoptr (JsonNode) root = intended (job, &text);
  g_assert_true (g_str_has_suffix (text_at (root, "data_loading.missing"), "SageMaker's GetNext calls"));
  g_assert_nonnull (strstr (text, "SageMaker's GetNext calls; the waits for data are listed below\n"));
}

/* Findings name a data loader worker by its rank, too. */
static void
test_rank_in_findings (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 360; i++)
    fake_job_step (job, 1, 3, i, 10 + 5 * i, 11 + 5 * i + (i % 30 == 7 ? 3 : 0));
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = intended (job, &text);
  JsonArray *findings = json_node_get_array (find (root, "findings"));
  g_assert_cmpuint (json_array_get_length (findings), ==, 1);
  g_assert_cmpstr (text_at (json_array_get_element (findings, 0), "where"), ==, "rank 3");
  g_assert_nonnull (strstr (text_at (json_array_get_element (findings, 0), "sentence"), "the most, 12, are on rank 3"));
}

/* The range is a single bottleneck. Spans that run mostly outside of the range must not be reported as running only at
 * bottlenecks. */
static void
test_only_at_bottlenecks_in_range (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (only_job ());
  LoomReportOptions options = { .has_range = TRUE, .range = { AT (14.5), AT (15.5) } };
  g_autoptr (LoomReport) report = loom_report_new (timeline, &options, NULL, NULL);
  g_autoptr (JsonNode) root = loom_report_to_json (report, NULL, NULL);
  g_assert_true (json_node_get_boolean (find (cause_of (root, "load"), "only_then")));
  g_assert_false (json_node_get_boolean (find (cause_of (root, "worker"), "only_then")));
}

/* Three ranks, two on one node and one on another, take part in the same three training steps; one step is slow on two
 * of the ranks. An evaluation also has steps, which are counted from 0. All figures count a step of several ranks once
 * and state the number of ranks. */
static void
test_steps_of_ranks (void)
{
  FakeJob *job = fake_job_new ();
  for (int rank = 0; rank < 3; rank++) {
    for (int i = 0; i < 3; i++)
      fake_job_step (job, rank < 2 ? 1 : 2, rank, i, 10 + i, 10.5 + i + 0.1 * rank + (i == 2 && rank > 0 ? 4 : 0));
    fake_job_span (job, rank < 2 ? 1 : 2, rank, "Step:ModeKeys.EVAL", "Step:ModeKeys.EVAL", 20, 21,
                   "{\"step_num\": \"0\"}");
  }
  g_autofree char *text = NULL;
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (JsonNode) root = report_of (timeline, LOOM_NUMBER_CONVENTION_INTENDED, &text);
  g_autoptr (LoomPageContent) steps = page_of (timeline, "steps"), overview = page_of (timeline, "overview");
  g_assert_cmpint (int_at (root, "steps.count"), ==, 3);
  JsonArray *nodes = json_node_get_array (find (root, "about.nodes"));
  g_assert_cmpint (int_at (json_array_get_element (nodes, 0), "steps"), ==, 4);
  g_assert_cmpint (int_at (json_array_get_element (nodes, 0), "ranks_with_steps"), ==, 2);
  g_assert_cmpint (int_at (json_array_get_element (nodes, 1), "ranks_with_steps"), ==, 1);
  g_assert_nonnull (strstr (text, "  3 training steps of 3 ranks\n"));
  g_assert_nonnull (strstr (text, "8 rows, 4 steps of 2 ranks, "));
  g_assert_nonnull (strstr (text, "4 rows, 4 steps, "));
  g_assert_cmpstr (fact (steps, "Steps"), ==, "3");
  g_assert_cmpstr (fact (steps, "Ranks"), ==, "3");
  g_assert_cmpstr (fact (steps, "Over 2 × the median"), ==, "1");
  g_assert_true (says_row (overview, "1 step takes more than 2 times the median"));
  g_assert_cmpstr (fact (overview, "Training steps"), ==, "3");
  g_assert_cmpstr (fact (overview, "Ranks with training steps"), ==, "3");
  g_assert_cmpstr (steps->sources, ==, "computed from 3 training steps of 3 ranks (smdebug)");
}

static const LoomChart *
find_chart (LoomPageContent *sheet, LoomChartKind kind)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    if (block->kind == LOOM_BLOCK_CHART && block->chart->kind == kind)
      return block->chart;
  }
  return NULL;
}

/* Steps 5 to 7 of six ranks are shown as a map of ranks and steps, in which rank 5 lacks step 6. */
static void
test_steps_as_map (void)
{
  FakeJob *job = fake_job_new ();
  for (int rank = 0; rank < 6; rank++)
    for (int step = 5; step < 8; step++)
      if (rank < 5 || step != 6)
        fake_job_step (job, 1, rank, step, 10 + 2 * step, 11 + 2 * step + 0.1 * rank);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) steps = page_of (timeline, "steps");
  const LoomChart *map = find_chart (steps, LOOM_CHART_HEAT);
  g_assert_nonnull (map);
  g_assert_null (find_chart (steps, LOOM_CHART_LINES));
  g_assert_cmpuint (loom_chart_get_n_elements (map), ==, 18);
  g_assert_cmpfloat_with_epsilon (loom_chart_get_value (map, 0), 1e9, 1);
  g_assert_cmpfloat_with_epsilon (loom_chart_get_value (map, 17), 1.5e9, 1e3);
  g_assert_true (isnan (loom_chart_get_value (map, 16)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answer", test_answer);
  g_test_add_func ("/rest", test_rest);
  g_test_add_func ("/no-suspects", test_no_suspects);
  g_test_add_func ("/wrapper", test_wrapper);
  g_test_add_func ("/differences", test_differences);
  g_test_add_func ("/otherwise-is-the-rest", test_otherwise_is_the_rest);
  g_test_add_func ("/only-at-bottlenecks", test_only_at_bottlenecks);
  g_test_add_func ("/only-at-bottlenecks-in-range", test_only_at_bottlenecks_in_range);
  g_test_add_func ("/pages/waits-in-loop", test_waits_in_loop);
  g_test_add_func ("/pages/calls-are-waits", test_calls_are_waits);
  g_test_add_func ("/pages/causes-without-workers", test_causes_without_workers);
  g_test_add_func ("/waits-without-loader", test_waits_without_loader);
  g_test_add_func ("/findings/rank", test_rank_in_findings);
  g_test_add_func ("/steps-of-ranks", test_steps_of_ranks);
  g_test_add_func ("/steps-as-map", test_steps_as_map);
  return g_test_run ();
}
