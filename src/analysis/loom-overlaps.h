/* SPDX-License-Identifier: Apache-2.0
 *
 * Time of the framework by phase and by event at given instants or in given intervals, as smdebug's "metrics by
 * timesteps" count it: a row once for each instant or interval it touches. formats/analysis.md §11. Any thread;
 * O(rows + instants) for rows in about the order of time, O(rows · intervals).
 */
#pragma once

#include "loom-frame.h"

G_BEGIN_DECLS

typedef struct {
  const char *name; /* borrowed */
  gint64 total_ns;
} LoomOverlapSum;

typedef struct {
  GArray *processes; /* LoomOverlapSum, in order of first appearance, without those named after steps */
  GArray *events;    /* the same by event name */
  GArray *phases;    /* the processes named after steps; none for intervals */
} LoomOverlaps;

/* Rows with start < t < end. `times_ns` ascending; as written the last one is not looked at. */
void loom_overlaps_init_at (LoomOverlaps *overlaps, const LoomFrame *frame, const gint64 *times_ns, guint n);
/* Rows with end ≥ begin and start ≤ end of the interval, events named after steps left out. */
void loom_overlaps_init_in (LoomOverlaps *overlaps, const LoomFrame *frame, const LoomRange *intervals, guint n);
void loom_overlaps_clear (LoomOverlaps *overlaps);

/* The largest sum; 0 when there is none. */
gint64 loom_overlaps_get_max (const GArray *sums);

G_END_DECLS
