/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples by resource and host, of the whole run or per training phase: mean, extremes, quantiles. formats/analysis.md
 * §11. Intended also by dimension, for a type mixes what has different units. Any thread; expected O(samples).
 */
#pragma once

#include "loom-phase-intervals.h"
#include "loom-statistics.h"

G_BEGIN_DECLS

typedef struct {
  const char *type;      /* "cpu", "gpu", "memory", "i/o", "network", then what else there is; as written these five */
  const char *dimension; /* intended; what has none goes by its name. As written NULL: all of the type */
  const char *unit;
  const char *phase; /* name of the phase interval; NULL: all of the run */
  const char *host;
  LoomStatistics value;
} LoomUtilizationStatistic;

typedef struct {
  LoomUtilizationStatistic *items; /* by type in the order above, dimension, phase, host */
  guint n;
  GPtrArray *intervals; /* owned LoomPhaseIntervals the names of phases come from */
} LoomUtilizationStatistics;

/* `by_phase`: per interval, both ends included; where intervals overlap the last one counts, per host. */
void loom_utilization_statistics_init (LoomUtilizationStatistics *statistics, const LoomDataFrame *frame,
                                       gboolean by_phase);
void loom_utilization_statistics_clear (LoomUtilizationStatistics *statistics);

G_END_DECLS
