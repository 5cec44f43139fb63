/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks of a job in an order along one of its axes, and those that do the same work. formats/analysis-2.md §8. Pure, any
 * thread.
 */
#pragma once

#include "loom-parallel-axes.h"
#include "loom-rank-breakdown.h"

/* Ranks (gint) sorted along an axis: of data and pipeline by coordinate, so that ranks of one replica or stage are
 * neighbours; of the others by group, so that the members of a group are. Equal ranks by number; ranks in no group of the
 * axis last. Owned by the caller. O(ranks · log ranks). */
GArray *loom_axis_order_new (const LoomParallelAxes *axes, LoomParallelAxis axis);

/* TRUE if the axis has groups of several ranks. */
gboolean loom_axis_order_is_known (const LoomParallelAxes *axes, LoomParallelAxis axis);

typedef struct {
  gint rank;
  gint representative; /* the lowest rank that it is like */
} LoomAlikeRank;

/* Ranks with the same place on all axes but data and expert (whose groups divide the data axis) are alike if their times of
 * computation, exposed communication, idling and waiting for the last rank of collectives differ by at most this share of the
 * recorded time of the representative. Of two replicas one may wait in messages and the other in collectives: they differ.
 * Noise of planted runs is below 1 %; a rank that is a fifth slower differs by more than 5 %. */
#define LOOM_AXIS_ORDER_ALIKE 0.03

/* The ranks that are like a lower one (LoomAlikeRank), ascending. Owned by the caller. O(collectives · ranks), and O(ranks²) at
 * worst, if no two ranks are alike. */
GArray *loom_axis_order_find_alike (const LoomParallelAxes *axes, LoomCollectives *collectives,
                                    const LoomRankBreakdown *breakdown);
