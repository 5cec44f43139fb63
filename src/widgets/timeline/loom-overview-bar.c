/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-overview-bar.h"

#include "loom-bounded-text.h"

#include <glib/gi18n.h>
#include <math.h>

/* maximum distance in px between the pointer and the mark of a finding whose tooltip is shown */
#define MARK_PX 4.0
/* height in px of the band with the marks of findings at the top; a click there selects a finding */
#define LINE_PX 8.0
#define GRIP_PX 6.0 /* a press that is at most this many px from an edge of the visible range drags this edge */

typedef enum { GRIP_NONE, GRIP_BEGIN, GRIP_END, GRIP_WINDOW } Grip;

struct _LoomOverviewBar {
  LoomTimelineArea parent;
  LoomViewAnimator *flight;
  Grip grip;
  LoomViewport start;      /* the view as it was when the drag began */
  double start_x, start_y; /* position of the pointer when the drag began, in px */
  gboolean moved;
  gboolean is_plain;  /* TRUE if the view is marked by a line instead of a window with handles */
  LoomRange range;    /* the range that the user drags while `is_plain` is TRUE */
  LoomRange analyzed; /* see loom_overview_bar_set_analyzed() */
  LoomOverviewPicture *picture;
};

G_DEFINE_FINAL_TYPE (LoomOverviewBar, loom_overview_bar, LOOM_TYPE_TIMELINE_AREA)

static LoomTimelineState *
state_of (LoomOverviewBar *self)
{
  return loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self));
}

static LoomMinimapData *
overview_of (LoomOverviewBar *self)
{
  return loom_timeline_state_get_overview (state_of (self));
}

/* Returns TRUE if the band at the top of the bar shows the times at which ranks are late. It shows them if there are no
 * findings; otherwise, it shows the marks of the findings. */
static gboolean
shows_late_ranks (LoomOverviewBar *self)
{
  return loom_timeline_annotations_shows_late_ranks (loom_timeline_state_get_finding_marks (state_of (self)));
}

static void
paint (LoomTimelineArea *area, cairo_t *cr, int width, int height)
{
  LoomRenderContext *scene = loom_timeline_area_get_scene (area);
  LoomPaintOptions options;
  loom_render_context_init_options (scene, &options, GTK_WIDGET (area));
  LoomMinimapData *overview = loom_timeline_state_get_overview (loom_timeline_area_get_state (area));
  if (overview != NULL) {
    options.plain_overview = LOOM_OVERVIEW_BAR (area)->is_plain;
    options.analyzed = LOOM_OVERVIEW_BAR (area)->analyzed;
    options.overview_picture = LOOM_OVERVIEW_BAR (area)->picture;
    loom_timeline_painter_paint_overview (
      cr, overview, width, height, loom_timeline_state_get_viewport (loom_timeline_area_get_state (area)), &options);
    return;
  }
  loom_color_set_source (cr, options.theme->role[LOOM_COLOR_ROLE_OVERVIEW]);
  cairo_paint (cr);
}

static double
x_of (LoomOverviewBar *self, gint64 time_ns)
{
  return loom_timeline_painter_overview_x (overview_of (self), gtk_widget_get_width (GTK_WIDGET (self)), time_ns);
}

static gint64
time_at (LoomOverviewBar *self, double x)
{
  return loom_timeline_painter_overview_time (overview_of (self), gtk_widget_get_width (GTK_WIDGET (self)), x);
}

static Grip
grip_at (LoomOverviewBar *self, double x)
{
  if (overview_of (self) == NULL || self->is_plain)
    return GRIP_NONE;
  const LoomViewport *view = loom_timeline_state_get_viewport (state_of (self));
  double begin = x_of (self, view->begin_ns), end = x_of (self, view->end_ns);
  /* Inside the visible range, the grip of each edge has at most a quarter of the width of the range, so that the user
   * can still move a narrow range. */
  double inner = MIN (GRIP_PX, (end - begin) / 4);
  if (x > begin - GRIP_PX && x < begin + inner)
    return GRIP_BEGIN;
  if (x > end - inner && x < end + GRIP_PX)
    return GRIP_END;
  return x >= begin && x <= end ? GRIP_WINDOW : GRIP_NONE;
}

static LoomRange
range_near (LoomOverviewBar *self, double x)
{
  return (LoomRange) { time_at (self, x - MARK_PX), time_at (self, x + MARK_PX) };
}

/* Returns TRUE if the point is in the band at the top of the bar, which contains the marks of findings, and near such a
 * mark. */
