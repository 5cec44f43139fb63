/* SPDX-License-Identifier: Apache-2.0
 *
 * What a span has to do with others, as Pango markup with links "span:<trace>:<index>": what runs inside it, and where its
 * arrows lead. Pure.
 */
#pragma once

#include "loom-timeline.h"

G_BEGIN_DECLS

/* The names of what runs right inside, by their time in sum: "gemm  12.4 ms  52 %  40 ×", one per line, each leading to
 * the longest of its spans. NULL: nothing. O(children), of at most 200,000 of them. Owned. */
char *loom_span_relations_dup_inner (LoomTimeline *timeline, LoomSpanId span);

/* The spans one arrow before or behind (forward), one per line. NULL: none. Owned. */
char *loom_span_relations_dup_arrows (LoomTimeline *timeline, LoomSpanId span, gboolean forward);

G_END_DECLS
