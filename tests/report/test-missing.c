/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports with missing data (formats/analysis.md §13), and over a range.
 */
#include "fixture.h"

#include <string.h>

#include "loom-findings.h"
#include "loom-page.h"
#include "loom-progress-cancellable.h"
#include "loom-report.h"

#define GPU "GPUUtilization"
#define CPU "CPUUtilization"

static JsonNode *
report_of (LoomTimeline *timeline, LoomNumberConvention numbers, char **text)
{
  LoomReportOptions options = { .numbers = numbers };
  GError *error = NULL;
  g_autoptr (LoomReport) report = loom_report_new (timeline, &options, NULL, &error);
  g_assert_no_error (error);
  JsonNode *root = loom_report_to_json (report, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *printed = loom_report_print_json (root); /* is JSON */
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_assert_true (json_parser_load_from_data (parser, printed, -1, NULL));
  if (text != NULL)
    *text = loom_report_to_text (report, NULL, NULL);
  return root;
}

static JsonNode *
intended (FakeJob *job, char **text)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  return report_of (timeline, LOOM_NUMBER_CONVENTION_INTENDED, text);
}

/* A member by its path: "utilization.gpu.missing". */
static JsonNode *
find (JsonNode *root, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, ".", -1);
  JsonNode *node = root;
  for (guint i = 0; names[i] != NULL && node != NULL; i++)
    node = JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_member (json_node_get_object (node), names[i]) : NULL;
  return node;
}

static const char *
text_at (JsonNode *root, const char *path)
{
  JsonNode *node = find (root, path);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

static gint64
int_at (JsonNode *root, const char *path)
{
  JsonNode *node = find (root, path);
  g_assert_nonnull (node);
  return json_node_get_int (node);
}

static guint
length_at (JsonNode *root, const char *path)
{
  return json_array_get_length (json_node_get_array (find (root, path)));
}

static FakeJob *
whole_job (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 4; i++) {
    fake_job_step (job, 1, 0, i, 10 + 2 * i, 11 + 2 * i);
    fake_job_sample (job, 1, "gpu0", GPU, 9 + 3 * i, 5);
    fake_job_sample (job, 1, "cpu0", CPU, 9 + 3 * i, 95);
  }
  return job;
}

/* With complete data, no reason for missing results is given. */
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
  g_assert_cmpint (int_at (root, "bottlenecks.rows_in_loop"), ==, 2); /* at 12 and 15 s */
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

/* Samples and steps of the whole job are joined. */
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
  g_assert_true (JSON_NODE_HOLDS_NULL (find (root, "bottlenecks.rows_in_loop"))); /* no loop is known */
  g_assert_nonnull (strstr (text, "  3 instants, 3 GPU samples starving\n"));
  for (guint i = 0; i < length_at (root, "bottlenecks.instants"); i++)
    g_assert_true (JSON_NODE_HOLDS_NULL (
      find (json_array_get_element (json_node_get_array (find (root, "bottlenecks.instants")), i), "in_loop")));
  g_assert_nonnull (strstr (text, "  in outlier steps: no training steps are known\n"));
  g_assert_cmpint (int_at (root, "root_cause.at_cpu_bottleneck.rows"), ==, 1); /* conv at 12 s */
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
                   4 * LOOM_NS_PER_S); /* extent of the events, as on the page Overview */
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

/* With a clock known only to a second, steps are not joined with samples until the user aligns it. */
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
  g_assert_cmpuint (length_at (root, "steps.ranks"), ==, 1); /* durations do not depend on other clocks */
  LoomRun *run = loom_timeline_get_run (timeline);
  LoomUserOffset offset = { .source = 0, .offset_ns = 1 };
  g_assert_cmpstr (loom_run_get_source (run, 0)->format, ==, "smdebug");
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, &offset, 1);
  g_autoptr (LoomTimeline) moved = loom_timeline_new (run, alignment);
  loom_alignment_unref (alignment);
  g_autoptr (JsonNode) again = report_of (moved, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  g_assert_null (find (again, "phases.missing"));
  g_assert_cmpint (int_at (again, "root_cause.at_cpu_bottleneck.rows"), ==, 1); /* the step at 12 s */
}

/* One step, one sample: no statistics. */
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

/* The text exists for both conventions. */
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

/* A job that still grows: the figures carry their time. */
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

