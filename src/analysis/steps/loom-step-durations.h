/* SPDX-License-Identifier: Apache-2.0
 *
 * How long training steps took, and which stand out: formats/analysis.md §8. The median is taken per rank, or over all
 * of them (as written always). Any thread; expected O(rows + steps · log steps).
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

#define LOOM_OUTLIER_FACTOR 2.0 /* longer than so many medians */

typedef struct {
  guint worker; /* index into the frame's workers; G_MAXUINT: all */
  guint64 n;    /* steps; of all: each rank's */
  double median_ns;
  guint64 n_outliers, n_normal;
  gint64 total_ns;    /* of whole steps */
  gint64 in_range_ns; /* of the steps, what lies in the range of the frame */
} LoomStepGroup;

typedef struct {
  guint32 n_steps;         /* of the run: ranks take a step together. See loom-step-index.h */
  guint32 n_outlier_steps; /* of these, how many are an outlier on some rank */
  guint n_ranks;           /* workers with training steps */
  LoomStepGroup *groups;   /* of these, or one of all */
  guint n_groups;
  guint32 *outliers; /* rows of the frame, in its order */
  guint32 n_outliers;
  guint32 *normal; /* as written without those at exactly the limit */
  guint32 n_normal;
} LoomStepDurations;

void loom_step_durations_init (LoomStepDurations *steps, const LoomDataFrame *frame, double factor, gboolean all_ranks);
void loom_step_durations_clear (LoomStepDurations *steps);

G_END_DECLS
