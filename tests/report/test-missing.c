/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reports on runs that lack data (formats/analysis.md §13), and reports on a range of a run.
 */
#include "report-jobs.h"

#include <string.h>

#include "loom-findings.h"
#include "loom-progress-cancellable.h"

static guint
length_at (JsonNode *root, const char *path)
{
  return json_array_get_length (json_node_get_array (find (root, path)));
}

/* A run with complete data has a report without reasons for missing results. */
static void
test_nothing_missing (void)
{
  static const char *const sections[] = {
    "phases",  "utilization.gpu", "utilization.cpu", "usage",           "bottlenecks",
    "balance", "steps",           "step_usage",      "step_statistics", "utilization_statistics"
  };
  g_autoptr (JsonNode) root = intended (whole_job (), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++) {
    g_autofree char *path = g_strconcat (sections[i], ".missing", NULL);
    g_assert_nonnull (find (root, sections[i]));
    g_assert_null (find (root, path));
  }
  g_assert_nonnull (find (root, "computed.ranks"));
  g_assert_cmpint (int_at (root, "bottlenecks.rows"), ==, 4);
  g_assert_cmpint (int_at (root, "bottlenecks.rows_in_loop"), ==, 2); /* the samples at 12 and 15 s are inside the
                                                                       * training loop */
  g_assert_cmpint (int_at (root, "usage.cpu_bottleneck.samples"), ==, 2);
}

static void
test_no_gpu (void)
{
  FakeJob *job = fake_job_new ();
  g_autofree char *text = NULL;
  fake_job_step (job, 1, 0, 0, 10, 11);
  fake_job_sample (job, 1, "cpu0", CPU, 10, 95);
  fake_job_sample (job, 1, "cpu0", CPU, 12, 20);
  g_autoptr (JsonNode) root = intended (job, &text);
  g_assert_cmpstr (text_at (root, "utilization.gpu.missing"), ==, "There are no GPU metrics");
  g_assert_cmpstr (text_at (root, "usage.missing"), ==, "There are no GPU metrics");
  g_assert_cmpstr (text_at (root, "balance.missing"), ==, "There are no GPU metrics");
  g_assert_cmpstr (text_at (root, "bottlenecks.missing"), ==, "There are no GPU metrics");
  g_assert_null (find (root, "utilization.cpu.missing"));
  g_assert_cmpint (int_at (root, "utilization.cpu.samples"), ==, 2);
  g_assert_nonnull (strstr (text, "There are no GPU metrics"));
}

/* The job has no training steps: results that need steps are missing, and the report states this reason. */
static void
test_no_steps (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_span (job, 1, 0, "Forward", "conv", 10, 13, "{}");
  for (int i = 0; i < 3; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, 9 + 3 * i, 5);
    fake_job_sample (job, 1, "cpu0", CPU, 9 + 3 * i, 95);
  }
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = intended (job, &text);
  g_assert_cmpstr (text_at (root, "phases.missing"), ==, "There are no training steps");
  g_assert_cmpstr (text_at (root, "usage.missing"), ==, "There are no training steps");
  g_assert_cmpstr (text_at (root, "steps.missing"), ==, "There are no training steps");
  g_assert_cmpstr (text_at (root, "step_usage.missing"), ==, "There are no training steps");
  g_assert_cmpint (int_at (root, "bottlenecks.rows"), ==, 3);
  g_assert_true (JSON_NODE_HOLDS_NULL (find (root, "bottlenecks.rows_in_loop"))); /* the run has no steps, so its
                                                                                   * training loop is unknown */
  g_assert_nonnull (strstr (text, "  3 instants, 3 GPU samples starved\n"));
  for (guint i = 0; i < length_at (root, "bottlenecks.instants"); i++)
    g_assert_true (JSON_NODE_HOLDS_NULL (
      find (json_array_get_element (json_node_get_array (find (root, "bottlenecks.instants")), i), "in_loop")));
  g_assert_nonnull (strstr (text, "  in outlier steps: no training steps are known\n"));
  g_assert_cmpint (int_at (root, "root_cause.at_cpu_bottleneck.rows"), ==, 1); /* the span "conv" at 12 s */
}

