/* SPDX-License-Identifier: Apache-2.0
 *
 * Time of the framework by phase and by event, at given times or in given intervals. Like smdebug's "metrics by timesteps",
 * a row counts once for each time or interval that it touches. Any thread; O(rows + times) for rows roughly in order of
 * time, O(rows · intervals).
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  const char *name; /* borrowed */
  gint64 total_ns;
} LoomPhaseTimeSum;

typedef struct {
  /* LoomPhaseTimeSum by process in order of first appearance, without processes named after steps */
  GArray *processes;
  GArray *events; /* LoomPhaseTimeSum by event name */
  GArray *phases; /* LoomPhaseTimeSum of the processes named after steps; empty for intervals */
} LoomTimeByPhase;

/* Sums the rows with start < t < end for an instant t. `times_ns` is ascending; with smdebug's numbers, its last
 * instant is ignored. */
void loom_time_by_phase_init_at (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const gint64 *times_ns,
                                 guint n);
/* Sums the rows with end ≥ begin and start ≤ end of an interval, without events named after steps. */
void loom_time_by_phase_init_in (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const LoomRange *intervals,
                                 guint n);
void loom_time_by_phase_clear (LoomTimeByPhase *overlaps);

/* The largest sum; 0 if there are no sums. */
gint64 loom_time_by_phase_get_max (const GArray *sums);
