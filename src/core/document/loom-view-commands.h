/* SPDX-License-Identifier: Apache-2.0
 *
 * Watches a timeline state, and adds a step to the undo stack for each of the user's changes to marks, rows and the
 * view. Changes with at most half a second between them, for example during a drag, make only one step. Moves of the
 * view with at most one second between them also make only one step, unless there is another change between them. A
 * move of the view by the program, for example when a run grows, makes no step. Called on the main thread.
 */
#pragma once

#include "loom-undo-stack.h"
#include "loom-view-animator.h"

/* Starts to add an undo step to `undo` for each change of `state`. `flight` animates the view of `state`. `changed` is
 * called when the undo stack has changed. `state`, `undo` and `flight` are borrowed until loom_view_commands_unwatch()
 * is called; after that, the added undo steps must not be undone any more. A state must not be watched twice at the
 * same time. */
void loom_view_commands_watch (LoomTimelineState *state, LoomViewAnimator *flight, LoomUndoStack *undo,
                               void (*changed) (gpointer user_data), gpointer user_data);
void loom_view_commands_unwatch (LoomTimelineState *state);

/* Between the calls of these two functions, changes of `state` add no undo steps. This is used, for example, while a
 * session is restored. Both functions do nothing if the state is not watched. */
void loom_view_commands_pause (LoomTimelineState *state);
void loom_view_commands_resume (LoomTimelineState *state);

/* For tests: sets a function that returns the present time in µs. It is used in place of the monotonic clock to
 * measure the time between changes. */
void loom_view_commands_set_clock (gint64 (*now_us) (void));