static void
test_no_samples (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 11);
  fake_job_step (job, 1, 0, 1, 12, 14);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = intended (job, &text);
  g_assert_cmpstr (text_at (root, "phases.missing"), ==, "There are no system metrics");
  g_assert_cmpint (int_at (root, "phases.job_duration_ns"), ==,
                   4 * LOOM_NS_PER_S); /* the length of the time that the events cover, as on the page “Overview” */
  g_assert_cmpint (int_at (root, "phases.job_end_ns"), ==, AT (14));
  g_assert_nonnull (strstr (text, "  duration         4.00 s\n"));
  g_assert_nonnull (strstr (text, "  rank 0               2 training steps, "));
  g_assert_true (JSON_NODE_HOLDS_NULL (find (root, "phases.initialization_ns")));
  g_assert_cmpint (int_at (root, "phases.training_loop_ns"), ==, 4 * LOOM_NS_PER_S);
  g_assert_cmpstr (text_at (root, "utilization.cpu.missing"), ==, "There are no system metrics");
  g_assert_null (find (root, "steps.missing"));
}

static void
test_some_nodes (void)
{
  FakeJob *job = whole_job ();
  fake_job_sample (job, 2, "gpu0", GPU, 12, 50);
  g_autoptr (JsonNode) root = intended (job, NULL);
  g_assert_cmpuint (length_at (root, "about.nodes"), ==, 2);
  JsonNode *first = json_array_get_element (json_node_get_array (find (root, "about.nodes")), 0);
  JsonNode *second = json_array_get_element (json_node_get_array (find (root, "about.nodes")), 1);
  g_assert_null (find (first, "missing"));
  g_assert_cmpstr (text_at (second, "missing"), ==, "There is no framework data of this node");
  g_assert_cmpuint (length_at (root, "steps.ranks"), ==, 1);
}

/* If the clock of a file is known only to a second, its steps are not compared with samples of another clock until the
 * user aligns them. */
