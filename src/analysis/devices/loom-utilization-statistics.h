/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of samples by resource and host, for the whole run or per training phase: mean, extremes, quantiles. Intended
 * statistics are also grouped by dimension, because a type mixes different units. Any thread; expected O(samples).
 */
#pragma once

#include "loom-phase-intervals.h"
#include "loom-statistics.h"

typedef struct {
  /* "cpu", "gpu", "memory", "i/o", "network", then all other types; with smdebug's numbers only these five */
  const char *type;
  /* dimension of the metric, or its name if it has no dimension; NULL if numbers are computed as smdebug does: `value`
   * is then over all metrics of the type */
  const char *dimension;
  const char *unit;
  const char *phase; /* name of the phase interval; NULL: the whole run */
  const char *host;
  LoomStatistics value;
} LoomUtilizationStatistic;

typedef struct {
  LoomUtilizationStatistic *items; /* sorted by type (in the order given there), dimension, phase, host */
  guint n;
  GPtrArray *intervals; /* owned LoomPhaseIntervals; `phase` borrows its names from them */
} LoomUtilizationStatistics;

/* Computes statistics of all metrics. `by_phase`: for each phase interval separately, both ends included; if
 * intervals of a host overlap, a sample counts for the last one. */
void loom_utilization_statistics_init (LoomUtilizationStatistics *statistics, const LoomDataFrame *frame,
                                       gboolean by_phase);
void loom_utilization_statistics_clear (LoomUtilizationStatistics *statistics);
