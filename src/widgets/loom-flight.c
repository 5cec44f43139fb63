/* SPDX-License-Identifier: Apache-2.0
 *
 * Zoom counts in natural logarithms of the factor, pan in widths of the view, so that both feel alike at any scale.
 */
#include "loom-flight.h"

#include "loom-view-history.h"

#include <math.h>

#define ZOOM_SLOW_PER_S 1.6
#define ZOOM_QUICK_PER_S 5.5
#define ZOOM_STEP 0.25
#define PAN_SLOW_PER_S 0.7
#define PAN_QUICK_PER_S 2.6
#define PAN_STEP 0.1
#define ACCELERATION_US 1200000.0
#define FAST_FACTOR 3.0
#define MAX_FRAME_US 100000 /* after a hiccup the view does not leap */

typedef struct {
  gboolean held;
  gint64 held_us;
  double moved; /* since the press */
} Key;

struct _LoomFlight {
  GtkWidget *widget;
  LoomViewState *state;
  LoomViewHistory *history;
  guint tick_id;
  gint64 last_frame_us;
  double anchor_px;
  gboolean fast;
  Key keys[LOOM_N_FLY];

  gboolean jumping;
  gboolean returning; /* what was done is taken back: the jump is no move */
  gint64 jumped_us;
  LoomViewport from, to;

  LoomFlightMoved moved;
  gpointer moved_data;
};

LoomFlight *
loom_flight_new (GtkWidget *widget, LoomViewState *state)
{
  LoomFlight *self = g_new0 (LoomFlight, 1);
  self->widget = widget;
  self->state = g_object_ref (state);
  self->history = loom_view_history_new ();
  self->anchor_px = -1;
  return self;
}

void
loom_flight_free (LoomFlight *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (self->widget, self->tick_id);
  g_object_unref (self->state);
  loom_view_history_free (self->history);
  g_free (self);
}

static gboolean
animates (LoomFlight *self)
{
  gboolean enabled = TRUE;
  g_object_get (gtk_widget_get_settings (self->widget), "gtk-enable-animations", &enabled, NULL);
  return enabled;
}

void
loom_flight_watch (LoomFlight *self, LoomFlightMoved moved, gpointer user_data)
{
  self->moved = moved;
  self->moved_data = user_data;
}

void
loom_flight_move (LoomFlight *self, const LoomViewport *view)
{
  LoomViewport before = *loom_view_state_get_viewport (self->state);
  loom_view_state_set_viewport (self->state, view);
  if (self->moved != NULL && !loom_viewport_equal (&before, loom_view_state_get_viewport (self->state)))
    self->moved (&before, self->moved_data);
}

static gboolean
tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  LoomFlight *self = user_data;
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  gint64 elapsed_us = CLAMP (now_us - self->last_frame_us, 0, MAX_FRAME_US);
  self->last_frame_us = now_us;
  if (loom_flight_advance (self, elapsed_us))
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
ensure_tick (LoomFlight *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (self->widget);
  if (self->tick_id != 0 || clock == NULL)
    return;
  self->last_frame_us = gdk_frame_clock_get_frame_time (clock);
  self->tick_id = gtk_widget_add_tick_callback (self->widget, tick, self, NULL);
}

void
loom_flight_set_anchor (LoomFlight *self, double x_px)
{
  self->anchor_px = x_px;
}

double
loom_flight_get_anchor (LoomFlight *self)
{
  double width_px = loom_view_state_get_viewport (self->state)->width_px;
  return self->anchor_px >= 0 && self->anchor_px <= width_px ? self->anchor_px : width_px / 2;
}

/* Moves `view` by `amount` in the direction of the key. */
static void
move (LoomFlight *self, LoomViewport *view, LoomFly which, double amount)
{
  LoomRange extent = loom_view_state_get_extent (self->state);
  switch (which) {
  case LOOM_FLY_IN: loom_viewport_zoom (view, extent, loom_flight_get_anchor (self), exp (-amount)); break;
  case LOOM_FLY_OUT: loom_viewport_zoom (view, extent, loom_flight_get_anchor (self), exp (amount)); break;
  case LOOM_FLY_EARLIER: loom_viewport_pan (view, extent, -amount * view->width_px); break;
  case LOOM_FLY_LATER: loom_viewport_pan (view, extent, amount * view->width_px); break;
  default: g_assert_not_reached ();
  }
}

static double
step_of (LoomFly which)
{
  return which == LOOM_FLY_IN || which == LOOM_FLY_OUT ? ZOOM_STEP : PAN_STEP;
}

static double
speed_of (LoomFlight *self, LoomFly which)
{
  gboolean zoom = which == LOOM_FLY_IN || which == LOOM_FLY_OUT;
  double slow = zoom ? ZOOM_SLOW_PER_S : PAN_SLOW_PER_S, quick = zoom ? ZOOM_QUICK_PER_S : PAN_QUICK_PER_S;
  double t = MIN (self->keys[which].held_us / ACCELERATION_US, 1.0);
  return (slow + (quick - slow) * t * t * (3 - 2 * t)) * (self->fast ? FAST_FACTOR : 1);
}

static void
step_at_once (LoomFlight *self, LoomFly which)
{
  LoomViewport view = *loom_view_state_get_viewport (self->state);
  move (self, &view, which, step_of (which) * (self->fast ? FAST_FACTOR : 1));
  loom_flight_move (self, &view);
}

