/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-ruler-bar.h"

#include "loom-bounded-text.h"

#include <glib/gi18n.h>
#include <math.h>

#define CLICK_SLACK_PX 4

struct _LoomRulerBar {
  LoomTimelineArea parent;
  LoomViewAnimator *flight;
  LoomViewport start;
  gboolean moved;   /* TRUE if the pointer moved after the press */
  double pointer_x; /* x of the pointer in px; −1: the pointer is not over the ruler */
};

G_DEFINE_FINAL_TYPE (LoomRulerBar, loom_ruler_bar, LOOM_TYPE_TIMELINE_AREA)

enum { MARK_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
paint (LoomTimelineArea *area, cairo_t *cr, int width, int height)
{
  LoomRenderContext *scene = loom_timeline_area_get_scene (area);
  LoomPaintOptions options;
  loom_render_context_init_options (scene, &options, GTK_WIDGET (area));
  if (loom_timeline_state_get_timeline (loom_timeline_area_get_state (area)) == NULL) {
    loom_color_set_source (cr, options.theme->role[LOOM_COLOR_ROLE_RULER]);
    cairo_paint (cr);
    return;
  }
  loom_timeline_painter_paint_ruler (cr, loom_render_context_get_ruler (scene),
                                     loom_timeline_state_get_viewport (loom_timeline_area_get_state (area)), &options);
}

static const LoomMarker *
mark_at (LoomRulerBar *self, double x)
{
  LoomRenderContext *scene = loom_timeline_area_get_scene (LOOM_TIMELINE_AREA (self));
  LoomPaintOptions options;
  loom_render_context_init_options (scene, &options, GTK_WIDGET (self));
  return loom_timeline_painter_find_marker (loom_timeline_state_get_viewport (loom_render_context_get_state (scene)),
                                            &options, x);
}

static void
drag_begun (LoomRulerBar *self, double x, double y)
{
  loom_view_animator_stop (self->flight);
  self->start = *loom_timeline_state_get_viewport (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)));
  self->moved = FALSE;
}

static void
drag_updated (LoomRulerBar *self, double dx, double dy)
{
  if (!self->moved && fabs (dx) < CLICK_SLACK_PX)
    return;
  self->moved = TRUE;
  LoomTimelineState *state = loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self));
  LoomViewport view = self->start;
  loom_viewport_pan (&view, loom_timeline_state_get_extent (state), -dx);
  loom_view_animator_move (self->flight, &view);
}

static void
released (LoomRulerBar *self, int n_press, double x, double y)
{
  const LoomMarker *mark = n_press == 2 ? mark_at (self, x) : NULL;
  if (mark != NULL)
    g_signal_emit (self, signals[MARK_ACTIVATED], 0, mark->time_ns);
}

/* Moves the timeline's cursor to the time at x, so that visible counters show their values at this time. */
static void
pointer_moved (LoomRulerBar *self, double x)
{
  LoomTimelineState *state = loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self));
  /* GTK repeats the last motion event after a layout, although the pointer did not move. */
  if (x == self->pointer_x)
    return;
  self->pointer_x = x;
  gboolean there = loom_timeline_state_get_timeline (state) != NULL;
  gint64 time_ns = there ? loom_viewport_time (loom_timeline_state_get_viewport (state), x) : LOOM_TIME_NONE;
  loom_timeline_state_set_cursor (state, time_ns);
}

static void
pointer_left (LoomRulerBar *self)
{
  self->pointer_x = -1;
  loom_timeline_state_set_pointer (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)), LOOM_TIME_NONE, G_MAXUINT,
                                   LOOM_SPAN_ID_NONE);
}

/* Shows the label of the mark at x in a tooltip, because the ruler shortens a label that is long or near another
 * mark. */
static gboolean
tell_note (LoomRulerBar *self, int x, GtkTooltip *tooltip)
{
  const LoomMarker *mark = mark_at (self, x);
  if (mark == NULL || mark->label == NULL || mark->label[0] == '\0')
    return FALSE;
  loom_bounded_text_set_tooltip (tooltip, mark->label);
  /* the tooltip is valid only for this column of pixels, because the next one may belong to another mark */
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x, 0, 1, LOOM_RULER_PX });
  return TRUE;
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  return !keyboard && tell_note (LOOM_RULER_BAR (widget), x, tooltip);
}

static void
loom_ruler_bar_class_init (LoomRulerBarClass *klass)
{
  LOOM_TIMELINE_AREA_CLASS (klass)->paint = paint;
  GTK_WIDGET_CLASS (klass)->query_tooltip = query_tooltip;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "ruler");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
  signals[MARK_ACTIVATED] = g_signal_new ("mark-activated", LOOM_TYPE_RULER_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
loom_ruler_bar_init (LoomRulerBar *self)
{
  self->pointer_x = -1;
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begun), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_updated), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_swapped (click, "released", G_CALLBACK (released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
}

void
loom_ruler_bar_set_scene (LoomRulerBar *self, LoomRenderContext *scene, LoomViewAnimator *flight)
{
  loom_timeline_area_set_scene (LOOM_TIMELINE_AREA (self), scene);
  loom_timeline_area_set_natural_size (LOOM_TIMELINE_AREA (self), -1, LOOM_RULER_PX);
  self->flight = flight;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Ruler"), -1);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}
