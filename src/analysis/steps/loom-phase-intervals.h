/* SPDX-License-Identifier: Apache-2.0
 *
 * The run as a sequence of training phases: consecutive steps of one mode are one interval, between them the gaps, before
 * and behind them what the samples show of the job. formats/analysis.md §11. In a range these are the intervals of the
 * whole run, cut to the range. Any thread; O(rows of the whole run).
 *
 * As written of all hosts in one, in the order of the rows; with one mode only, steps are not joined.
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns, end_ns; /* both belong to it */
  char *name;              /* owned; "Step:ModeKeys.TRAIN", "Between …", "Before …", "After …" */
} LoomPhaseInterval;

typedef struct {
  LoomPhaseInterval *items;
  guint n; /* 0: there are no steps of the mode */
} LoomPhaseIntervals;

/* `host_id`: of intended intervals. `mode` NULL: all. */
void loom_phase_intervals_init (LoomPhaseIntervals *intervals, const LoomDataFrame *frame, guint32 host_id,
                                const char *mode);
void loom_phase_intervals_clear (LoomPhaseIntervals *intervals);

G_END_DECLS
