/* SPDX-License-Identifier: Apache-2.0
 *
 * The slack of a span: how much longer the span could take without moving the end of the range. It is the slack of the
 * first node in the graph of the critical path that waits for the span: the latest possible time of this node minus its
 * measured time. Spans on the critical path have the slack 0.
 *
 *   kernels and copies  slack of their own end
 *   spans of the host   slack of the next call, step or end of the process. Only known on threads that call the device,
 *                       because the graph does not contain the work that other threads delay.
 *
 * Memory: 16 bytes for each kernel, copy and call. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct _LoomPathSlack LoomPathSlack;
typedef struct _LoomPathGraph LoomPathGraph; /* private: defined in loom-path-graph.h */

/* Computes the slack of all nodes. Keeps a reference to the timeline of the graph, but no reference to the graph.
 * O(nodes + edges). */
LoomPathSlack *loom_path_slack_new (const LoomPathGraph *graph);
void loom_path_slack_free (LoomPathSlack *slack);

/* Sets `slack_ns` to the slack of a span. Returns FALSE if the slack is unknown, for example because the span ends
 * outside the range. O(log nodes). */
gboolean loom_path_slack_get (const LoomPathSlack *slack, LoomSpanId span, gint64 *slack_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathSlack, loom_path_slack_free)
