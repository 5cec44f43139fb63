/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds a map of the ranks to the page "Parallelism": which rank has which position on the axes of parallelism. Texts
 * are translated. The functions may be called on any thread. O(ranks + cells).
 */
#pragma once

#include "loom-parallel-axes.h"
#include "loom-parallel-charts.h"

/* Adds a map of the ranks of a job whose axes form a grid. Each column is a data replica, each row is a position on the
 * other axes, and each cell contains the number of the rank with this replica and position. A map with many rows is a
 * table; if there are many replicas, a column of the table contains several replicas. If there are too many rows even
 * for a table, adds a note instead. */
void loom_parallel_map_add (const LoomParallelCharts *charts, LoomPageContent *sheet, const LoomParallelAxes *axes);

/* Adds a map with one row, for a run whose ranks all belong to one group. Adds nothing if there are too many ranks for
 * one row. */
void loom_parallel_map_add_world (const LoomParallelCharts *charts, LoomPageContent *sheet,
                                  const LoomParallelAxes *axes);