static void
test_bad_clock (void)
{
  FakeJob *job = whole_job ();
  fake_job_set_clock (job, LOOM_CLOCK_APPROXIMATE);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (JsonNode) root = report_of (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  g_assert_nonnull (strstr (text_at (root, "phases.missing"), "align them first"));
  g_assert_nonnull (strstr (text_at (root, "usage.missing"), "align them first"));
  g_assert_cmpint (int_at (root, "root_cause.at_cpu_bottleneck.rows"), ==, 0);
  g_assert_cmpuint (length_at (root, "steps.ranks"), ==, 1); /* durations of steps are still computed, because they do
                                                              * not depend on other clocks */
  LoomRun *run = loom_timeline_get_run (timeline);
  LoomUserOffset offset = { .source = 0, .offset_ns = 1 };
  g_assert_cmpstr (loom_run_get_source (run, 0)->format, ==, "smdebug");
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, &offset, 1);
  g_autoptr (LoomTimeline) moved = loom_timeline_new (run, alignment);
  loom_alignment_unref (alignment);
  g_autoptr (JsonNode) again = report_of (moved, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  g_assert_null (find (again, "phases.missing"));
  g_assert_cmpint (int_at (again, "root_cause.at_cpu_bottleneck.rows"), ==, 1); /* after the alignment, the step at 12 s
                                                                                 * counts as being at a bottleneck */
}

/* One step and one sample are too few for statistics, and the report says so. */
static void
test_few_values (void)
{
  FakeJob *job = fake_job_new ();
  g_autofree char *text = NULL;
  fake_job_step (job, 1, 0, 0, 10, 11);
  fake_job_sample (job, 1, "gpu0", GPU, 10, 95);
  g_autoptr (JsonNode) root = intended (job, &text);
  JsonNode *steps = json_array_get_element (json_node_get_array (find (root, "step_statistics.by_training_phase")), 0);
  JsonNode *resource =
    json_array_get_element (json_node_get_array (find (root, "utilization_statistics.by_resource")), 0);
  g_assert_cmpint (int_at (steps, "count"), ==, 1);
  g_assert_true (JSON_NODE_HOLDS_NULL (find (steps, "mean")));
  g_assert_true (JSON_NODE_HOLDS_NULL (find (resource, "p95")));
  g_assert_nonnull (strstr (text, "–"));
}

/* The text report can be written with both number conventions. */
static void
test_text (void)
{
  static const char *const words[] = { "Nodes",           "training loop",    "GPU usage",
                                       "CPU bottlenecks", "4 training steps", "Data loading" };
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (whole_job ());
  for (int numbers = 0; numbers < 2; numbers++) {
    g_autofree char *text = NULL;
    g_autoptr (JsonNode) root = report_of (timeline, (LoomNumberConvention) numbers, &text);
    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
      g_assert_nonnull (strstr (text, words[i]));
  }
}

/* A report states the time at which it was computed, because the files of the job may still be growing. */
static void
test_time_of_report (void)
{
  g_autoptr (JsonNode) root = intended (whole_job (), NULL);
  g_autoptr (GDateTime) computed = g_date_time_new_from_iso8601 (text_at (root, "about.computed"), NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_assert_nonnull (computed);
  g_assert_cmpint (ABS (g_date_time_difference (now, computed)), <, G_TIME_SPAN_HOUR);
}

static void
test_empty (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (fake_job_new ());
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = report_of (timeline, LOOM_NUMBER_CONVENTION_INTENDED, &text);
  g_autoptr (JsonNode) as_written = report_of (timeline, LOOM_NUMBER_CONVENTION_SMDEBUG, NULL);
  g_assert_cmpstr (text_at (root, "phases.missing"), ==, "There are no system metrics");
  g_assert_cmpuint (length_at (root, "phase_intervals"), ==, 0);
  g_assert_nonnull (text_at (as_written, "statistics.error"));
  g_assert_cmpint (int_at (as_written, "analysis.framework_rows"), ==, 0);
}

/* The report on the range from 12 to 14 s contains step 1, the part of step 2 in the range, and the samples at 12 s. */
static void
test_range (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (whole_job ());
  LoomReportOptions options = { .has_range = TRUE, .range = { AT (12), AT (14) } };
  g_autoptr (LoomReport) report = loom_report_new (timeline, &options, NULL, NULL);
  g_autoptr (JsonNode) root = loom_report_to_json (report, NULL, NULL);
  g_assert_cmpint (int_at (root, "phases.loop_begin_ns"), ==, AT (12));
  g_assert_cmpint (int_at (root, "phases.loop_end_ns"), ==, AT (14));
  g_assert_cmpint (int_at (root, "utilization.gpu.samples"), ==, 1);
  g_assert_cmpint (int_at (root, "about.start_ns"), ==, AT (12));
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (whole_job ());
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  LoomReportOptions options = { 0 };
  g_autoptr (LoomReport) report = loom_report_new (timeline, &options, cancellable, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_report_to_json (report, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (loom_report_to_text (report, cancellable, NULL));
  g_assert_null (loom_report_new (timeline, &options, cancellable, NULL));
}

/* Without training steps it is unknown how many samples at bottlenecks are inside the training loop. */
static void
test_bottlenecks_without_loop (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_sample (job, 1, "gpu0", GPU, 9, 5);
  fake_job_sample (job, 1, "cpu0", CPU, 9, 95);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "bottlenecks");
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = report_of (timeline, LOOM_NUMBER_CONVENTION_INTENDED, &text);
  g_assert_nonnull (root);
  g_assert_nonnull (strstr (
    text, "at CPU bottlenecks: nothing of the framework ran at these instants, so their causes cannot be told\n"));
  g_assert_cmpstr (fact (sheet, "Samples of starved GPUs"), ==, "1");
  g_assert_cmpstr (fact (sheet, "Samples of starved GPUs in the training loop"), ==, "–");
}

typedef struct {
  const char *page;
  LoomBlockKind kind;
  const char *words;
} Saying;

static void
check_pages (LoomTimeline *timeline, const Saying *sayings, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomPageContent) sheet = page_of (timeline, sayings[i].page);
    g_autofree char *all = loom_page_content_dup_tsv (sheet);
    g_test_message ("%s: %s", sayings[i].page, sayings[i].words);
    if (!says (sheet, sayings[i].kind, sayings[i].words))
      g_error ("%s does not say “%s”:\n%s", sayings[i].page, sayings[i].words, all);
  }
}

static void
test_pages_no_gpu (void)
{
  static const Saying sayings[] = {
    { "overview", LOOM_BLOCK_MISSING, "No GPU metrics were found" },
    { "utilization", LOOM_BLOCK_MISSING, "No GPU metrics were found" },
    { "utilization", LOOM_BLOCK_CHART, "CPU utilization" },
    { "utilization", LOOM_BLOCK_TABLE, "Resources by node" },
    { "bottlenecks", LOOM_BLOCK_MISSING, "No GPU metrics were found" },
    { "balance", LOOM_BLOCK_MISSING, "No GPU metrics were found" },
    { "overview", LOOM_BLOCK_CHART, "Phases of the job" },
  };
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 11);
  fake_job_step (job, 1, 0, 1, 11, 12);
  for (int i = 0; i < 3; i++)
    fake_job_sample (job, 1, "cpu0", CPU, 9 + 2 * i, 20);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
}

