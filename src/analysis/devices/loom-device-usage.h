/* SPDX-License-Identifier: Apache-2.0
 *
 * How many samples of cores and GPUs lie in which range of values, per type and host. Ranges include both ends, the first
 * that fits counts. formats/analysis.md §11. Intended values are of the utilization and clamped to 0 … 100; as written
 * all of the type, and what lies outside is left out. Any thread; O(samples · ranges).
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

typedef struct {
  double low, high;
} LoomUsageRange;

#define LOOM_MAX_USAGE_RANGES 16
/* 90–100, 10–90, 0–10. */
extern const LoomUsageRange loom_device_usage_ranges[3];

typedef struct {
  const char *type, *host;
  guint64 count[LOOM_MAX_USAGE_RANGES]; /* by range, as given */
  guint64 n_samples;                    /* in one of the ranges */
} LoomDeviceUsageRow;

typedef struct {
  LoomDeviceUsageRow *rows; /* by type and host; hosts without samples in the ranges are not there */
  guint n;
} LoomDeviceUsage;

/* `with_cpu`: cores too. */
void loom_device_usage_init (LoomDeviceUsage *usage, const LoomDataFrame *frame, const LoomUsageRange *ranges,
                             guint n_ranges, gboolean with_cpu);
void loom_device_usage_clear (LoomDeviceUsage *usage);

G_END_DECLS
