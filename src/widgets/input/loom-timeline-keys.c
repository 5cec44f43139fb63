/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline-keys.h"

#include "loom-clock-at-row.h"
#include "loom-flow-navigation.h"
#include "loom-span-navigation.h"
#include "loom-track-area.h"
#include "loom-view-navigation.h"

#include <math.h>

#define NUDGE_FAST 10
#define CODE_DIGIT_1 10 /* digits follow one another */
#define CURSOR_PX 8     /* a step of the cursor */
#define MARK_PX 6       /* how near the pointer means a mark */
#define PAGE 0.9        /* of the height, for Page Up and Down */

/* Hardware key codes of X and Wayland: evdev's plus 8. */
enum {
  CODE_W = 25,
  CODE_Z = 52,
  CODE_A = 38,
  CODE_S = 39,
  CODE_D = 40,
  CODE_F = 41,
  CODE_M = 58,
  CODE_R = 27,
  CODE_T = 28
};

struct _LoomTimelineKeys {
  LoomTimelineView *view;
  LoomTimelineState *state;
  LoomViewAnimator *flight;
  GtkWidget *window;
  GtkEventController *controller, *first; /* behind and before the widget that has the focus */
  GtkEventController *motion;
  double x, y;         /* of the pointer, in the window */
  gboolean is_pointed; /* the pointer was moved over the view after the focus moved last */
  LoomFlowNavigation flows;
};

static gboolean
is_typing (LoomTimelineKeys *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  return focus != NULL && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus));
}

static gboolean
fly_for (guint keycode, LoomMotion *which)
{
  switch (keycode) {
  case CODE_W: *which = LOOM_MOTION_IN; return TRUE;
  case CODE_S: *which = LOOM_MOTION_OUT; return TRUE;
  case CODE_A: *which = LOOM_MOTION_EARLIER; return TRUE;
  case CODE_D: *which = LOOM_MOTION_LATER; return TRUE;
  default: return FALSE;
  }
}

/* Where the layout has no Latin letters, the key's position stands for its letter. */
static guint
latin_key (guint keyval, guint keycode)
{
  guint lower = gdk_keyval_to_lower (keyval);
  if (lower < 0x80 || lower >= 0xff00)
    return lower;
  switch (keycode) {
  case CODE_F: return GDK_KEY_f;
  case CODE_M: return GDK_KEY_m;
  case CODE_R: return GDK_KEY_r;
  case CODE_T: return GDK_KEY_t;
  case CODE_Z: return GDK_KEY_z;
  default: return lower;
  }
}

static void
walk (LoomTimelineKeys *self, LoomSpanDirection direction)
{
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  LoomSpanId next = loom_timeline_span_id_is_none (lead) ? loom_span_navigation_start (self->state)
                                                         : loom_span_navigation (self->state, lead, direction);
  if (!loom_timeline_span_id_is_none (next))
    loom_view_navigation_go_to_span (self->flight, next);
}

static void
follow_flow (LoomTimelineKeys *self, gboolean forward)
{
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  if (loom_timeline_span_id_is_none (lead))
    return;
  LoomSpanId next =
    loom_flow_navigation_follow (&self->flows, loom_timeline_state_get_timeline (self->state), lead, forward);
  if (!loom_timeline_span_id_is_none (next))
    loom_view_navigation_go_to_span (self->flight, next);
}

static void
choose_flow (LoomTimelineKeys *self, int step)
{
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  if (loom_timeline_span_id_is_none (lead))
    return;
  LoomSpanId other =
    loom_flow_navigation_choose (&self->flows, loom_timeline_state_get_timeline (self->state), lead, step);
  if (!loom_timeline_span_id_is_none (other))
    loom_view_navigation_go_to_span (self->flight, other);
}

/* Spans have other numbers in another timeline. */
static void
timeline_changed (LoomTimelineKeys *self)
{
  self->flows = (LoomFlowNavigation) LOOM_FLOW_NAVIGATION_INIT;
}

/* A mark stands at a cursor that was moved there, else where selected spans begin or at both ends of a selected range, else
 * at the pointer, else in the middle. */
