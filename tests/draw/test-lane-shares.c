/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the lanes (summary bars) of folded ranks that are drawn from shares computed in advance, by comparing them with
 * lanes for which all spans are read. Also tests the lanes of processes without a rank.
 */
#include <math.h>

#include "draw-list-fixture.h"
#include "fake-run.h"
#include "loom-theme.h"
#include "loom-trace-builder.h"

/* Number of cells of the view in which all spans are read. */
#define MOST_CELLS 2000

/* For each cell of a lane (a column 2 px wide) and each kind of work: share of the cell's height, 0 … 1. Waits have
 * kinds of their own. */
typedef double Shares[MOST_CELLS][2 * LOOM_N_FAMILIES];

static void
read_shares (DrawListFixture *fixture, const LoomViewport *view, const LoomDrawOptions *options, Shares shares)
{
  guint n;
  memset (shares, 0, sizeof (Shares));
  loom_draw_list_build (fixture->list, fixture->outline, view, options);
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture->list, &n);
  for (guint i = 0; i < n; i++) {
    guint kind = loom_theme_family_of_index (marks[i].color);
    kind += (marks[i].flags & LOOM_DRAW_ITEM_WAITING) != 0 ? LOOM_N_FAMILIES : 0;
    shares[(guint) marks[i].x0 / 2][kind] += marks[i].fill / 255.0;
  }
}

typedef struct {
  double off, all[2]; /* sum of the differences, and sums of both shares */
  guint n_kinds;      /* number of kinds of work that have a share */
} Comparison;

/* Compares `n_cells` computed cells with MOST_CELLS narrower cells whose spans were read. */
static Comparison
compare (Shares read, Shares computed, guint n_cells)
{
  Comparison comparison = { 0 };
  guint ratio = MOST_CELLS / n_cells;
  for (guint kind = 0; kind < 2 * LOOM_N_FAMILIES; kind++) {
    double sum = 0;
    for (guint i = 0; i < n_cells; i++) {
      double share = 0;
      for (guint k = 0; k < ratio; k++)
        share += read[i * ratio + k][kind] / ratio;
      sum += share;
      comparison.off += fabs (share - computed[i][kind]) / n_cells;
      comparison.all[1] += computed[i][kind] / n_cells;
    }
    comparison.all[0] += sum / n_cells;
    comparison.n_kinds += sum > 0;
  }
  return comparison;
}

/* Draws the lane of a rank in `n_cells` cells, and compares them with the shares of all spans. */
static Comparison
draw_and_compare (DrawListFixture *fixture, const LoomDrawOptions *options, guint n_cells, Shares read)
{
  static Shares computed;
  const LoomViewport view = { fixture->extent.begin_ns, fixture->extent.end_ns, 2 * n_cells, 400, 0 };
  read_shares (fixture, &view, options, computed);
  return compare (read, computed, n_cells);
}

/* Checks that the lane from shares computed in advance differs by less than 6 % of its height from the shares of all
 * spans, on average over its cells, by less than 0.5 % in total, and by less than an estimate. A cell has two to four
 * buckets; a bucket that is divided between two cells blurs the edge between them. */
static void
check (DrawListFixture *fixture, LoomDrawOptions options, guint n_cells, Shares read)
{
  Comparison computed = draw_and_compare (fixture, &options, n_cells, read);
  options.lane_shares = NULL;
  Comparison estimated = draw_and_compare (fixture, &options, n_cells, read);
  g_test_message ("%u cells: off by %.4f, estimate by %.4f; busy %.4f and %.4f", n_cells, computed.off, estimated.off,
                  computed.all[0], computed.all[1]);
  g_assert_cmpuint (computed.n_kinds, >=, 4); /* computation, communication, copies, waits for data */
  g_assert_cmpfloat (computed.off, <, 0.06);
  g_assert_cmpfloat (computed.off, <, estimated.off);
  g_assert_cmpfloat (fabs (computed.all[1] / computed.all[0] - 1), <, 0.005);
}

