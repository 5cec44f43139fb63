/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-snap.h"

#include <math.h>

/* If the pointer is at most this many px from an end of the selected range, a drag moves this end. If the pointer is at
 * most this many px from an edge of a span, the time at the pointer snaps to this edge. */
#define EDGE_PX 5.0

int
loom_snap_edge_at (LoomTimelineState *state, double x)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomRange range = loom_timeline_state_get_range (state);
  if (range.end_ns <= range.begin_ns)
    return 0;
  double begin = fabs (loom_viewport_x (view, range.begin_ns) - x);
  double end = fabs (loom_viewport_x (view, range.end_ns) - x);
  if (MIN (begin, end) > EDGE_PX)
    return 0;
  return begin < end ? -1 : 1;
}

/* If the start or the end of the span under the pointer (`hit`) is at most `*away` px from `x`, sets `time_ns` to the
 * time of the start or end, and `*away` to its distance from `x`. */
static void
attract (const LoomViewport *view, double x, const LoomDrawHit *hit, gint64 *time_ns, double *away)
{
  const gint64 ends[] = { hit->begin_ns, hit->end_ns };
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    double gap = fabs (loom_viewport_x (view, ends[i]) - x);
    if (gap > *away)
      continue;
    *away = gap;
    *time_ns = ends[i];
  }
}

/* Searches at x and at EDGE_PX on both sides of x, because a time snaps to the edge of a span both from inside the span
 * and from the gap next to it. */
gint64
loom_snap_time (LoomRenderContext *scene, double x, double y, gboolean snap)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (loom_render_context_get_state (scene));
  gint64 time_ns = loom_viewport_time (view, x);
  double away = EDGE_PX;
  for (int side = -1; side <= 1 && snap; side++) {
    LoomDrawHit hit;
    LoomHitKind kind = loom_draw_list_hit (loom_render_context_get_list (scene), x + side * EDGE_PX, y, EDGE_PX, &hit);
    if (kind == LOOM_DRAW_HIT_SPAN || kind == LOOM_DRAW_HIT_INSTANT)
      attract (view, x, &hit, &time_ns, &away);
  }
  return time_ns;
}
