/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the marks of late ranks on the timeline: in the sample run, in a run without findings, and in a run whose ranks
 * are all on time.
 */
#include "run-fixture.h"

#include "loom-page.h"

#include <string.h>

#define N_RANKS 4
#define N_STEPS 12 /* the rule about slow ranks needs at least 10 kernels per rank */

static guint n_steps = N_STEPS; /* number of steps of the runs that tests make */
static guint second_us;         /* how much longer rank 2 computes in each step */

/* Appends a span of thread 1 or of stream 7. */
static void
add_span (GString *text, const char *category, const char *name, guint thread, guint begin_us, guint dur_us,
          const char *args)
{
  g_string_append_printf (text,
                          ",{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%u,\"dur\":%u,"
                          "\"args\":{%s}}",
                          category, name, thread == 7 ? 0 : 1, thread, begin_us, dur_us, args);
}

/* Appends the spans of a kernel and of the call that launches it. */
static void
add_kernel (GString *text, const char *name, guint correlation, guint launch_us, guint begin_us, guint dur_us,
            const char *args)
{
  g_autofree char *of_launch = g_strdup_printf ("\"correlation\":%u", correlation);
  g_autofree char *of_kernel = g_strdup_printf ("\"stream\":7,\"device\":0,\"correlation\":%u%s", correlation, args);
  add_span (text, "cuda_runtime", "cudaLaunchKernel", 1, launch_us, 5, of_launch);
  add_span (text, "kernel", name, 7, begin_us, dur_us, of_kernel);
}

/* Appends a step: a kernel of `own_us`, and a collective that ends `all_us` after the begin of the kernel, and for which
 * the host waits. */
static void
add_step (GString *text, guint step, guint begin_us, guint own_us, guint all_us)
{
  g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", step);
  g_autofree char *args = g_strdup_printf (
    ",\"Collective name\":\"allreduce\",\"Process Group Name\":\"0\",\"Group size\":%u,\"In msg nelems\":1024,"
    "\"dtype\":\"Float\",\"Process Group Ranks\":\"[0, 1, 2, 3]\",\"Seq\":%u",
    N_RANKS, step);
  add_span (text, "user_annotation", name, 1, begin_us - 20, all_us + 30, "");
  add_kernel (text, "gemm", 2 * step + 1, begin_us - 16, begin_us, own_us, "");
  add_kernel (text, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 2 * step + 2, begin_us - 8, begin_us + own_us + 1,
              all_us - own_us - 1, args);
  add_span (text, "cuda_runtime", "cudaDeviceSynchronize", 1, begin_us, all_us + 2, "");
}

/* Returns the trace of a rank. In each step, the rank computes for 700 µs or, if it is `late` and this is `late_step`
 * or `late_step` is −1, for 900 µs. All ranks leave the collective of the step 50 µs after the last one arrives;
 * `any_late`: a rank is late. */
static char *
dup_rank (guint rank, gboolean late, gboolean any_late, gint late_step)
{
  GString *text = g_string_new (NULL);
  guint begin_us = 100;
  g_string_append_printf (
    text,
    "{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%u,\"world_size\":%u},"
    "\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[{\"ph\":\"M\",\"name\":"
    "\"process_labels\",\"pid\":0,\"tid\":0,\"ts\":0,\"args\":{\"labels\":\"GPU 0\"}}",
    rank, N_RANKS);
  for (guint step = 0; step < n_steps; step++) {
    guint longer_us = (late_step < 0 || step == (guint) late_step) && any_late ? 200 : 0, all_us = 700 + longer_us + 50;
    add_step (text, step, begin_us, late ? 700 + longer_us : 700 + (rank == 2 ? second_us : 0), all_us);
    begin_us += all_us + 50;
  }
  g_string_append (text, "]}");
  return g_string_free (text, FALSE);
}

/* Opens a run in which `late` is late in one step; `late_step` −1: in all steps; `late` −1: no rank is late. */
static LoomRunState *
open_job (gint late, gint late_step)
{
  g_autofree char *folder = fixture_folder ();
  for (guint rank = 0; rank < N_RANKS; rank++) {
    g_autofree char *name = g_strdup_printf ("rank-%u.pt.trace.json", rank),
                    *text = dup_rank (rank, (gint) rank == late, late >= 0, late_step);
    g_free (fixture_file (folder, name, text));
  }
  return run_fixture_open (folder);
}

static guint
count_late (LoomRowList *rows)
{
  guint n = 0;
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++)
    n += loom_row_list_get_row (rows, i)->late != NULL;
  return n;
}

/* Returns the first row that is marked; NULL: there is none. */
static const LoomTimelineRow *
find_late (LoomRunState *run)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (loom_run_state_get_view (run));
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++)
    if (loom_row_list_get_row (rows, i)->late != NULL)
      return loom_row_list_get_row (rows, i);
  return NULL;
}

static gboolean
is_marked (gpointer run)
{
  return find_late (run) != NULL;
}