static void
test_pages_no_steps (void)
{
  static const Saying sayings[] = {
    { "overview", LOOM_BLOCK_MISSING, "No training steps were found" },
    { "steps", LOOM_BLOCK_MISSING, "No training steps were found" },
    { "bottlenecks", LOOM_BLOCK_TABLE, "Instants" },
    { "loading", LOOM_BLOCK_MISSING, "No spans of a data loader were found" },
    { "work", LOOM_BLOCK_MISSING, "There are no GPU kernels or memory copies in this range" },
    { "operators", LOOM_BLOCK_MISSING, "No operators were found." },
    { "operators", LOOM_BLOCK_NOTE, "Operators are read from recordings" },
    { "efficiency", LOOM_BLOCK_MISSING, "There are no matrix products, convolutions or other operators" },
  };
  FakeJob *job = fake_job_new ();
  fake_job_span (job, 1, 0, "Forward", "conv", 10, 13, "{}");
  for (int i = 0; i < 3; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, 9 + 3 * i, 5);
    fake_job_sample (job, 1, "cpu0", CPU, 9 + 3 * i, 95);
  }
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
}

static void
test_pages_no_samples (void)
{
  static const Saying sayings[] = {
    { "overview", LOOM_BLOCK_MISSING, "No system metrics were found" },
    { "utilization", LOOM_BLOCK_MISSING, "No system metrics were found, and no kernels" },
    { "bottlenecks", LOOM_BLOCK_MISSING, "No system metrics were found" },
    { "balance", LOOM_BLOCK_MISSING, "No system metrics were found" },
    { "steps", LOOM_BLOCK_MISSING, "No system metrics were found" },
    { "steps", LOOM_BLOCK_CHART, "Duration of each step" },
    { "steps", LOOM_BLOCK_FACTS, "All steps" },
  };
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 4; i++)
    fake_job_step (job, 1, 0, i, 10 + 5 * i, 11 + 5 * i + (i == 3 ? 3 : 0)); /* the last step is an outlier */
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "steps");
  g_assert_false (says (sheet, LOOM_BLOCK_TABLE, "Steps by training phase")); /* the run has only one training phase, so
                                                                               * this table would repeat the facts */
}

static void
test_pages_some_nodes (void)
{
  static const Saying sayings[] = {
    { "overview", LOOM_BLOCK_MISSING, "There is no framework data of algo-2." },
    { "steps", LOOM_BLOCK_MISSING, "There is no framework data of algo-2." },
    { "overview", LOOM_BLOCK_MISSING, "There are no system metrics of algo-3." },
    { "utilization", LOOM_BLOCK_MISSING, "There are no system metrics of algo-3." },
  };
  FakeJob *job = whole_job ();
  fake_job_sample (job, 2, "gpu0", GPU, 12, 50);
  fake_job_step (job, 3, 0, 0, 10, 11);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
  g_autoptr (LoomTimeline) whole = fake_job_timeline (whole_job ());
  g_autoptr (LoomPageContent) sheet = page_of (whole, "overview");
  g_assert_false (says (sheet, LOOM_BLOCK_MISSING, ""));
}

static void
test_pages_bad_clock (void)
{
  static const Saying sayings[] = {
    { "overview", LOOM_BLOCK_MISSING, "The clock of the training steps is not known well enough" },
    { "bottlenecks", LOOM_BLOCK_MISSING, "The clock of the training steps is not known well enough" },
    { "bottlenecks", LOOM_BLOCK_MISSING, "No work of the framework was recorded at the bottlenecks" },
    { "steps", LOOM_BLOCK_CHART, "Duration of each step" },
  };
  FakeJob *job = whole_job ();
  fake_job_set_clock (job, LOOM_CLOCK_APPROXIMATE);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
}

