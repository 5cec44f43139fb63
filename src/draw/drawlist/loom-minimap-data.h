/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of the overview strip above the timeline: how busy the whole run was, in a fixed number of buckets of time.
 * Computed once per timeline in a worker thread. Immutable, ref-counted atomically; can be painted at any width.
 */
#pragma once

#include <gio/gio.h>

#include "loom-collectives.h"

#define LOOM_MINIMAP_DATA_BUCKETS 2048

/* Kinds of activity of accelerators. Time in which several kinds are active counts only for the kind that comes first
 * here. */
typedef enum {
  LOOM_MINIMAP_COMPUTE,
  LOOM_MINIMAP_COMMUNICATION, /* communication while no computation runs */
  LOOM_MINIMAP_WAITING,       /* the part of communication in which ranks wait in collectives for other ranks */
  LOOM_MINIMAP_COPIES,        /* copies while neither computation nor communication runs */
  LOOM_MINIMAP_N_PARTS,
} LoomMinimapPart;

typedef struct {
  LoomRange range;                       /* the range that is divided into buckets; empty if the timeline is empty */
  float busy[LOOM_MINIMAP_DATA_BUCKETS]; /* share of the bucket's time in which the run was busy, 0 … 1 */
  /* TRUE if the run has spans of accelerators; `busy` is then the sum of the values in `part` */
  gboolean has_parts;
  float part[LOOM_MINIMAP_N_PARTS][LOOM_MINIMAP_DATA_BUCKETS];
  gatomicrefcount refs;
} LoomMinimapData;

/* Computes how busy the run was in each bucket (an equal part of the range), as a share of time. If the run has
 * accelerators, this is the share of time in which the accelerators of a rank ran something, as the mean over the
 * ranks with accelerators. For these shares (LoomMinimapData.part), all spans of the rows that the lane of a rank
 * would show are read (loom-lane-cells.h). Otherwise it is the share in which the busiest thread of a rank (or of a
 * process without a rank) ran something, as the mean over the ranks and these processes. `collectives`: the
 * collectives of the timeline, in which ranks wait for other ranks; NULL: unknown, no rank waits. O(spans of
 * accelerators + rows · buckets). Returns NULL only when cancelled. */
LoomMinimapData *loom_minimap_data_new (LoomTimeline *timeline, const LoomCollectives *collectives,
                                        GCancellable *cancellable);
/* Returns the data of `overview` for another range, which must not be empty. The value of each new bucket is the mean
 * of the buckets of `overview` that it covers; times outside of the run count as not busy. O(buckets). */
LoomMinimapData *loom_minimap_data_new_within (const LoomMinimapData *overview, LoomRange range);
LoomMinimapData *loom_minimap_data_ref (LoomMinimapData *overview);
void loom_minimap_data_unref (LoomMinimapData *overview);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMinimapData, loom_minimap_data_unref)
