/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums the durations of framework events (rows of a LoomDataFrame), by process, by event name and by phase of
 * training, for the rows that run at given instants or touch given intervals. As in smdebug's "metrics by
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
  /* one LoomPhaseTimeSum per process, in order of first appearance; after loom_time_by_phase_init_at(), without the
   * processes in `phases` */
  GArray *processes;
  GArray *events; /* one LoomPhaseTimeSum per event name */
  /* one LoomPhaseTimeSum per process whose name contains "Step"; empty after loom_time_by_phase_init_in() */
  GArray *phases;
} LoomTimeByPhase;

/* For each instant in `times_ns`, which must ascend, adds the durations of the rows of the LoomDataFrame that run at
 * this instant (start < instant < end). If numbers are computed as smdebug does, the last instant is ignored. */
void loom_time_by_phase_init_at (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const gint64 *times_ns,
                                 guint n);
/* For each of the intervals, adds the durations of the rows of the LoomDataFrame that touch it (both ends included).
 * Skips events whose names contain "Step". */
void loom_time_by_phase_init_in (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const LoomRange *intervals,
                                 guint n);
void loom_time_by_phase_clear (LoomTimeByPhase *overlaps);

/* Returns the largest total_ns of an array of LoomPhaseTimeSum; 0 if the array is empty. */
gint64 loom_time_by_phase_get_max (const GArray *sums);
