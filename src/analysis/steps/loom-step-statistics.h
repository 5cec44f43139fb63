/* SPDX-License-Identifier: Apache-2.0
 *
 * How long steps took, by training phase, metric or process. For each key (phase, metric or process) and each step of a
 * rank, the duration is the time from the earliest start to the latest end of the rows with this key. For each key, the
 * mean, the extremes and the quantiles of these durations are computed. With LOOM_NUMBER_CONVENTION_SMDEBUG, the steps
 * of all phases, nodes and ranks that have the same number are one step. Any thread; O(rows), by radix sort.
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
  guint worker;    /* index in the workers of the LoomDataFrame; G_MAXUINT if the statistic is of all workers */
  guint32 n_steps; /* number of steps of the run; a step that several ranks take together counts once */
  guint n_ranks;   /* number of ranks (workers of the LoomDataFrame) that have rows with this key */
  /* durations of the steps; a step counts once for each rank that takes it, so ns.n may exceed n_steps */
  LoomStatistics ns;
  /* time of a step during which at least one row with this key runs, in ns; mean over the steps that `ns` counts; at
   * most ns.mean */
  double running_ns;
} LoomStepStatistic;

typedef struct {
  LoomStepStatistic *items; /* sorted by worker, then by the text of the key */
  guint n;
} LoomStepStatistics;

/* For each key (and each worker, if `per_rank`), computes how long the rows with this key take in each step, and the
 * statistics of these durations. Ignores rows outside of steps. */
void loom_step_statistics_init (LoomStepStatistics *statistics, const LoomDataFrame *frame, const LoomStepOfRow *steps,
                                LoomStepKey by, gboolean per_rank);
void loom_step_statistics_clear (LoomStepStatistics *statistics);
