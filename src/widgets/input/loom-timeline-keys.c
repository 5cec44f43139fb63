/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline-keys.h"

#include "loom-clock-at-row.h"
#include "loom-timeline-commands.h"
#include "loom-track-area.h"
#include "loom-view-navigation.h"

#include <math.h>

#define NUDGE_FAST 10
#define CODE_DIGIT_1 10 /* hardware key code of the digit 1; the digits 2 to 9 have the following codes */

/* Hardware key codes of X and Wayland: the codes of evdev plus 8. */
enum {
  CODE_W = 25,
  CODE_Z = 52,
  CODE_A = 38,
  CODE_S = 39,
  CODE_D = 40,
  CODE_E = 26,
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
  /* `first` receives key events before the focused widget; `controller` receives those that the focused widget has not
   * handled */
  GtkEventController *controller, *first;
  GtkEventController *motion;
  double x, y;         /* last position of the pointer in the window, in px */
  gboolean is_pointed; /* TRUE if the user has moved the pointer over the view since the focus was last changed */
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

/* Returns the Latin letter of a key. If the keyboard layout has no Latin letters, the letter follows from the position
 * of the key. */
static guint
latin_key (guint keyval, guint keycode)
{
  guint lower = gdk_keyval_to_lower (keyval);
  if (lower < 0x80 || lower >= 0xff00)
    return lower;
  switch (keycode) {
  case CODE_E: return GDK_KEY_e;
  case CODE_F: return GDK_KEY_f;
  case CODE_M: return GDK_KEY_m;
  case CODE_R: return GDK_KEY_r;
  case CODE_T: return GDK_KEY_t;
  case CODE_Z: return GDK_KEY_z;
  default: return lower;
  }
}

/* Forgets the last move of the selection along an arrow (LoomFlowNavigation), because the span ids that it contains are
 * not valid in another timeline. */
static void
timeline_changed (LoomTimelineKeys *self)
{
  self->flows = (LoomFlowNavigation) LOOM_FLOW_NAVIGATION_INIT;
}

static gboolean
edit_note (LoomTimelineKeys *self)
{
  const LoomMarker *mark = loom_timeline_commands_find_mark (self->state);
  if (mark != NULL)
    loom_timeline_view_edit_note (self->view, mark->time_ns);
  return mark != NULL;
}

static gboolean
set_mode (LoomTimelineKeys *self, guint number)
{
  if (number >= LOOM_N_DRAG_MODES)
    return FALSE;
  loom_timeline_view_set_mode (self->view, number);
  return TRUE;
}

static const struct {
  guint key;
  GdkModifierType modifiers;
  LoomTimelineCommand command;
} commands[] = {
  { GDK_KEY_f, 0, LOOM_TIMELINE_COMMAND_FOCUS_SELECTION },
  { GDK_KEY_0, 0, LOOM_TIMELINE_COMMAND_FIT },
  { GDK_KEY_KP_0, 0, LOOM_TIMELINE_COMMAND_FIT },
  { GDK_KEY_z, 0, LOOM_TIMELINE_COMMAND_FIT },
  { GDK_KEY_Left, 0, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN },
  { GDK_KEY_comma, 0, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN },
  { GDK_KEY_Right, 0, LOOM_TIMELINE_COMMAND_NEXT_SPAN },
  { GDK_KEY_period, 0, LOOM_TIMELINE_COMMAND_NEXT_SPAN },
  { GDK_KEY_Up, 0, LOOM_TIMELINE_COMMAND_PARENT_SPAN },
  { GDK_KEY_Down, 0, LOOM_TIMELINE_COMMAND_CHILD_SPAN },
  { GDK_KEY_bracketleft, 0, LOOM_TIMELINE_COMMAND_FLOW_BACK },
  { GDK_KEY_bracketright, 0, LOOM_TIMELINE_COMMAND_FLOW_FORWARD },
  { GDK_KEY_bracketleft, GDK_CONTROL_MASK, LOOM_TIMELINE_COMMAND_PREVIOUS_FLOW },
  { GDK_KEY_bracketright, GDK_CONTROL_MASK, LOOM_TIMELINE_COMMAND_NEXT_FLOW },
  { GDK_KEY_m, 0, LOOM_TIMELINE_COMMAND_MARK },
  { GDK_KEY_m, GDK_SHIFT_MASK, LOOM_TIMELINE_COMMAND_KEEP_MARK },
  { GDK_KEY_Delete, 0, LOOM_TIMELINE_COMMAND_REMOVE_MARKS },
  { GDK_KEY_r, 0, LOOM_TIMELINE_COMMAND_SELECT_RANGE },
  { GDK_KEY_a, GDK_CONTROL_MASK, LOOM_TIMELINE_COMMAND_SELECT_ALL },
  { GDK_KEY_t, GDK_SHIFT_MASK, LOOM_TIMELINE_COMMAND_PIN },
  { GDK_KEY_e, 0, LOOM_TIMELINE_COMMAND_FOLD },
  { GDK_KEY_Left, GDK_SHIFT_MASK, LOOM_TIMELINE_COMMAND_CURSOR_EARLIER },
  { GDK_KEY_Right, GDK_SHIFT_MASK, LOOM_TIMELINE_COMMAND_CURSOR_LATER },
  { GDK_KEY_Page_Up, 0, LOOM_TIMELINE_COMMAND_PAGE_UP },
  { GDK_KEY_Page_Down, 0, LOOM_TIMELINE_COMMAND_PAGE_DOWN },
  { GDK_KEY_Home, 0, LOOM_TIMELINE_COMMAND_TOP },
  { GDK_KEY_End, 0, LOOM_TIMELINE_COMMAND_BOTTOM },
  { GDK_KEY_Left, GDK_ALT_MASK, LOOM_TIMELINE_COMMAND_VIEW_BACK },
  { GDK_KEY_Right, GDK_ALT_MASK, LOOM_TIMELINE_COMMAND_VIEW_FORWARD },
};

/* Runs the command for this key with exactly these modifiers. Returns FALSE if there is no such command. */
static gboolean
run_command (LoomTimelineKeys *self, guint key, GdkModifierType modifiers)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (commands[i].key != key || commands[i].modifiers != modifiers)
      continue;
    LoomTimelineCommand command = commands[i].command;
    if (command == LOOM_TIMELINE_COMMAND_CURSOR_EARLIER || command == LOOM_TIMELINE_COMMAND_CURSOR_LATER)
      loom_track_area_leave (LOOM_TRACK_AREA (loom_timeline_view_get_tracks (self->view)));
    loom_timeline_commands_run (self->flight, &self->flows, command);
    return TRUE;
  }
  return FALSE;
}

