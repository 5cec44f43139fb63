/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-track-area.h"

#include "loom-autoscroll.h"
#include "loom-click-workaround.h"
#include "loom-clock-at-row.h"
#include "loom-pinch.h"
#include "loom-rubber-band.h"
#include "loom-scroll-zoom.h"
#include "loom-select-same-name.h"
#include "loom-settings.h"
#include "loom-snap.h"
#include "loom-view-navigation.h"

#include <glib/gi18n.h>
#include <math.h>

#define SLACK_PX 3.0 /* maximum distance in px between the pointer and a narrow span for the span to count as hit */
/* minimum movement of the pointer in px, between press and release, for a drag; less movement is a click */
#define CLICK_SLACK_PX 4.0
#define NO_SNAP (GDK_ALT_MASK | GDK_CONTROL_MASK)
#define DRAG_ZOOM 0.01 /* natural logarithm of the factor by which each px of a vertical drag zooms in the zoom mode */
#define MARK_PX 3.0    /* maximum distance in px between a double click and a mark for the mark to count as hit */

typedef enum { DRAG_NONE, DRAG_SELECT, DRAG_RANGE, DRAG_PAN, DRAG_SCALE, DRAG_CLOCK, DRAG_BOX } Drag;

struct _LoomTrackArea {
  LoomTimelineArea parent;
  LoomViewAnimator *flight;
  LoomDragMode mode;
  gboolean hand; /* TRUE while the user holds Space down, so that dragging pans */

  gboolean inside;
  /* TRUE if the user has used another widget or the keyboard since the last movement of the pointer; the pointer then
   * counts as outside of the tracks */
  gboolean left;
  double x, y; /* position of the pointer in the widget */
  /* position of the pointer in the window; unlike `x` and `y`, it does not change when a layout moves the tracks */
  double window_x, window_y;
  LoomDrawHit hit;

  Drag drag;
  LoomClickWorkaround press;
  /* key of the group (node, rank or process) whose row was clicked last; NULL: another item was clicked */
  char *clicked_group;
  /* TRUE if the pointer has moved far enough since the press that the release will not be a click */
  gboolean dragging;
  /* TRUE if releasing the button is not a click: the press was the second one of a double click, or the drag was
   * cancelled */
  gboolean clicked_twice;
  gint64 fixed_ns; /* time of that end of the dragged range that does not move */
  LoomRange drag_range;
  /* the selected range at the beginning of the drag; a drag that zooms to its range (DRAG_RANGE) must not change the
   * selection, so this range is selected again at its end */
  LoomRange old_range;
  LoomRubberBand box;
  gboolean snaps; /* TRUE if the moving end of the dragged range snaps to edges of spans */
  LoomAutoscroll *edge_scroll;
  LoomViewport start; /* the view when the gesture began */
  guint moved_clock;  /* index, among the clocks of the run, of the clock that the user drags */
  gint64 moved_ns;    /* distance in ns by which this drag has moved the clock so far */
  /* id of the idle callback that finds the item under the pointer when the tracks have moved but the pointer has not;
   * 0: not scheduled */
  guint look_id;
};

G_DEFINE_FINAL_TYPE (LoomTrackArea, loom_track_area, LOOM_TYPE_TIMELINE_AREA)

enum { HOVER, ROW_MENU, CLOCK_MOVED, MARK_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

static LoomRenderContext *
scene_of (LoomTrackArea *self)
{
  return loom_timeline_area_get_scene (LOOM_TIMELINE_AREA (self));
}

static LoomTimelineState *
state_of (LoomTrackArea *self)
{
  return loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self));
}

static const LoomViewport *
view_of (LoomTrackArea *self)
{
  return loom_timeline_state_get_viewport (state_of (self));
}

static void
paint (LoomTimelineArea *area, cairo_t *cr, int width, int height)
{
  LoomRenderContext *scene = loom_timeline_area_get_scene (area);
  LoomPaintOptions options;
  loom_render_context_init_options (scene, &options, GTK_WIDGET (area));
  LoomTrackArea *self = LOOM_TRACK_AREA (area);
  cairo_rectangle_t box = loom_rubber_band_get_rectangle (&self->box, state_of (self));
  options.box = self->dragging && self->drag == DRAG_BOX ? &box : NULL;
  loom_timeline_painter_paint (cr, loom_render_context_get_list (scene), loom_render_context_get_ruler (scene),
                               &options);
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  loom_timeline_state_set_size (state_of (LOOM_TRACK_AREA (widget)), width, height);
}

