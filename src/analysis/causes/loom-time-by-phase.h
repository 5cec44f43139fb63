/* SPDX-License-Identifier: Apache-2.0
 *
 * Time of the framework by phase and by event at given instants or in given intervals, as smdebug's "metrics by
 * timesteps" count it: a row once for each instant or interval it touches. formats/analysis.md §11. Any thread;
 * O(rows + instants) for rows in about the order of time, O(rows · intervals).
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

typedef struct {
  const char *name; /* borrowed */
  gint64 total_ns;
} LoomPhaseTimeSum;

typedef struct {
  GArray *processes; /* LoomPhaseTimeSum, in order of first appearance, without those named after steps */
  GArray *events;    /* the same by event name */
  GArray *phases;    /* the processes named after steps; none for intervals */
} LoomTimeByPhase;

/* Rows with start < t < end. `times_ns` ascending; as written the last one is not looked at. */
void loom_time_by_phase_init_at (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const gint64 *times_ns,
                                 guint n);
/* Rows with end ≥ begin and start ≤ end of the interval, events named after steps left out. */
void loom_time_by_phase_init_in (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const LoomRange *intervals,
                                 guint n);
void loom_time_by_phase_clear (LoomTimeByPhase *overlaps);

/* The largest sum; 0 when there is none. */
gint64 loom_time_by_phase_get_max (const GArray *sums);

G_END_DECLS