/* A run of 30 steps has so few spans that all of them are read in a wide view, but not in a narrow one. */
static void
test_as_read (void)
{
  const FakeShape shape = { 1, 1, 30, 24, 20, FALSE };
  static Shares read;
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_run_new (&shape));
  loom_row_list_fold_all (fixture.outline, TRUE);
  g_autoptr (LoomDataWaits) waits = loom_data_waits_new_of_run (fixture.timeline, NULL);
  g_autoptr (LoomLaneShares) shares = loom_lane_shares_new (fixture.timeline, NULL, waits, NULL);
  const LoomViewport view = { fixture.extent.begin_ns, fixture.extent.end_ns, 2 * MOST_CELLS, 400, 0 };
  const LoomDrawOptions options = { .data_waits = waits, .lane_shares = shares };
  read_shares (&fixture, &view, &options, read);
  for (guint n_cells = MOST_CELLS / 2; MOST_CELLS % n_cells == 0; n_cells /= 2)
    check (&fixture, options, n_cells, read);
  draw_list_fixture_clear (&fixture);
}

/* Shares of an earlier timeline of the run are ignored, because times may have moved since. */
static void
test_other_timeline (void)
{
  const FakeShape shape = { 1, 1, 30, 24, 20, FALSE };
  static Shares read, computed;
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_run_new (&shape));
  loom_row_list_fold_all (fixture.outline, TRUE);
  g_autoptr (LoomTimeline) other = fake_run_new (&shape);
  g_autoptr (LoomLaneShares) shares = loom_lane_shares_new (other, NULL, NULL, NULL);
  LoomViewport view = { fixture.extent.begin_ns, fixture.extent.end_ns, 1500, 400, 0 };
  const LoomDrawOptions options = { .lane_shares = shares };
  read_shares (&fixture, &view, NULL, read);
  read_shares (&fixture, &view, &options, computed);
  g_assert_true (memcmp (read, computed, sizeof read) == 0);
  draw_list_fixture_clear (&fixture);
}

#define N_WINDOWS 4
#define N_PAIRS 20000
#define WINDOW_NS (N_PAIRS * 10 * LOOM_NS_PER_US)

/* Adds a rank whose GPU computes for 6 µs and then communicates for 4 µs, N_PAIRS times in each window of a profiler.
 * After a window, nothing is recorded for 9 times as long. After the last window, 20 kernels follow in the length of a
 * window. */
static void
add_windows (LoomTraceBuilder *builder)
{
  static const char *const ids[] = { "7", "20" }, *const names[] = { "gemm", "ncclDevKernel_AllReduce" };
  guint32 process = loom_trace_builder_process (builder, 0, "0", 1), threads[2], name_ids[2];
  loom_trace_builder_process_set_place (builder, process, NULL, 0);
  loom_trace_builder_process_add_flags (builder, process, LOOM_TRACK_DEVICE);
  for (guint i = 0; i < 2; i++) {
    threads[i] = loom_trace_builder_thread (builder, process, ids[i], strlen (ids[i]));
    name_ids[i] = loom_trace_builder_name (builder, names[i], strlen (names[i]), "kernel", 6, "", 0);
  }
  for (guint i = 0; i < 2 * N_WINDOWS * N_PAIRS; i++)
    loom_trace_builder_span (builder, threads[i % 2],
                             FAKE_BEGIN_NS + i / 2 / N_PAIRS * 10 * WINDOW_NS + i / 2 % N_PAIRS * 10 * LOOM_NS_PER_US +
                               i % 2 * 6 * LOOM_NS_PER_US,
                             (i % 2 == 0 ? 6 : 4) * LOOM_NS_PER_US, name_ids[i % 2], loom_source_ref_make (0, 0, i));
  for (guint i = 0; i < 20; i++)
    loom_trace_builder_span (builder, threads[0], FAKE_BEGIN_NS + N_WINDOWS * 10 * WINDOW_NS + i * WINDOW_NS / 20,
                             LOOM_NS_PER_US, name_ids[0], loom_source_ref_make (0, 0, 2 * N_WINDOWS * N_PAIRS + i));
}

/* Checks that the GPU is always busy in the cells `first` … `end` − 1. */
static void
check_busy (Shares shares, guint first, guint end)
{
  for (guint i = first; i < end; i++) {
    g_assert_cmpfloat (fabs (shares[i][LOOM_WORK_FAMILY_COMPUTE] - 0.6), <, 0.05);
    g_assert_cmpfloat (fabs (shares[i][LOOM_WORK_FAMILY_COMMUNICATION] - 0.4), <, 0.05);
  }
}

