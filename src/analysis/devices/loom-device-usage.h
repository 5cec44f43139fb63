/* SPDX-License-Identifier: Apache-2.0
 *
 * For each type of device (LoomSampleSeries.type: "cpu" or "gpu") and each host, counts the samples of CPU cores and
 * GPUs in given ranges of usage. A range of usage includes both ends. A sample counts in the first range that contains
 * its value. Only samples of utilization count, clamped to 0 … 100. If numbers are computed as smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG), samples of all metrics whose type contains "cpu" or "gpu" count, unless their
 * values are outside all ranges. Any thread; O(samples · ranges).
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
  /* [index in `ranges`, an argument of loom_device_usage_init()] number of samples in this range of usage */
  guint64 count[LOOM_MAX_USAGE_RANGES];
  guint64 n_samples; /* number of samples whose value is in one of the ranges of usage; the sum of `count` */
} LoomDeviceUsageRow;

typedef struct {
  LoomDeviceUsageRow *rows; /* sorted by type and host; hosts without samples in the usage ranges are omitted */
  guint n;
} LoomDeviceUsage;

/* Counts, for each type of device and each host, how many samples are in each range of usage. `with_cpu`: TRUE to count
 * samples of CPU cores, too; FALSE: only samples of GPUs count. */
void loom_device_usage_init (LoomDeviceUsage *usage, const LoomDataFrame *frame, const LoomUsageRange *ranges,
                             guint n_ranges, gboolean with_cpu);
void loom_device_usage_clear (LoomDeviceUsage *usage);
