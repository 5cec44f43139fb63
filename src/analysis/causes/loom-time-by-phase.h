/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums the time of the framework by phase and by event, at given times or in given intervals. As in smdebug's "metrics
 * by timesteps", a row counts once for each time or interval that it touches. Any thread. O(rows + times) if the rows
 * are roughly in order of time; O(rows · intervals) for intervals.
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

/* Sums the rows of the LoomDataFrame that run at one of the instants `times_ns`, which ascend: rows with start <
 * instant < end. If numbers are computed as smdebug does, the last instant is ignored. */
void loom_time_by_phase_init_at (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const gint64 *times_ns,
                                 guint n);
/* Sums the rows of the LoomDataFrame that touch one of the intervals (both ends included). Skips events whose names
 * contain "Step". */
void loom_time_by_phase_init_in (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const LoomRange *intervals,
                                 guint n);
void loom_time_by_phase_clear (LoomTimeByPhase *overlaps);

/* Returns the largest total_ns of an array of LoomPhaseTimeSum; 0 if the array is empty. */
gint64 loom_time_by_phase_get_max (const GArray *sums);
