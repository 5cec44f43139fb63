/* SPDX-License-Identifier: Apache-2.0
 *
 * Keyboard navigation from span to span along arrows (flows). A hop is one move along an arrow. The last hop is
 * stored, so that a key can replace it by a hop along another arrow from the same span. Reads the timeline without
 * changing it. Called on the main thread.
 */
#pragma once

#include "loom-flow-lines.h"

/* The last hop: the last move of the selection from one span to another along an arrow (a flow). `forward`: TRUE if the
 * move had the direction of the arrow. Valid for one timeline. */
typedef struct {
  LoomSpanId from, to;
  gboolean forward;
} LoomFlowNavigation;

#define LOOM_FLOW_NAVIGATION_INIT               \
  {                                             \
    LOOM_SPAN_ID_NONE, LOOM_SPAN_ID_NONE, FALSE \
  }

/* If `forward` is TRUE, returns the span to which the first arrow from `span` leads. If `forward` is FALSE, returns the
 * span from which the first arrow to `span` comes. LOOM_SPAN_ID_NONE if there is no such arrow. */
LoomSpanId loom_flow_navigation_follow (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span,
                                        gboolean forward);

/* Replaces the last hop (move along an arrow), which led to `span`, by a hop from the same span along another of its
 * arrows in the same direction. Of these arrows, takes the next (`step` 1) or previous (`step` −1) one, cyclically.
 * Returns the span to which the new hop leads; LOOM_SPAN_ID_NONE if there is no other arrow. If the last hop did not
 * lead to `span`, first assumes that the user moved to `span` along one of its arrows, and replaces this hop. */
LoomSpanId loom_flow_navigation_choose (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span,
                                        int step);