static void
test_pages_few_values (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 11);
  fake_job_sample (job, 1, "gpu0", GPU, 10, 95);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) steps = page_of (timeline, "steps"), overview = page_of (timeline, "overview"),
                              utilization = page_of (timeline, "utilization");
  g_assert_true (says (steps, LOOM_BLOCK_NOTE, "There is one training step, which takes 1.00 s."));
  g_assert_null (fact (steps, "Mean"));
  g_assert_false (says (steps, LOOM_BLOCK_CHART, "Duration of each step"));
  g_assert_cmpstr (fact (overview, "Median step"), ==, "–");
  for (guint i = 0; i < utilization->blocks->len; i++) {
    LoomResultTable *table = loom_page_content_get_block (utilization, i)->table;
    if (table == NULL)
      continue;
    g_autofree char *last = loom_result_table_dup_cell (table, 0, table->columns->len - 1);
    g_assert_cmpstr (last, ==, "–");
  }
}

/* For a run with complete data, each analysis is shown on a page. */
static void
test_pages_whole (void)
{
  static const Saying sayings[] = {
    { "overview", LOOM_BLOCK_CHART, "Phases of the job" },
    { "overview", LOOM_BLOCK_CHART, "GPU usage" },
    { "overview", LOOM_BLOCK_TABLE, "GPU usage" },
    { "overview", LOOM_BLOCK_FACTS, "The job" },
    { "overview", LOOM_BLOCK_TABLE, "Other observations" },
    { "overview", LOOM_BLOCK_TABLE, "Training phases in chronological order" },
    { "utilization", LOOM_BLOCK_CHART, "Utilization over time" },
    { "utilization", LOOM_BLOCK_CHART, "Samples by utilization of the devices" },
    { "utilization", LOOM_BLOCK_TABLE, "Resources by node" },
    { "utilization", LOOM_BLOCK_TABLE, "Resources by training phase" },
    { "steps", LOOM_BLOCK_TABLE, "Outlier steps" },
    { "steps", LOOM_BLOCK_NOTE,
      "Functions that take at least twice as long in outlier steps as in other steps: load (× 9.0)" },
    { "steps", LOOM_BLOCK_CHART, "Functions in outlier steps" },
    { "steps", LOOM_BLOCK_TABLE, "What takes longer in outlier steps" },
    { "steps", LOOM_BLOCK_CHART, "GPU utilization in outlier" },
    { "steps", LOOM_BLOCK_CHART, "CPU utilization in normal" },
    { "steps", LOOM_BLOCK_FACTS, "All steps" },
    { "steps", LOOM_BLOCK_TABLE, "Time of framework metrics in each step" },
    { "steps", LOOM_BLOCK_TABLE, "Extent in each step of each process, first start to last end" },
    { "bottlenecks", LOOM_BLOCK_TABLE, "What takes longer during bottlenecks" },
    { "work", LOOM_BLOCK_TABLE, "Time by kind of work" },
  };
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (slow_job ());
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
}

/* For an empty run, every page states why it is empty. */
static void
test_pages_of_nothing (void)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (fake_job_new ());
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomPageContent) sheet = page_of (timeline, pages[i].id);
    static const char *const begins[] = { "There are no ", "No ", "Neither " };
    gboolean stated = FALSE;
    for (guint k = 0; k < G_N_ELEMENTS (begins); k++)
      stated |= says (sheet, LOOM_BLOCK_MISSING, begins[k]);
    g_assert_true (stated);
  }
}

/* If a finding has more places than the maximum, the remaining places are only counted. The range of the finding
 * extends to the last place, even if this is one of the remaining places. */
static void
test_places_left_out (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (whole_job ());
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  LoomPageInput input = { .frame = frame, .range = { AT (0), AT (60000) }, .thresholds = LOOM_THRESHOLDS };
  g_autoptr (LoomRuleResult) result = loom_rule_result_new ("Many", LOOM_N_RULES);
  for (guint i = 0; i < LOOM_RULE_MAX_MARKS + 3; i++)
    loom_rule_result_add_occurrence (result, AT (i), AT (i + 0.5), "algo-1", "");
  loom_rule_result_set_message (result, LOOM_RULE_FIRED, "many");
  loom_rule_result_close (result);
  g_assert_cmpuint (result->n_left_out, ==, 3);
  g_assert_cmpint (result->range.begin_ns, ==, AT (0));
  g_assert_cmpint (result->range.end_ns, ==, AT (LOOM_RULE_MAX_MARKS + 2.5));
  g_autoptr (LoomPageContent) sheet = loom_findings_new_page (&input, result, 0, NULL, NULL);
  g_assert_true (says (sheet, LOOM_BLOCK_NOTE, "3 more occurrences are neither listed nor marked on the timeline."));
  g_assert_true (says (sheet, LOOM_BLOCK_TABLE, "Occurrences"));
  g_autoptr (JsonNode) root = loom_rule_result_to_json (result);
  JsonObject *object = json_node_get_object (root);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "Marks")), ==, LOOM_RULE_MAX_MARKS);
  g_assert_cmpint (json_object_get_int_member (object, "MarksLeftOut"), ==, 3);
}

