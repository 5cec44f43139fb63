/* SPDX-License-Identifier: Apache-2.0
 *
 * The number and the total time of rows: for each combination of process, metric and writer, or for each metric. Any
 * thread; O(rows), by radix sort.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  guint32 process; /* id of the process in the texts of the LoomDataFrame; 0 if totals are by metric alone */
  guint32 metric;  /* text id */
  guint32 worker;  /* index in the workers of the LoomDataFrame; 0 if totals are by metric alone */
  guint64 count;
  gint64 total_ns;
} LoomRowTotal;

typedef struct {
  LoomRowTotal *items; /* sorted by id */
  guint n;
} LoomRowTotals;

void loom_row_totals_init (LoomRowTotals *totals, const LoomDataFrame *frame, gboolean by_metric_alone);
void loom_row_totals_clear (LoomRowTotals *totals);
