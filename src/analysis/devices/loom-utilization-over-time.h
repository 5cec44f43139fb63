/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy devices were over a range: the mean and the highest sample of each bucket. A bucket may be seconds long, so
 * a mean alone would hide bursts. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-data-frame.h"

#define LOOM_USAGE_MAX_BUCKETS 160

/* The usage of one device over time. If there are too many CPU cores for one row each, a row is the mean of all
 * cores. */
typedef struct {
  LoomDevice device;
  /* series of the device in the LoomDataFrame; NULL: the row is the mean of all cores */
  const LoomSampleSeries *series;
  /* [bucket] mean and maximum of the samples in the bucket; NaN: there are no samples */
  double mean[LOOM_USAGE_MAX_BUCKETS], highest[LOOM_USAGE_MAX_BUCKETS];
} LoomUtilizationRow;

typedef struct {
  /* the part of the requested range that has samples; this part is divided into buckets; empty: there are no samples */
  LoomRange range;
  guint n_buckets;     /* number of buckets; at most the greatest number of samples of a series */
  GPtrArray *rows;     /* LoomUtilizationRow: GPUs first, then CPU cores; each in the order of the LoomDataFrame */
  gboolean has_bursts; /* TRUE if the highest sample differs from the mean in some bucket */
} LoomUtilizationOverTime;

/* Computes the usage of GPUs and CPU cores in buckets of equal length. O(samples + rows · buckets). */
LoomUtilizationOverTime *loom_utilization_over_time_new (const LoomDataFrame *frame, LoomRange range);
void loom_utilization_over_time_free (LoomUtilizationOverTime *usage);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomUtilizationOverTime, loom_utilization_over_time_free)
