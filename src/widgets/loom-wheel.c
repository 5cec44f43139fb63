/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-wheel.h"

#include <math.h>

#define WHEEL_ZOOM 0.22   /* logarithm of the factor per step of the wheel */
#define SMOOTH_ZOOM 0.006 /* the same per pixel of a touchpad */
#define WHEEL_PAN_PX 90.0
#define WHEEL_SCROLL_PX (3.0 * LOOM_STRIP_PX)

void
loom_wheel_pan_from (LoomFlight *flight, LoomViewState *state, const LoomViewport *from, double dx, double dy)
{
  LoomViewport view = *from;
  LoomOutline *outline = loom_view_state_get_outline (state);
  loom_viewport_pan (&view, loom_view_state_get_extent (state), -dx);
  loom_viewport_scroll (&view, loom_outline_get_height (outline), loom_outline_get_pinned_height (outline), -dy);
  loom_flight_move (flight, &view);
}

void
loom_wheel_zoom_from (LoomFlight *flight, LoomViewState *state, const LoomViewport *from, double x, double factor)
{
  LoomViewport view = *from;
  loom_viewport_zoom (&view, loom_view_state_get_extent (state), x, factor);
  loom_flight_move (flight, &view);
}

void
loom_wheel_zoom (LoomFlight *flight, LoomViewState *state, double x, double amount, gboolean wheel)
{
  if (wheel)
    loom_flight_zoom (flight, x, exp (amount * WHEEL_ZOOM));
  else
    loom_wheel_zoom_from (flight, state, loom_view_state_get_viewport (state), x, exp (amount * SMOOTH_ZOOM));
}

void
loom_wheel_slide (LoomFlight *flight, LoomViewState *state, double dx, double dy, gboolean wheel)
{
  if (!wheel) {
    loom_wheel_pan_from (flight, state, loom_view_state_get_viewport (state), -dx, -dy);
    return;
  }
  if (dx != 0)
    loom_flight_pan (flight, dx * WHEEL_PAN_PX);
  if (dy != 0)
    loom_flight_scroll (flight, dy * WHEEL_SCROLL_PX);
}
