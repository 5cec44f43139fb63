/* SPDX-License-Identifier: Apache-2.0
 *
 * How much longer a span could take before the end of the range moves, formats/analysis-2.md §4: the latest time of the next
 * moment of the graph that waits for the span, minus its measured time. Spans of critical paths have none.
 *
 *   kernels and copies: of their own end
 *   spans of the host: of the next call, step or end of its process; only on threads that call the device, because the graph
 *   knows nothing of what others delay
 *
 * Memory: 16 bytes for each kernel, copy and call. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct _LoomPathSlack LoomPathSlack;
typedef struct _LoomPathGraph LoomPathGraph; /* private: loom-path-graph.h */

/* O(nodes + edges). Keeps a reference to the timeline of the graph, but not the graph. */
LoomPathSlack *loom_path_slack_new (const LoomPathGraph *graph);
void loom_path_slack_free (LoomPathSlack *slack);

/* Returns FALSE if the slack of the span is unknown, as for spans that end outside the range. O(log). */
gboolean loom_path_slack_get (const LoomPathSlack *slack, LoomSpanId span, gint64 *slack_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathSlack, loom_path_slack_free)
