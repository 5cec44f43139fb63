/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes two parts of the page "Parallelism": the time that each axis of parallelism (tensor, data, pipeline, …) costs,
 * and a map of the ranks. Texts are translated. The functions may be called on any thread.
 */
#pragma once

#include "loom-axis-cost.h"
#include "loom-page.h"
#include "loom-slowdown.h"
#include "loom-step-breakdown.h"

typedef struct {
  const LoomPageInput *input;
  const LoomAxisCost *cost;
  const LoomStepBreakdown *breakdown;
  const LoomSlowdown *slowdown;
  LoomCollectives *collectives;
} LoomParallelCharts;

/* Returns a sentence that states how much of the time in steps, on average, is lost to communication that computation
 * does not hide, and on which axes. NULL if no such communication was recorded, or if the run has no steps. Owned by
 * the caller. */
char *loom_parallel_charts_dup_cost (const LoomParallelCharts *self);
/* Returns a sentence that states how long the shortest and the longest step take, and how much of each is communication
 * that computation does not hide; all times are means over the ranks. NULL if the steps differ little. Owned by the
 * caller. */
char *loom_parallel_charts_dup_spread (const LoomParallelCharts *self);

/* Adds a chart with a bar for each axis, divided into waiting, transferring, and communication that computation hides.
 * The times are means per step and rank; if the run has no steps, they are sums over the range. Adds nothing if no
 * communication was recorded. */
void loom_parallel_charts_add_cost (const LoomParallelCharts *self, LoomPageContent *sheet);

/* Adds a map of the ranks: the colour of a cell shows how long its rank computes in a step, on average. Ranks that hold
 * up the others are framed. `ranks`: array with the element row · n_columns + column for each cell: number of the rank;
 * −1: the cell is empty. Activating a cell shows the rank on the timeline. */
void loom_parallel_charts_add_map (const LoomParallelCharts *self, LoomPageContent *sheet, const char *const *rows,
                                   guint n_rows, const char *const *columns, guint n_columns, const gint *ranks);
