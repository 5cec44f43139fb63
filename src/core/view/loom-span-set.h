/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's list of spans: a GArray of LoomSpanId in order of selection. One thread per list.
 */
#pragma once

#include "loom-timeline.h"

/* Converts the spans to the timeline `to`: traces may have other numbers there; spans of missing traces are removed.
 * `to` NULL: removes all. O(spans + traces); each track of a reloaded file is searched once. */
void loom_span_set_follow (GArray *spans, const LoomTimeline *from, const LoomTimeline *to);

/* Returns FALSE if the span was not in the list. */
gboolean loom_span_set_remove (GArray *spans, LoomSpanId span);

/* `sorted` becomes a copy sorted by trace, then span. */
void loom_span_set_copy_sorted (GArray *sorted, const GArray *spans);

/* Index in a sorted list of the first span at or after a span. */
guint loom_span_set_lower_bound (const GArray *sorted, LoomSpanId span);

/* Returns the range from the first begin to the last end. The list must not be empty. */
LoomRange loom_span_set_get_range (const GArray *spans, const LoomTimeline *timeline);
