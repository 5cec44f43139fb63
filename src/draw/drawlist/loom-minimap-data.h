/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the whole run was, in a fixed number of buckets, for the overview strip above the timeline. Computed once
 * per timeline (on a worker thread), immutable, ref-counted atomically, painted at any width.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

#define LOOM_MINIMAP_DATA_BUCKETS 2048

/* Kinds of activity of accelerators. A part does not count time in which a part before it is active. */
typedef enum {
  LOOM_MINIMAP_COMPUTE,
  LOOM_MINIMAP_COMMUNICATION, /* communication while no computation runs */
  LOOM_MINIMAP_COPIES,        /* only copies and other work */
  LOOM_MINIMAP_N_PARTS,
} LoomMinimapPart;

typedef struct {
  LoomRange range;                       /* the range that is divided into buckets; empty if the timeline is empty */
  float busy[LOOM_MINIMAP_DATA_BUCKETS]; /* 0 … 1 */
  gboolean has_parts;                    /* the run has spans of accelerators: busy is the sum of the parts */
  float part[LOOM_MINIMAP_N_PARTS][LOOM_MINIMAP_DATA_BUCKETS];
  gatomicrefcount refs;
} LoomMinimapData;

/* A bucket's value is the mean over ranks (or processes) of the share of time in which something ran: on accelerators
 * if the run has any, then only over ranks with accelerators; else on threads.
 *
 * The parts are estimates, because the spans of a bucket are not walked. The busy time of a row consists of its longest
 * span, which has one part; the rest is divided among the parts as in a sample of the row's spans. A part of a rank is
 * as busy as in its busiest row; the parts are then combined as if they were independent. If one span fills the bucket,
 * as in a long wait inside a collective, the parts are exact. O(rows · buckets). NULL only when cancelled. */
LoomMinimapData *loom_minimap_data_new (LoomTimeline *timeline, GCancellable *cancellable);
/* Returns the same data over another range, which must not be empty; outside of the run nothing is busy. A bucket is the mean
 * of the overview's buckets that it covers. O(buckets). */
LoomMinimapData *loom_minimap_data_new_within (const LoomMinimapData *overview, LoomRange range);
LoomMinimapData *loom_minimap_data_ref (LoomMinimapData *overview);
void loom_minimap_data_unref (LoomMinimapData *overview);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMinimapData, loom_minimap_data_unref)
