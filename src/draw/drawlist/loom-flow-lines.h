/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the arrows between spans (flows) from the traces, for drawing and for keyboard navigation. The functions
 * keep no state, and may be called on any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  LoomSpanId from, to;
  gboolean at_once; /* TRUE: both spans may be running at `at_ns`, so the arrow is drawn vertically at this time */
  gint64 at_ns;     /* the time of the vertical arrow, in timeline ns; only valid if `at_once` */
} LoomFlowLine;

/* Appends arrows to `lines` (LoomFlowLine), at most `max`. First come the arrows that arrive at the span or leave it.
 * Then come the other arrows in the same chains of flows, those nearest to the span first. O(arrows found · log n). */
void loom_flow_lines_of_span (const LoomTimeline *timeline, LoomSpanId span, guint max, GArray *lines);

/* Appends spans to `spans` (LoomSpanId), in order of time. `forward` TRUE: the spans at which the arrows that leave
 * `span` arrive. FALSE: the spans from which arrows arrive at `span`. */
void loom_flow_lines_next (const LoomTimeline *timeline, LoomSpanId span, gboolean forward, GArray *spans);
