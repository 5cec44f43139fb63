/* SPDX-License-Identifier: Apache-2.0
 *
 * The run as a sequence of training phases: consecutive steps of one mode form an interval. The gaps between them are
 * intervals too, and so are the time from the earliest sample of a series to the first step, and the time from the last
 * step to the latest sample. For a range, the intervals of the whole run are cut to the range. Any thread; O(steps
 * of the host in the whole run).
 *
 * With LOOM_NUMBER_CONVENTION_SMDEBUG, all hosts share one sequence, in the order of the rows; if only one mode is
 * selected, each of its steps is an interval of its own.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  gint64 begin_ns, end_ns; /* both ends are included */
  char *name;              /* owned; "Step:ModeKeys.TRAIN", "Between …", "Before …", "After …" */
} LoomPhaseInterval;

typedef struct {
  LoomPhaseInterval *items;
  guint n; /* number of intervals; 0 if the mode has no steps */
} LoomPhaseIntervals;

/* Finds the intervals of steps of a mode, and the intervals before, between and after these steps. `host_id`: host
 * whose steps count; ignored if numbers are computed as smdebug does, because then the steps of all hosts count.
 * `mode`: NULL for all modes. */
void loom_phase_intervals_init (LoomPhaseIntervals *intervals, const LoomDataFrame *frame, guint32 host_id,
                                const char *mode);
void loom_phase_intervals_clear (LoomPhaseIntervals *intervals);