/* The range from 12 to 14 s: step 1, the part of step 2 in the range, and the samples at 12 s. */
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

/* --- pages ----------------------------------------------------------------------------------------------------------- */

static LoomPageContent *
page_of (LoomTimeline *timeline, const char *id)
{
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  LoomPageInput input = {
    .frame = frame, .phases = loom_job_phases_compute (frame), .range = { 0, 1 }, .thresholds = LOOM_THRESHOLDS
  };
  loom_timeline_get_extent (timeline, &input.range);
  return loom_page_find (id)->make (&input, NULL);
}

/* Returns the sentence of a block of that kind on the page that begins with the words. */
static gboolean
says (const LoomPageContent *sheet, LoomBlockKind kind, const char *words)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    if (block->kind == kind && g_str_has_prefix (block->text, words))
      return TRUE;
  }
  return FALSE;
}

/* Returns whether the first cell of a row of any table begins with the words. */
static gboolean
says_row (const LoomPageContent *sheet, const char *words)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomResultTable *table = loom_page_content_get_block (sheet, i)->table;
    for (guint row = 0; table != NULL && row < table->n_rows; row++)
      if (g_str_has_prefix (loom_result_table_get_text (table, row, 0), words))
        return TRUE;
  }
  return FALSE;
}

static const char *
fact (const LoomPageContent *sheet, const char *name)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    for (guint k = 0; block->facts != NULL && k < block->facts->len; k++)
      if (strcmp (g_array_index (block->facts, LoomKeyValue, k).name, name) == 0)
        return g_array_index (block->facts, LoomKeyValue, k).value;
  }
  return NULL;
}

/* Without training steps, it is unknown how many samples starve in the loop. */
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
  g_assert_cmpstr (fact (sheet, "Starving GPU samples"), ==, "1");
  g_assert_cmpstr (fact (sheet, "of them in the loop"), ==, "–");
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
    { "overview", LOOM_BLOCK_MISSING, "There are no GPU metrics here" },
    { "utilization", LOOM_BLOCK_MISSING, "There are no GPU metrics here" },
    { "utilization", LOOM_BLOCK_CHART, "CPU utilization" },
    { "utilization", LOOM_BLOCK_TABLE, "Resources by node" },
    { "bottlenecks", LOOM_BLOCK_MISSING, "There are no GPU metrics here" },
    { "balance", LOOM_BLOCK_MISSING, "There are no GPU metrics here" },
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
    { "overview", LOOM_BLOCK_MISSING, "There are no training steps here" },
    { "steps", LOOM_BLOCK_MISSING, "There are no training steps here" },
    { "bottlenecks", LOOM_BLOCK_TABLE, "Instants" },
    { "loading", LOOM_BLOCK_MISSING, "There are no spans of a data loader here" },
    { "work", LOOM_BLOCK_MISSING, "There are no kernels or copies of devices here" },
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
    { "overview", LOOM_BLOCK_MISSING, "There are no system metrics here" },
    { "utilization", LOOM_BLOCK_MISSING, "There are no system metrics here, and no kernels" },
    { "bottlenecks", LOOM_BLOCK_MISSING, "There are no system metrics here" },
    { "balance", LOOM_BLOCK_MISSING, "There are no system metrics here" },
    { "steps", LOOM_BLOCK_MISSING, "There are no system metrics here" },
    { "steps", LOOM_BLOCK_CHART, "Duration of each step" },
    { "steps", LOOM_BLOCK_TABLE, "Steps by training phase" },
  };
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 4; i++)
    fake_job_step (job, 1, 0, i, 10 + 5 * i, 11 + 5 * i + (i == 3 ? 3 : 0)); /* the last is an outlier */
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
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
    { "bottlenecks", LOOM_BLOCK_MISSING, "Nothing of the framework ran at these instants" },
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
  g_assert_cmpstr (fact (steps, "Steps"), ==, "1");
  g_assert_cmpstr (fact (steps, "Mean"), ==, "–");
  g_assert_cmpstr (fact (steps, "Longest"), ==, "–");
  g_assert_cmpstr (fact (overview, "Median step"), ==, "–");
  for (guint i = 0; i < utilization->blocks->len; i++) {
    LoomResultTable *table = loom_page_content_get_block (utilization, i)->table;
    if (table == NULL)
      continue;
    g_autofree char *last = loom_result_table_dup_cell (table, 0, table->columns->len - 1);
    g_assert_cmpstr (last, ==, "–");
  }
}

