/* SPDX-License-Identifier: Apache-2.0
 *
 * The relations of a span to other spans, as Pango markup with links "span:<trace>:<index>": its child spans, and the
 * targets of its arrows. The functions depend only on their arguments.
 */
#pragma once

#include "loom-timeline.h"

/* Describes the direct children of a span, with one line per name, for example "gemm 12.4 ms 52 % 40 ×". The name with
 * the longest total time comes first. Each name is a link to the longest span of this name. NULL: the span has no
 * children. O(children), for at most 200,000 children. Owned by the caller. */
char *loom_span_relations_dup_inner (LoomTimeline *timeline, LoomSpanId span);

/* Returns links to other spans, one per line. If `forward` is TRUE, these are the spans to which arrows from `span`
 * lead; else the spans from which arrows lead to `span`. NULL: there are none. Owned by the caller. */
char *loom_span_relations_dup_arrows (LoomTimeline *timeline, LoomSpanId span, gboolean forward);
