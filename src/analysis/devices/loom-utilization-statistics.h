/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of samples (mean, extremes, quantiles) by type of resource and by host, for the whole run or for each
 * training phase. Samples are also grouped by dimension, because the metrics of one type have different units. Samples
 * of other types than cpu and gpu are also grouped by name: for example, the dimension of a network metric is the
 * container (Algorithm, Platform), and its name is the direction. If numbers are computed as smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG), samples are grouped neither by dimension nor by name. Any thread; expected time
 * O(samples).
 */
#pragma once

#include "loom-phase-intervals.h"
#include "loom-statistics.h"

typedef struct {
  /* "cpu", "gpu", "memory", "i/o", "network", or any other type. Statistics are sorted by type in this order; other
   * types come last. If numbers are computed as smdebug does, only these five types occur. */
  const char *type;
  /* dimension of the metric or, if it has no dimension, its name. NULL if numbers are computed as smdebug does, because
   * then the statistics cover all metrics of the type. */
  const char *dimension;
  const char *name; /* name of the metric if the samples are grouped by it in addition to their dimension; else NULL */
  const char *unit;
  const char *phase; /* name of the phase interval; NULL: the statistics cover the whole run */
  const char *host;
  LoomStatistics value;
} LoomUtilizationStatistic;

typedef struct {
  /* sorted by type (in the order stated at LoomUtilizationStatistic.type), dimension, name, phase, host */
  LoomUtilizationStatistic *items;
  guint n;
  GPtrArray *intervals; /* LoomPhaseIntervals, owned; LoomUtilizationStatistic.phase points to their names */
} LoomUtilizationStatistics;

/* Computes statistics of all metrics. If `by_phase` is TRUE, computes them separately for each phase interval. A phase
 * interval includes both its ends. If intervals of a host overlap, a sample counts for the last one that contains
 * it. */
void loom_utilization_statistics_init (LoomUtilizationStatistics *statistics, const LoomDataFrame *frame,
                                       gboolean by_phase);
void loom_utilization_statistics_clear (LoomUtilizationStatistics *statistics);
/* Returns what the metric measures, such as "GPUUtilization" or "Receive, Algorithm"; NULL if numbers are computed as
 * smdebug does. Owned by the caller. */
char *loom_utilization_statistics_dup_label (const LoomUtilizationStatistic *item);
