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
  const char *dimension; /* a metric without a dimension uses its name; NULL with smdebug's numbers: the whole type */
  const char *unit;
  const char *phase; /* name of the phase interval; NULL: the whole run */
  const char *host;
  LoomStatistics value;
} LoomUtilizationStatistic;

typedef struct {
  LoomUtilizationStatistic *items; /* sorted by type in the order above, dimension, phase, host */
  guint n;
  GPtrArray *intervals; /* owned LoomPhaseIntervals; `phase` borrows its names from them */
} LoomUtilizationStatistics;

/* `by_phase`: one item per phase interval, both ends included; if intervals of a host overlap, the last one counts. */
void loom_utilization_statistics_init (LoomUtilizationStatistics *statistics, const LoomDataFrame *frame,
                                       gboolean by_phase);
void loom_utilization_statistics_clear (LoomUtilizationStatistics *statistics);
