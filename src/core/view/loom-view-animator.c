/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-view-animator.h. Zooming is measured in natural logarithms of the zoom factor, and panning in widths
 * of the view, so that a key has the same visible effect at any scale.
 */
#include "loom-view-animator.h"

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

typedef struct {
  gboolean held;
  gint64 held_us;
  /* how far the view was moved since the key was pressed: for zooming, the natural logarithm of the zoom factor; for
   * scrolling, in widths of the view */
  double moved;
} Key;

struct _LoomViewAnimator {
  GObject parent;
  /* functions of the widget that provides frames; NULL: no widget provides frames */
  const LoomViewAnimatorScreen *calls;
  gpointer screen;
  LoomTimelineState *state;
  LoomViewHistory *history;
  double anchor_px;
  gboolean fast;
  Key keys[LOOM_N_MOTIONS];

  gboolean jumping;
  gboolean returning; /* TRUE if the jump in progress was started by undo; such a jump is not reported to `moved` */
  gint64 jumped_us;
  LoomViewport from, to;

  LoomViewAnimatorMoved moved;
  gpointer moved_data;
};

G_DEFINE_FINAL_TYPE (LoomViewAnimator, loom_view_animator, G_TYPE_OBJECT)

static void
finalize (GObject *object)
{
  LoomViewAnimator *self = LOOM_VIEW_ANIMATOR (object);
  g_object_unref (self->state);
  loom_view_history_free (self->history);
  G_OBJECT_CLASS (loom_view_animator_parent_class)->finalize (object);
}

