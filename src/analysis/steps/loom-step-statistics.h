/* SPDX-License-Identifier: Apache-2.0
 *
 * How long steps took, by training phase, metric or process: for each key and step of a rank the time from the earliest
 * start to the latest end of its rows, then mean, extremes and quantiles of these per key. With smdebug's numbers, a step is
 * a number, of any phase, node and rank. Any thread; O(rows), by radix sort.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-statistics.h"
#include "loom-step-of-row.h"

typedef enum {
  LOOM_BY_TRAINING_PHASE, /* only the rows that are spans of steps, grouped by their metric */
  LOOM_BY_METRIC,
  LOOM_BY_PROCESS,
} LoomStepKey;

typedef struct {
  guint32 key;     /* id of the metric or process in the texts of the LoomDataFrame */
  guint worker;    /* index in the workers of the LoomDataFrame; G_MAXUINT: the statistic is of all workers */
  guint32 n_steps; /* number of steps of the run; a step that several ranks take together counts once */
  guint n_ranks;   /* number of workers that have rows with this key */
  /* durations of the steps; a step counts once for each rank that takes it, so ns.n may exceed n_steps */
  LoomStatistics ns;
} LoomStepStatistic;

typedef struct {
  LoomStepStatistic *items; /* sorted by worker, then by the text of the key */
  guint n;
} LoomStepStatistics;

/* Computes statistics of the rows in steps, one for each key (and each worker, if `per_rank`): statistics of the times
 * that the rows with this key take in each step. Ignores rows outside of steps. */
void loom_step_statistics_init (LoomStepStatistics *statistics, const LoomDataFrame *frame, const LoomStepOfRow *steps,
                                LoomStepKey by, gboolean per_rank);
void loom_step_statistics_clear (LoomStepStatistics *statistics);
