/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts wheel steps and pixels to moves and zooms of the view (loom-scroll-zoom.h).
 */
#include "loom-scroll-zoom.h"

#include <math.h>

#define WHEEL_ZOOM 0.22   /* natural logarithm of the factor by which one step of the wheel zooms */
#define SMOOTH_ZOOM 0.006 /* natural logarithm of the factor by which a touchpad movement of one pixel zooms */
#define WHEEL_PAN_PX 90.0
#define WHEEL_SCROLL_PX (3.0 * LOOM_STRIP_PX)

void
loom_scroll_zoom_pan_from (LoomViewAnimator *flight, LoomTimelineState *state, const LoomViewport *from, double dx,
                           double dy)
{
  LoomViewport view = *from;
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  loom_viewport_pan (&view, loom_timeline_state_get_extent (state), -dx);
  loom_viewport_scroll (&view, loom_row_list_get_height (outline), loom_row_list_get_pinned_height (outline), -dy);
  loom_view_animator_move (flight, &view);
}

void
loom_scroll_zoom_zoom_from (LoomViewAnimator *flight, LoomTimelineState *state, const LoomViewport *from, double x,
                            double factor)
{
  LoomViewport view = *from;
  loom_viewport_zoom (&view, loom_timeline_state_get_extent (state), x, factor);
  loom_view_animator_move (flight, &view);
}

void
loom_scroll_zoom_zoom (LoomViewAnimator *flight, LoomTimelineState *state, double x, double amount, gboolean wheel)
{
  if (wheel)
    loom_view_animator_zoom (flight, x, exp (amount * WHEEL_ZOOM));
  else
    loom_scroll_zoom_zoom_from (flight, state, loom_timeline_state_get_viewport (state), x, exp (amount * SMOOTH_ZOOM));
}

void
loom_scroll_zoom_slide (LoomViewAnimator *flight, LoomTimelineState *state, double dx, double dy, gboolean wheel)
{
  if (!wheel) {
    loom_scroll_zoom_pan_from (flight, state, loom_timeline_state_get_viewport (state), -dx, -dy);
    return;
  }
  if (dx != 0)
    loom_view_animator_pan (flight, dx * WHEEL_PAN_PX);
  if (dy != 0)
    loom_view_animator_scroll (flight, dy * WHEEL_SCROLL_PX);
}
