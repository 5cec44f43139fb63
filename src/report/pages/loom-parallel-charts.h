/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the page "Parallelism": what each parallel axis costs, and a map of the ranks. Texts are translated. Any
 * thread.
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
} LoomParallelCharts;

/* Returns the sentence that says how much of each step is lost to communication that no computation hides, and on which
 * axes. NULL if no such time was recorded, or the run has no steps. Owned by the caller. */
char *loom_parallel_charts_dup_cost (const LoomParallelCharts *self);

/* Adds a chart with a bar for each axis: waiting, transferring, and communication that computation hides, as the mean per
 * step and rank, or as the sum if the run has no steps. Adds nothing if nothing was recorded. */
void loom_parallel_charts_add_cost (const LoomParallelCharts *self, LoomPageContent *sheet);

/* Adds a map of the ranks: the colour of a cell is the time for which the rank computes in a mean step. Ranks that hold
 * up the others are framed. `ranks`: [row · n_columns + column] rank, −1: none. Activating a cell shows the rank. */
void loom_parallel_charts_add_map (const LoomParallelCharts *self, LoomPageContent *sheet, const char *const *rows,
                                   guint n_rows, const char *const *columns, guint n_columns, const gint *ranks);