/* Step 3 takes three times as long, because of its data. */
static FakeJob *
slow_job (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 5; i++) {
    double begin = 10 + i + (i > 3 ? 2 : 0);
    fake_job_step (job, 1, 0, i, begin, begin + (i == 3 ? 3 : 1));
    fake_job_span (job, 1, 0, "Data", "load", begin + 0.25, begin + (i == 3 ? 2.5 : 0.5), "{}");
  }
  for (int i = 0; i < 12; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, 8.5 + i, i > 5 && i < 8 ? 5 : 95);
    fake_job_sample (job, 1, "cpu0", CPU, 8.5 + i, i > 5 && i < 8 ? 95 : 30);
  }
  return job;
}

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

/* Returns whether the last column of every row is mean − mean otherwise, in descending order. */
static void
check_causes (LoomPageContent *sheet, const char *title)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    LoomResultTable *table = loom_page_content_get_block (sheet, i)->table;
    if (table == NULL || strcmp (table->title, title) != 0)
      continue;
    guint last = table->columns->len - 1;
    gboolean descending;
    g_assert_cmpstr (loom_result_table_get_column (table, last)->title, ==, "Mean difference");
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

/* One load of 2.25 s in the outlier step, and four of 0.25 s in normal steps. At two bottlenecks the same load of
 * 2.25 s, which does not count as otherwise; the other four do. */
static void
test_differences (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (slow_job ());
  g_autoptr (LoomPageContent) steps = page_of (timeline, "steps"), bottlenecks = page_of (timeline, "bottlenecks");
  check_causes (steps, "What takes longer in outlier steps");
  check_causes (bottlenecks, "What takes longer at bottlenecks");
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

/* Five steps of 1 s, of which the one at bottlenecks takes 3 s on both nodes, although only one node has a
 * bottleneck. */
static void
test_otherwise_is_the_rest (void)
{
  FakeJob *job = slow_job ();
  for (int i = 0; i < 5; i++)
    fake_job_step (job, 2, 1, i, 10 + i + (i > 3 ? 2 : 0), 11 + i + (i > 2 ? 2 : 0));
  for (int i = 0; i < 12; i++) {
    fake_job_sample (job, 2, "gpu0", GPU, 8.5 + i, 50); /* never busy: the comparison does not depend on busy GPUs */
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

/* A load of 1.2 s that runs only at a bottleneck, and a span of the whole run: only the load ran only then. */
static FakeJob *
only_job (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 5; i++)
    fake_job_step (job, 1, 0, i, 10 + 2 * i, 10.5 + 2 * i);
  fake_job_span (job, 1, 0, "Data", "worker", 8, 21, "{}");
  fake_job_span (job, 1, 0, "Data", "load", 14.7, 15.9, "{}");
  fake_job_span (job, 1, 0, "Data", "brief", 14.999, 15.001, "{}"); /* only then too, but too short to be named */
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
  g_assert_true (says (sheet, LOOM_BLOCK_NOTE, "Ran only at bottlenecks: load (1 × 1.20 s)."));
  g_assert_false (says (sheet, LOOM_BLOCK_NOTE, "Nothing takes twice"));
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

/* Rank 0 waits for a second in GetNext before its second and third step, the other ranks never. */
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
  const LoomKeyValue *waiting = find_figure (overview, "Waiting");
  g_assert_nonnull (waiting);
  g_assert_cmpstr (waiting->value, ==, "2.00 s");
  g_assert_nonnull (strstr (waiting->note, "2.00 s for data"));
}

/* The text has the same figures for calls of GetNext as the overview. */
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

/* Workers run for 12 s during 4 s at bottlenecks: charts omit them, the table has them. */
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
        strcmp (block->chart->title, "Functions at bottlenecks, without data loader processes") == 0)
      n_slices = loom_chart_get_n_elements (block->chart);
  }
  g_assert_cmpuint (n_slices, ==, 1);
  g_assert_true (says_row (page, "DataLoaderWorker"));
  g_assert_true (
    says (page, LOOM_BLOCK_NOTE,
          "Processes of data loaders run all the time, so they are in the table only: DataLoaderWorker (2 × 6.50 s)."));
}

