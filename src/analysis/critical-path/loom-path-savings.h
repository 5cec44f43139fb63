/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: computes how much time would be saved if parts of a critical path were faster. Each saving
 * is computed by a replay of the graph (loom-path-replay.h).
 */
#pragma once

#include "loom-path-sets.h"

/* Computes the savings of all kinds of segments, of all parallel axes, and of those names and modules of `path` that
 * take the most time on the path. Also computes the slack of these names. `name_ids`: [index in path->names] id of
 * the name in `names`; LOOM_PATH_NONE: time of the host between spans. O(edges) for each saving; the savings are
 * computed in parallel on all processors. */
void loom_path_savings_compute (LoomCriticalPath *path, const LoomPathGraph *graph, const LoomRunNames *names,
                                const guint32 *name_ids, const LoomPathSets *sets, GCancellable *cancellable);
