/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests marks that represent many spans within one pixel, by comparing them with all spans of a run of a million. Also
 * tests the lanes (summary bars) of a folded rank whose streams work in turn while the others wait.
 */
#include <math.h>

#include "draw-list-fixture.h"
#include "fake-run.h"
#include "loom-minimap-data.h"
#include "loom-row-summary.h"
#include "loom-trace-builder.h"

typedef struct {
  double off, all, exact; /* sums of the differences, of the drawn busy times and of the true busy times */
  guint n, n_clear;
} Comparison;

/* Returns TRUE if a lane draws a span with this name as work, not as waiting; see loom-draw-lanes.c. */
static gboolean
is_work (DrawListFixture *fixture, const LoomDrawItem *mark, guint32 track, guint32 name_id)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (fixture->timeline), mark->span.trace);
  gboolean device = (loom_trace_get_track (trace, track)->flags & LOOM_TRACK_DEVICE) != 0;
  LoomWorkFamily family = loom_name_colors_family (fixture->colors, mark->span.trace, name_id, device);
  return family != LOOM_WORK_FAMILY_ANNOTATION && family != LOOM_WORK_FAMILY_WAIT;
}

/* Compares a mark that is one pixel wide with the spans in it. The fill of the mark must be the fraction of the pixel
 * that the spans cover. Its name must be that of a span that covers more than a quarter of the pixel, if there is one.
 * In a lane, several bars share a pixel, and each bar fills only its fraction of the height that the bars below leave
 * free. If the bar shows work, but the longest span is a wait, that span does not count for the bar. */
static void
compare_dense (DrawListFixture *fixture, const LoomViewport *view, const LoomDrawItem *mark, Comparison *comparison)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (fixture->timeline), mark->span.trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 track, number;
  loom_trace_locate_span (trace, mark->span.span, &track, &number);
  const LoomClockMap *map =
    loom_timeline_get_map (fixture->timeline, mark->span.trace, loom_trace_get_track (trace, track)->clock);
  gint64 begin_ns = loom_clock_map_to_local (map, loom_viewport_time (view, mark->x0));
  gint64 end_ns = loom_clock_map_to_local (map, loom_viewport_time (view, mark->x1));
  const LoomRow *row = loom_trace_get_row (trace, number);
  guint32 first = loom_trace_row_lower_bound (trace, row, loom_clock_map_to_local (map, view->begin_ns));
  guint32 end = loom_trace_row_lower_bound (trace, row, loom_clock_map_to_local (map, view->end_ns));
  /* Rows with few spans per pixel are not compared: there, each span counts fully for the pixel in which it begins,
   * which is inexact. */
  if (end - first <= 3 * view->width_px)
    return;
  /* Bars of lanes (2 px wide) with few spans are not compared: they are drawn in another way, which
   * test_lane_of_turns() tests. */
  if (mark->x1 - mark->x0 > 1.5F && end - first <= 16384)
    return;
  LoomSpanSummary exact;
  loom_row_summary_add (trace, row, begin_ns, end_ns, &exact);
  gboolean beside =
    is_work (fixture, mark, track, mark->name_id) && !is_work (fixture, mark, track, spans->name_id[exact.longest]);
  double busy = (double) (exact.busy_ns - (beside ? exact.longest_ns : 0)) / (double) (end_ns - begin_ns);
  double fill = MIN (busy, 1) * (1 - mark->base / 255.0);
  g_assert_cmpfloat (fabs (mark->fill / 255.0 - fill), <=, 0.25);
  g_assert_cmpuint (mark->name_id, ==, spans->name_id[mark->span.span]);
  comparison->off += fabs (mark->fill / 255.0 - fill);
  comparison->all += mark->fill / 255.0;
  comparison->exact += fill;
  comparison->n++;
  if (beside || exact.longest_ns * 4 <= end_ns - begin_ns)
    return;
  g_assert_cmpuint (mark->name_id, ==, spans->name_id[exact.longest]);
  comparison->n_clear++;
}

