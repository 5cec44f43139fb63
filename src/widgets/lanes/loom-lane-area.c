/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lane-area.h"

#include "loom-bounded-text.h"
#include "loom-chart.h"

#include <math.h>

#define CLICK_SLACK_PX 4
#define HIT_SLACK_PX 2

struct _LoomLaneArea {
  LoomTimelineArea parent;
  LoomViewAnimator *flight;
  LoomResultLane *lane;
  guint color;
  LoomViewport start;
  gboolean moved; /* TRUE if the pointer has moved since the button was pressed */
};

G_DEFINE_FINAL_TYPE (LoomLaneArea, loom_lane_area, LOOM_TYPE_TIMELINE_AREA)

static LoomTimelineState *
state_of (LoomLaneArea *self)
{
  return loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self));
}

static void
paint (LoomTimelineArea *area, cairo_t *cr, int width, int height)
{
  LoomLaneArea *self = LOOM_LANE_AREA (area);
  LoomPaintOptions options;
  loom_render_context_init_options (loom_timeline_area_get_scene (area), &options, GTK_WIDGET (area));
  loom_timeline_painter_paint_lane (cr, self->lane, self->color, loom_timeline_state_get_viewport (state_of (self)),
                                    height, &options);
}

/* --- clicks, drags and tooltips ----------------------------------------------------------------------------------- */

static const LoomResultBar *
find_bar (LoomLaneArea *self, double x)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state_of (self));
  if (self->lane == NULL || loom_result_lane_is_counter (self->lane))
    return NULL;
  gint64 at_ns = loom_viewport_time (view, x);
  const LoomResultBar *bar = loom_result_lane_find_bar (self->lane, at_ns, loom_time_add (at_ns, 1));
  return bar != NULL ? bar
                     : loom_result_lane_find_bar (self->lane, loom_viewport_time (view, x - HIT_SLACK_PX),
                                                  loom_viewport_time (view, x + HIT_SLACK_PX));
}

static void
drag_begun (LoomLaneArea *self, double x, double y)
{
  loom_view_animator_stop (self->flight);
  self->start = *loom_timeline_state_get_viewport (state_of (self));
  self->moved = FALSE;
}

static void
drag_updated (LoomLaneArea *self, double dx, double dy)
{
  if (!self->moved && fabs (dx) < CLICK_SLACK_PX)
    return;
  self->moved = TRUE;
  LoomViewport view = self->start;
  loom_viewport_pan (&view, loom_timeline_state_get_extent (state_of (self)), -dx);
  loom_view_animator_move (self->flight, &view);
}

static void
released (LoomLaneArea *self, int n_press, double x, double y)
{
  const LoomResultBar *bar = self->moved ? NULL : find_bar (self, x);
  if (bar != NULL && !loom_timeline_span_id_is_none (bar->span))
    loom_timeline_state_select_span (state_of (self), bar->span, FALSE);
  else if (bar != NULL)
    loom_timeline_state_select_range (state_of (self), bar->range);
}

static char *
dup_bar_words (const LoomResultBar *bar)
{
  g_autofree char *duration = loom_time_format_duration (loom_time_sub (bar->range.end_ns, bar->range.begin_ns));
  return bar->text[0] != '\0' ? g_strdup_printf ("%s · %s", bar->text, duration) : g_steal_pointer (&duration);
}

static char *
dup_value_words (LoomLaneArea *self, double x, double y)
{
  gint64 at_ns = loom_viewport_time (loom_timeline_state_get_viewport (state_of (self)), x);
  guint n = loom_result_lane_get_n_series (self->lane);
  double share = y / MAX (gtk_widget_get_height (GTK_WIDGET (self)), 1);
  guint series = (guint) CLAMP (share * n, 0, n - 1);
  const char *name = loom_result_lane_get_series_name (self->lane, series);
  const LoomResultSample *sample = loom_result_lane_find_sample (self->lane, series, at_ns);
  if (sample == NULL || isnan (sample->value))
    return NULL;
  g_autofree char *value = loom_chart_format (sample->value, loom_result_lane_get_unit (self->lane));
  return g_strdup_printf ("%s%s%s: %s", name, name[0] != '\0' ? " · " : "", loom_result_lane_get_title (self->lane),
                          value);
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  LoomLaneArea *self = LOOM_LANE_AREA (widget);
  if (keyboard || self->lane == NULL)
    return FALSE;
  const LoomResultBar *bar = find_bar (self, x);
  g_autofree char *words = bar != NULL                                ? dup_bar_words (bar)
                           : loom_result_lane_is_counter (self->lane) ? dup_value_words (self, x, y)
                                                                      : NULL;
  if (words == NULL)
    return FALSE;
  loom_bounded_text_set_tooltip (tooltip, words);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x, 0, 1, gtk_widget_get_height (widget) });
  return TRUE;
}

/* --- creating and freeing the widget ------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  g_clear_pointer (&LOOM_LANE_AREA (object)->lane, loom_result_lane_unref);
  G_OBJECT_CLASS (loom_lane_area_parent_class)->dispose (object);
}

static void
loom_lane_area_class_init (LoomLaneAreaClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  LOOM_TIMELINE_AREA_CLASS (klass)->paint = paint;
  GTK_WIDGET_CLASS (klass)->query_tooltip = query_tooltip;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "lane");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
loom_lane_area_init (LoomLaneArea *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begun), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_updated), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_swapped (click, "released", G_CALLBACK (released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

void
loom_lane_area_set_scene (LoomLaneArea *self, LoomRenderContext *scene, LoomViewAnimator *flight)
{
  loom_timeline_area_set_scene (LOOM_TIMELINE_AREA (self), scene);
  self->flight = flight;
}

void
loom_lane_area_set_lane (LoomLaneArea *self, const LoomResultLane *lane, guint color)
{
  loom_result_lane_unref (self->lane);
  self->lane = lane != NULL ? loom_result_lane_ref ((LoomResultLane *) lane) : NULL;
  self->color = color;
  loom_timeline_area_set_natural_size (LOOM_TIMELINE_AREA (self), -1,
                                       lane != NULL ? loom_result_lane_get_height (lane) : LOOM_RESULT_LANE_BARS_PX);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