void
loom_flight_press (LoomFlight *self, LoomFly which, gboolean fast)
{
  g_return_if_fail (which < LOOM_N_FLY);
  Key *key = &self->keys[which];
  self->fast = fast;
  self->jumping = FALSE;
  if (!animates (self)) {
    key->held = TRUE;
    step_at_once (self, which);
    return;
  }
  if (key->held)
    return;
  *key = (Key) { .held = TRUE };
  ensure_tick (self);
}

void
loom_flight_release (LoomFlight *self, LoomFly which)
{
  g_return_if_fail (which < LOOM_N_FLY);
  Key *key = &self->keys[which];
  if (!key->held)
    return;
  key->held = FALSE;
  double rest = step_of (which) - key->moved;
  if (rest <= 0 || !animates (self))
    return;
  LoomViewport target = *loom_view_state_get_viewport (self->state);
  move (self, &target, which, rest);
  loom_flight_go_to (self, &target);
}

void
loom_flight_set_fast (LoomFlight *self, gboolean fast)
{
  self->fast = fast;
}

gboolean
loom_flight_is_held (LoomFlight *self, LoomFly which)
{
  return self->keys[which].held;
}

gboolean
loom_flight_is_moving (LoomFlight *self)
{
  gboolean moving = self->jumping;
  for (guint i = 0; i < LOOM_N_FLY; i++)
    moving |= self->keys[i].held;
  return moving;
}

void
loom_flight_stop (LoomFlight *self)
{
  for (guint i = 0; i < LOOM_N_FLY; i++)
    self->keys[i].held = FALSE;
  self->jumping = FALSE;
}

LoomViewport
loom_flight_get_target (LoomFlight *self)
{
  return self->jumping ? self->to : *loom_view_state_get_viewport (self->state);
}

static void
put (LoomFlight *self, const LoomViewport *view)
{
  if (self->returning)
    loom_view_state_set_viewport (self->state, view);
  else
    loom_flight_move (self, view);
}

static void
ease_to (LoomFlight *self, const LoomViewport *target, gboolean returning)
{
  if (!self->jumping && loom_viewport_equal (target, loom_view_state_get_viewport (self->state)))
    return; /* each frame of a jump to here would take back what others do to the view meanwhile */
  self->returning = returning;
  if (!animates (self) || gtk_widget_get_frame_clock (self->widget) == NULL) {
    self->jumping = FALSE;
    put (self, target);
    return;
  }
  self->from = *loom_view_state_get_viewport (self->state);
  self->to = *target;
  self->jumped_us = 0;
  self->jumping = TRUE;
  ensure_tick (self);
}

void
loom_flight_go_to (LoomFlight *self, const LoomViewport *target)
{
  ease_to (self, target, FALSE);
}

void
loom_flight_go_back (LoomFlight *self, const LoomViewport *target)
{
  ease_to (self, target, TRUE);
}

void
loom_flight_jump (LoomFlight *self, const LoomViewport *target)
{
  LoomViewport now = loom_flight_get_target (self);
  loom_view_history_jump (self->history, &now, target);
  loom_flight_go_to (self, target);
}

gboolean
loom_flight_step (LoomFlight *self, int step)
{
  LoomViewport now = loom_flight_get_target (self), target;
  if (!loom_view_history_step (self->history, step, &now, &target))
    return FALSE;
  target.width_px = now.width_px; /* the window may have another size by now */
  target.height_px = now.height_px;
  loom_flight_go_to (self, &target);
  return TRUE;
}

void
loom_flight_forget (LoomFlight *self)
{
  loom_view_history_clear (self->history);
}

void
loom_flight_zoom (LoomFlight *self, double x_px, double factor)
{
  LoomViewport target = loom_flight_get_target (self);
  loom_viewport_zoom (&target, loom_view_state_get_extent (self->state), x_px, factor);
  loom_flight_go_to (self, &target);
}

void
loom_flight_pan (LoomFlight *self, double dx_px)
{
  LoomViewport target = loom_flight_get_target (self);
  loom_viewport_pan (&target, loom_view_state_get_extent (self->state), dx_px);
  loom_flight_go_to (self, &target);
}

void
loom_flight_scroll (LoomFlight *self, double dy_px)
{
  LoomOutline *outline = loom_view_state_get_outline (self->state);
  LoomViewport target = loom_flight_get_target (self);
  loom_viewport_scroll (&target, loom_outline_get_height (outline), loom_outline_get_pinned_height (outline), dy_px);
  loom_flight_go_to (self, &target);
}

static gboolean
advance_jump (LoomFlight *self, gint64 elapsed_us)
{
  self->jumped_us += elapsed_us;
  double progress = loom_ease (self->jumped_us, LOOM_EASE_DURATION_US);
  LoomViewport view = loom_viewport_interpolate (&self->from, &self->to, progress);
  self->jumping = progress < 1;
  put (self, &view);
  return self->jumping;
}

static gboolean
advance_keys (LoomFlight *self, gint64 elapsed_us)
{
  LoomViewport view = *loom_view_state_get_viewport (self->state);
  gboolean any = FALSE;
  for (guint i = 0; i < LOOM_N_FLY; i++) {
    Key *key = &self->keys[i];
    if (!key->held)
      continue;
    double amount = speed_of (self, i) * (double) elapsed_us / G_USEC_PER_SEC;
    key->held_us += elapsed_us;
    key->moved += amount;
    move (self, &view, i, amount);
    any = TRUE;
  }
  if (any)
    loom_flight_move (self, &view);
  return any;
}

gboolean
loom_flight_advance (LoomFlight *self, gint64 elapsed_us)
{
  gboolean jumping = self->jumping && advance_jump (self, elapsed_us);
  gboolean held = advance_keys (self, elapsed_us);
  return jumping || held;
}
