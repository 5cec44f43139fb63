/* SPDX-License-Identifier: Apache-2.0
 *
 * The slack of a span: how much longer the span could take without moving the end of the range. It is computed for the
 * next node of the critical path's graph that waits for the span: the latest possible time of the node minus its
 * measured time. Spans on the critical path have the slack 0.
 *
 *   kernels and copies  slack of their own end
 *   spans of the host   slack of the next call, step or end of the process; only on threads that call the device,
 *                       because the graph does not contain what other threads delay
 *
 * Memory: 16 bytes for each kernel, copy and call. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct _LoomPathSlack LoomPathSlack;
typedef struct _LoomPathGraph LoomPathGraph; /* private: loom-path-graph.h */

/* Computes the slack of all nodes. Keeps a reference to the timeline of the graph, but not to the graph. O(nodes +
 * edges). */
LoomPathSlack *loom_path_slack_new (const LoomPathGraph *graph);
void loom_path_slack_free (LoomPathSlack *slack);

/* Sets `slack_ns` to the slack of a span. Returns FALSE if the slack is unknown, for example because the span ends
 * outside the range. O(log nodes). */
gboolean loom_path_slack_get (const LoomPathSlack *slack, LoomSpanId span, gint64 *slack_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathSlack, loom_path_slack_free)
