/* SPDX-License-Identifier: Apache-2.0
 *
 * Animates the view in two ways: while a key is held, the view moves with increasing speed; a jump moves it to a target
 * with an eased motion. A widget, called the screen, calls the animator in each of its frames; frames are requested
 * only while something moves. Without a screen, or if animations are disabled, every press of a key is one step and
 * every jump is immediate. Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

#define LOOM_TYPE_VIEW_ANIMATOR (loom_view_animator_get_type ())
G_DECLARE_FINAL_TYPE (LoomViewAnimator, loom_view_animator, LOOM, VIEW_ANIMATOR, GObject)

/* The functions with which the animator requests frames from a widget. `screen`, their first argument, is this widget. */
typedef struct {
  /* returns TRUE if frames can be requested, for example because the widget is visible */
  gboolean (*has_frames) (gpointer screen);
  gboolean (*is_animated) (gpointer screen); /* returns TRUE if the user has animations enabled */
  /* starts to call loom_view_animator_advance() in each frame, until that function returns FALSE */
  void (*start) (gpointer screen);
} LoomViewAnimatorScreen;

typedef enum { LOOM_MOTION_IN, LOOM_MOTION_OUT, LOOM_MOTION_EARLIER, LOOM_MOTION_LATER, LOOM_N_MOTIONS } LoomMotion;

/* Creates an animator for the view of `state`. Takes a reference to `state`. */
LoomViewAnimator *loom_view_animator_new (LoomTimelineState *state);
/* Returns the state of the animated view; borrowed. */
LoomTimelineState *loom_view_animator_get_state (LoomViewAnimator *self);

/* Sets the widget that calls the animator in each frame. `screen` is passed to the functions in `calls`; both are
 * borrowed until the next call of this function. If no widget provides frames, `calls` is NULL; this is the initial
 * state. */
void loom_view_animator_set_screen (LoomViewAnimator *self, const LoomViewAnimatorScreen *calls, gpointer screen);

/* Sets the position that stays in place when the user zooms with keys, in px of the track area; negative: the middle of
 * the area. */
void loom_view_animator_set_anchor (LoomViewAnimator *self, double x_px);
double loom_view_animator_get_anchor (LoomViewAnimator *self);

/* The next two functions report that a key was pressed or released. Key events of auto-repeat count as presses. Even a
 * short press moves the view by a visible distance. `fast` (set while Shift is held): the view moves faster by a
 * constant factor. */
void loom_view_animator_press (LoomViewAnimator *self, LoomMotion which, gboolean fast);
void loom_view_animator_release (LoomViewAnimator *self, LoomMotion which);
void loom_view_animator_set_fast (LoomViewAnimator *self, gboolean fast);
/* Returns TRUE while a key is held or a jump is in progress. */
gboolean loom_view_animator_is_moving (LoomViewAnimator *self);

/* Stops all motion; the view stays where it is. */
void loom_view_animator_stop (LoomViewAnimator *self);

/* Moves the view to `target` with an animation. If an animation is running, the view moves on from its present place to
 * the new target. */
void loom_view_animator_go_to (LoomViewAnimator *self, const LoomViewport *target);
/* Moves the view to `view` without animation. Used while the user drags. */
void loom_view_animator_move (LoomViewAnimator *self, const LoomViewport *view);
/* Like loom_view_animator_go_to(), for undo: does not call the function that loom_view_animator_watch() set. */
void loom_view_animator_go_back (LoomViewAnimator *self, const LoomViewport *target);
/* Like loom_view_animator_go_to(), but adds an entry to the history of views. */
void loom_view_animator_jump (LoomViewAnimator *self, const LoomViewport *target);
/* Moves one step back (`step` −1) or forward (1) in the history of views. Returns FALSE at either end of the
 * history. */
gboolean loom_view_animator_step (LoomViewAnimator *self, int step);
void loom_view_animator_forget (LoomViewAnimator *self);
void loom_view_animator_zoom (LoomViewAnimator *self, double x_px, double factor);
void loom_view_animator_pan (LoomViewAnimator *self, double dx_px);
void loom_view_animator_scroll (LoomViewAnimator *self, double dy_px);

/* Sets the function that is called for every move of the view; only one function can be set. `before` is the viewport
 * before the move. `user_data` must outlive the animator. */
typedef void (*LoomViewAnimatorMoved) (const LoomViewport *before, gpointer user_data);
void loom_view_animator_watch (LoomViewAnimator *self, LoomViewAnimatorMoved moved, gpointer user_data);

/* Returns the target of the animation; the present viewport if there is no animation. */
LoomViewport loom_view_animator_get_target (LoomViewAnimator *self);

/* Continues all motion by `elapsed_us`. Called in each frame by the widget of the animator. Returns FALSE when nothing
 * moves any more. */
gboolean loom_view_animator_advance (LoomViewAnimator *self, gint64 elapsed_us);
