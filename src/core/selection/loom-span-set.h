/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions for a list of spans in the order in which the user selected them: a GArray of LoomSpanId. Only one thread
 * may use a list.
 */
#pragma once

#include "loom-timeline.h"

/* Converts spans of the timeline `from` to spans of `to`: changes the indices of traces, and finds the spans again in
 * files that were loaded again. Removes spans that `to` lacks; if `to` is NULL, removes all spans. O(spans + traces);
 * in addition, each track of a file that was loaded again is searched for once. */
void loom_span_set_follow (GArray *spans, const LoomTimeline *from, const LoomTimeline *to);

/* Replaces the spans of the detail `from` by the same spans of the detail `to`, which contains another range of the
 * same trace. A detail contains events of a time range that were read from a trace in place of its index
 * (loom-run-details.h). Spans that `to` lacks are kept. Returns TRUE if a span was replaced. O(spans · log spans of
 * `to`). */
gboolean loom_span_set_follow_detail (GArray *spans, const LoomRun *run, guint from, guint to);

/* Removes the span. Returns FALSE if the array does not contain it. */
gboolean loom_span_set_remove (GArray *spans, LoomSpanId span);

/* Sets `sorted` to a copy of the spans, sorted by trace, then span. */
void loom_span_set_copy_sorted (GArray *sorted, const GArray *spans);

/* Returns the index of the first element of a sorted array that is `span` or comes after it; if there is no such
 * element, the number of elements. */
guint loom_span_set_lower_bound (const GArray *sorted, LoomSpanId span);

/* Returns the range from the earliest begin to the latest end of the spans. The array must not be empty. */
LoomRange loom_span_set_get_range (const GArray *spans, const LoomTimeline *timeline);