static gboolean
is_evaluated (gpointer run)
{
  LoomFindingsState *state = loom_run_state_get_findings (run);
  return !loom_findings_state_is_working (state) && loom_findings_state_get_findings (state) != NULL;
}

static char *
dup_marks (LoomRunState *run)
{
  return loom_timeline_annotations_dup_findings (loom_timeline_state_get_finding_marks (loom_run_state_get_view (run)),
                                                 (LoomRange) { G_MININT64, G_MAXINT64 });
}

/* Checks the row of a rank that is late once in the sample run. */
static void
check_late_in_sample (LoomRowList *rows, gint rank, const char *label, const char *words)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (rows, i);
    if (row->late == NULL || row->rank != rank)
      continue;
    g_assert_cmpstr (row->late->label, ==, label);
    g_assert_true (g_str_has_suffix (row->detail, words));
    g_assert_cmpuint (row->late->n_ranges, ==, 1);
    return;
  }
  g_assert_not_reached ();
}

/* In the sample run, ranks 2 and 3 are late because their hosts wait for data. The overview shows the findings, because
 * there are some. */
static void
test_sample (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_assert_true (fixture_wait (is_marked, run));
  LoomRowList *rows = loom_timeline_state_get_row_list (loom_run_state_get_view (run));
  g_assert_cmpuint (count_late (rows), ==, 2);
  check_late_in_sample (rows, 2, "late by 2.87 s", "The others wait for rank 2, up to 2.87 s in one collective.");
  check_late_in_sample (rows, 3, "late by 2.88 s", "The others wait for rank 3, up to 2.88 s in one collective.");
  g_assert_false (
    loom_timeline_annotations_shows_late_ranks (loom_timeline_state_get_finding_marks (loom_run_state_get_view (run))));
  run_fixture_close (run);
}

/* Returns the page of stragglers. */
static LoomPageContent *
make_page (LoomRunState *run)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_run_state_get_view (run));
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  LoomPageInput input = { .frame = frame,
                          .range = loom_timeline_state_get_extent (loom_run_state_get_view (run)),
                          .thresholds = LOOM_THRESHOLDS };
  return loom_page_make (loom_page_find ("stragglers"), &input, NULL);
}

/* Returns the answer of the page of stragglers. */
static char *
dup_answer (LoomRunState *run)
{
  g_autoptr (LoomPageContent) page = make_page (run);
  for (guint i = 0; i < page->blocks->len; i++) {
    const LoomBlock *block = page->blocks->pdata[i];
    if (block->kind == LOOM_BLOCK_NOTE && block->large)
      return g_strdup (block->text);
  }
  return NULL;
}

/* Where no finding is above its limit, the overview shows when the rank is late that the page of stragglers names, and
 * the row of this rank says what its lateness costs, as the page does. */
static void
test_without_findings (void)
{
  LoomRunState *run = open_job (1, 2);
  g_assert_true (fixture_wait (is_marked, run));
  const LoomTimelineRow *row = find_late (run);
  LoomTimelineState *view = loom_run_state_get_view (run);
  g_assert_cmpuint (count_late (loom_timeline_state_get_row_list (view)), ==, 1);
  g_autofree char *answer = dup_answer (run), *marks = dup_marks (run);
  g_assert_cmpint (row->rank, ==, 1);
  g_assert_cmpstr (row->late->label, ==, "late · costs 200 µs (step 2)");
  g_assert_true (
    g_str_has_prefix (answer, "The others wait for rank 1, mostly in step 2: fixing this rank would save 200 µs ("));
  g_assert_true (g_str_has_prefix (answer, row->late->sentence));
  g_assert_cmpuint (loom_findings_state_count (loom_run_state_get_findings (run)), ==, 0);
  g_assert_true (loom_timeline_annotations_shows_late_ranks (loom_timeline_state_get_finding_marks (view)));
  g_assert_cmpstr (marks, ==, row->late->sentence);
  /* the only range is step 2 of this rank */
  LoomRange extent = loom_timeline_state_get_extent (view);
  g_assert_cmpuint (row->late->n_ranges, ==, 1);
  g_assert_cmpint (row->late->ranges[0].begin_ns - extent.begin_ns, ==, 2 * 800 * LOOM_NS_PER_US);
  g_assert_cmpint (row->late->ranges[0].end_ns - row->late->ranges[0].begin_ns, ==, 980 * LOOM_NS_PER_US);
  loom_timeline_state_set_timeline (view, NULL); /* closing the run removes the marks */
  g_assert_null (find_late (run));
  run_fixture_close (run);
}

static void
test_on_time (void)
{
  LoomRunState *run = open_job (-1, 2);
  g_assert_true (fixture_wait (is_evaluated, run));
  fixture_spin (200);
  g_autofree char *marks = dup_marks (run);
  g_assert_null (find_late (run));
  g_assert_null (marks);
  run_fixture_close (run);
}

