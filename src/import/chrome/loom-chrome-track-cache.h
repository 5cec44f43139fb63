/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: maps the raw literals of pid and tid to process and thread, so that most events cost one
 * comparison.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-trace-builder.h"

typedef struct _LoomLaneCache LoomLaneCache;

LoomLaneCache *loom_chrome_track_cache_new (void);
void loom_chrome_track_cache_free (LoomLaneCache *cache);

gboolean loom_chrome_track_cache_find (LoomLaneCache *cache, LoomJsonSlice pid, LoomJsonSlice tid, guint32 *process,
                                       guint32 *thread);
/* Empties the cache. Must be called where a pid or tid gets another meaning. */
void loom_chrome_track_cache_reset (LoomLaneCache *cache);
void loom_chrome_track_cache_add (LoomLaneCache *cache, LoomJsonSlice pid, LoomJsonSlice tid, guint32 process,
                                  guint32 thread);
