/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrows between spans, collected from the traces for drawing and for keyboard navigation. Pure, any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  LoomSpanId from, to;
  gboolean at_once; /* the arrow starts and ends at the same time, at_ns, which may be inside the spans */
  gint64 at_ns;     /* timeline */
} LoomFlowLine;

/* Appends the flows of a span, with the whole chain before and after it, nearest first, to `lines` (LoomFlowLine), at
 * most `max` arrows. O(arrows found · log n). */
void loom_flow_lines_of_span (const LoomTimeline *timeline, LoomSpanId span, guint max, GArray *lines);

/* Appends the spans one flow after (forward) or before the span to `spans` (LoomSpanId), in time order. */
void loom_flow_lines_next (const LoomTimeline *timeline, LoomSpanId span, gboolean forward, GArray *spans);
