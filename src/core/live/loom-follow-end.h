/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the end of a growing run in view: when the run grows, moves the view to the new end, without changing the
 * length of the view. Stops as soon as the user moves the view away from the end. Called on the main thread.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct _LoomFollowEnd LoomFollowEnd;

/* Makes an object that follows the end of the run of `state`. Following is off at first. `state` is borrowed and must
 * outlive the object. `changed` is called when following begins or ends. */
LoomFollowEnd *loom_follow_end_new (LoomTimelineState *state, void (*changed) (gpointer user_data), gpointer user_data);
void loom_follow_end_free (LoomFollowEnd *self);

/* Turns following on or off. Turning it on moves the view to the end of the run at once. */
void loom_follow_end_set (LoomFollowEnd *self, gboolean on);
gboolean loom_follow_end_is_on (const LoomFollowEnd *self);