static gboolean
is_on_finding (LoomOverviewBar *self, double x, double y)
{
  g_autofree char *findings = overview_of (self) != NULL && y < LINE_PX
                                ? loom_timeline_annotations_dup_findings (
                                    loom_timeline_state_get_finding_marks (state_of (self)), range_near (self, x))
                                : NULL;
  return findings != NULL;
}

static LoomHoveredPlace *
hovered_of (LoomOverviewBar *self)
{
  return loom_timeline_state_get_hovered_place (state_of (self));
}

/* Sets the hovered place of the timeline state (LoomTimelineState) to the time range of the pixel at x. */
static void
set_hovered (LoomOverviewBar *self, double x)
{
  LoomNavigationTarget place = { .range = { time_at (self, x), time_at (self, x + 1) } };
  loom_hovered_place_set (hovered_of (self), &place, self);
}

static void
pointer_left (LoomOverviewBar *self)
{
  loom_hovered_place_clear (hovered_of (self), self);
}

static void
pointer_moved (LoomOverviewBar *self, double x, double y)
{
  if (overview_of (self) != NULL)
    set_hovered (self, x);
  static const char *const names[] = { NULL, "col-resize", "col-resize", "grab" };
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), !self->moved && is_on_finding (self, x, y)
                                                        ? "pointer"
                                                        : names[self->moved ? self->grip : grip_at (self, x)]);
}

static void
center_on (LoomOverviewBar *self, gint64 time_ns)
{
  LoomViewport target = loom_view_animator_get_target (self->flight);
  double x = loom_viewport_x (&target, time_ns);
  loom_viewport_pan (&target, loom_timeline_state_get_extent (state_of (self)), x - target.width_px / 2);
  loom_view_animator_jump (self->flight, &target);
}

static void
drag_begun (LoomOverviewBar *self, double x, double y)
{
  loom_view_animator_stop (self->flight);
  self->start = *loom_timeline_state_get_viewport (state_of (self));
  self->start_x = x;
  self->start_y = y;
  self->grip = grip_at (self, x);
  self->moved = FALSE;
}

static void
move_window (LoomOverviewBar *self, gint64 delta_ns)
{
  LoomViewport view = self->start;
  loom_viewport_pan (&view, loom_timeline_state_get_extent (state_of (self)),
                     (double) delta_ns / loom_viewport_get_ns_per_px (&view));
  loom_view_animator_move (self->flight, &view);
}

static void
show_between (LoomOverviewBar *self, gint64 a_ns, gint64 b_ns)
{
  LoomViewport view = self->start;
  LoomRange range = { MIN (a_ns, b_ns), MAX (MAX (a_ns, b_ns), MIN (a_ns, b_ns) + LOOM_VIEWPORT_MIN_RANGE_NS) };
  loom_viewport_fit_range (&view, loom_timeline_state_get_extent (state_of (self)), range, 0);
  loom_view_animator_move (self->flight, &view);
}

/* Selects the range that the user has dragged so far. It is never empty, because an empty range would remove the
 * selection. */
static void
drag_range (LoomOverviewBar *self, gint64 a_ns, gint64 b_ns)
{
  self->range = (LoomRange) { MIN (a_ns, b_ns), MAX (MAX (a_ns, b_ns), MIN (a_ns, b_ns) + 1) };
  loom_timeline_state_drag_range (state_of (self), self->range);
}

static void
drag_updated (LoomOverviewBar *self, double dx, double dy)
{
  if (overview_of (self) == NULL || (!self->moved && fabs (dx) < 3))
    return;
  self->moved = TRUE;
  gint64 from_ns = time_at (self, self->start_x), to_ns = time_at (self, self->start_x + dx);
  switch (self->grip) {
  case GRIP_WINDOW: move_window (self, to_ns - from_ns); break;
  case GRIP_BEGIN: show_between (self, to_ns, self->start.end_ns); break;
  case GRIP_END: show_between (self, self->start.begin_ns, to_ns); break;
  default:
    if (self->is_plain)
      drag_range (self, from_ns, to_ns);
    else
      show_between (self, from_ns, to_ns);
    break;
  }
}

static void
drag_ended (LoomOverviewBar *self, double dx, double dy)
{
  if (!self->moved && is_on_finding (self, self->start_x, self->start_y))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s",
                                shows_late_ranks (self) ? "stragglers" : "overview");
  else if (!self->moved && overview_of (self) != NULL && self->grip == GRIP_NONE)
    center_on (self, time_at (self, self->start_x));
  else if (self->moved && self->is_plain)
    loom_timeline_state_make_range (state_of (self), self->range);
  self->moved = FALSE;
}