static void
mark (LoomTimelineKeys *self, gboolean kept)
{
  LoomRange range;
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  gint64 time_ns = loom_timeline_state_get_pointer_ns (self->state);
  gboolean has_range =
    !loom_timeline_state_has_cursor (self->state) && loom_timeline_state_get_selected_range (self->state, &range);
  if (has_range && loom_timeline_span_id_is_none (loom_timeline_state_get_lead (self->state))) {
    loom_timeline_state_toggle_marks_of_range (self->state, range, !kept);
    return;
  }
  if (has_range)
    time_ns = range.begin_ns;
  else if (time_ns == LOOM_TIME_NONE)
    time_ns = loom_viewport_time (view, view->width_px / 2);
  loom_timeline_state_toggle_mark (self->state, time_ns, !kept);
}

/* From the pointer or where it was last, else from the middle. */
static void
move_cursor (LoomTimelineKeys *self, int way)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  gint64 at_ns = loom_timeline_state_get_pointer_ns (self->state);
  double x = at_ns != LOOM_TIME_NONE ? loom_viewport_x (view, at_ns) + way * CURSOR_PX : view->width_px / 2;
  loom_timeline_view_set_cursor (self->view, loom_viewport_time (view, x));
}

static gint64
near_ns (LoomTimelineKeys *self)
{
  return (gint64) (MARK_PX * loom_viewport_get_ns_per_px (loom_timeline_state_get_viewport (self->state)));
}

/* Marks in the selection, else the ones near the pointer. */
static void
remove_marks (LoomTimelineKeys *self)
{
  LoomRange range;
  gint64 at_ns = loom_timeline_state_get_pointer_ns (self->state);
  if (loom_timeline_state_get_selected_range (self->state, &range))
    loom_timeline_state_remove_marks (self->state, range);
  else if (at_ns != LOOM_TIME_NONE)
    loom_timeline_state_remove_marks (self->state, (LoomRange) { at_ns - near_ns (self), at_ns + near_ns (self) });
}

/* On the mark at the pointer, else on one where the selection begins. */
static gboolean
edit_note (LoomTimelineKeys *self)
{
  LoomRange range;
  gint64 at_ns = loom_timeline_state_get_pointer_ns (self->state);
  const LoomMarker *mark =
    at_ns != LOOM_TIME_NONE ? loom_timeline_state_find_mark (self->state, at_ns, near_ns (self)) : NULL;
  if (mark == NULL && loom_timeline_state_get_selected_range (self->state, &range))
    mark = loom_timeline_state_find_mark (self->state, range.begin_ns, near_ns (self));
  if (mark != NULL)
    loom_timeline_view_edit_note (self->view, mark->time_ns);
  return mark != NULL;
}

/* The row of the selection, else the one under the pointer. */
static void
toggle_pin (LoomTimelineKeys *self)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (self->state);
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  guint row = loom_timeline_state_get_pointer_row (self->state), strip;
  if (!loom_timeline_span_id_is_none (lead))
    loom_row_list_find_span (outline, lead, &row, &strip);
  if (row == G_MAXUINT)
    return;
  g_autofree char *key = g_strdup (loom_row_list_get_row (outline, row)->key);
  loom_row_list_set_pinned (outline, key, !loom_row_list_get_row (outline, row)->pinned);
  loom_timeline_state_rows_changed (self->state);
}

/* Of the rows that are shown, where some are not, the spans; else all of the run. */
static void
select_all (LoomTimelineKeys *self)
{
  LoomVisibleBox box = loom_visible_spans_box_all (self->state);
  if (loom_row_list_leaves_out (loom_timeline_state_get_row_list (self->state)) &&
      loom_visible_spans_count (self->state, &box) > 0) {
    loom_visible_spans_select (self->state, &box, FALSE);
    return;
  }
  loom_timeline_state_select_range (self->state, loom_timeline_state_get_extent (self->state));
}

static void
select_range_of_span (LoomTimelineKeys *self)
{
  LoomRange range;
  if (loom_timeline_state_get_selected_range (self->state, &range) && range.end_ns > range.begin_ns)
    loom_timeline_state_make_range (self->state, range);
}