static void
loom_view_animator_class_init (LoomViewAnimatorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_view_animator_init (LoomViewAnimator *self)
{
  self->history = loom_view_history_new ();
  self->anchor_px = -1;
}

LoomViewAnimator *
loom_view_animator_new (LoomTimelineState *state)
{
  LoomViewAnimator *self = g_object_new (LOOM_TYPE_VIEW_ANIMATOR, NULL);
  self->state = g_object_ref (state);
  return self;
}

LoomTimelineState *
loom_view_animator_get_state (LoomViewAnimator *self)
{
  return self->state;
}

void
loom_view_animator_set_screen (LoomViewAnimator *self, const LoomViewAnimatorScreen *calls, gpointer screen)
{
  self->calls = calls;
  self->screen = screen;
}

static gboolean
animates (LoomViewAnimator *self)
{
  return self->calls != NULL && self->calls->is_animated (self->screen);
}

static gboolean
has_frames (LoomViewAnimator *self)
{
  return self->calls != NULL && self->calls->has_frames (self->screen);
}

void
loom_view_animator_watch (LoomViewAnimator *self, LoomViewAnimatorMoved moved, gpointer user_data)
{
  self->moved = moved;
  self->moved_data = user_data;
}

void
loom_view_animator_move (LoomViewAnimator *self, const LoomViewport *view)
{
  LoomViewport before = *loom_timeline_state_get_viewport (self->state);
  loom_timeline_state_set_viewport (self->state, view);
  if (self->moved != NULL && !loom_viewport_equal (&before, loom_timeline_state_get_viewport (self->state)))
    self->moved (&before, self->moved_data);
}

void
loom_view_animator_set_anchor (LoomViewAnimator *self, double x_px)
{
  self->anchor_px = x_px;
}

double
loom_view_animator_get_anchor (LoomViewAnimator *self)
{
  double width_px = loom_timeline_state_get_viewport (self->state)->width_px;
  return self->anchor_px >= 0 && self->anchor_px <= width_px ? self->anchor_px : width_px / 2;
}

/* Moves `view` in the direction of the key. `amount`: for zooming, the natural logarithm of the zoom factor; for
 * scrolling, the distance in widths of the view. */
static void
move (LoomViewAnimator *self, LoomViewport *view, LoomMotion which, double amount)
{
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  switch (which) {
  case LOOM_MOTION_IN: loom_viewport_zoom (view, extent, loom_view_animator_get_anchor (self), exp (-amount)); break;
  case LOOM_MOTION_OUT: loom_viewport_zoom (view, extent, loom_view_animator_get_anchor (self), exp (amount)); break;
  case LOOM_MOTION_EARLIER: loom_viewport_pan (view, extent, -amount * view->width_px); break;
  case LOOM_MOTION_LATER: loom_viewport_pan (view, extent, amount * view->width_px); break;
  default: g_assert_not_reached ();
  }
}

static double
step_of (LoomMotion which)
{
  return which == LOOM_MOTION_IN || which == LOOM_MOTION_OUT ? ZOOM_STEP : PAN_STEP;
}

static double
speed_of (LoomViewAnimator *self, LoomMotion which)
{
  gboolean zoom = which == LOOM_MOTION_IN || which == LOOM_MOTION_OUT;
  double slow = zoom ? ZOOM_SLOW_PER_S : PAN_SLOW_PER_S, quick = zoom ? ZOOM_QUICK_PER_S : PAN_QUICK_PER_S;
  double t = MIN (self->keys[which].held_us / ACCELERATION_US, 1.0);
  return (slow + (quick - slow) * t * t * (3 - 2 * t)) * (self->fast ? FAST_FACTOR : 1);
}

static void
step_at_once (LoomViewAnimator *self, LoomMotion which)
{
  LoomViewport view = *loom_timeline_state_get_viewport (self->state);
  move (self, &view, which, step_of (which) * (self->fast ? FAST_FACTOR : 1));
  loom_view_animator_move (self, &view);
}

void
loom_view_animator_press (LoomViewAnimator *self, LoomMotion which, gboolean fast)
{
  g_return_if_fail (which < LOOM_N_MOTIONS);
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
  self->calls->start (self->screen);
}

void
loom_view_animator_release (LoomViewAnimator *self, LoomMotion which)
{
  g_return_if_fail (which < LOOM_N_MOTIONS);
  Key *key = &self->keys[which];
  if (!key->held)
    return;
  key->held = FALSE;
  double rest = step_of (which) - key->moved;
  if (rest <= 0 || !animates (self))
    return;
  LoomViewport target = *loom_timeline_state_get_viewport (self->state);
  move (self, &target, which, rest);
  loom_view_animator_go_to (self, &target);
}

void
loom_view_animator_set_fast (LoomViewAnimator *self, gboolean fast)
{
  self->fast = fast;
}

gboolean
loom_view_animator_is_moving (LoomViewAnimator *self)
{
  gboolean moving = self->jumping;
  for (guint i = 0; i < LOOM_N_MOTIONS; i++)
    moving |= self->keys[i].held;
  return moving;
}

void
loom_view_animator_stop (LoomViewAnimator *self)
{
  for (guint i = 0; i < LOOM_N_MOTIONS; i++)
    self->keys[i].held = FALSE;
  self->jumping = FALSE;
}

LoomViewport
loom_view_animator_get_target (LoomViewAnimator *self)
{
  return self->jumping ? self->to : *loom_timeline_state_get_viewport (self->state);
}

static void
put (LoomViewAnimator *self, const LoomViewport *view)
{
  if (self->returning)
    loom_timeline_state_set_viewport (self->state, view);
  else
    loom_view_animator_move (self, view);
}

static void
ease_to (LoomViewAnimator *self, const LoomViewport *target, gboolean returning)
{
  if (!self->jumping && loom_viewport_equal (target, loom_timeline_state_get_viewport (self->state)))
    /* The view is at `target` already, so no jump is needed. The frames of a jump would overwrite changes that the user
     * or the program makes to the view meanwhile. */
    return;
  self->returning = returning;
  if (!animates (self) || !has_frames (self)) {
    self->jumping = FALSE;
    put (self, target);
    return;
  }
  self->from = *loom_timeline_state_get_viewport (self->state);
  self->to = *target;
  self->jumped_us = 0;
  self->jumping = TRUE;
  self->calls->start (self->screen);
}

void
loom_view_animator_go_to (LoomViewAnimator *self, const LoomViewport *target)
{
  ease_to (self, target, FALSE);
}

void
loom_view_animator_go_back (LoomViewAnimator *self, const LoomViewport *target)
{
  ease_to (self, target, TRUE);
}

void
loom_view_animator_jump (LoomViewAnimator *self, const LoomViewport *target)
{
  LoomViewport now = loom_view_animator_get_target (self);
  loom_view_history_jump (self->history, &now, target);
  loom_view_animator_go_to (self, target);
}

gboolean
loom_view_animator_step (LoomViewAnimator *self, int step)
{
  LoomViewport now = loom_view_animator_get_target (self), target;
  if (!loom_view_history_step (self->history, step, &now, &target))
    return FALSE;
  /* use the present size of the view: the entry contains the size that the view had when the entry was made */
  target.width_px = now.width_px;
  target.height_px = now.height_px;
  loom_view_animator_go_to (self, &target);
  return TRUE;
}

void
loom_view_animator_forget (LoomViewAnimator *self)
{
  loom_view_history_clear (self->history);
}

void
loom_view_animator_zoom (LoomViewAnimator *self, double x_px, double factor)
{
  LoomViewport target = loom_view_animator_get_target (self);
  loom_viewport_zoom (&target, loom_timeline_state_get_extent (self->state), x_px, factor);
  loom_view_animator_go_to (self, &target);
}

void
loom_view_animator_pan (LoomViewAnimator *self, double dx_px)
{
  LoomViewport target = loom_view_animator_get_target (self);
  loom_viewport_pan (&target, loom_timeline_state_get_extent (self->state), dx_px);
  loom_view_animator_go_to (self, &target);
}

void
loom_view_animator_scroll (LoomViewAnimator *self, double dy_px)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (self->state);
  LoomViewport target = loom_view_animator_get_target (self);
  loom_viewport_scroll (&target, loom_row_list_get_height (outline), loom_row_list_get_pinned_height (outline), dy_px);
  loom_view_animator_go_to (self, &target);
}

static gboolean
advance_jump (LoomViewAnimator *self, gint64 elapsed_us)
{
  self->jumped_us += elapsed_us;
  double progress = loom_viewport_ease (self->jumped_us, LOOM_EASE_DURATION_US);
  LoomViewport view = loom_viewport_interpolate (&self->from, &self->to, progress);
  self->jumping = progress < 1;
  put (self, &view);
  return self->jumping;
}

static gboolean
advance_keys (LoomViewAnimator *self, gint64 elapsed_us)
{
  LoomViewport view = *loom_timeline_state_get_viewport (self->state);
  gboolean any = FALSE;
  for (guint i = 0; i < LOOM_N_MOTIONS; i++) {
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
    loom_view_animator_move (self, &view);
  return any;
}

gboolean
loom_view_animator_advance (LoomViewAnimator *self, gint64 elapsed_us)
{
  gboolean jumping = self->jumping && advance_jump (self, elapsed_us);
  gboolean held = advance_keys (self, elapsed_us);
  return jumping || held;
}