static void
test_dense_pictures (void)
{
  static const FakeShape shape = { 1, 1, 340, 24, 20, FALSE };
  DrawListFixture fixture;
  Comparison comparison = { 0 };
  draw_list_fixture_take (&fixture, fake_run_new (&shape));
  gint64 range_ns = fixture.extent.end_ns - fixture.extent.begin_ns;
  for (guint zoom = 0; zoom < 12; zoom++) {
    LoomViewport view = { fixture.extent.begin_ns + range_ns / 50 * zoom, 0, 1704, 0, 0 };
    view.end_ns = view.begin_ns + (range_ns >> zoom / 2) + 12345 * zoom;
    view.height_px = loom_row_list_get_height (fixture.outline);
    loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
    guint n;
    const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n);
    for (guint i = 0; i < n; i++)
      if ((marks[i].flags & LOOM_DRAW_ITEM_DENSE) != 0 && (marks[i].flags & LOOM_DRAW_ITEM_INSTANT) == 0)
        compare_dense (&fixture, &view, &marks[i], &comparison);
  }
  g_test_message ("%u pixels, %u with a clear name, off by %.2f %%", comparison.n, comparison.n_clear,
                  100 * comparison.off / comparison.n);
  g_assert_cmpuint (comparison.n, >, 10000);
  g_assert_cmpuint (comparison.n_clear, >, 100);
  g_assert_cmpfloat (comparison.off / comparison.n, <, 0.02);
  g_assert_cmpfloat (fabs (comparison.all / comparison.exact - 1), <, 0.01);
  draw_list_fixture_clear (&fixture);
}

#define N_STREAMS 5
#define TURN_NS 1000

static guint32
add_name (LoomTraceBuilder *builder, const char *text, const char *category)
{
  return loom_trace_builder_name (builder, text, strlen (text), category, strlen (category), "", 0);
}

/* Returns a rank with `n_streams` streams. Its time is divided into turns. In each turn exactly one stream runs a
 * kernel and the other streams wait for it, so the rank is always busy. In every other turn, this is the first stream.
 * Before its kernel, the first stream waits for longer than the kernel takes. If there is only one stream, it computes
 * in one turn and communicates in the next. */
static LoomTimeline *
make_turns (guint n_turns, guint n_streams)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  LoomSource *source = loom_source_new ("rank0.json");
  guint clock = loom_trace_builder_add_clock (builder);
  loom_trace_builder_get_clock (builder, clock)->state = LOOM_CLOCK_EXACT;
  loom_trace_builder_add_source (builder, source, clock);
  guint32 process = loom_trace_builder_process (builder, 0, "0", 1);
  loom_trace_builder_process_set_label (builder, process, "GPU 0");
  loom_trace_builder_process_set_place (builder, process, NULL, 0);
  loom_trace_builder_process_add_flags (builder, process, LOOM_TRACK_DEVICE);
  guint32 gemm = add_name (builder, "gemm", "kernel"), nccl = add_name (builder, "ncclDevKernel_AllReduce", "kernel");
  guint32 wait = add_name (builder, "Stream Wait Event", "cuda_sync");
  for (guint stream = 0; stream < n_streams; stream++) {
    g_autofree char *text = g_strdup_printf ("%u", 7 + stream);
    guint32 thread = loom_trace_builder_thread (builder, process, text, strlen (text));
    guint first = 0; /* turn in which this stream began to wait */
    for (guint turn = 0; turn < n_turns; turn++) {
      gint64 ns = FAKE_BEGIN_NS + turn * TURN_NS, from_ns = FAKE_BEGIN_NS + first * TURN_NS;
      if (n_streams > 1 && (turn % 2 == 0 ? 0 : 1 + turn / 2 % (n_streams - 1)) != stream)
        continue;
      if (first < turn)
        loom_trace_builder_span (builder, thread, from_ns, ns - from_ns, wait, loom_source_ref_make (0, 0, 2 * turn));
      loom_trace_builder_span (builder, thread, ns, TURN_NS,
                               stream == 0 && (n_streams > 1 || turn % 2 == 0) ? gemm : nccl,
                               loom_source_ref_make (0, 0, 2 * turn + 1));
      first = turn + 1;
    }
  }
  return fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
}

/* Returns the mean share of a pixel that the bars of the lane fill together, and in `least` the smallest share. */
static double
get_mean_fill (DrawListFixture *fixture, const LoomViewport *view, const LoomLaneShares *shares, guint *least)
{
  guint n, tops[1000] = { 0 };
  const LoomDrawOptions options = { .lane_shares = shares };
  loom_draw_list_build (fixture->list, fixture->outline, view, &options);
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture->list, &n);
  for (guint i = 0; i < n; i++)
    tops[(guint) marks[i].x0 / 2] = MAX (tops[(guint) marks[i].x0 / 2], (guint) marks[i].base + marks[i].fill);
  guint sum = 0, n_cells = (guint) view->width_px / 2;
  *least = 255;
  for (guint i = 0; i < n_cells; i++) {
    sum += tops[i];
    *least = MIN (*least, tops[i]);
  }
  return sum / 255.0 / n_cells;
}

