/* SPDX-License-Identifier: Apache-2.0
 *
 * How long steps took, by training phase, metric or process: per step and key from the earliest start to the latest end,
 * then mean, extremes and quantiles of these per key. formats/analysis.md §11. Any thread; O(rows), by radix sort.
 */
#pragma once

#include "loom-frame.h"
#include "loom-stats.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_BY_TRAINING_PHASE, /* the steps themselves, by their metric */
  LOOM_BY_METRIC,
  LOOM_BY_PROCESS,
} LoomStepKey;

typedef struct {
  guint32 key;      /* text id of the frame */
  guint worker;     /* index into the workers; G_MAXUINT: a step of several ranks is one */
  LoomSummary ns;   /* of the steps */
} LoomStepStatistic;

typedef struct {
  LoomStepStatistic *items; /* by worker, then text */
  guint n;
} LoomStepStatistics;

/* `steps` by row, from loom_row_steps_dup(); rows of −1 are left out. */
void loom_step_statistics_init (LoomStepStatistics *statistics, const LoomFrame *frame, const gint32 *steps, LoomStepKey by,
                                gboolean per_rank);
void loom_step_statistics_clear (LoomStepStatistics *statistics);

G_END_DECLS
