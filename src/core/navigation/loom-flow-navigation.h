/* SPDX-License-Identifier: Apache-2.0
 *
 * Keyboard navigation along arrows, and between the arrows that leave the same span. The last hop is stored, because the
 * other arrows from its origin are the alternatives. Reads the timeline without changing it. Called on the main thread.
 */
#pragma once

#include "loom-flow-lines.h"

/* The last hop: a move of the selection from one span to another, along an arrow in its direction (`forward`) or
 * against it. Valid for one timeline. */
typedef struct {
  LoomSpanId from, to;
  gboolean forward;
} LoomFlowNavigation;

#define LOOM_FLOW_NAVIGATION_INIT               \
  {                                             \
    LOOM_SPAN_ID_NONE, LOOM_SPAN_ID_NONE, FALSE \
  }

/* If `forward`, returns the span to which the first arrow from `span` leads; otherwise the span from which the first
 * arrow leads to `span`. LOOM_SPAN_ID_NONE if there is no arrow. */
LoomSpanId loom_flow_navigation_follow (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span,
                                        gboolean forward);

/* Returns the next (`step` 1) or previous (`step` −1) of the spans that the last hop could have reached instead of
 * `span`, cyclically. If the last hop did not lead to `span`, a hop along one of the arrows of `span` is assumed.
 * LOOM_SPAN_ID_NONE: there are no other spans. */
LoomSpanId loom_flow_navigation_choose (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span,
                                        int step);
