/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes the rows of the ranks on the timeline in two ways. Sorting orders the ranks along a parallelism axis of the
 * job (LoomParallelAxis, for example data or pipeline parallelism). Folding shows only one of several ranks that do the
 * same work. Both are saved with the session and can be undone. A worker thread finds the axes each time the
 * collectives of the view change. Main thread only.
 *
 * Properties: "axes" is a set of bits 1 << LoomParallelAxis, one for each axis along which ranks can be sorted; it is 0
 * until the axes are known. "folded" is TRUE while ranks are folded. Setting "folded" to TRUE starts a worker thread
 * that compares the ranks; the property becomes TRUE when ranks with the same work were found. If the collectives
 * change during the comparison, it starts again with the new collectives. Setting "folded" to FALSE cancels it.
 *
 * Signal "none-alike": emitted when the comparison found no ranks with the same work.
 */
#pragma once

#include "loom-parallel-axis.h"
#include "loom-timeline-state.h"

#define LOOM_TYPE_RANK_ARRANGEMENT (loom_rank_arrangement_get_type ())
G_DECLARE_FINAL_TYPE (LoomRankArrangement, loom_rank_arrangement, LOOM, RANK_ARRANGEMENT, GObject)

/* Makes an object that sorts and folds the ranks of a view. Takes a reference to the view. */
LoomRankArrangement *loom_rank_arrangement_new (LoomTimelineState *view);

gboolean loom_rank_arrangement_can_sort (LoomRankArrangement *self, LoomParallelAxis axis);
/* Sorts the ranks along an axis. Does nothing if the ranks cannot be sorted along this axis. */
void loom_rank_arrangement_sort (LoomRankArrangement *self, LoomParallelAxis axis);

void loom_rank_arrangement_set_folded (LoomRankArrangement *self, gboolean folded);
gboolean loom_rank_arrangement_get_folded (LoomRankArrangement *self);
/* Returns TRUE while a worker thread compares ranks. */
gboolean loom_rank_arrangement_is_busy (LoomRankArrangement *self);