static gboolean
scrolled (LoomOverviewBar *self, double dx, double dy)
{
  LoomViewport target = loom_view_animator_get_target (self->flight);
  loom_view_animator_zoom (self->flight, target.width_px / 2, exp (dy * 0.2));
  return GDK_EVENT_STOP;
}

/* Returns the text of the tooltip: the findings with marks near `x`, and the number of bottlenecks near `x`. NULL if
 * there are neither findings nor bottlenecks. Owned by the caller. */
static char *
dup_words (LoomOverviewBar *self, double x)
{
  LoomTimelineAnnotations *marks = loom_timeline_state_get_finding_marks (state_of (self));
  LoomRange near = range_near (self, x);
  g_autofree char *findings = loom_timeline_annotations_dup_findings (marks, near);
  guint n = loom_timeline_annotations_count_bottlenecks (marks, near);
  g_autofree char *bottlenecks =
    g_strdup_printf (ngettext ("%u bottleneck: GPUs are starved while CPU cores are saturated.",
                               "%u bottlenecks: GPUs are starved while CPU cores are saturated.", n),
                     n);
  if (findings == NULL)
    return n > 0 ? g_steal_pointer (&bottlenecks) : NULL;
  return g_strjoin ("\n", findings,
                    shows_late_ranks (self) ? _ ("Click the band at the top to open the “Stragglers” page.")
                                            : _ ("Click the band at the top to open the “Summary” page."),
                    n > 0 ? bottlenecks : NULL, NULL);
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  LoomOverviewBar *self = LOOM_OVERVIEW_BAR (widget);
  g_autofree char *words = !keyboard && overview_of (self) != NULL ? dup_words (self, x) : NULL;
  if (words == NULL)
    return FALSE;
  loom_bounded_text_set_tooltip (tooltip, words);
  return TRUE;
}

static void
finalize (GObject *object)
{
  loom_overview_picture_free (LOOM_OVERVIEW_BAR (object)->picture);
  G_OBJECT_CLASS (loom_overview_bar_parent_class)->finalize (object);
}

static void
loom_overview_bar_class_init (LoomOverviewBarClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  LOOM_TIMELINE_AREA_CLASS (klass)->paint = paint;
  GTK_WIDGET_CLASS (klass)->query_tooltip = query_tooltip;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "overview");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
loom_overview_bar_init (LoomOverviewBar *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  self->picture = loom_overview_picture_new ();
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begun), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_updated), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_ended), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scrolled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}

void
loom_overview_bar_set_plain (LoomOverviewBar *self, gboolean is_plain)
{
  g_return_if_fail (LOOM_IS_OVERVIEW_BAR (self));
  self->is_plain = is_plain;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
loom_overview_bar_set_analyzed (LoomOverviewBar *self, LoomRange range)
{
  g_return_if_fail (LOOM_IS_OVERVIEW_BAR (self));
  self->analyzed = range;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

LoomRange
loom_overview_bar_get_analyzed (LoomOverviewBar *self)
{
  g_return_val_if_fail (LOOM_IS_OVERVIEW_BAR (self), ((LoomRange) { 0, 0 }));
  return self->analyzed;
}

/* Sets the accessible description to the sentences of the findings that are marked, and the number of bottlenecks. */
static void
describe (LoomOverviewBar *self)
{
  const LoomTimelineAnnotations *marks = loom_timeline_state_get_finding_marks (state_of (self));
  guint n = loom_timeline_annotations_get_n_bottlenecks (marks);
  g_autofree char *findings = loom_timeline_annotations_dup_findings (marks, (LoomRange) { G_MININT64, G_MAXINT64 }),
                  *bottlenecks = g_strdup_printf (
                    ngettext ("%u bottleneck is marked, where GPUs are starved while CPU cores are saturated.",
                              "%u bottlenecks are marked, where GPUs are starved while CPU cores are saturated.", n),
                    n);
  g_autofree char *text = g_strconcat (findings != NULL ? findings : "", findings != NULL && n > 0 ? "\n" : "",
                                       n > 0 ? bottlenecks : "", NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

void
loom_overview_bar_set_scene (LoomOverviewBar *self, LoomRenderContext *scene, LoomViewAnimator *flight)
{
  loom_timeline_area_set_scene (LOOM_TIMELINE_AREA (self), scene);
  loom_timeline_area_set_natural_size (LOOM_TIMELINE_AREA (self), -1, LOOM_OVERVIEW_PX);
  self->flight = flight;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Overview of the whole run"),
                                  -1);
  g_signal_connect_object (state_of (self), "facts-changed", G_CALLBACK (describe), self, G_CONNECT_SWAPPED);
}
