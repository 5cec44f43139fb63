/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests a job that is split into two pipeline stages with four replicas each. Rank 2 computes longer than the other
 * replicas of its stage. Tests the page “Parallelism”, and the ranks of the timeline when they are sorted along the
 * axes (data, pipeline) and folded to one row for similar ranks.
 */
#include "loom-span-peers.h"
#include "loom-step-breakdown.h"
#include "page-fixture.h"

#include <string.h>

static guint n_replicas = 4;   /* number of replicas of each stage; the job has twice as many ranks */
static double late_ms;         /* how much later than the previous replica each replica arrives at an all-reduce */
static double last_sum_ms = 5; /* duration of the all-reduces of the last stage */

#define SLOW 2
#define STEP_MS 100

static void
add (GString *text, const char *name, const char *cat, guint tid, double begin_ms, double length_ms, const char *args)
{
  char begin[G_ASCII_DTOSTR_BUF_SIZE], length[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (begin, sizeof begin, "%.3f", 1000 * begin_ms);
  g_ascii_formatd (length, sizeof length, "%.3f", 1000 * length_ms);
  g_string_append_printf (text,
                          "%s{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"dur\":%s,"
                          "\"args\":{%s}}",
                          g_str_has_suffix (text->str, "[") ? "" : ",", name, cat, tid < 100 ? 0 : 900, tid, begin,
                          length, args);
}

/* Returns the ranks of a stage as text, such as "0, 1, 2, 3". Owned by the caller. */
static char *
dup_stage (guint stage)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < n_replicas; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? ", " : "", stage * n_replicas + i);
  return g_string_free (text, FALSE);
}

/* Appends a step of a rank: the stages compute one after the other, then the replicas of each stage run an
 * all-reduce. */
static void
add_step (GString *text, guint rank, guint step)
{
  guint stage = rank / n_replicas, replica = rank % n_replicas;
  double zero = (double) step * STEP_MS;
  g_autofree char *group = dup_stage (stage), *name = g_strdup_printf ("ProfilerStep#%u", step),
                  *message = g_strdup_printf (
                    "\"Collective name\":\"%s\",\"Process Group Name\":\"pipe\",\"Process Group Ranks\":\"[%u, %u]\","
                    "\"Process Group Description\":\"mesh_pp\",\"Group size\":2,\"Seq\":%u,\"Src Rank\":%u,\"Dst "
                    "Rank\":%u,\"stream\":20,\"device\":0",
                    stage == 0 ? "send" : "recv", replica, replica + n_replicas, step, replica, replica + n_replicas),
                  *sum = g_strdup_printf (
                    "\"Collective name\":\"allreduce\",\"Process Group Name\":\"data%u\",\"Process Group "
                    "Ranks\":\"[%s]\",\"Process Group Description\":\"mesh_dp\",\"Group size\":%u,"
                    "\"Seq\":%u,\"stream\":21,\"device\":0",
                    stage, group, n_replicas, step);
  add (text, name, "user_annotation", 900, zero, STEP_MS - 1, "");
  add (text, "gemm", "kernel", 7, zero + 1 + 40 * stage, rank == SLOW ? 30 : 20, "\"stream\":7,\"device\":0");
  add (text, "ncclDevKernel_SendRecv", "kernel", 20, zero + 35, 1, message);
  add (text, "ncclDevKernel_AllReduce", "kernel", 21, zero + 80 + late_ms * replica,
       (stage > 0 ? last_sum_ms : 5) - late_ms * replica, sum);
}

static LoomRunState *
open_job (void)
{
  g_autofree char *folder = fixture_folder ();
  for (guint rank = 0; rank < 2 * n_replicas; rank++) {
    g_autofree char *file = g_strdup_printf ("rank-%u.pt.trace.json", rank);
    g_autoptr (GString) text = g_string_new (NULL);
    g_string_append_printf (text,
                            "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%u,\"world_size\":%u},"
                            "\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[",
                            rank, 2 * n_replicas);
    for (guint step = 0; step < 3; step++)
      add_step (text, rank, step);
    g_string_append (text, "]}");
    g_free (fixture_file (folder, file, text->str));
  }
  return run_fixture_open (folder);
}

