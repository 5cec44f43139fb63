/* SPDX-License-Identifier: Apache-2.0
 *
 * From span to span: neighbours on the row, up to the parent, down to the first child. Pure questions about the state's
 * timeline and rows; nothing is changed.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_SPAN_DIRECTION_NEXT,
  LOOM_SPAN_DIRECTION_PREVIOUS,
  LOOM_SPAN_DIRECTION_PARENT,
  LOOM_SPAN_DIRECTION_CHILD,
} LoomSpanDirection;

/* Where a walk from `span` gets; LOOM_SPAN_ID_NONE at the end. O(log n). */
LoomSpanId loom_span_navigation (LoomTimelineState *state, LoomSpanId span, LoomSpanDirection direction);

/* Where a walk begins when nothing is selected: the first span in view of the topmost row that has spans. */
LoomSpanId loom_span_navigation_start (LoomTimelineState *state);

G_END_DECLS