/* If the computation of a page is cancelled, no incomplete page is returned. */
static void
test_pages_cancelled (void)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (whole_job ());
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  LoomPageInput input = {
    .frame = frame, .phases = loom_job_phases_compute (frame), .range = { 0, 1 }, .thresholds = LOOM_THRESHOLDS
  };
  loom_timeline_get_extent (timeline, &input.range);
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < n; i++)
    g_assert_null (pages[i].make (&input, cancellable));
}

/* Tests the progress that is reported while pages are computed: tables count every span, and each page counts all its
 * parts. */
static void
test_pages_counted (void)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (slow_job ());
  g_autoptr (GCancellable) tables = G_CANCELLABLE (loom_progress_cancellable_new ());
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, tables);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (tables), ==, 1);
  LoomPageInput input = { .frame = frame,
                          .phases = loom_job_phases_compute (frame),
                          .range = { 0, 1 },
                          .thresholds = LOOM_THRESHOLDS,
                          .part = 5 };
  loom_timeline_get_extent (timeline, &input.range);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GCancellable) meter = G_CANCELLABLE (loom_progress_cancellable_new ());
    loom_progress_cancellable_add_total (meter, 10 * pages[i].n_parts);
    g_autoptr (LoomPageContent) sheet = pages[i].make (&input, meter);
    g_test_message ("%s: %g", pages[i].id, loom_progress_cancellable_get_fraction (meter));
    if (!says (sheet, LOOM_BLOCK_MISSING, ""))
      g_assert_cmpfloat (loom_progress_cancellable_get_fraction (meter), ==, 0.5);
  }
}

/* If several results are missing for the same reason, the text report gives this reason once. */
static void
test_text_once (void)
{
  FakeJob *job = fake_job_new ();
  g_autofree char *text = NULL;
  fake_job_step (job, 1, 0, 0, 10, 11);
  g_autoptr (JsonNode) root = intended (job, &text);
  const char *first = strstr (text, "no system metrics");
  g_assert_nonnull (first);
  g_assert_null (strstr (first + 1, "no system metrics"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/missing/nothing", test_nothing_missing);
  g_test_add_func ("/missing/gpu", test_no_gpu);
  g_test_add_func ("/missing/steps", test_no_steps);
  g_test_add_func ("/missing/bottlenecks-without-loop", test_bottlenecks_without_loop);
  g_test_add_func ("/missing/samples", test_no_samples);
  g_test_add_func ("/missing/nodes", test_some_nodes);
  g_test_add_func ("/missing/clock", test_bad_clock);
  g_test_add_func ("/missing/values", test_few_values);
  g_test_add_func ("/missing/all", test_empty);
  g_test_add_func ("/missing/text-once", test_text_once);
  g_test_add_func ("/pages/gpu", test_pages_no_gpu);
  g_test_add_func ("/pages/steps", test_pages_no_steps);
  g_test_add_func ("/pages/samples", test_pages_no_samples);
  g_test_add_func ("/pages/nodes", test_pages_some_nodes);
  g_test_add_func ("/pages/clock", test_pages_bad_clock);
  g_test_add_func ("/pages/values", test_pages_few_values);
  g_test_add_func ("/pages/whole", test_pages_whole);
  g_test_add_func ("/pages/nothing", test_pages_of_nothing);
  g_test_add_func ("/findings/left-out", test_places_left_out);
  g_test_add_func ("/pages/cancelled", test_pages_cancelled);
  g_test_add_func ("/pages/counted", test_pages_counted);
  g_test_add_func ("/time", test_time_of_report);
  g_test_add_func ("/text", test_text);
  g_test_add_func ("/range", test_range);
  g_test_add_func ("/cancelled", test_cancelled);
  return g_test_run ();
}