static gboolean
same_hit (const LoomDrawHit *a, const LoomDrawHit *b)
{
  return a->kind == b->kind && a->row == b->row && a->begin_ns == b->begin_ns && a->end_ns == b->end_ns &&
         a->series == b->series && a->value == b->value && loom_timeline_span_id_equal (a->span, b->span);
}

static void
look (LoomTrackArea *self)
{
  LoomDrawHit hit = { .kind = LOOM_DRAW_HIT_NONE, .row = G_MAXUINT, .span = LOOM_SPAN_ID_NONE };
  gint64 time_ns = LOOM_TIME_NONE;
  if (self->inside && loom_timeline_state_get_timeline (state_of (self)) != NULL) {
    loom_draw_list_hit (loom_render_context_get_list (scene_of (self)), self->x, self->y, SLACK_PX, &hit);
    time_ns = loom_viewport_time (view_of (self), self->x);
  }
  gboolean changed = !same_hit (&hit, &self->hit) || self->dragging;
  self->hit = hit;
  loom_timeline_state_set_pointer (state_of (self), time_ns, hit.row, hit.span);
  if (changed || self->inside)
    g_signal_emit (self, signals[HOVER], 0);
}

static void
take_place (LoomTrackArea *self, double x, double y)
{
  self->x = x;
  self->y = y;
  gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self))), x, y,
                                    &self->window_x, &self->window_y);
}

/* Updates the position of the pointer in the widget when the tracks have moved but the pointer has not, because GTK
 * reports a position only when the pointer moves. */
static void
find_place (LoomTrackArea *self)
{
  GtkWidget *widget = GTK_WIDGET (self), *window = GTK_WIDGET (gtk_widget_get_root (widget));
  if (self->drag != DRAG_NONE || window == NULL ||
      !gtk_widget_translate_coordinates (window, widget, self->window_x, self->window_y, &self->x, &self->y))
    return;
  self->inside = self->inside && gtk_widget_contains (widget, self->x, self->y);
  loom_view_animator_set_anchor (self->flight, self->inside ? self->x : -1);
}

static gboolean
look_again (gpointer user_data)
{
  LoomTrackArea *self = user_data;
  self->look_id = 0;
  find_place (self);
  look (self);
  return G_SOURCE_REMOVE;
}

static void
view_moved (LoomTrackArea *self)
{
  if (self->inside && self->look_id == 0)
    self->look_id = g_idle_add (look_again, self);
}

static int
edge_at (LoomTrackArea *self, double x)
{
  return loom_snap_edge_at (state_of (self), x);
}

static void
show_cursor (LoomTrackArea *self)
{
  gboolean hand = self->hand || self->mode == LOOM_DRAG_MODE_PAN;
  gboolean grabs = self->drag == DRAG_PAN || self->drag == DRAG_CLOCK;
  const char *name = self->dragging && grabs                    ? "grabbing"
                     : self->drag == DRAG_BOX && self->dragging ? "crosshair"
                     : hand                                     ? "grab"
                     : self->mode == LOOM_DRAG_MODE_ZOOM        ? "ns-resize"
                     : edge_at (self, self->x)                  ? "col-resize"
                     : self->mode == LOOM_DRAG_MODE_TIMING      ? "crosshair"
                                                                : NULL;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), name);
}

static void
pointer_moved (LoomTrackArea *self, double x, double y)
{
  double window_x = self->window_x, window_y = self->window_y;
  take_place (self, x, y);
  /* GTK repeats the last motion event after a layout, although the pointer did not move. */
  if (self->left && self->window_x == window_x && self->window_y == window_y)
    return;
  self->left = FALSE;
  self->inside = TRUE;
  loom_view_animator_set_anchor (self->flight, x);
  look (self);
  show_cursor (self);
}

static void
pointer_left (LoomTrackArea *self)
{
  self->inside = self->left = FALSE;
  loom_view_animator_set_anchor (self->flight, -1);
  look (self);
}

static GdkModifierType
modifiers_of (gpointer controller)
{
  return gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
}

static Drag
drag_of_mode (LoomTrackArea *self)
{
  static const Drag drags[LOOM_N_DRAG_MODES] = {
    [LOOM_DRAG_MODE_SELECT] = DRAG_SELECT,
    [LOOM_DRAG_MODE_PAN] = DRAG_PAN,
    [LOOM_DRAG_MODE_ZOOM] = DRAG_SCALE,
    [LOOM_DRAG_MODE_TIMING] = DRAG_SELECT,
  };
  return self->hand ? DRAG_PAN : drags[self->mode];
}

