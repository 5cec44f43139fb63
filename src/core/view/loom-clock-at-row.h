/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines the source whose clock a place on the timeline refers to, for moving that clock. Called on the main
 * thread.
 */
#pragma once

#include "loom-timeline-state.h"

/* The index in the run of the clock that all tracks of the row at y (in the track area) share; G_MAXUINT: no clock, or
 * several. */
guint loom_clock_at_row_at (LoomTimelineState *state, double y);

/* The clock of the span selected last, else of the row under the pointer; G_MAXUINT: none. */
guint loom_clock_at_row_chosen (LoomTimelineState *state);