/* In the lane of a folded rank that is always busy, all pixels must be full, for turns that are 20 px to 0.01 px
 * wide. */
static void
test_lane_of_turns (void)
{
  DrawListFixture fixture;
  guint n_turns = 100000, least;
  draw_list_fixture_take (&fixture, make_turns (n_turns, N_STREAMS));
  loom_row_list_fold_all (fixture.outline, TRUE);
  for (guint shown = 50; shown <= n_turns; shown *= 2) {
    LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + shown * TURN_NS, 1000, 400, 0 };
    double mean = get_mean_fill (&fixture, &view, NULL, &least);
    g_test_message ("%u turns: mean %.3f, least %.3f", shown, mean, least / 255.0);
    /* With few spans in view (at most 2 per turn here), the lane is exact. With many spans, the busy times of streams
     * are combined as if they were independent, and separately for streams that communicate, so a rank that is always
     * busy may appear less busy. An example of the formula: 1 − (1 − 1/2) × (1 − 1/8) for two streams that are busy for
     * 1/2 and 1/8 of the time. */
    g_assert_cmpfloat (mean, >=, shown <= 6400 ? 0.98 : 0.8);
    g_assert_cmpuint (least, >=, shown <= 6400 ? 240 : 120);
  }
  /* With shares that were computed in advance, the lane is exact for any number of spans. */
  g_autoptr (LoomLaneShares) shares = loom_lane_shares_new (fixture.timeline, NULL, NULL, NULL);
  for (guint shown = 50; shown <= n_turns; shown *= 2) {
    LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + shown * TURN_NS, 1000, 400, 0 };
    double mean = get_mean_fill (&fixture, &view, shares, &least);
    g_test_message ("%u turns: mean %.3f, least %.3f", shown, mean, least / 255.0);
    g_assert_cmpfloat (mean, >=, 0.98);
    g_assert_cmpuint (least, >=, 240);
  }
  draw_list_fixture_clear (&fixture);
}

/* The overview of the same rank shows it as always busy, half of the time with computation. A bucket has about 49
 * turns, so one more or less of them changes its share by 2 %. */
static void
test_overview_of_turns (void)
{
  g_autoptr (LoomTimeline) timeline = make_turns (100000, N_STREAMS);
  g_autoptr (LoomMinimapData) overview = loom_minimap_data_new (timeline, NULL, NULL);
  double sum = 0;
  for (guint i = 0; i < LOOM_MINIMAP_DATA_BUCKETS; i++) {
    g_assert_cmpfloat (overview->busy[i], >=, 0.98F);
    g_assert_cmpfloat (fabsf (overview->part[LOOM_MINIMAP_COMPUTE][i] - 0.5F), <, 0.04F);
    sum += (double) overview->part[LOOM_MINIMAP_COMPUTE][i] / LOOM_MINIMAP_DATA_BUCKETS;
  }
  g_assert_cmpfloat (fabs (sum - 0.5), <, 0.001);
}

/* If one stream computes and communicates in turn, its lane shows both kinds of work, even in pixels that contain
 * both. */
static void
test_lane_of_one_stream (void)
{
  DrawListFixture fixture;
  guint least;
  draw_list_fixture_take (&fixture, make_turns (100000, 1));
  loom_row_list_fold_all (fixture.outline, TRUE);
  for (guint shown = 50; shown <= 6400; shown *= 2) {
    LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + shown * TURN_NS, 1000, 400, 0 };
    g_assert_cmpfloat (get_mean_fill (&fixture, &view, NULL, &least), >=, 0.98);
    g_assert_cmpuint (least, >=, 240);
  }
  draw_list_fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/dense-marks/pictures", test_dense_pictures);
  g_test_add_func ("/draw/dense-marks/lane-of-turns", test_lane_of_turns);
  g_test_add_func ("/draw/dense-marks/overview-of-turns", test_overview_of_turns);
  g_test_add_func ("/draw/dense-marks/lane-of-one-stream", test_lane_of_one_stream);
  return g_test_run ();
}
