/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the ranks of a job along one parallel axis (data, tensor, pipeline …; loom-parallel-axes.h), and finds sets
 * of ranks that do the same work, so that the timeline can show a single rank of each set. Pure functions, any
 * thread.
 */
#pragma once

#include "loom-parallel-axes.h"
#include "loom-rank-breakdown.h"

/* Returns the ranks (gint) sorted along an axis. On the axes data and pipeline, ranks are sorted by coordinate,
 * which is the position of a rank in its group: so the ranks of one replica or one stage become neighbours. On the
 * other axes, ranks are sorted by group: so the members of a group become neighbours. Ranks with equal coordinates
 * or groups are sorted by number; ranks without a group on the axis come last. Owned by the caller. O(ranks · log
 * ranks). */
GArray *loom_axis_order_new (const LoomParallelAxes *axes, LoomParallelAxis axis);

/* Returns TRUE if `axes` contains at least one group of ranks on the axis. */
gboolean loom_axis_order_is_known (const LoomParallelAxes *axes, LoomParallelAxis axis);

typedef struct {
  gint rank;
  gint representative; /* the lowest rank that does the same work as `rank` */
} LoomAlikeRank;

/* Two ranks do the same work if two conditions hold. First, their coordinates are equal on all axes except data and
 * expert. These two axes are excepted because they do not change the work of a rank. Second, four times of the two
 * ranks are nearly equal: computation, exposed communication, idling, and waiting for the last rank of collectives.
 * Each of these times may differ by at most this share of the recorded time of the rank with the lower number. Replicas
 * that wait in different ways, one in messages and one in collectives, count as different. In generated test runs,
 * noise is below 1 %, and a rank that is 20 % slower differs by more than 5 %. */
#define LOOM_AXIS_ORDER_ALIKE 0.03

/* For each rank, searches for lower ranks that do the same work (see LOOM_AXIS_ORDER_ALIKE). Returns a LoomAlikeRank
 * for each rank that has such a lower rank, ascending by rank. Owned by the caller. O(collectives · ranks); at worst
 * O(ranks²), if no two ranks do the same work. */
GArray *loom_axis_order_find_alike (const LoomParallelAxes *axes, LoomCollectives *collectives,
                                    const LoomRankBreakdown *breakdown);
