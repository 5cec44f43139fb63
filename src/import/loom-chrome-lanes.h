/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: from the raw literals of pid and tid to process and thread, so that the common event costs one
 * comparison.
 */
#pragma once

#include "loom-builder.h"
#include "loom-json-text.h"

G_BEGIN_DECLS

typedef struct _LoomLaneCache LoomLaneCache;

LoomLaneCache *loom_lane_cache_new (void);
void loom_lane_cache_free (LoomLaneCache *cache);

gboolean loom_lane_cache_find (LoomLaneCache *cache, LoomSlice pid, LoomSlice tid, guint32 *process, guint32 *thread);
/* Forgets everything: ids mean something else from here on. */
void loom_lane_cache_reset (LoomLaneCache *cache);
void loom_lane_cache_add (LoomLaneCache *cache, LoomSlice pid, LoomSlice tid, guint32 process, guint32 thread);

G_END_DECLS
