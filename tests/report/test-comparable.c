/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that charts that are shown for comparison can be compared: histograms share their axes, heat maps show short
 * bursts and similar GPUs in one row, and the usage of GPUs is shown with and without steps.
 */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loom-page.h"
#include "loom-report.h"
#include "trace-maker.h"

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

static const LoomChart *
find_chart (const LoomPageContent *sheet, const char *title)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    if (block->chart != NULL && strcmp (block->text, title) == 0)
      return block->chart;
  }
  return NULL;
}

static JsonNode *
report_of (LoomTimeline *timeline)
{
  LoomReportOptions options = { 0 };
  g_autoptr (LoomReport) report = loom_report_new (timeline, &options, NULL, NULL);
  return loom_report_to_json (report, NULL, NULL);
}

/* --- histograms ------------------------------------------------------------------------------------------------------ */

static void
assert_same_axes (const LoomPageContent *sheet, const char *title, const char *other_title)
{
  const LoomChart *chart = find_chart (sheet, title), *other = find_chart (sheet, other_title);
  g_assert_nonnull (chart);
  g_assert_nonnull (other);
  g_assert_cmpfloat (chart->histogram.begin, ==, other->histogram.begin);
  g_assert_cmpfloat (chart->histogram.end, ==, other->histogram.end);
  g_assert_cmpuint (chart->histogram.counts->len, ==, other->histogram.counts->len);
  g_assert_cmpfloat (chart->histogram.high, ==, other->histogram.high);
  g_assert_cmpfloat (chart->histogram.high, >, 0);
  g_assert_cmpfloat (chart->histogram.total, >, 0);
  g_assert_cmpfloat (other->histogram.total, >, 0);
  g_assert_cmpfloat (chart->histogram.total, !=, other->histogram.total);
}

/* Returns a job with ten steps of 1 s, during which the GPU is busy for 80 to 98 %, and one step of 5 s, during which
 * it is busy for 0 to 40 %. Outside of steps, the GPU is busy for 2 %. */
static FakeJob *
uneven_job (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 10; i++)
    fake_job_step (job, 1, 0, i, 10 + i, 11 + i);
  fake_job_step (job, 1, 0, 10, 20, 25);
  for (int i = 0; i < 70; i++) {
    double at = 0.25 + 0.5 * i, gpu = at < 10 || at > 25 ? 2 : at < 20 ? 80 + i % 10 * 2 : i % 5 * 10;
    fake_job_sample (job, 1, "gpu0", "GPUUtilization", at, gpu);
    fake_job_sample (job, 1, "cpu0", "CPUUtilization", at, 100 - gpu);
  }
  return job;
}

static void
test_axes (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (uneven_job ());
  g_autoptr (LoomPageContent) steps = page_of (timeline, "steps"), utilization = page_of (timeline, "utilization");
  assert_same_axes (steps, "GPU utilization in outlier steps", "GPU utilization in normal steps");
  assert_same_axes (steps, "CPU utilization in outlier steps", "CPU utilization in normal steps");
  assert_same_axes (utilization, "GPU utilization", "GPU utilization in the training loop");
  assert_same_axes (utilization, "CPU utilization", "CPU utilization in the training loop");
}

/* The histograms of two GPUs share their axes, although one GPU has half as many samples as the other. */
static void
test_balance_axes (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 40; i++) {
    fake_job_sample (job, 1, "gpu0", "GPUUtilization", i, 50 + i);
    if (i % 2 == 0)
      fake_job_sample (job, 1, "gpu1", "GPUUtilization", i, 5);
  }
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "balance");
  assert_same_axes (sheet, "gpu0", "gpu1");
  /* all samples of the other GPU are in one bin, so that its axis alone would be shorter */
  g_assert_cmpfloat (find_chart (sheet, "gpu0")->histogram.high, ==, 100);
}

/* --- bursts ---------------------------------------------------------------------------------------------------------- */

/* There is a sample every 0.1 s, so that a cell of the heat map is the mean of several samples, one of which is 100 %;
 * the map must show this burst. */
static void
test_bursts (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 2000; i++)
    fake_job_sample (job, 1, "gpu0", "GPUUtilization", 0.1 * i, i == 1000 ? 100 : 4);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "utilization");
  const LoomChart *chart = find_chart (sheet, "Utilization over time");
  guint n = loom_chart_get_n_elements (chart), n_bursts = 0;
  for (guint i = 0; i < n; i++) {
    g_assert_cmpfloat (loom_chart_get_value (chart, i), <, 20);
    n_bursts += loom_chart_get_peak (chart, i) == 100;
  }
  g_assert_cmpuint (n_bursts, ==, 1);
  g_autofree char *words = loom_chart_dup_tsv (chart);
  g_assert_nonnull (strstr (words, "\ngpu0 · highest\t4 %"));
  g_assert_nonnull (strstr (words, "\t100 %\t"));
  g_autoptr (JsonNode) root = report_of (timeline);
  JsonObject *over_time = json_object_get_object_member (
    json_object_get_object_member (json_node_get_object (root), "utilization"), "over_time");
  JsonObject *row = json_array_get_object_element (json_object_get_array_member (over_time, "rows"), 0);
  JsonArray *mean = json_object_get_array_member (row, "mean"),
            *highest = json_object_get_array_member (row, "highest");
  g_assert_cmpuint (json_array_get_length (mean), ==, n);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpfloat_with_epsilon (json_array_get_double_element (mean, i), loom_chart_get_value (chart, i), 1e-9);
    g_assert_cmpfloat (json_array_get_double_element (highest, i), ==, loom_chart_get_peak (chart, i));
  }
}

