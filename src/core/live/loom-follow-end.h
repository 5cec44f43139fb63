/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the latest in view while a run grows: the view moves along with the end, its length stays. Over as soon as somebody
 * moves the view away from the end. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct _LoomFollowEnd LoomFollowEnd;

/* The state is borrowed and outlives it; `changed` is called when it begins or is over. */
LoomFollowEnd *loom_follow_end_new (LoomTimelineState *state, void (*changed) (gpointer user_data), gpointer user_data);
void loom_follow_end_free (LoomFollowEnd *self);

/* Moves to the end at once. */
void loom_follow_end_set (LoomFollowEnd *self, gboolean on);
gboolean loom_follow_end_is_on (const LoomFollowEnd *self);
