/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks that stand for many spans of a pixel, compared with the spans of a run of a million.
 */
#include <math.h>

#include "draw-list-fixture.h"
#include "fake-run.h"
#include "loom-row-summary.h"

typedef struct {
  double off, all, exact; /* sums of differences, of drawn values and of true values */
  guint n, n_clear;
} Comparison;

/* Returns TRUE if a lane shows a span of this name as work; see loom-draw-lanes.c. */
static gboolean
is_work (DrawListFixture *fixture, const LoomDrawItem *mark, guint32 track, guint32 name_id)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (fixture->timeline), mark->span.trace);
  gboolean device = (loom_trace_get_track (trace, track)->flags & LOOM_TRACK_DEVICE) != 0;
  LoomWorkFamily family = loom_name_colors_family (fixture->colors, mark->span.trace, name_id, device);
  return family != LOOM_WORK_FAMILY_ANNOTATION && family != LOOM_WORK_FAMILY_WAIT;
}

/* Compares a pixel with the spans in it: how full it is, and the name of a span that covers more than a quarter of it. A
 * bar of a lane shows the share that the bars below leave free; the longest span does not count in it if the bar shows work
 * and the span is not work. */
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
  /* Few spans: each counts for the pixel in which it begins, so the comparison would be inexact. */
  if (end - first <= 3 * view->width_px)
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/dense-marks/pictures", test_dense_pictures);
  return g_test_run ();
}
