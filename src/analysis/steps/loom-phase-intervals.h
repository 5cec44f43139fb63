/* SPDX-License-Identifier: Apache-2.0
 *
 * The run as a sequence of training phases. Consecutive steps of one mode form an interval. There are also intervals
 * for the gaps between such intervals, for the time from the earliest sample of a series to the first step, and for the
 * time from the last step to the latest sample. If a range is given, the intervals of the whole run are cut to it. Any
 * thread; O(steps of the host in the whole run).
 *
 * With LOOM_NUMBER_CONVENTION_SMDEBUG, there is only one sequence for all hosts, in the order of the rows. If only one
 * mode is selected, each of its steps is a separate interval.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  gint64 begin_ns, end_ns; /* both ends are included */
  char *name;              /* "Step:ModeKeys.TRAIN", "Between …", "Before …" or "After …"; owned */
} LoomPhaseInterval;

typedef struct {
  LoomPhaseInterval *items;
  guint n; /* number of intervals; 0 if the mode has no steps */
} LoomPhaseIntervals;

/* Finds the intervals of steps of a mode, and the intervals before, between and after these steps. `host_id`: the
 * host whose steps are used. If numbers are computed as smdebug does, `host_id` is ignored, and the steps of all
 * hosts are used. `mode`: NULL for all modes. */
void loom_phase_intervals_init (LoomPhaseIntervals *intervals, const LoomDataFrame *frame, guint32 host_id,
                                const char *mode);
void loom_phase_intervals_clear (LoomPhaseIntervals *intervals);
