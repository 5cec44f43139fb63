/* SPDX-License-Identifier: Apache-2.0
 *
 * Keyboard navigation between spans: neighbours in the row, the parent, the first child. Reads the state's timeline and
 * rows without changing them.
 */
#pragma once

#include "loom-timeline-state.h"

typedef enum {
  LOOM_SPAN_DIRECTION_NEXT,
  LOOM_SPAN_DIRECTION_PREVIOUS,
  LOOM_SPAN_DIRECTION_PARENT,
  LOOM_SPAN_DIRECTION_CHILD,
} LoomSpanDirection;

/* Returns the neighbour of `span` in a direction; LOOM_SPAN_ID_NONE if the span has no neighbour there. O(log n). */
LoomSpanId loom_span_navigation (LoomTimelineState *state, LoomSpanId span, LoomSpanDirection direction);

/* Returns the span at which navigation starts if nothing is selected: the first visible span of the topmost row that
 * has spans. */
LoomSpanId loom_span_navigation_start (LoomTimelineState *state);
