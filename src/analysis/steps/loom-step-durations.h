/* SPDX-License-Identifier: Apache-2.0
 *
 * Durations of training steps, and which steps are outliers. The median is computed for each
 * rank, or for all ranks together (with smdebug's numbers: always for all). Any thread; expected O(rows + steps · log
 * steps).
 */
#pragma once

#include "loom-data-frame.h"

#define LOOM_OUTLIER_FACTOR 2.0 /* steps longer than this multiple of the median are outliers */

typedef struct {
  guint worker; /* index in the frame's workers; G_MAXUINT: all workers */
  guint64 n;    /* number of steps; in the group of all workers, a step counts once for each rank */
  double median_ns;
  guint64 n_outliers, n_normal;
  gint64 total_ns;    /* sum of the durations of the steps, including their parts outside the range */
  gint64 in_range_ns; /* time of the steps inside the range of the frame */
} LoomStepGroup;

typedef struct {
  guint32 n_steps;         /* number of steps of the run; a step of several ranks counts once, see loom-step-index.h */
  guint32 n_outlier_steps; /* number of steps of the run that are an outlier on at least one rank */
  guint n_ranks;           /* number of workers with training steps */
  LoomStepGroup *groups;   /* one group for each of these workers, or one group for all */
  guint n_groups;
  guint32 *outliers; /* rows of the outlier steps, in the order of the frame */
  guint32 n_outliers;
  guint32 *normal; /* rows of all other steps; with smdebug's numbers, without steps exactly as long as the limit */
  guint32 n_normal;
} LoomStepDurations;

void loom_step_durations_init (LoomStepDurations *steps, const LoomDataFrame *frame, double factor, gboolean all_ranks);
void loom_step_durations_clear (LoomStepDurations *steps);
