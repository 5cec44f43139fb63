/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pinch.h"

#include "loom-scroll-zoom.h"

typedef struct {
  LoomViewAnimator *flight;
  LoomTimelineState *state;
  double scale; /* distance between the fingers, as a multiple of their distance at the start of the pinch */
} Pinch;

static void
begun (Pinch *self)
{
  loom_view_animator_stop (self->flight);
  self->scale = 1;
}

static void
changed (Pinch *self, double scale, GtkGesture *gesture)
{
  double x, y;
  if (!gtk_gesture_is_active (gesture) || !gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    x = loom_view_animator_get_anchor (self->flight);
  scale = MAX (scale, 1e-6);
  loom_scroll_zoom_zoom_from (self->flight, self->state, loom_timeline_state_get_viewport (self->state), x,
                              self->scale / scale);
  self->scale = scale;
}

static void
free_pinch (gpointer data, GClosure *closure)
{
  g_free (data);
}

GtkEventController *
loom_pinch_new (LoomViewAnimator *flight, LoomTimelineState *state)
{
  Pinch *self = g_new (Pinch, 1);
  *self = (Pinch) { flight, state, 1 };
  GtkGesture *gesture = gtk_gesture_zoom_new ();
  g_signal_connect_swapped (gesture, "begin", G_CALLBACK (begun), self);
  g_signal_connect_data (gesture, "scale-changed", G_CALLBACK (changed), self, free_pinch, G_CONNECT_SWAPPED);
  return GTK_EVENT_CONTROLLER (gesture);
}
