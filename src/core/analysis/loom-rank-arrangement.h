/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the ranks of the timeline along a parallelism axis of the job (LoomParallelAxis, for example data or pipeline
 * parallelism), and folds ranks: if several ranks do the same work, shows only one of them. Sorting and folding change
 * rows of the timeline, so they are saved with the session and can be undone. A worker finds the axes whenever the
 * collectives of the view change. Main thread only.
 *
 * Properties: "axes", the bits 1 << LoomParallelAxis of the axes along which ranks can be sorted, 0 until the axes are
 * known; "folded", TRUE while ranks are folded. Setting "folded" to TRUE starts a worker that compares the ranks; the
 * property becomes TRUE when the worker has found ranks with the same work. If the collectives change during the
 * comparison, it starts again with the new collectives; setting "folded" to FALSE cancels it.
 *
 * Signal: "none-alike" when the worker has found no ranks with the same work.
 */
#pragma once

#include "loom-parallel-axis.h"
#include "loom-timeline-state.h"

#define LOOM_TYPE_RANK_ARRANGEMENT (loom_rank_arrangement_get_type ())
G_DECLARE_FINAL_TYPE (LoomRankArrangement, loom_rank_arrangement, LOOM, RANK_ARRANGEMENT, GObject)

/* Makes an object that sorts and folds the ranks of a view. Takes a reference to the view. */
LoomRankArrangement *loom_rank_arrangement_new (LoomTimelineState *view);

gboolean loom_rank_arrangement_can_sort (LoomRankArrangement *self, LoomParallelAxis axis);
/* Sorts the ranks by an axis. Does nothing if the axis is not known. */
void loom_rank_arrangement_sort (LoomRankArrangement *self, LoomParallelAxis axis);

void loom_rank_arrangement_set_folded (LoomRankArrangement *self, gboolean folded);
gboolean loom_rank_arrangement_get_folded (LoomRankArrangement *self);
/* Returns TRUE while a worker compares ranks. */
gboolean loom_rank_arrangement_is_busy (LoomRankArrangement *self);
