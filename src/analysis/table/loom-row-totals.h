/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the rows of a LoomDataFrame (events of the training framework) and adds up their durations, either for each
 * combination of process, metric (name of a row) and worker, or for each metric. Any thread; O(rows), by radix sort.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  guint32 process; /* id of the process in the texts of the LoomDataFrame; 0 if there is one total for each metric */
  guint32 metric;  /* id of the metric's name in the texts of the LoomDataFrame */
  guint32 worker;  /* index in the workers of the LoomDataFrame; 0 if there is one total for each metric */
  guint64 count;
  gint64 total_ns;
} LoomRowTotal;

typedef struct {
  LoomRowTotal *items; /* sorted by process, then by metric, then by worker */
  guint n;
} LoomRowTotals;

void loom_row_totals_init (LoomRowTotals *totals, const LoomDataFrame *frame, gboolean by_metric_alone);
void loom_row_totals_clear (LoomRowTotals *totals);