/* The sentence is correct although there are waits, because their spans have other names. */
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

/* Findings name a worker by its rank, too. */
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
  g_assert_nonnull (strstr (text_at (json_array_get_element (findings, 0), "sentence"), "most of them, 12, of rank 3"));
}

/* In a range that is a single bottleneck, spans that run mostly outside of the range did not run only then. */
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

/* Three training steps that two ranks of a node and one rank of another take together, one of them slow on two
 * ranks; and an evaluation, which counts from 0 too. All figures of steps count them once and state the number of
 * ranks. */
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
  g_assert_cmpstr (fact (steps, "Outliers"), ==, "1");
  g_assert_true (says_row (overview, "1 step takes more than 2 times the median"));
  g_assert_cmpstr (fact (overview, "Training steps"), ==, "3");
  g_assert_cmpstr (fact (overview, "Ranks with training steps"), ==, "3");
  g_assert_cmpstr (steps->sources, ==, "from 3 training steps of 3 ranks (smdebug)");
}

/* With complete data, every analysis is on a page. */
static void
test_pages_whole (void)
{
  static const Saying sayings[] = {
    { "overview", LOOM_BLOCK_CHART, "Phases of the job" },
    { "overview", LOOM_BLOCK_CHART, "Usage of GPUs" },
    { "overview", LOOM_BLOCK_TABLE, "Usage of GPUs" },
    { "overview", LOOM_BLOCK_FACTS, "The job" },
    { "overview", LOOM_BLOCK_TABLE, "Where the time goes" },
    { "overview", LOOM_BLOCK_TABLE, "Training phases one after another" },
    { "utilization", LOOM_BLOCK_CHART, "Utilization over time" },
    { "utilization", LOOM_BLOCK_CHART, "Samples by how busy devices were" },
    { "utilization", LOOM_BLOCK_TABLE, "Resources by node" },
    { "utilization", LOOM_BLOCK_TABLE, "Resources by training phase" },
    { "steps", LOOM_BLOCK_TABLE, "Outlier steps" },
    { "steps", LOOM_BLOCK_NOTE, "Twice as long as otherwise, or more: load (× 9.0)" },
    { "steps", LOOM_BLOCK_CHART, "Functions in outlier steps" },
    { "steps", LOOM_BLOCK_TABLE, "What takes longer in outlier steps" },
    { "steps", LOOM_BLOCK_CHART, "GPU utilization in outlier" },
    { "steps", LOOM_BLOCK_CHART, "CPU utilization in normal" },
    { "steps", LOOM_BLOCK_TABLE, "Steps by training phase" },
    { "steps", LOOM_BLOCK_TABLE, "Time in each step by metric" },
    { "steps", LOOM_BLOCK_TABLE, "Time in each step by process" },
    { "bottlenecks", LOOM_BLOCK_TABLE, "What takes longer at bottlenecks" },
    { "work", LOOM_BLOCK_TABLE, "Time by kind of work" },
  };
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (slow_job ());
  check_pages (timeline, sayings, G_N_ELEMENTS (sayings));
}

/* Every page of an empty run states why it is empty. */
static void
test_pages_of_nothing (void)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (fake_job_new ());
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomPageContent) sheet = page_of (timeline, pages[i].id);
    g_assert_true (says (sheet, LOOM_BLOCK_MISSING, "There are no"));
  }
}

/* Places beyond the limit are counted, and the range of the finding includes the last of all. */
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
  g_autoptr (LoomPageContent) sheet = loom_findings_new_page (&input, result, NULL, NULL);
  g_assert_true (says (sheet, LOOM_BLOCK_NOTE, "3 more places are neither listed nor marked on the timeline."));
  g_assert_true (says (sheet, LOOM_BLOCK_TABLE, "Places"));
  g_autoptr (JsonNode) root = loom_rule_result_to_json (result);
  JsonObject *object = json_node_get_object (root);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "Marks")), ==, LOOM_RULE_MAX_MARKS);
  g_assert_cmpint (json_object_get_int_member (object, "MarksLeftOut"), ==, 3);
}

/* A cancelled page is never returned incomplete. */
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

/* The progress of pages: the tables count every span, and each page counts all its parts. */
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

/* Each reason for missing results is given once. */
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
