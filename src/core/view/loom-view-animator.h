/* SPDX-License-Identifier: Apache-2.0
 *
 * Motion of the view: held keys that accelerate, and eased jumps. Frames of a screen drive both, and are asked for only while
 * something moves. Without frames, or with animations off, every press is one step and every jump is immediate.
 * Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

#define LOOM_TYPE_VIEW_ANIMATOR (loom_view_animator_get_type ())
G_DECLARE_FINAL_TYPE (LoomViewAnimator, loom_view_animator, LOOM, VIEW_ANIMATOR, GObject)

/* Where frames come from. */
typedef struct {
  gboolean (*has_frames) (gpointer screen);  /* a frame would come if it was asked for */
  gboolean (*is_animated) (gpointer screen); /* the person wants to see motion */
  void (*start) (gpointer screen); /* calls loom_view_animator_advance() with each frame until that returns FALSE */
} LoomViewAnimatorScreen;

typedef enum { LOOM_MOTION_IN, LOOM_MOTION_OUT, LOOM_MOTION_EARLIER, LOOM_MOTION_LATER, LOOM_N_MOTIONS } LoomMotion;

/* Of the view of `state`, to which it keeps a reference. */
LoomViewAnimator *loom_view_animator_new (LoomTimelineState *state);
LoomTimelineState *loom_view_animator_get_state (LoomViewAnimator *flight); /* borrowed */
/* `screen` is borrowed until another one is set; `calls` NULL: there is none, as at first. */
void loom_view_animator_set_screen (LoomViewAnimator *flight, const LoomViewAnimatorScreen *calls, gpointer screen);

/* What zooming keeps in place: x in the track area, negative for the middle. */
void loom_view_animator_set_anchor (LoomViewAnimator *flight, double x_px);
double loom_view_animator_get_anchor (LoomViewAnimator *flight);

/* A key went down (again and again while the keyboard repeats) and up. A short press still moves a visible step. */
void loom_view_animator_press (LoomViewAnimator *flight, LoomMotion which, gboolean fast);
void loom_view_animator_release (LoomViewAnimator *flight, LoomMotion which);
void loom_view_animator_set_fast (LoomViewAnimator *flight, gboolean fast);
/* Whether a key is held or a jump is under way. */
gboolean loom_view_animator_is_moving (LoomViewAnimator *flight);

/* Everything stops where it is. */
void loom_view_animator_stop (LoomViewAnimator *flight);

/* Eased; further calls add to where the view is going. */
void loom_view_animator_go_to (LoomViewAnimator *flight, const LoomViewport *target);
/* At once, as the view follows a hand. */
void loom_view_animator_move (LoomViewAnimator *flight, const LoomViewport *view);
/* Eased, to where the view was before: whoever watches hears nothing of it. */
void loom_view_animator_go_back (LoomViewAnimator *flight, const LoomViewport *target);
/* The same, as an entry of the history of views. */
void loom_view_animator_jump (LoomViewAnimator *flight, const LoomViewport *target);
/* Back (−1) and ahead (1) in the history; FALSE at its end. */
gboolean loom_view_animator_step (LoomViewAnimator *flight, int step);
void loom_view_animator_forget (LoomViewAnimator *flight);
void loom_view_animator_zoom (LoomViewAnimator *flight, double x_px, double factor);
void loom_view_animator_pan (LoomViewAnimator *flight, double dx_px);
void loom_view_animator_scroll (LoomViewAnimator *flight, double dy_px);

/* Who hears of every bit by which somebody moves the view, and where it was before; one. The flight does not outlive
 * `user_data`. */
typedef void (*LoomViewAnimatorMoved) (const LoomViewport *before, gpointer user_data);
void loom_view_animator_watch (LoomViewAnimator *flight, LoomViewAnimatorMoved moved, gpointer user_data);

/* Where the view is, or is going. */
LoomViewport loom_view_animator_get_target (LoomViewAnimator *flight);

/* Moves by the time that passed; the screen calls it. FALSE when nothing moves any more. */
gboolean loom_view_animator_advance (LoomViewAnimator *flight, gint64 elapsed_us);

G_END_DECLS