/* The overview marks each step in which the finding about a slow rank holds, also if these are all steps. */
static void
test_late_in_all_steps (void)
{
  LoomRunState *run = open_job (1, -1);
  g_assert_true (fixture_wait (is_evaluated, run));
  LoomTimelineState *view = loom_run_state_get_view (run);
  g_autofree char *marks = dup_marks (run);
  g_assert_nonnull (strstr (marks, "Rank 1 computes 200 µs per step longer than the median rank"));
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (view, &options);
  g_assert_cmpuint (options.n_findings, ==, N_STEPS);
  for (guint i = 0; i < options.n_findings; i++) {
    LoomRange range = options.findings[i].range;
    g_assert_true (options.findings[i].is_step);
    g_assert_cmpint (range.begin_ns - loom_timeline_state_get_extent (view).begin_ns, ==, 1000 * LOOM_NS_PER_US * i);
    g_assert_cmpint (range.end_ns - range.begin_ns, ==, 980 * LOOM_NS_PER_US);
  }
  run_fixture_close (run);
}

/* The axis of the heat map begins with 0, though the first ranks arrive at a collective a little later. */
static void
test_axis_from_zero (void)
{
  n_steps = 120; /* so many collectives that the columns are times */
  LoomRunState *run = open_job (1, -1);
  g_autoptr (LoomPageContent) page = make_page (run);
  const LoomChart *chart = NULL;
  for (guint i = 0; i < page->blocks->len; i++) {
    const LoomBlock *block = page->blocks->pdata[i];
    if (block->kind == LOOM_BLOCK_CHART && g_str_equal (block->chart->title, "Lateness over time"))
      chart = block->chart;
  }
  g_assert_nonnull (chart);
  g_assert_cmpfloat (chart->heat.begin, ==, 0);
  n_steps = N_STEPS;
  run_fixture_close (run);
}

/* Returns the first block of the page whose chart or table has the title. */
static const LoomBlock *
find_block (const LoomPageContent *page, const char *title)
{
  for (guint i = 0; i < page->blocks->len; i++) {
    const LoomBlock *block = page->blocks->pdata[i];
    if ((block->kind == LOOM_BLOCK_CHART && g_str_equal (block->chart->title, title)) ||
        (block->kind == LOOM_BLOCK_TABLE && g_str_equal (block->table->title, title)))
      return block;
  }
  g_assert_not_reached ();
}

/* Rank 1 is 200 µs late in each step, rank 2 is 10 µs late. The chart and the table write the waits for rank 2, 120 µs
 * in total, in ms, because those for rank 1 are 6.96 ms. */
static void
test_same_units (void)
{
  second_us = 10;
  LoomRunState *run = open_job (1, -1);
  g_autoptr (LoomPageContent) page = make_page (run);
  const LoomChart *chart = find_block (page, "Ranks that others wait for longest")->chart;
  const LoomResultTable *table = find_block (page, "Lateness by rank")->table;
  guint n_parts = chart->bars.series->len;
  for (guint i = 0; i < 2; i++) {
    double sum_ns = 0;
    for (guint k = 0; k < n_parts; k++)
      sum_ns += g_array_index (chart->bars.values, double, i *n_parts + k);
    g_autofree char *bar = loom_time_column_format (&chart->bars.unit, (gint64) sum_ns),
                    *cell = loom_result_table_dup_cell (table, i, 2);
    g_assert_cmpstr (g_array_index (chart->bars.groups, const char *, i), ==, loom_result_table_get_text (table, i, 0));
    g_assert_cmpstr (bar, ==, i == 0 ? "6.96 ms" : "0.12 ms");
    g_assert_cmpstr (cell, ==, bar);
  }
  second_us = 0;
  run_fixture_close (run);
}

/* Rank 1 is 200 µs late in each step of 980 µs, rank 2 is 10 µs late, so the median rank is 5 µs late. If rank 1 were on
 * time, the others would still wait for rank 2: rank 1 costs 190 µs of each step. The headline states this time beside
 * its share of a step. */
static void
test_headline (void)
{
  second_us = 10;
  LoomRunState *run = open_job (1, -1);
  g_assert_true (fixture_wait (is_evaluated, run));
  LoomFindings *findings = loom_findings_state_get_findings (loom_run_state_get_findings (run));
  const char *headline = NULL;
  for (guint i = 0; i < findings->n; i++)
    if (g_str_equal (findings->all[i].result->name, "SlowRank"))
      headline = findings->all[i].result->headline;
  g_assert_cmpstr (headline, ==,
                   "Rank 1 computes 195 µs per step longer than the median rank, which costs 190 µs of each step "
                   "(19.4 %)");
  second_us = 0;
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/late-ranks/sample", test_sample);
  g_test_add_func ("/core/late-ranks/without-findings", test_without_findings);
  g_test_add_func ("/core/late-ranks/on-time", test_on_time);
  g_test_add_func ("/core/late-ranks/late-in-all-steps", test_late_in_all_steps);
  g_test_add_func ("/core/late-ranks/axis-from-zero", test_axis_from_zero);
  g_test_add_func ("/core/late-ranks/same-units", test_same_units);
  g_test_add_func ("/core/late-ranks/headline", test_headline);
  return run_fixture_run ();
}
