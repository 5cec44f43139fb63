/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-snap.h"

#include <math.h>

#define EDGE_PX 5.0 /* how near to the edge of a range takes hold of it, or a span's edge attracts */

int
loom_snap_edge_at (LoomViewState *state, double x)
{
  const LoomViewport *view = loom_view_state_get_viewport (state);
  LoomRange range = loom_view_state_get_range (state);
  if (range.end_ns <= range.begin_ns)
    return 0;
  double begin = fabs (loom_viewport_x (view, range.begin_ns) - x);
  double end = fabs (loom_viewport_x (view, range.end_ns) - x);
  if (MIN (begin, end) > EDGE_PX)
    return 0;
  return begin < end ? -1 : 1;
}

gint64
loom_snap_time (LoomScene *scene, double x, double y, gboolean snap)
{
  const LoomViewport *view = loom_view_state_get_viewport (loom_scene_get_state (scene));
  gint64 time_ns = loom_viewport_time (view, x);
  LoomHit hit;
  LoomHitKind kind = loom_draw_list_hit (loom_scene_get_list (scene), x, y, EDGE_PX, &hit);
  if (!snap || (kind != LOOM_HIT_SPAN && kind != LOOM_HIT_INSTANT))
    return time_ns;
  double to_begin = fabs (loom_viewport_x (view, hit.begin_ns) - x);
  double to_end = fabs (loom_viewport_x (view, hit.end_ns) - x);
  if (MIN (to_begin, to_end) > EDGE_PX)
    return time_ns;
  return to_begin <= to_end ? hit.begin_ns : hit.end_ns;
}