static void
scroll_pages (LoomTimelineKeys *self, double pages)
{
  loom_view_animator_scroll (self->flight, pages * PAGE * loom_timeline_state_get_viewport (self->state)->height_px);
}

static void
scroll_to_end (LoomTimelineKeys *self, gboolean bottom)
{
  double height = loom_row_list_get_height (loom_timeline_state_get_row_list (self->state));
  loom_view_animator_scroll (self->flight, bottom ? height : -height);
}

static gboolean
set_mode (LoomTimelineKeys *self, guint number)
{
  if (number >= LOOM_N_DRAG_MODES)
    return FALSE;
  loom_timeline_view_set_mode (self->view, number);
  return TRUE;
}

static gboolean
shift_command (LoomTimelineKeys *self, guint key)
{
  if (key == GDK_KEY_t)
    toggle_pin (self);
  if (key == GDK_KEY_Left || key == GDK_KEY_Right)
    move_cursor (self, key == GDK_KEY_Left ? -1 : 1);
  return key == GDK_KEY_t || key == GDK_KEY_Left || key == GDK_KEY_Right;
}

static gboolean
command (LoomTimelineKeys *self, guint key, gboolean shift)
{
  switch (key) {
  case GDK_KEY_f: loom_view_navigation_focus_selection (self->flight); return TRUE;
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
  case GDK_KEY_z: loom_view_navigation_fit (self->flight); return TRUE;
  case GDK_KEY_1 ... GDK_KEY_4: return set_mode (self, key - GDK_KEY_1);
  case GDK_KEY_KP_1 ... GDK_KEY_KP_4: return set_mode (self, key - GDK_KEY_KP_1);
  case GDK_KEY_space: loom_timeline_view_set_hand (self->view, TRUE); return TRUE;
  case GDK_KEY_Left:
  case GDK_KEY_comma: walk (self, LOOM_SPAN_DIRECTION_PREVIOUS); return TRUE;
  case GDK_KEY_Right:
  case GDK_KEY_period: walk (self, LOOM_SPAN_DIRECTION_NEXT); return TRUE;
  case GDK_KEY_Up: walk (self, LOOM_SPAN_DIRECTION_PARENT); return TRUE;
  case GDK_KEY_Down: walk (self, LOOM_SPAN_DIRECTION_CHILD); return TRUE;
  case GDK_KEY_bracketleft: follow_flow (self, FALSE); return TRUE;
  case GDK_KEY_bracketright: follow_flow (self, TRUE); return TRUE;
  case GDK_KEY_m: mark (self, shift); return TRUE;
  case GDK_KEY_r: select_range_of_span (self); return TRUE;
  case GDK_KEY_Delete: remove_marks (self); return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter: return edit_note (self);
  case GDK_KEY_Escape: loom_timeline_view_escape (self->view); return TRUE;
  case GDK_KEY_Page_Up: scroll_pages (self, -1); return TRUE;
  case GDK_KEY_Page_Down: scroll_pages (self, 1); return TRUE;
  case GDK_KEY_Home: scroll_to_end (self, FALSE); return TRUE;
  case GDK_KEY_End: scroll_to_end (self, TRUE); return TRUE;
  case GDK_KEY_slash: g_signal_emit_by_name (self->view, "search-requested"); return TRUE;
  case GDK_KEY_question: return gtk_widget_activate_action (self->window, "win.show-help-overlay", NULL);
  default: return FALSE;
  }
}

static gboolean
control_command (LoomTimelineKeys *self, guint key)
{
  switch (key) {
  case GDK_KEY_a: select_all (self); return TRUE;
  case GDK_KEY_Escape: return loom_track_area_drop_box (LOOM_TRACK_AREA (loom_timeline_view_get_tracks (self->view)));
  case GDK_KEY_p: loom_row_filter_set_open (loom_timeline_view_get_row_filter (self->view), TRUE); return TRUE;
  case GDK_KEY_bracketleft: choose_flow (self, -1); return TRUE;
  case GDK_KEY_bracketright: choose_flow (self, 1); return TRUE;
  default: return FALSE;
  }
}

static gboolean
alt_command (LoomTimelineKeys *self, guint key)
{
  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return FALSE;
  loom_view_animator_step (self->flight, key == GDK_KEY_Left ? -1 : 1);
  return TRUE;
}