/* Returns TRUE if a drag from x draws a box. All of these conditions must be met: the button is the primary one, Ctrl
 * is pressed without Shift and Alt, the mode is "select", Space is not pressed, and x is not at an end of the selected
 * range (a drag from there would move this end). */
static gboolean
draws_box (LoomTrackArea *self, guint button, GdkModifierType modifiers, double x)
{
  return button == GDK_BUTTON_PRIMARY &&
         (modifiers & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK)) == GDK_CONTROL_MASK &&
         self->mode == LOOM_DRAG_MODE_SELECT && !self->hand && edge_at (self, x) == 0;
}

static Drag
drag_of_shift (void)
{
  g_autofree char *drag = loom_settings_dup_string (LOOM_SETTING_SHIFT_DRAG);
  return g_str_equal (drag, "pan") ? DRAG_PAN : DRAG_RANGE;
}

static Drag
drag_for (LoomTrackArea *self, guint button, GdkModifierType modifiers, double x, double y)
{
  gboolean alt = button == GDK_BUTTON_PRIMARY && (modifiers & GDK_ALT_MASK) && edge_at (self, x) == 0;
  self->moved_clock = alt ? loom_clock_at_row_at (state_of (self), y) : G_MAXUINT;
  if (self->moved_clock != G_MAXUINT)
    return DRAG_CLOCK;
  if (draws_box (self, button, modifiers, x))
    return DRAG_BOX;
  switch (button) {
  case GDK_BUTTON_MIDDLE: return DRAG_RANGE;
  case GDK_BUTTON_SECONDARY: return DRAG_PAN;
  default: return modifiers & GDK_SHIFT_MASK ? drag_of_shift () : drag_of_mode (self);
  }
}

static void
drag_begun (LoomTrackArea *self, double x, double y, GtkGestureDrag *gesture)
{
  GdkModifierType modifiers = modifiers_of (gesture);
  /* the second press of a double click may have started an animation of the view, which must not be stopped */
  if (!self->clicked_twice) {
    loom_view_animator_stop (self->flight);
    gtk_widget_grab_focus (GTK_WIDGET (self));
  }
  loom_click_workaround_begin (&self->press, GTK_GESTURE (gesture), x, y);
  self->drag = drag_for (self, self->press.button, modifiers, x, y);
  self->moved_ns = 0;
  self->dragging = FALSE;
  self->start = *view_of (self);
  loom_rubber_band_begin (&self->box, state_of (self), x, y);
  self->old_range = loom_timeline_state_get_range (state_of (self));
  int edge = self->drag == DRAG_SELECT ? edge_at (self, x) : 0;
  self->fixed_ns = edge < 0   ? self->old_range.end_ns
                   : edge > 0 ? self->old_range.begin_ns
                              : loom_snap_time (scene_of (self), x, y, !(modifiers & NO_SNAP));
}

/* Moves the clock of the dragged tracks, so that the tracks follow the pointer. */
static void
move_clock (LoomTrackArea *self, double dx)
{
  gint64 to_ns = (gint64) round (dx * loom_viewport_get_ns_per_px (&self->start)), by_ns = to_ns - self->moved_ns;
  gboolean begins = self->moved_ns == 0;
  self->moved_ns = to_ns;
  if (by_ns != 0)
    g_signal_emit (self, signals[CLOCK_MOVED], 0, self->moved_clock, by_ns, begins);
}

/* Moves the dragged end of the range to the pointer. */
static void
drag_range (LoomTrackArea *self)
{
  double x = CLAMP (self->x, 0, view_of (self)->width_px);
  gint64 moving_ns = loom_snap_time (scene_of (self), x, self->y, self->snaps);
  self->drag_range = (LoomRange) { MIN (self->fixed_ns, moving_ns), MAX (self->fixed_ns, moving_ns) };
  loom_timeline_state_drag_range (state_of (self), self->drag_range);
}

