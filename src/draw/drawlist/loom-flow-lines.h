/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrows between spans, collected from the traces for drawing and for walking along them. Pure, any thread.
 */
#pragma once

#include "loom-timeline.h"

G_BEGIN_DECLS

typedef struct {
  LoomSpanId from, to;
  gboolean at_once; /* it leaves and arrives at one instant, at_ns, somewhere within the spans */
  gint64 at_ns;     /* timeline */
} LoomFlowLine;

/* The flows of a span with the whole chain before and behind it, nearest first, at most `max` arrows in all, appended
 * to `lines` (element type LoomFlowLine). O(arrows found · log n). */
void loom_flow_lines_of_span (const LoomTimeline *timeline, LoomSpanId span, guint max, GArray *lines);

/* Spans one hop behind (forward) or before it, appended to `spans` (element type LoomSpanId), in time order. */
void loom_flow_lines_next (const LoomTimeline *timeline, LoomSpanId span, gboolean forward, GArray *spans);

G_END_DECLS
