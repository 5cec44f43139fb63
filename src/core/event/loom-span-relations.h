/* SPDX-License-Identifier: Apache-2.0
 *
 * The relations of a span to other spans, as Pango markup with links "span:<trace>:<index>": its child spans, and the
 * spans at the other ends of its arrows (flows). The functions depend only on their arguments.
 */
#pragma once

#include "loom-timeline.h"

/* Describes the direct children of a span, with one line per name. A line contains the name, its total time, the share
 * of the span's duration, and the number of children, for example "gemm 12.4 ms 52 % 40 ×". The name with the longest
 * total time comes first. Each name is a link to the longest child with this name. After 8 names, a last line states
 * the number of the other names. Returns NULL if the span has no children or more than 200,000. O(children). Owned by
 * the caller. */
char *loom_span_relations_dup_inner (LoomTimeline *timeline, LoomSpanId span);

/* If `forward` is TRUE, returns links to the spans to which arrows (flows) lead from `span`. If `forward` is FALSE,
 * returns links to the spans from which arrows lead to `span`. The text has one link per line; NULL: there are no such
 * arrows. Owned by the caller. */
char *loom_span_relations_dup_arrows (LoomTimeline *timeline, LoomSpanId span, gboolean forward);