static gboolean
is_ready (gpointer run)
{
  LoomRankArrangement *ranks = loom_run_state_get_ranks (run);
  return loom_run_state_has_summaries (run) && !loom_rank_arrangement_is_busy (ranks);
}

/* Returns the labels of the rows of ranks, such as "rank 0, rank 4 (+3 similar)". Owned by the caller. */
static char *
dup_ranks (LoomRunState *run)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (loom_run_state_get_view (run));
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (rows, i);
    if (g_str_has_prefix (row->label, "rank "))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", row->label);
  }
  return g_strdup (text->str);
}

static void
assert_ranks (LoomRunState *run, const char *expected)
{
  g_autofree char *ranks = dup_ranks (run);
  g_assert_cmpstr (ranks, ==, expected);
}

static void
test_sort (void)
{
  LoomRunState *run = open_job ();
  LoomRankArrangement *ranks = loom_run_state_get_ranks (run);
  g_assert_true (fixture_wait (is_ready, run));
  g_assert_true (loom_rank_arrangement_can_sort (ranks, LOOM_PARALLEL_AXIS_DATA));
  g_assert_false (loom_rank_arrangement_can_sort (ranks, LOOM_PARALLEL_AXIS_TENSOR));
  loom_rank_arrangement_sort (ranks, LOOM_PARALLEL_AXIS_DATA);
  assert_ranks (run, "rank 0, rank 4, rank 1, rank 5, rank 2, rank 6, rank 3, rank 7");
  loom_rank_arrangement_sort (ranks, LOOM_PARALLEL_AXIS_TENSOR);
  assert_ranks (run, "rank 0, rank 4, rank 1, rank 5, rank 2, rank 6, rank 3, rank 7");
  loom_rank_arrangement_sort (ranks, LOOM_PARALLEL_AXIS_PIPELINE);
  assert_ranks (run, "rank 0, rank 1, rank 2, rank 3, rank 4, rank 5, rank 6, rank 7");
  run_fixture_close (run);
}

/* Replicas of a stage are similar and share a row, except the slow rank 2; ranks of different stages are never
 * similar. */
static void
test_fold (void)
{
  LoomRunState *run = open_job ();
  LoomRankArrangement *ranks = loom_run_state_get_ranks (run);
  g_assert_true (fixture_wait (is_ready, run));
  loom_rank_arrangement_set_folded (ranks, TRUE);
  g_assert_true (fixture_wait (is_ready, run));
  g_assert_true (loom_rank_arrangement_get_folded (ranks));
  assert_ranks (run, "rank 0 (+2 similar), rank 2, rank 4 (+3 similar)");
  loom_rank_arrangement_set_folded (ranks, FALSE);
  g_assert_false (loom_rank_arrangement_get_folded (ranks));
  assert_ranks (run, "rank 0, rank 1, rank 2, rank 3, rank 4, rank 5, rank 6, rank 7");
  run_fixture_close (run);
}

static void
set_collectives (LoomRunState *run, LoomCollectives *collectives)
{
  LoomTimelineState *view = loom_run_state_get_view (run);
  loom_timeline_state_set_facts (view, loom_timeline_state_get_overview (view), loom_timeline_state_get_steps (view),
                                 collectives);
}

/* If the collectives change while ranks are being compared, the comparison starts again, unless the user has unfolded
 * the ranks meanwhile. */
static void
test_fold_again (void)
{
  LoomRunState *run = open_job ();
  LoomRankArrangement *ranks = loom_run_state_get_ranks (run);
  g_assert_true (fixture_wait (is_ready, run));
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_run_state_get_view (run));
  g_autoptr (LoomCollectives) first = loom_collectives_new (timeline, NULL, NULL),
                              second = loom_collectives_new (timeline, NULL, NULL);
  loom_rank_arrangement_set_folded (ranks, TRUE);
  set_collectives (run, first);
  g_assert_true (fixture_wait (is_ready, run));
  assert_ranks (run, "rank 0 (+2 similar), rank 2, rank 4 (+3 similar)");
  loom_rank_arrangement_set_folded (ranks, FALSE);
  loom_rank_arrangement_set_folded (ranks, TRUE);
  set_collectives (run, NULL);
  loom_rank_arrangement_set_folded (ranks, FALSE);
  set_collectives (run, second);
  g_assert_true (fixture_wait (is_ready, run));
  g_assert_false (loom_rank_arrangement_get_folded (ranks));
  set_collectives (run, NULL);
  loom_rank_arrangement_set_folded (ranks, TRUE);
  set_collectives (run, first);
  g_assert_true (fixture_wait (is_ready, run));
  g_assert_true (loom_rank_arrangement_get_folded (ranks));
  run_fixture_close (run);
}

