/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes undo steps for the user's changes to marks, rows and the view: watches a timeline state, and pushes a step onto
 * the undo stack for each change. Changes within half a second of each other, for example during a drag, make one step.
 * Moves of the view within a second of each other also make one step, unless another change comes between them. Moves
 * of the view by the program, for example when a run grows, make no step. Called on the main thread.
 */
#pragma once

#include "loom-undo-stack.h"
#include "loom-view-animator.h"

/* Begins to push an undo step to `undo` for each change of `state`. `flight` animates the view of `state`. `state`,
 * `undo` and `flight` are borrowed until loom_view_commands_unwatch(); after that call, none of these steps may be
 * undone. `changed` is called when the undo stack has changed. A state can be watched only once at a time. */
void loom_view_commands_watch (LoomTimelineState *state, LoomViewAnimator *flight, LoomUndoStack *undo,
                               void (*changed) (gpointer user_data), gpointer user_data);
void loom_view_commands_unwatch (LoomTimelineState *state);

/* Changes of `state` between the calls of these two functions push no undo step; used, for example, while a session is
 * restored. Both functions do nothing for a state that is not watched. */
void loom_view_commands_pause (LoomTimelineState *state);
void loom_view_commands_resume (LoomTimelineState *state);

/* For tests: sets the clock that measures the time between changes, in µs, instead of the monotonic clock. */
void loom_view_commands_set_clock (gint64 (*now_us) (void));
