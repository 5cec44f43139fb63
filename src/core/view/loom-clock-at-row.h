/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines the source whose clock a place on the timeline refers to, for moving that clock. Called on the main
 * thread.
 */
#pragma once

#include "loom-timeline-state.h"

/* Returns the index in the run of the clock of the row at `y` of the track area; G_MAXUINT: the row has no clock or
 * several. */
guint loom_clock_at_row_at (LoomTimelineState *state, double y);

/* Returns the clock of the span selected last; without one, of the row under the pointer; G_MAXUINT: none. */
guint loom_clock_at_row_chosen (LoomTimelineState *state);
