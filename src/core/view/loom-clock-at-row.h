/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the clock that the user moves. Keys move the clock of the span that was selected last or, if no span is
 * selected, of the row under the pointer; a drag moves the clock of the row at which it begins. Called on the main
 * thread.
 */
#pragma once

#include "loom-timeline-state.h"

/* Returns the clock of the row at `y` in the track area, as an index into the clocks of the run; G_MAXUINT if the row
 * has no clock, or has tracks with different clocks. */
guint loom_clock_at_row_at (LoomTimelineState *state, double y);

/* Returns the clock of the span that was selected last or, if no span is selected, of the row under the pointer. The
 * clock is an index into the clocks of the run; G_MAXUINT if neither the span nor the row gives a clock. */
guint loom_clock_at_row_chosen (LoomTimelineState *state);