/* The source moves by a pixel, with Shift by ten. */
static gboolean
nudge (LoomTimelineKeys *self, guint key, gboolean shift)
{
  double step_ns = ceil (loom_viewport_get_ns_per_px (loom_timeline_state_get_viewport (self->state)));
  gint64 by_ns = (gint64) step_ns * (shift ? NUDGE_FAST : 1) * (key == GDK_KEY_Left ? -1 : 1);
  guint clock = loom_clock_at_row_chosen (self->state);
  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return FALSE;
  if (clock != G_MAXUINT)
    g_signal_emit_by_name (self->view, "clock-moved", clock, by_ns, FALSE);
  return TRUE;
}

/* Digits by place where the layout has them behind Shift. */
static gboolean
press (LoomTimelineKeys *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  guint key = latin_key (keyval, keycode);
  gboolean shift = (modifiers & GDK_SHIFT_MASK) != 0;
  switch (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK)) {
  case 0:
    return (shift && shift_command (self, key)) || command (self, key, shift) ||
           (!shift && set_mode (self, keycode - CODE_DIGIT_1));
  case GDK_CONTROL_MASK: return nudge (self, key, shift) || (!shift && control_command (self, key));
  case GDK_ALT_MASK: return !shift && alt_command (self, key);
  default: return FALSE;
  }
}

static gboolean
key_pressed (LoomTimelineKeys *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  LoomMotion which;
  if (is_typing (self) || loom_timeline_state_get_timeline (self->state) == NULL ||
      !gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    return GDK_EVENT_PROPAGATE;
  gboolean plain = !(modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK));
  if (plain && fly_for (keycode, &which)) {
    loom_view_animator_press (self->flight, which, (modifiers & GDK_SHIFT_MASK) != 0);
    return GDK_EVENT_STOP;
  }
  return press (self, keyval, keycode, modifiers) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

/* What has the focus beside the timeline, as the table that was clicked last, has keys of its own (arrows, Page Down, Space).
 * Whoever points at the timeline after that means the timeline. Menus keep their keys, and Escape and Return are of the focus. */
static gboolean
comes_first (LoomTimelineKeys *self, guint keyval)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  return self->is_pointed && focus != NULL && gtk_widget_get_native (focus) == GTK_NATIVE (self->window) &&
         !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->view)) && keyval != GDK_KEY_Escape &&
         keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter;
}

static gboolean
key_pressed_first (LoomTimelineKeys *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  return comes_first (self, keyval) ? key_pressed (self, keyval, keycode, modifiers) : GDK_EVENT_PROPAGATE;
}

/* A new layout emits motion events although the pointer did not move. */
static void
pointer_moved (LoomTimelineKeys *self, double x, double y)
{
  double in_x, in_y;
  if (x == self->x && y == self->y)
    return;
  self->x = x;
  self->y = y;
  self->is_pointed = gtk_widget_translate_coordinates (self->window, GTK_WIDGET (self->view), x, y, &in_x, &in_y) &&
                     gtk_widget_contains (GTK_WIDGET (self->view), in_x, in_y);
}

static void
unpoint (LoomTimelineKeys *self)
{
  self->is_pointed = FALSE;
}

static void
key_released (LoomTimelineKeys *self, guint keyval, guint keycode)
{
  LoomMotion which;
  if (fly_for (keycode, &which))
    loom_view_animator_release (self->flight, which);
  if (keyval == GDK_KEY_space)
    loom_timeline_view_set_hand (self->view, FALSE);
}

/* Shift pressed or let go while a key is held. */
static gboolean
modifiers_changed (LoomTimelineKeys *self, GdkModifierType modifiers)
{
  loom_view_animator_set_fast (self->flight, (modifiers & GDK_SHIFT_MASK) != 0);
  return GDK_EVENT_PROPAGATE;
}

/* The release of a key that goes up in another window is never seen. */
static void
active_changed (LoomTimelineKeys *self)
{
  if (!gtk_window_is_active (GTK_WINDOW (self->window)))
    loom_view_animator_stop (self->flight);
  if (!gtk_window_is_active (GTK_WINDOW (self->window)))
    loom_timeline_view_set_hand (self->view, FALSE);
}