/* If each cell of a heat map is a single sample, the map has no additional marks of bursts. */
static void
test_no_bursts (void)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (uneven_job ());
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "utilization");
  const LoomChart *chart = find_chart (sheet, "Utilization over time");
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, 2 * 70);
  g_assert_true (isnan (loom_chart_get_peak (chart, 0)));
}

/* --- many GPUs ------------------------------------------------------------------------------------------------------- */

/* Asserts that a heat map shows 300 GPUs in few rows: a row of its own for the only GPU that differs, with `value` in
 * its last column, and that a note explains the names. */
static void
check_many (const LoomPageContent *sheet, const char *title, const char *different, double value)
{
  const LoomChart *chart = find_chart (sheet, title);
  gboolean has_different = FALSE, has_note = FALSE;
  guint n = 0, n_similar = 0;
  g_assert_cmpuint (chart->heat.rows->len, <=, 128);
  for (guint i = 0; i < chart->heat.rows->len; i++) {
    const char *name = g_array_index (chart->heat.rows, const char *, i);
    n += 1 + (sscanf (name, "%*[^(](+%u similar)", &n_similar) == 1 ? n_similar : 0);
    if (strcmp (name, different) != 0)
      continue;
    has_different = TRUE;
    g_assert_cmpfloat_with_epsilon (loom_chart_get_value (chart, (i + 1) * chart->heat.n_columns - 1), value, 0.5);
  }
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    has_note |= block->text != NULL && g_str_has_prefix (block->text, "If a name ends with “(+5 similar)”");
  }
  g_assert_cmpuint (n, ==, 300);
  g_assert_true (has_different);
  g_assert_true (has_note);
}

static void
test_many_counters (void)
{
  FakeJob *job = fake_job_new ();
  for (int gpu = 0; gpu < 300; gpu++) {
    g_autofree char *name = g_strdup_printf ("gpu%d", gpu);
    for (int i = 0; i < 10; i++)
      fake_job_sample (job, 1, name, "GPUUtilization", i, gpu == 217 && i > 5 ? 7 : 90 + gpu % 3);
  }
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "utilization");
  check_many (sheet, "Utilization over time", "gpu217", 7);
}

/* Each of 299 ranks computes for 90 to 92 of 100 µs, but rank 217 ends after half of the time. Another of its GPUs works
 * until the end, so that it is idle then. */
static void
test_many_kernels (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  for (gint rank = 0; rank < 299; rank++) {
    g_autofree char *name = g_strdup_printf ("GPU %d", rank);
    guint32 stream = maker_thread (&maker, name, rank, "stream 7", LOOM_TRACK_DEVICE);
    guint32 other = rank == 217 ? maker_thread (&maker, "GPU 299", rank, "stream 7", LOOM_TRACK_DEVICE) : stream;
    for (gint64 i = 0; i < 160; i++) {
      if (rank != 217 || i < 80)
        maker_span (&maker, stream, "gemm", "kernel", i * 100000, 90000 + rank % 3 * 1000);
      if (rank == 217)
        maker_span (&maker, other, "gemm", "kernel", i * 100000, 92000);
    }
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "utilization");
  check_many (sheet, "Time in which GPUs compute", "rank 217 · GPU 217", 0);
}

/* --- usage without steps --------------------------------------------------------------------------------------------- */

/* Of 100 samples of GPU usage, 40 are high, 30 suboptimal and 30 low. During 10 of the low ones, a core is fully
 * used. */
static void
test_usage_without_steps (void)
{
  static const struct {
    const char *slice, *key;
    int n;
  } classes[] = { { "high usage", "high_gpu_usage", 40 },
                  { "suboptimal usage", "suboptimal_gpu_usage", 30 },
                  { "low usage", "low_gpu_usage", 20 },
                  { "CPU bottleneck", "cpu_bottleneck", 10 } };
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 100; i++) {
    fake_job_sample (job, 1, "gpu0", "GPUUtilization", i, i < 40 ? 95 : i < 70 ? 50 : 5);
    fake_job_sample (job, 1, "cpu0", "CPUUtilization", i, i < 90 ? 20 : 99);
  }
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomPageContent) sheet = page_of (timeline, "overview");
  g_autoptr (JsonNode) root = report_of (timeline);
  JsonObject *usage = json_object_get_object_member (json_node_get_object (root), "usage");
  const LoomChart *pie = find_chart (sheet, "GPU usage");
  g_assert_nonnull (pie);
  g_assert_cmpuint (loom_chart_get_n_elements (pie), ==, G_N_ELEMENTS (classes));
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++) {
    g_autofree char *name = loom_chart_dup_name (pie, i);
    g_assert_cmpstr (name, ==, classes[i].slice);
    g_assert_cmpfloat (loom_chart_get_value (pie, i), ==, classes[i].n);
    g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (usage, classes[i].key), "samples"), ==,
                     classes[i].n);
  }
  g_assert_false (json_object_has_member (usage, "initialization"));
  g_assert_true (json_object_has_member (usage, "missing")); /* the member "missing" contains the reason why the
                                                              * analysis has no result */
  LoomNavigationTarget place;
  for (guint i = 0; i < sheet->blocks->len; i++)
    if (loom_page_content_get_block (sheet, i)->chart == pie)
      g_assert_true (loom_page_content_get_place (sheet, i, 0, &place));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparable/axes", test_axes);
  g_test_add_func ("/comparable/balance", test_balance_axes);
  g_test_add_func ("/comparable/bursts", test_bursts);
  g_test_add_func ("/comparable/no-bursts", test_no_bursts);
  g_test_add_func ("/comparable/many-counters", test_many_counters);
  g_test_add_func ("/comparable/many-kernels", test_many_kernels);
  g_test_add_func ("/comparable/usage-without-steps", test_usage_without_steps);
  return g_test_run ();
}
