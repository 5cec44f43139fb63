/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: a cache that maps the JSON literals of a pid and a tid to the process and thread. With the
 * cache, most events need only one comparison to find their thread.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-trace-builder.h"

typedef struct _LoomLaneCache LoomLaneCache;

LoomLaneCache *loom_chrome_track_cache_new (void);
void loom_chrome_track_cache_free (LoomLaneCache *cache);

gboolean loom_chrome_track_cache_find (LoomLaneCache *cache, LoomJsonSlice pid, LoomJsonSlice tid, guint32 *process,
                                       guint32 *thread);
/* Empties the cache. Must be called when a pid or tid begins to mean another process or thread. */
void loom_chrome_track_cache_reset (LoomLaneCache *cache);
void loom_chrome_track_cache_add (LoomLaneCache *cache, LoomJsonSlice pid, LoomJsonSlice tid, guint32 process,
                                  guint32 thread);
