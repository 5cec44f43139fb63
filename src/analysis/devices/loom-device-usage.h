/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the samples of CPU cores and GPUs whose values are in given ranges of usage, for each type and host. A range
 * of usage includes both ends; a sample counts in the first range that contains it. Only samples of utilization count,
 * clamped to 0 … 100. If numbers are computed as smdebug does (LOOM_NUMBER_CONVENTION_SMDEBUG), all samples of the type
 * count, except values outside the ranges. Any thread; O(samples · ranges).
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  double low, high;
} LoomUsageRange;

#define LOOM_MAX_USAGE_RANGES 16
/* The usual ranges of usage, in percent: 90–100, 10–90, 0–10. */
extern const LoomUsageRange loom_device_usage_ranges[3];

typedef struct {
  const char *type, *host;
  /* [index in the argument `ranges` of loom_device_usage_init()] number of samples in this range of usage */
  guint64 count[LOOM_MAX_USAGE_RANGES];
  guint64 n_samples; /* sum of `count`: number of samples whose value is in one of the ranges of usage */
} LoomDeviceUsageRow;

typedef struct {
  LoomDeviceUsageRow *rows; /* sorted by type and host; hosts without samples in the usage ranges are omitted */
  guint n;
} LoomDeviceUsage;

/* Counts, for each type and host, how many samples are in each range of usage. `with_cpu`: TRUE to count samples of CPU
 * cores, too. */
void loom_device_usage_init (LoomDeviceUsage *usage, const LoomDataFrame *frame, const LoomUsageRange *ranges,
                             guint n_ranges, gboolean with_cpu);
void loom_device_usage_clear (LoomDeviceUsage *usage);