/* In each window of the profiler, the GPU is always busy, although it is busy for a tenth of the time of the run. */
static void
test_pauses (void)
{
  static Shares shares;
  DrawListFixture fixture;
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_get_clock (builder, loom_trace_builder_add_clock (builder))->state = LOOM_CLOCK_EXACT;
  loom_trace_builder_add_source (builder, loom_source_new ("windows.json"), 0);
  add_windows (builder);
  draw_list_fixture_take (&fixture, fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL)));
  loom_row_list_fold_all (fixture.outline, TRUE);
  g_autoptr (LoomLaneShares) lane_shares = loom_lane_shares_new (fixture.timeline, NULL, NULL, NULL);
  const LoomDrawOptions options = { .lane_shares = lane_shares };
  for (guint window = 0; window < N_WINDOWS; window++) {
    gint64 begin_ns = FAKE_BEGIN_NS + window * 10 * WINDOW_NS;
    const LoomViewport view = { begin_ns, begin_ns + WINDOW_NS, 2 * 850, 400, 0 };
    read_shares (&fixture, &view, &options, shares);
    check_busy (shares, 1, 849);
  }
  const LoomViewport all = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + (10 * N_WINDOWS + 1) * WINDOW_NS, 2 * 820, 400, 0 };
  read_shares (&fixture, &all, &options, shares);
  check_busy (shares, 1, 19); /* the first window takes 20 cells */
  draw_list_fixture_clear (&fixture);
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) timeline = fake_run_new (&fake_small);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_lane_shares_new (timeline, NULL, NULL, cancellable));
}

/* Adds a process without a rank. One of its threads is busy for 80 % of the time, the other one for 20 %. */
static void
add_process (LoomTraceBuilder *builder, const char *id)
{
  static const gint64 dur_ns[] = { 800, 200 };
  guint32 process = loom_trace_builder_process (builder, 0, id, 1),
          name = loom_trace_builder_name (builder, "work", 4, "", 0, "", 0);
  for (guint i = 0; i < G_N_ELEMENTS (dur_ns); i++) {
    guint32 thread = loom_trace_builder_thread (builder, process, i == 0 ? "1" : "2", 1);
    for (guint k = 0; k < 100; k++)
      loom_trace_builder_span (builder, thread, FAKE_BEGIN_NS + 1000 * k, dur_ns[i], name,
                               loom_source_ref_make (0, 0, 1000 * (id[0] - '0') + 100 * i + k));
  }
}

/* The lane of a process is as busy as its busiest thread, even if the process has no rank. Only the lane of a node is
 * the mean of its tracks. */
static void
test_no_rank (void)
{
  static Shares shares;
  DrawListFixture fixture;
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  loom_trace_builder_get_clock (builder, clock)->state = LOOM_CLOCK_EXACT;
  loom_trace_builder_add_source (builder, loom_source_new ("two.json"), clock);
  add_process (builder, "1");
  add_process (builder, "2");
  draw_list_fixture_take (&fixture, fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL)));
  loom_row_list_fold_all (fixture.outline, TRUE);
  g_assert_cmpuint (loom_row_list_get_n_rows (fixture.outline), ==, 2);
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 100000, 20, 400, 0 };
  read_shares (&fixture, &view, NULL, shares);
  double sum = 0;
  for (guint kind = 0; kind < 2 * LOOM_N_FAMILIES; kind++)
    sum += shares[4][kind];
  g_assert_cmpfloat (fabs (sum - 2 * 0.8), <, 0.1); /* both lanes are added up */
  draw_list_fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/lane-shares/as-read", test_as_read);
  g_test_add_func ("/draw/lane-shares/other-timeline", test_other_timeline);
  g_test_add_func ("/draw/lane-shares/pauses", test_pauses);
  g_test_add_func ("/draw/lane-shares/cancelled", test_cancelled);
  g_test_add_func ("/draw/lane-shares/no-rank", test_no_rank);
  return g_test_run ();
}
