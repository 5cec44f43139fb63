/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of spans a person chose: a GArray of LoomSpanId, in the order they were chosen. One thread per list.
 */
#pragma once

#include "loom-timeline.h"

G_BEGIN_DECLS

/* The spans keep their traces, whatever numbers these have in `to`; those of traces that are not there go. `to` NULL: all
 * go. O(spans + traces); each track of a file that was read anew is looked for once among all. */
void loom_span_set_follow (GArray *spans, const LoomTimeline *from, const LoomTimeline *to);

/* FALSE when it was not there. */
gboolean loom_span_set_remove (GArray *spans, LoomSpanId span);

/* `sorted` becomes a copy, by trace, then span. */
void loom_span_set_copy_sorted (GArray *sorted, const GArray *spans);

/* The first of a sorted list at or behind a span. */
guint loom_span_set_lower_bound (const GArray *sorted, LoomSpanId span);

/* From the first begin to the last end; not for an empty list. */
LoomRange loom_span_set_get_range (const GArray *spans, const LoomTimeline *timeline);

G_END_DECLS
