/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrows between spans, collected from the traces for drawing and for keyboard navigation. Pure, any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  LoomSpanId from, to;
  gboolean at_once; /* TRUE: both spans may be running at `at_ns`, so the arrow is drawn vertically at this time */
  gint64 at_ns;     /* timeline */
} LoomFlowLine;

/* Appends arrows to `lines` (LoomFlowLine), at most `max`: those from and to the span, and those before and after them
 * in the same chain of flows, nearest first. O(arrows found · log n). */
void loom_flow_lines_of_span (const LoomTimeline *timeline, LoomSpanId span, guint max, GArray *lines);

/* Appends to `spans` (LoomSpanId) the spans to which arrows lead from `span` (`forward`), or from which arrows lead to
 * it; in order of time. */
void loom_flow_lines_next (const LoomTimeline *timeline, LoomSpanId span, gboolean forward, GArray *spans);
