/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person did to marks, rows and the view, as steps that can be taken back: watches a timeline and pushes what became
 * different. Changes in quick succession, as of a drag, are one step; so are moves of the view without a rest of a second or
 * anything else between them. What moves by itself, as the view of a run that grows, is no step. Main thread.
 */
#pragma once

#include "loom-undo-stack.h"
#include "loom-view-animator.h"

/* Watches for the rest of the life of `state`, which `undo` outlives; steps are taken back only while `state` and `flight`, which moves
 * its view, live. `changed` is called when what can be taken back is another. Once per state. */
void loom_view_commands_watch (LoomTimelineState *state, LoomViewAnimator *flight, LoomUndoStack *undo,
                               void (*changed) (gpointer user_data), gpointer user_data);

/* Between these two nothing is a step: a session puts back what was there. States that are not watched are left alone. */
void loom_view_commands_pause (LoomTimelineState *state);
void loom_view_commands_resume (LoomTimelineState *state);

/* What tells, in microseconds, how soon one change follows another, instead of the system's monotonic clock: for tests. */
void loom_view_commands_set_clock (gint64 (*now_us) (void));
