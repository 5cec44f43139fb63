/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-autoscroll.h"

#include "loom-scroll-zoom.h"

#include <math.h>

#define SLOWEST_PX_PER_S 90.0 /* scrolling speed if the pointer is just outside the view, in px per second */
/* increase of the speed, in px per second, for each px between the edge of the view and the pointer */
#define PER_PX_PER_S 14.0
#define QUICKEST_PX_PER_S 4000.0
/* maximum time in µs that one frame adds to the movement, so that the view does not jump after a delayed frame */
#define MAX_FRAME_US 100000

struct _LoomAutoscroll {
  GtkWidget *widget;
  LoomViewAnimator *flight;
  LoomTimelineState *state;
  LoomAutoscrolled scrolled;
  double vx, vy; /* speed in px per second; positive: to later times, and downwards */
  guint tick_id;
  gint64 last_us;
};

LoomAutoscroll *
loom_autoscroll_new (GtkWidget *widget, LoomViewAnimator *flight, LoomTimelineState *state, LoomAutoscrolled scrolled)
{
  LoomAutoscroll *self = g_new0 (LoomAutoscroll, 1);
  self->widget = widget;
  self->flight = flight;
  self->state = state;
  self->scrolled = scrolled;
  return self;
}

void
loom_autoscroll_free (LoomAutoscroll *self)
{
  loom_autoscroll_stop (self);
  g_free (self);
}

/* Returns how far, in px, automatic scrolling by `dx` may move the view: to the left, at most to the first event; to
 * the right, at most to the last event. Returns 0 if the view is already beyond this event. */
static double
room_for (LoomAutoscroll *self, double dx)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  double earlier = MIN (loom_viewport_x (view, extent.begin_ns), 0),
         later = MAX (loom_viewport_x (view, extent.end_ns) - view->width_px, 0);
  return CLAMP (dx, earlier, later);
}

static gboolean
tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  LoomAutoscroll *self = user_data;
  gint64 now_us = gdk_frame_clock_get_frame_time (clock), elapsed_us = MIN (now_us - self->last_us, MAX_FRAME_US);
  double seconds = (double) elapsed_us / G_USEC_PER_SEC, dx = room_for (self, self->vx * seconds);
  self->last_us = now_us;
  loom_scroll_zoom_pan_from (self->flight, self->state, loom_timeline_state_get_viewport (self->state), -dx,
                             -self->vy * seconds);
  self->scrolled (self->widget);
  return G_SOURCE_CONTINUE;
}

static double
speed_for (double at, double size)
{
  double beyond = at < 0 ? at : at > size ? at - size : 0;
  if (beyond == 0)
    return 0;
  return copysign (MIN (SLOWEST_PX_PER_S + fabs (beyond) * PER_PX_PER_S, QUICKEST_PX_PER_S), beyond);
}

/* The last row of pixels in the view counts as outside of the view. Otherwise, if the view ends at the edge of the
 * screen, the user could not move the pointer below the view. */
void
loom_autoscroll_pull (LoomAutoscroll *self, double x, double y, gboolean both_ways)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  self->vx = speed_for (x, view->width_px);
  self->vy = both_ways ? speed_for (y, view->height_px - 1) : 0;
  if (self->vx == 0 && self->vy == 0) {
    loom_autoscroll_stop (self);
    return;
  }
  GdkFrameClock *clock = gtk_widget_get_frame_clock (self->widget);
  if (self->tick_id != 0 || clock == NULL)
    return;
  self->last_us = gdk_frame_clock_get_frame_time (clock);
  self->tick_id = gtk_widget_add_tick_callback (self->widget, tick, self, NULL);
}

void
loom_autoscroll_stop (LoomAutoscroll *self)
{
  self->vx = self->vy = 0;
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (self->widget, self->tick_id);
  self->tick_id = 0;
}