/* Returns the sentence `number` (from 0) that the page shows in large text; "" if it has fewer. */
static const char *
get_note (LoomAnalysisPage *page, guint number)
{
  const LoomPageContent *sheet = loom_analysis_page_get_content (page);
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    if (block->kind == LOOM_BLOCK_NOTE && number-- == 0)
      return block->text;
  }
  return "";
}

/* Steps are 100 ms apart, and work runs from 1 to 61 ms after the begin of each step, also on rank
 * 2: each of the two stages computes for 20 ms, one after the other. */
static void
test_page (void)
{
  LoomRunState *run = open_job ();
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "parallelism");
  g_assert_cmpstr (
    get_note (page, 0), ==,
    "The job is split into data 4 × pipeline 2. Communication that no computation hides takes 6.06 % "
    "of the time of the steps, 6.00 ms per step on average: data 5.00 ms, 0 ns of it waiting; pipeline 1.00 ms, 0 ns of it waiting.");
  g_assert_nonnull (strstr (get_note (page, 1), "The schedule of the pipeline alone causes 50 %."));
  g_assert_nonnull (strstr (
    get_note (page, 1),
    "Bubbles take only 50 % on rank 2, and at least 66.7 % on all other ranks: the other ranks wait for this rank."));
  g_assert_nonnull (strstr (get_note (page, 1), "of the pipeline’s time per step"));
  g_assert_true (g_str_has_prefix (get_note (page, 2), "Bubbles are the time in which a stage neither computes"));
  const LoomChart *map = page_fixture_get (page, "Ranks by axis; color: computing time of a mean step")->chart;
  g_assert_cmpuint (map->heat.values->len, ==, 8);
  g_assert_cmpfloat (g_array_index (map->heat.values, double, 2), ==, 30e6);
  g_assert_cmpfloat (g_array_index (map->heat.values, double, 6), ==, 20e6);
  g_assert_cmpstr (g_array_index (map->heat.texts, const char *, 6), ==, "rank 6");
  const LoomChart *cost = page_fixture_get (page, "Communication on each axis, mean per step and rank")->chart;
  g_assert_cmpuint (cost->bars.groups->len, ==, 2);
  g_assert_true (cost->bars.shows_sums);
  g_assert_cmpfloat (g_array_index (cost->bars.values, double, 1), ==, 5e6);
  g_assert_cmpfloat (g_array_index (cost->bars.values, double, 4), ==, 1e6);
  const LoomResultTable *stages = page_fixture_get (page, "Stages of the pipelines, all steps")->table;
  g_assert_cmpfloat_with_epsilon (loom_result_table_get_number (stages, 1, 1), 100 * 2.0 / 3, 1e-6);
  g_assert_cmpfloat_with_epsilon (loom_result_table_get_number (stages, 0, 1), 100 * (40 * 3 + 30) / 240.0, 1e-6);
  g_assert_cmpuint (page_fixture_get (page, "Groups of ranks")->table->n_rows, ==, 6);
  g_assert_false (page_fixture_has (page, "Load of the experts"));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* With more than 16 replicas, two replicas share a column of the map of ranks, so that the columns fit into the
 * page. */
static void
test_map (void)
{
  static const struct {
    guint n_replicas;
    const char *last_column, *cells[2];
  } cases[] = { { 18, "data 16–17", { "0, 1", "34, 35" } }, { 17, "data 16", { "0, 1", "33" } } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    n_replicas = cases[i].n_replicas;
    LoomRunState *run = open_job ();
    g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "parallelism");
    const LoomResultTable *map = page_fixture_get (page, "Ranks by axis")->table;
    g_assert_cmpuint (map->n_rows, ==, 2);
    g_assert_cmpuint (map->columns->len, ==, 10);
    g_assert_cmpstr (g_array_index (map->columns, LoomResultTableColumn, 9).title, ==, cases[i].last_column);
    g_assert_cmpstr (loom_result_table_get_text (map, 0, 1), ==, cases[i].cells[0]);
    g_assert_cmpstr (loom_result_table_get_text (map, 1, 9), ==, cases[i].cells[1]);
    g_clear_object (&page);
    run_fixture_close (run);
  }
  n_replicas = 4;
}

