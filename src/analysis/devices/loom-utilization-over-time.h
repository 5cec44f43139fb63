/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy devices were in each stretch of a range: the mean and the highest of the samples that hold in it. A stretch may be
 * seconds long, and a mean alone would lose a burst. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

#define LOOM_USAGE_MAX_BUCKETS 160

/* A device, or all cores together where there are more than can be shown one by one. */
typedef struct {
  LoomDevice device;
  const LoomSampleSeries *series;                                       /* of the frame; NULL: all cores */
  double mean[LOOM_USAGE_MAX_BUCKETS], highest[LOOM_USAGE_MAX_BUCKETS]; /* NaN where there is no sample */
} LoomUtilizationRow;

typedef struct {
  LoomRange range;     /* of the buckets: the part of the range in which there are samples; empty: there are none */
  guint n_buckets;     /* no more than there are samples of a series */
  GPtrArray *rows;     /* LoomUtilizationRow: GPUs, then cores, in the order of the frame */
  gboolean has_bursts; /* somewhere the highest is not the mean */
} LoomUtilizationOverTime;

/* O(samples + rows · buckets). */
LoomUtilizationOverTime *loom_utilization_over_time_new (const LoomDataFrame *frame, LoomRange range);
void loom_utilization_over_time_free (LoomUtilizationOverTime *usage);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomUtilizationOverTime, loom_utilization_over_time_free)

G_END_DECLS
