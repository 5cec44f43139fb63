/* SPDX-License-Identifier: Apache-2.0
 *
 * Which source's clock is meant by a place on the timeline, for those who move it. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

/* The flat number of the clock that all tracks of the row at y (of the tracks) share; G_MAXUINT: none, or several. */
guint loom_clock_at_row_at (LoomTimelineState *state, double y);

/* That of the span chosen last, else of the row under the pointer; G_MAXUINT: none. */
guint loom_clock_at_row_chosen (LoomTimelineState *state);

G_END_DECLS
