/* SPDX-License-Identifier: Apache-2.0
 *
 * From span to span: neighbours on the row, up to the parent, down to the first child. Pure questions about the state's
 * timeline and rows; nothing is changed.
 */
#pragma once

#include "loom-view-state.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_WALK_NEXT,
  LOOM_WALK_PREVIOUS,
  LOOM_WALK_PARENT,
  LOOM_WALK_CHILD,
} LoomWalk;

/* Where a walk from `span` gets; LOOM_SPAN_ID_NONE at the end. O(log n). */
LoomSpanId loom_walk (LoomViewState *state, LoomSpanId span, LoomWalk direction);

/* Where a walk begins when nothing is selected: the first span in view of the topmost row that has spans. */
LoomSpanId loom_walk_start (LoomViewState *state);

G_END_DECLS
