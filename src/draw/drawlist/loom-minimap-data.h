/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the whole run was, in a fixed number of buckets, for the overview strip above the timeline. Computed once
 * per timeline (on a worker thread), immutable, ref-counted atomically, painted at any width.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

typedef struct _LoomMinimapData LoomMinimapData;

#define LOOM_MINIMAP_DATA_BUCKETS 2048

/* A bucket's value is the mean over ranks (or processes) of the share of time in which something ran: on accelerators
 * if the rank has any, else on its threads. O(tracks · buckets). NULL only when cancelled. */
LoomMinimapData *loom_minimap_data_new (LoomTimeline *timeline, GCancellable *cancellable);
LoomMinimapData *loom_minimap_data_ref (LoomMinimapData *overview);
void loom_minimap_data_unref (LoomMinimapData *overview);

/* The range that the buckets divide; empty if the timeline is empty. */
LoomRange loom_minimap_data_get_range (const LoomMinimapData *overview);
/* LOOM_MINIMAP_DATA_BUCKETS values 0 … 1. */
const float *loom_minimap_data_get_busy (const LoomMinimapData *overview);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMinimapData, loom_minimap_data_unref)
