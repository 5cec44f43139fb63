/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-view-animator-frames.h"

/* maximum time in µs that one frame adds to the movement, so that the view does not jump after a delayed frame */
#define MAX_FRAME_US 100000

struct _LoomViewAnimatorFrames {
  GtkWidget *widget;
  LoomViewAnimator *flight;
  guint tick_id; /* id of the tick callback; 0: the view does not move */
  gint64 last_frame_us;
};

static gboolean
has_frames (gpointer frames)
{
  return gtk_widget_get_frame_clock (((LoomViewAnimatorFrames *) frames)->widget) != NULL;
}

static gboolean
is_animated (gpointer frames)
{
  gboolean enabled = TRUE;
  g_object_get (gtk_widget_get_settings (((LoomViewAnimatorFrames *) frames)->widget), "gtk-enable-animations",
                &enabled, NULL);
  return enabled;
}

static gboolean
tick (GtkWidget *widget, GdkFrameClock *clock, gpointer frames)
{
  LoomViewAnimatorFrames *self = frames;
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  gint64 elapsed_us = CLAMP (now_us - self->last_frame_us, 0, MAX_FRAME_US);
  self->last_frame_us = now_us;
  if (loom_view_animator_advance (self->flight, elapsed_us))
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
start (gpointer frames)
{
  LoomViewAnimatorFrames *self = frames;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (self->widget);
  if (self->tick_id != 0 || clock == NULL)
    return;
  self->last_frame_us = gdk_frame_clock_get_frame_time (clock);
  self->tick_id = gtk_widget_add_tick_callback (self->widget, tick, self, NULL);
}

LoomViewAnimatorFrames *
loom_view_animator_frames_new (GtkWidget *widget, LoomViewAnimator *flight)
{
  static const LoomViewAnimatorScreen calls = { has_frames, is_animated, start };
  LoomViewAnimatorFrames *self = g_new0 (LoomViewAnimatorFrames, 1);
  self->widget = widget;
  self->flight = g_object_ref (flight);
  loom_view_animator_set_screen (flight, &calls, self);
  return self;
}

void
loom_view_animator_frames_free (LoomViewAnimatorFrames *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (self->widget, self->tick_id);
  loom_view_animator_set_screen (self->flight, NULL, NULL);
  g_object_unref (self->flight);
  g_free (self);
}
