/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the durations of framework events (rows of a LoomDataFrame) by process, by event name and by phase of
 * training. Only rows that run at given instants or touch given intervals count. As in smdebug's "metrics by
 * timesteps", the duration of a row is added once for each instant or interval that it touches. Any thread. O(rows +
 * instants) if the rows are roughly in order of time; O(rows · intervals) for intervals.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  const char *name; /* borrowed */
  gint64 total_ns;
} LoomPhaseTimeSum;

typedef struct {
  /* one LoomPhaseTimeSum per process, in order of first appearance. If the sums were computed by
   * loom_time_by_phase_init_at(), does not contain processes that are already in `phases`. */
  GArray *processes;
  GArray *events; /* one LoomPhaseTimeSum per event name */
  /* one LoomPhaseTimeSum per process whose name contains "Step"; empty after loom_time_by_phase_init_in() */
  GArray *phases;
} LoomTimeByPhase;

/* For each instant in `times_ns`, adds the durations of those rows of the LoomDataFrame that run at this instant (start
 * < instant < end). The instants must ascend. If numbers are computed as smdebug does, the last instant is ignored. */
void loom_time_by_phase_init_at (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const gint64 *times_ns,
                                 guint n);
/* For each of the intervals, adds the durations of those rows of the LoomDataFrame that touch the interval; both ends
 * of the interval are included. Skips events whose names contain "Step". */
void loom_time_by_phase_init_in (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const LoomRange *intervals,
                                 guint n);
void loom_time_by_phase_clear (LoomTimeByPhase *overlaps);

/* Returns the largest total_ns of an array of LoomPhaseTimeSum; 0 if the array is empty. */
gint64 loom_time_by_phase_get_max (const GArray *sums);
