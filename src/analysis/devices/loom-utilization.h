/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy GPUs or CPUs were: counts and histograms of all samples and of those inside the training loop, for all
 * devices together and for each device. Any thread; O(samples).
 */
#pragma once

#include "loom-job-phases.h"
#include "loom-statistics.h"

#define LOOM_UTILIZATION_BINS 50

typedef struct {
  const char *host, *name; /* borrowed from the LoomDataFrame; `name` is NULL in the element for all devices together */
  /* n_samples: number of samples; n_zero: number of samples that are exactly 0; n_below_50: number of samples below 50
   * % */
  guint64 n_samples, n_zero, n_below_50;
  guint64 n_in_loop;
  LoomHistogram histogram, histogram_in_loop;
} LoomUtilizationPart;

typedef struct {
  LoomUtilizationPart all;
  LoomUtilizationPart *devices; /* sorted by host and name */
  guint n_devices;
} LoomUtilization;

/* Computes histograms of the usage of GPUs or cores. `shared`: TRUE if the two histograms of a LoomUtilizationPart have
 * the same bins; FALSE if each of them has bins that fit its own values. */
void loom_utilization_init (LoomUtilization *utilization, const LoomDataFrame *frame, const LoomJobPhases *phases,
                            LoomDevice device, LoomSelect select, gboolean shared);
void loom_utilization_clear (LoomUtilization *utilization);