gboolean
loom_timeline_keys_press (LoomTimelineKeys *self, guint keyval, GdkModifierType modifiers)
{
  static const guint codes[LOOM_N_MOTIONS] = {
    [LOOM_MOTION_IN] = CODE_W, [LOOM_MOTION_OUT] = CODE_S, [LOOM_MOTION_EARLIER] = CODE_A, [LOOM_MOTION_LATER] = CODE_D
  };
  static const guint letters[LOOM_N_MOTIONS] = { [LOOM_MOTION_IN] = GDK_KEY_w,
                                                 [LOOM_MOTION_OUT] = GDK_KEY_s,
                                                 [LOOM_MOTION_EARLIER] = GDK_KEY_a,
                                                 [LOOM_MOTION_LATER] = GDK_KEY_d };
  guint keycode = 0;
  for (LoomMotion which = 0; which < LOOM_N_MOTIONS; which++)
    if (keyval == letters[which])
      keycode = codes[which];
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    return FALSE;
  gboolean taken = key_pressed (self, keyval, keycode, modifiers);
  key_released (self, keyval, keycode);
  return taken;
}

static GtkEventController *
add_controller (LoomTimelineKeys *self, GtkEventController *controller, const char *name, GtkPropagationPhase phase)
{
  gtk_event_controller_set_name (controller, name);
  gtk_event_controller_set_propagation_phase (controller, phase);
  gtk_widget_add_controller (self->window, controller);
  return controller;
}

static GtkEventController *
add_keys (LoomTimelineKeys *self, const char *name, GtkPropagationPhase phase, GCallback pressed)
{
  GtkEventController *controller = add_controller (self, gtk_event_controller_key_new (), name, phase);
  g_signal_connect_swapped (controller, "key-pressed", pressed, self);
  g_signal_connect_swapped (controller, "key-released", G_CALLBACK (key_released), self);
  g_signal_connect_swapped (controller, "modifiers", G_CALLBACK (modifiers_changed), self);
  return controller;
}

LoomTimelineKeys *
loom_timeline_keys_new (LoomTimelineView *view, GtkWidget *window)
{
  LoomTimelineKeys *self = g_new0 (LoomTimelineKeys, 1);
  self->view = view;
  self->state = loom_timeline_view_get_state (view);
  self->flight = loom_timeline_view_get_flight (view);
  self->window = window;
  timeline_changed (self);
  g_signal_connect_swapped (self->state, "timeline-changed", G_CALLBACK (timeline_changed), self);
  g_set_weak_pointer (&self->controller, add_keys (self, "timeline-keys", GTK_PHASE_BUBBLE, G_CALLBACK (key_pressed)));
  g_set_weak_pointer (&self->first,
                      add_keys (self, "timeline-keys-first", GTK_PHASE_CAPTURE, G_CALLBACK (key_pressed_first)));
  g_set_weak_pointer (&self->motion,
                      add_controller (self, gtk_event_controller_motion_new (), "timeline-pointer", GTK_PHASE_CAPTURE));
  g_signal_connect_swapped (self->motion, "motion", G_CALLBACK (pointer_moved), self);
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &self->window);
  if (GTK_IS_WINDOW (window)) {
    g_signal_connect_swapped (window, "notify::is-active", G_CALLBACK (active_changed), self);
    g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (unpoint), self);
  }
  return self;
}

static void
drop_controller (LoomTimelineKeys *self, GtkEventController **controller)
{
  if (*controller != NULL)
    g_signal_handlers_disconnect_by_data (*controller, self);
  if (self->window != NULL && *controller != NULL)
    gtk_widget_remove_controller (self->window, *controller);
  g_clear_weak_pointer (controller);
}

void
loom_timeline_keys_free (LoomTimelineKeys *self)
{
  g_signal_handlers_disconnect_by_data (self->state, self);
  if (self->window != NULL)
    g_signal_handlers_disconnect_by_data (self->window, self);
  drop_controller (self, &self->controller);
  drop_controller (self, &self->first);
  drop_controller (self, &self->motion);
  g_clear_weak_pointer (&self->window);
  g_free (self);
}
