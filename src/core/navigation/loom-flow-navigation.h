/* SPDX-License-Identifier: Apache-2.0
 *
 * Along arrows, and among them where several leave one span. Remembers the last hop, to know what it could have been
 * instead. Asks the timeline, changes nothing. Main thread.
 */
#pragma once

#include "loom-flow-lines.h"

G_BEGIN_DECLS

/* The last hop; valid for one timeline. */
typedef struct {
  LoomSpanId from, to;
  gboolean forward;
} LoomFlowNavigation;

#define LOOM_FLOW_NAVIGATION_INIT               \
  {                                             \
    LOOM_SPAN_ID_NONE, LOOM_SPAN_ID_NONE, FALSE \
  }

/* Where the first arrow from `span` leads; LOOM_SPAN_ID_NONE where there is none. */
LoomSpanId loom_flow_navigation_follow (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span,
                                        gboolean forward);

/* Instead of `span` the next (step 1) or previous (−1) of the spans the last hop could have led to, round and round. Of a
 * span no hop led to: one that an arrow from the same span leads to, or to the same span. NONE when there is no choice. */
LoomSpanId loom_flow_navigation_choose (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span,
                                        int step);

G_END_DECLS
