/* SPDX-License-Identifier: Apache-2.0
 *
 * The durations of training steps. Also finds which steps are outliers (see LOOM_OUTLIER_FACTOR). The median step is
 * computed either for each rank or for all ranks together; with LOOM_NUMBER_CONVENTION_SMDEBUG always for all ranks
 * together. Any thread; expected O(rows + steps · log steps).
 */
#pragma once

#include "loom-data-frame.h"

#define LOOM_OUTLIER_FACTOR 2.0 /* steps longer than this multiple of the median step are outliers */

typedef struct {
  guint worker; /* index in the workers of the LoomDataFrame; G_MAXUINT if the group contains all workers */
  guint64 n;    /* number of steps; in a group of all workers, a step counts once for each rank that takes it */
  double median_ns;
  guint64 n_outliers, n_normal;
  gint64 total_ns;    /* sum of the durations of the steps, including their parts outside the range */
  gint64 in_range_ns; /* sum of the durations of the steps; counts only time inside the range of the LoomDataFrame */
} LoomStepGroup;

typedef struct {
  guint32 n_steps;         /* number of steps of the run; a step of several ranks counts once, see loom-step-index.h */
  guint32 n_outlier_steps; /* number of steps of the run that are outliers on at least one rank */
  guint n_ranks;           /* number of ranks (workers of the LoomDataFrame) that have training steps */
  LoomStepGroup *groups;   /* one group for each worker with training steps, or one group for all workers */
  guint n_groups;
  guint32 *outliers; /* the outlier steps: rows of the LoomDataFrame, ascending */
  guint32 n_outliers;
  /* rows of the LoomDataFrame: the steps that are not outliers. This array also contains the steps that are exactly as
   * long as the limit for outliers. Exception: if numbers are computed as smdebug does, such steps are neither in this
   * array nor in `outliers`. */
  guint32 *normal;
  guint32 n_normal;
} LoomStepDurations;

void loom_step_durations_init (LoomStepDurations *steps, const LoomDataFrame *frame, double factor, gboolean all_ranks);
void loom_step_durations_clear (LoomStepDurations *steps);
