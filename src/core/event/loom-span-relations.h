/* SPDX-License-Identifier: Apache-2.0
 *
 * The relations of a span to other spans, as Pango markup with links "span:<trace>:<index>": its child spans, and the
 * targets of its arrows. Pure.
 */
#pragma once

#include "loom-timeline.h"

/* The names of the direct children, sorted by total time: "gemm 12.4 ms 52 % 40 ×", one per line, each linked to its
 * longest span. NULL: no children. O(children), for at most 200,000 of them. Owned by the caller. */
char *loom_span_relations_dup_inner (LoomTimeline *timeline, LoomSpanId span);

/* The spans one arrow before or after (`forward`) the span, one per line. NULL: none. Owned by the caller. */
char *loom_span_relations_dup_arrows (LoomTimeline *timeline, LoomSpanId span, gboolean forward);