/* Returns the number of a column of a table. */
static guint
find_column (const LoomResultTable *table, const char *title)
{
  guint i = 0;
  while (!g_str_equal (loom_result_table_get_column (table, i)->title, title))
    i++;
  return i;
}

/* Narrow tables hide the last columns first. In the table of late ranks, these are not the times of the ranks themselves,
 * but details of waits. Transfer times are always shown if they differ, so that a slow link is visible. The table of
 * collectives always shows the rank that arrived last. */
static void
test_columns_of_late_ranks (void)
{
  late_ms = 0.1;
  for (last_sum_ms = 5; last_sum_ms < 12; last_sum_ms += 5) {
    LoomRunState *run = open_job ();
    g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "stragglers");
    const LoomResultTable *ranks = page_fixture_get (page, "Lateness by rank")->table;
    guint transfer = find_column (ranks, "Transfer");
    g_assert_cmpuint (find_column (ranks, "Own Wait"), ==, transfer - 1);
    g_assert_cmpint (loom_result_table_get_column (ranks, transfer)->is_key, ==, last_sum_ms > 5);
    for (guint i = transfer + 1; i < ranks->columns->len; i++)
      g_assert_false (loom_result_table_get_column (ranks, i)->is_key);
    g_assert_cmpuint (ranks->columns->len, ==, transfer + 4); /* waits caused alone, their median and maximum */
    const LoomResultTable *collectives = page_fixture_get (page, "Collectives held up longest")->table;
    g_assert_true (loom_result_table_get_column (collectives, find_column (collectives, "Last Rank"))->is_key);
    g_clear_object (&page);
    run_fixture_close (run);
  }
  late_ms = 0;
  last_sum_ms = 5;
}

/* The first half of the points of the chart are, for each part of the run, the percentage of the time of all 8 ranks
 * that goes into transfers. Asserts that they add up to 6 ms per rank in each of 3 steps: 5 ms in an all-reduce and 1
 * ms in a message. */
static void
assert_transfers (const LoomChart *chart)
{
  const LoomChartPoint *points = &g_array_index (chart->lines.points, LoomChartPoint, 0);
  double width_ns = points[1].x - points[0].x, sum_ns = 0;
  for (guint i = 0; i < chart->lines.points->len / 2; i++)
    sum_ns += points[i].y / 100 * width_ns * 8;
  g_assert_cmpfloat_with_epsilon (sum_ns, 8 * 3 * 6e6, 1e6);
}

/* The messages of the four replicas are similar and equally fast, so they share a bar; the all-reduces of the two
 * stages have one bar each. The table has a row for each of the six groups. */
static void
test_alike_transfers (void)
{
  LoomRunState *run = open_job ();
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "collectives");
  const LoomChart *chart = page_fixture_get (page, "Median transfer time by group of ranks")->chart;
  guint n_alike = 0;
  g_assert_cmpuint (chart->bars.groups->len, ==, 3);
  for (guint i = 0; i < chart->bars.groups->len; i++)
    n_alike += g_str_equal (g_array_index (chart->bars.groups, const char *, i), "message · 4 groups of 2 ranks");
  g_assert_cmpuint (n_alike, ==, 1);
  for (guint i = 1; i < chart->bars.groups->len; i++) /* bars are in descending order of their time, so the
                                                       * longest one is on top */
    g_assert_cmpfloat (g_array_index (chart->bars.values, double, i - 1), >=,
                       g_array_index (chart->bars.values, double, i));
  assert_transfers (
    page_fixture_get (page, "Time of ranks in collectives and messages, as a share of their time")->chart);
  LoomResultTable *table = page_fixture_get (page, "Transfers by group of ranks")->table;
  const LoomResultTableColumn *last = loom_result_table_get_column (table, table->columns->len - 1);
  g_assert_cmpuint (table->n_rows, ==, 6);
  g_assert_cmpstr (last->title, ==, "Relative to Other Groups");
  g_assert_true (last->is_key);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* All steps are equally long, so the page has neither a histogram nor a heat map, but a chart of what fills the steps.
 * In each step of 99 ms, rank 2 computes for 30 ms and the other ranks for 20 ms, and each rank transfers for 6 ms. */