static void
draw_box (LoomTrackArea *self)
{
  loom_rubber_band_move (&self->box, state_of (self), self->x, self->y);
  show_cursor (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
select_box (LoomTrackArea *self)
{
  LoomVisibleBox shown = loom_rubber_band_get_shown (&self->box, state_of (self));
  loom_visible_spans_select (state_of (self), &shown, TRUE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Called after each step of automatic scrolling: the tracks have moved under the pointer, so extends the dragged box or
 * range to the pointer. */
static void
stretch (gpointer user_data)
{
  LoomTrackArea *self = user_data;
  self->drag == DRAG_BOX ? draw_box (self) : drag_range (self);
  g_signal_emit (self, signals[HOVER], 0);
}

static void
drag_updated (LoomTrackArea *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x0, y0;
  gtk_gesture_drag_get_start_point (gesture, &x0, &y0);
  gboolean moves_view = self->drag == DRAG_PAN || self->drag == DRAG_SCALE,
           both_ways = moves_view || self->drag == DRAG_BOX;
  if (self->drag == DRAG_NONE ||
      (!self->dragging && fabs (dx) < CLICK_SLACK_PX && (!both_ways || fabs (dy) < CLICK_SLACK_PX)))
    return;
  self->dragging = TRUE;
  if (self->drag == DRAG_CLOCK) {
    move_clock (self, dx);
    show_cursor (self);
    return;
  }
  if (moves_view) {
    if (self->drag == DRAG_PAN)
      loom_scroll_zoom_pan_from (self->flight, state_of (self), &self->start, dx, dy);
    else /* dragging upwards zooms in */
      loom_scroll_zoom_zoom_from (self->flight, state_of (self), &self->start, x0, exp (dy * DRAG_ZOOM));
    show_cursor (self);
    return;
  }
  take_place (self, x0 + dx, y0 + dy);
  self->snaps = !(modifiers_of (gesture) & NO_SNAP);
  loom_autoscroll_pull (self->edge_scroll, self->x, self->y, self->drag == DRAG_BOX);
  stretch (self);
}

static void
zoom_to (LoomTrackArea *self, LoomRange range, double margin)
{
  LoomViewport target = loom_view_animator_get_target (self->flight);
  loom_viewport_fit_range (&target, loom_timeline_state_get_extent (state_of (self)), range, margin);
  loom_view_animator_jump (self->flight, &target);
}

/* Returns the key of the group (node, rank or process) whose row was hit; NULL if another item was hit. The key is
 * borrowed, and valid until the next layout. */
static const char *
group_at (LoomTrackArea *self, const LoomDrawHit *hit)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state_of (self));
  const LoomTimelineRow *row = hit->row != G_MAXUINT ? loom_row_list_get_row (rows, hit->row) : NULL;
  return row != NULL && row->kind == LOOM_ROW_GROUP ? row->key : NULL;
}

static void
clicked (LoomTrackArea *self, double x, double y, GdkModifierType modifiers)
{
  LoomDrawHit hit;
  loom_draw_list_hit (loom_render_context_get_list (scene_of (self)), x, y, SLACK_PX, &hit);
  gboolean add = (modifiers & GDK_CONTROL_MASK) != 0;
  gboolean span = hit.kind == LOOM_DRAW_HIT_SPAN || hit.kind == LOOM_DRAW_HIT_DENSE ||
                  hit.kind == LOOM_DRAW_HIT_INSTANT || hit.kind == LOOM_DRAW_HIT_GROUP;
  g_free (self->clicked_group);
  self->clicked_group = g_strdup (group_at (self, &hit));
  if (span && !loom_timeline_span_id_is_none (hit.span))
    loom_timeline_state_select_span (state_of (self), hit.span, add);
  else if (!add)
    loom_timeline_state_select_nothing (state_of (self));
}

/* Opens the menu of the row and the span at a point. Selects the span, unless it is already selected. */
static void
ask_for_menu (LoomTrackArea *self, double x, double y)
{
  LoomSpanId span = loom_track_area_span_at (self, x, y);
  if (!loom_timeline_span_id_is_none (span) && !loom_timeline_state_is_selected (state_of (self), span))
    loom_timeline_state_select_span (state_of (self), span, FALSE);
  LoomRowList *outline = loom_timeline_state_get_row_list (state_of (self));
  guint row = loom_row_list_row_at (outline, y, view_of (self)->scroll_px);
  if (row != G_MAXUINT)
    g_signal_emit (self, signals[ROW_MENU], 0, loom_row_list_get_row (outline, row)->key, x, y);
}

/* Handles a click: the button was released at about the position at which it was pressed. */
static void
let_go (LoomTrackArea *self, GdkModifierType modifiers)
{
  if (self->press.button == GDK_BUTTON_PRIMARY && !self->clicked_twice)
    clicked (self, self->press.x, self->press.y, modifiers);
  else if (self->press.button == GDK_BUTTON_SECONDARY)
    ask_for_menu (self, self->press.x, self->press.y);
}

static void
drag_ended (LoomTrackArea *self, double dx, double dy, GtkGestureDrag *gesture)
{
  Drag drag = self->drag;
  gboolean dragged = self->dragging;
  loom_autoscroll_stop (self->edge_scroll);
  self->drag = DRAG_NONE;
  self->dragging = FALSE;
  if (dragged && drag == DRAG_RANGE) {
    loom_timeline_state_select_range (state_of (self), self->old_range);
    zoom_to (self, self->drag_range, 0);
  } else if (dragged && drag == DRAG_SELECT)
    loom_timeline_state_make_range (state_of (self), self->drag_range);
  else if (dragged && drag == DRAG_BOX)
    select_box (self);
  /* DRAG_NONE: the drag was cancelled, so releasing the button is not a click */
  else if (!dragged && drag != DRAG_NONE)
    let_go (self, modifiers_of (gesture));
  self->clicked_twice = FALSE;
  show_cursor (self);
  g_signal_emit (self, signals[HOVER], 0);
}

static void
give_up (LoomTrackArea *self)
{
  loom_autoscroll_stop (self->edge_scroll);
  self->drag = DRAG_NONE;
  self->dragging = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_cancelled (LoomTrackArea *self, GdkEventSequence *sequence, GtkGesture *gesture)
{
  gboolean pressed = self->drag != DRAG_NONE && !self->dragging;
  give_up (self);
  if (pressed && loom_click_workaround_was_let_go (&self->press, gesture))
    let_go (self, modifiers_of (gesture));
}

static const LoomMarker *
mark_at (LoomTrackArea *self, double x)
{
  gint64 near_ns = (gint64) (MARK_PX * loom_viewport_get_ns_per_px (view_of (self)));
  return loom_timeline_state_find_mark (state_of (self), loom_viewport_time (view_of (self), x), near_ns);
}

static void
pressed (LoomTrackArea *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  LoomDrawHit hit;
  self->clicked_twice = FALSE;
  if (n_press != 2 || loom_timeline_state_get_timeline (state_of (self)) == NULL)
    return;
  loom_draw_list_hit (loom_render_context_get_list (scene_of (self)), x, y, SLACK_PX, &hit);
  gboolean span = hit.kind == LOOM_DRAW_HIT_SPAN || hit.kind == LOOM_DRAW_HIT_DENSE;
  gboolean shift = (modifiers_of (gesture) & GDK_SHIFT_MASK) != 0;
  self->clicked_twice = TRUE;
  /* The first click of a double click may have opened the panel with details and thereby moved the lanes. The double
   * click therefore folds the group whose lane was hit by the first click, even if another lane is under the pointer
   * now. */
  const char *group = self->clicked_group != NULL ? self->clicked_group : group_at (self, &hit);
  if (shift && !loom_timeline_span_id_is_none (hit.span))
    loom_select_same_name_select (state_of (self), hit.span, FALSE);
  else if (group != NULL && mark_at (self, x) == NULL)
    loom_view_navigation_toggle_fold (self->flight, group);
  else if (span && mark_at (self, x) == NULL)
    zoom_to (self, (LoomRange) { hit.begin_ns, MAX (hit.end_ns, hit.begin_ns + 1) }, 0.25);
}

/* After a double click on a mark, makes the view open the popover for the label of the mark. This is done when the
 * button is released, because the release would close a popover that was opened at the second press. */
static void
released (LoomTrackArea *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  const LoomMarker *mark = mark_at (self, x);
  if (n_press == 2 && mark != NULL && !(modifiers_of (gesture) & GDK_SHIFT_MASK))
    g_signal_emit (self, signals[MARK_ACTIVATED], 0, mark->time_ns);
}

static gboolean
scrolled (LoomTrackArea *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  GdkModifierType modifiers = modifiers_of (controller);
  if (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    loom_scroll_zoom_zoom (self->flight, state_of (self), self->inside ? self->x : view_of (self)->width_px / 2,
                           dy != 0 ? dy : dx, wheel);
  else if (modifiers & GDK_SHIFT_MASK)
    loom_scroll_zoom_slide (self->flight, state_of (self), dx != 0 ? dx : dy, 0, wheel);
  else
    loom_scroll_zoom_slide (self->flight, state_of (self), dx, dy, wheel);
  return GDK_EVENT_STOP;
}

static void
dispose (GObject *object)
{
  g_clear_handle_id (&LOOM_TRACK_AREA (object)->look_id, g_source_remove);
  g_clear_pointer (&LOOM_TRACK_AREA (object)->edge_scroll, loom_autoscroll_free);
  g_clear_pointer (&LOOM_TRACK_AREA (object)->clicked_group, g_free);
  G_OBJECT_CLASS (loom_track_area_parent_class)->dispose (object);
}

static void
loom_track_area_class_init (LoomTrackAreaClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  LOOM_TIMELINE_AREA_CLASS (klass)->paint = paint;
  widget_class->size_allocate = size_allocate;
  gtk_widget_class_set_css_name (widget_class, "tracks");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[HOVER] = g_signal_new ("hover", LOOM_TYPE_TRACK_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ROW_MENU] = g_signal_new ("row-menu", LOOM_TYPE_TRACK_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[CLOCK_MOVED] = g_signal_new ("clock-moved", LOOM_TYPE_TRACK_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_INT64, G_TYPE_BOOLEAN);
  signals[MARK_ACTIVATED] = g_signal_new ("mark-activated", LOOM_TYPE_TRACK_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
add_drag (LoomTrackArea *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begun), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_updated), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_ended), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (drag_cancelled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
add_pointer (LoomTrackArea *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scrolled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}

static void
loom_track_area_init (LoomTrackArea *self)
{
  self->hit.kind = LOOM_DRAW_HIT_NONE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  add_drag (self);
  add_pointer (self);
}

void
loom_track_area_set_scene (LoomTrackArea *self, LoomRenderContext *scene, LoomViewAnimator *flight)
{
  loom_timeline_area_set_scene (LOOM_TIMELINE_AREA (self), scene);
  self->flight = flight;
  gtk_widget_add_controller (GTK_WIDGET (self), loom_pinch_new (flight, state_of (self)));
  self->edge_scroll = loom_autoscroll_new (GTK_WIDGET (self), flight, state_of (self), stretch);
  g_signal_connect_object (loom_render_context_get_state (scene), "view-changed", G_CALLBACK (view_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_render_context_get_state (scene), "rows-changed", G_CALLBACK (view_moved), self,
                           G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Timeline"), -1);
}

gboolean
loom_track_area_get_hit (LoomTrackArea *self, LoomDrawHit *hit, double *x, double *y)
{
  *hit = self->hit;
  *x = self->x;
  *y = self->y;
  return self->inside && self->hit.kind != LOOM_DRAW_HIT_NONE;
}

void
loom_track_area_leave (LoomTrackArea *self)
{
  self->left = self->left || self->inside;
  self->inside = FALSE;
  g_clear_handle_id (&self->look_id, g_source_remove);
  self->hit = (LoomDrawHit) { .kind = LOOM_DRAW_HIT_NONE, .row = G_MAXUINT, .span = LOOM_SPAN_ID_NONE };
  g_signal_emit (self, signals[HOVER], 0);
}

gboolean
loom_track_area_get_drag (LoomTrackArea *self, LoomRange *range)
{
  *range = self->drag_range;
  return self->dragging && (self->drag == DRAG_SELECT || self->drag == DRAG_RANGE);
}

gboolean
loom_track_area_get_box (LoomTrackArea *self, LoomVisibleBox *box)
{
  *box = loom_rubber_band_get_shown (&self->box, state_of (self));
  return self->dragging && self->drag == DRAG_BOX;
}

gboolean
loom_track_area_drop_box (LoomTrackArea *self)
{
  if (self->drag != DRAG_BOX)
    return FALSE;
  give_up (self);
  self->clicked_twice = TRUE;
  show_cursor (self);
  g_signal_emit (self, signals[HOVER], 0);
  return TRUE;
}

void
loom_track_area_set_mode (LoomTrackArea *self, LoomDragMode mode)
{
  g_return_if_fail (LOOM_IS_TRACK_AREA (self) && mode < LOOM_N_DRAG_MODES);
  self->mode = mode;
  show_cursor (self);
}

void
loom_track_area_set_hand (LoomTrackArea *self, gboolean hand)
{
  self->hand = hand;
  show_cursor (self);
}

LoomSpanId
loom_track_area_span_at (LoomTrackArea *self, double x, double y)
{
  LoomDrawHit hit;
  loom_draw_list_hit (loom_render_context_get_list (scene_of (self)), x, y, SLACK_PX, &hit);
  return hit.span;
}
