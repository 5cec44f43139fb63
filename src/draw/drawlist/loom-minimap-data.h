/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the whole run was, in a fixed number of buckets, for the overview strip above the timeline. Computed once
 * per timeline (on a worker thread), immutable, ref-counted atomically, painted at any width.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

#define LOOM_MINIMAP_DATA_BUCKETS 2048

typedef struct {
  LoomRange range;                       /* that the buckets divide; empty if the timeline is empty */
  float busy[LOOM_MINIMAP_DATA_BUCKETS]; /* 0 … 1 */
  gatomicrefcount refs;
} LoomMinimapData;

/* A bucket's value is the mean over ranks (or processes) of the share of time in which something ran: on accelerators
 * if the rank has any, else on its threads. O(tracks · buckets). NULL only when cancelled. */
LoomMinimapData *loom_minimap_data_new (LoomTimeline *timeline, GCancellable *cancellable);
LoomMinimapData *loom_minimap_data_ref (LoomMinimapData *overview);
void loom_minimap_data_unref (LoomMinimapData *overview);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMinimapData, loom_minimap_data_unref)