static void
test_steps (void)
{
  LoomRunState *run = open_job ();
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  g_assert_cmpstr (get_note (page, 0), ==,
                   "The median step takes 99.0 ms, and all steps are equally long within 0.1 %.");
  const LoomChart *steps = page_fixture_get (page, "How devices spend each step, mean of ranks")->chart;
  const guint n_parts = LOOM_STEP_BREAKDOWN_N_PARTS;
  g_assert_cmpuint (steps->lines.points->len, ==, 3 * n_parts);
  for (guint i = 0; i < 3; i++) {
    double sum = 0;
    for (guint k = 0; k < n_parts; k++)
      sum += g_array_index (steps->lines.points, LoomChartPoint, k * 3 + i).y;
    g_assert_cmpfloat (g_array_index (steps->lines.points, LoomChartPoint, i).y, ==, (7 * 20e6 + 30e6) / 8);
    g_assert_cmpfloat (g_array_index (steps->lines.points, LoomChartPoint, 3 + i).y, ==, 6e6);
    g_assert_cmpfloat (sum, ==, 99e6);
  }
  const LoomChart *ranks = page_fixture_get (page, "Mean step of each rank")->chart;
  g_assert_cmpfloat (g_array_index (ranks->bars.values, double, 0), ==, 20e6);
  g_assert_cmpfloat (g_array_index (ranks->bars.values, double, SLOW *n_parts), ==, 30e6);
  g_assert_false (page_fixture_has (page, "Steps by duration"));
  g_assert_false (page_fixture_has (page, "Duration of each step, by rank"));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Kernels of collectives have the same name whatever their size. A collective is compared only with
 * collectives of the same size. */
static void
test_peers (void)
{
  static const guint lengths_us[] = { 40, 600, 30, 36, 640 };
  g_autofree char *folder = fixture_folder ();
  g_autoptr (GString) text =
    g_string_new ("{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":0,\"world_size\":2},\"traceEvents\":[");
  for (guint i = 0; i < G_N_ELEMENTS (lengths_us); i++) {
    g_autofree char *args = g_strdup_printf (
      "\"Collective name\":\"allreduce\",\"Process Group Name\":\"g\",\"Group size\":2,\"In msg nelems\":%u,"
      "\"Out msg nelems\":%u,\"dtype\":\"Float\",\"Seq\":%u,\"stream\":20,\"device\":0",
      lengths_us[i] > 100 ? 6000 : 1000, lengths_us[i] > 100 ? 6000 : 1000, i);
    add (text, "ncclDevKernel_AllReduce", "kernel", 20, i, lengths_us[i] / 1000.0, args);
  }
  g_string_append (text, "]}");
  g_autofree char *path = fixture_file (folder, "rank-0.pt.trace.json", text->str);
  LoomRunState *run = run_fixture_open (path);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_run_state_get_view (run));
  LoomSpanPeers small, large;
  g_assert_true (loom_span_peers_measure (timeline, NULL, NULL, (LoomSpanId) { 0, 0 }, NULL, &small));
  g_assert_true (loom_span_peers_measure (timeline, NULL, NULL, (LoomSpanId) { 0, 4 }, NULL, &large));
  g_assert_cmpuint (small.n_own, ==, 3);
  g_assert_cmpfloat_with_epsilon (small.own_median_ns, 36e3, 36);
  g_assert_cmpuint (large.n_own, ==, 2);
  g_assert_cmpfloat_with_epsilon (large.own_median_ns, 620e3, 620);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/parallelism/sort", test_sort);
  g_test_add_func ("/core/parallelism/fold", test_fold);
  g_test_add_func ("/core/parallelism/fold-again", test_fold_again);
  g_test_add_func ("/core/parallelism/page", test_page);
  g_test_add_func ("/core/parallelism/map", test_map);
  g_test_add_func ("/core/parallelism/steps", test_steps);
  g_test_add_func ("/core/parallelism/peers", test_peers);
  g_test_add_func ("/core/parallelism/alike-transfers", test_alike_transfers);
  g_test_add_func ("/core/parallelism/columns-of-late-ranks", test_columns_of_late_ranks);
  return run_fixture_run ();
}