/* Runs the command of this key if it requires widgets, such as opening a menu. Returns FALSE if the key has no such
 * command, or if the command cannot run now. */
static gboolean
widget_command (LoomTimelineKeys *self, guint key)
{
  switch (key) {
  case GDK_KEY_1 ... GDK_KEY_4: return set_mode (self, key - GDK_KEY_1);
  case GDK_KEY_KP_1 ... GDK_KEY_KP_4: return set_mode (self, key - GDK_KEY_KP_1);
  case GDK_KEY_space: loom_timeline_view_set_hand (self->view, TRUE); return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter: return edit_note (self) || loom_view_navigation_toggle_fold_at_pointer (self->flight);
  case GDK_KEY_Escape: loom_timeline_view_escape (self->view); return TRUE;
  case GDK_KEY_Menu: return loom_timeline_view_open_span_menu (self->view);
  case GDK_KEY_slash: g_signal_emit_by_name (self->view, "search-requested"); return TRUE;
  case GDK_KEY_question: return gtk_widget_activate_action (self->window, "win.show-help-overlay", NULL);
  default: return FALSE;
  }
}

static gboolean
control_command (LoomTimelineKeys *self, guint key)
{
  switch (key) {
  case GDK_KEY_Escape: return loom_track_area_drop_box (LOOM_TRACK_AREA (loom_timeline_view_get_tracks (self->view)));
  case GDK_KEY_p: loom_row_filter_set_open (loom_timeline_view_get_row_filter (self->view), TRUE); return TRUE;
  default: return FALSE;
  }
}

/* Moves a clock by one pixel of the view; with Shift, by ten pixels. If a span is selected, moves the clock of its row;
 * otherwise, the clock of the row under the pointer. Returns FALSE for keys other than Left and Right. */
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

/* Runs the command of a key. Digits are recognised by the position of the key, because some keyboard layouts need
 * Shift for them. */
static gboolean
press (LoomTimelineKeys *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  guint key = latin_key (keyval, keycode);
  gboolean shift = (modifiers & GDK_SHIFT_MASK) != 0;
  switch (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK)) {
  case 0:
    return (shift && (run_command (self, key, GDK_SHIFT_MASK) ||
                      (key == GDK_KEY_F10 && loom_timeline_view_open_span_menu (self->view)))) ||
           run_command (self, key, 0) || widget_command (self, key) ||
           (!shift && set_mode (self, keycode - CODE_DIGIT_1));
  case GDK_CONTROL_MASK:
    return nudge (self, key, shift) ||
           (!shift && (run_command (self, key, GDK_CONTROL_MASK) || control_command (self, key)));
  case GDK_ALT_MASK: return !shift && run_command (self, key, GDK_ALT_MASK);
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

/* Returns TRUE if the timeline handles a key before the focused widget. A focused widget next to the timeline, such as
 * a table that was clicked, uses some keys itself (arrows, Page Down, Space). But if the user has moved the pointer
 * over the timeline since the widget received the focus, the timeline handles these keys. Menus always keep their keys,
 * and Escape and Return are always handled by the focused widget. */
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

/* Updates is_pointed when the pointer moves. GTK also emits motion events after a layout, although the pointer did not
 * move; these are ignored. */
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

/* While a key that moves the view is held down, Shift changes the speed. */
static gboolean
modifiers_changed (LoomTimelineKeys *self, GdkModifierType modifiers)
{
  loom_view_animator_set_fast (self->flight, (modifiers & GDK_SHIFT_MASK) != 0);
  return GDK_EVENT_PROPAGATE;
}

/* When the window loses the focus, stops the movements of keys that are held down, because their release in another
 * window is not reported. Hides the hover card, because a dialog may cover only a part of it. Does not stop an
 * animation that moves the view to a chosen place, because the menu item that started it takes the focus for a
 * moment. */
static void
active_changed (LoomTimelineKeys *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self->window)))
    return;
  for (LoomMotion which = 0; which < LOOM_N_MOTIONS; which++)
    loom_view_animator_release (self->flight, which);
  loom_timeline_view_set_hand (self->view, FALSE);
  loom_track_area_leave (LOOM_TRACK_AREA (loom_timeline_view_get_tracks (self->view)));
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
