/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache that maps the JSON literals of a pid and a tid to the process and thread. With the cache, most events need
 * only one comparison to find their thread. The interface is described in loom-chrome-track-cache.h.
 */
#include "loom-chrome-track-cache.h"

#include "loom-json-literal.h"

#include <string.h>

#define N_SLOTS 1024
#define MAX_LITERAL 24

typedef struct {
  char pid[MAX_LITERAL], tid[MAX_LITERAL];
  guint8 n_pid, n_tid;
  gboolean used;
  guint32 process, thread;
} Slot;

struct _LoomLaneCache {
  Slot slots[N_SLOTS];
};

LoomLaneCache *
loom_chrome_track_cache_new (void)
{
  return g_new0 (LoomLaneCache, 1);
}

void
loom_chrome_track_cache_free (LoomLaneCache *cache)
{
  g_free (cache);
}

void
loom_chrome_track_cache_reset (LoomLaneCache *cache)
{
  memset (cache, 0, sizeof *cache);
}

static inline guint
slot_for (LoomJsonSlice pid, LoomJsonSlice tid)
{
  guint64 hash = loom_json_literal_fold (loom_json_literal_hash (pid.text, pid.length),
                                         loom_json_literal_hash (tid.text, tid.length) | 1);
  return (guint) hash % N_SLOTS;
}

gboolean
loom_chrome_track_cache_find (LoomLaneCache *cache, LoomJsonSlice pid, LoomJsonSlice tid, guint32 *process,
                              guint32 *thread)
{
  if (pid.length > MAX_LITERAL || tid.length > MAX_LITERAL)
    return FALSE;
  const Slot *slot = &cache->slots[slot_for (pid, tid)];
  if (!slot->used || slot->n_pid != pid.length || slot->n_tid != tid.length ||
      !loom_json_literal_equal (slot->pid, pid.text, pid.length) ||
      !loom_json_literal_equal (slot->tid, tid.text, tid.length))
    return FALSE;
  *process = slot->process;
  *thread = slot->thread;
  return TRUE;
}

void
loom_chrome_track_cache_add (LoomLaneCache *cache, LoomJsonSlice pid, LoomJsonSlice tid, guint32 process,
                             guint32 thread)
{
  if (pid.length > MAX_LITERAL || tid.length > MAX_LITERAL)
    return;
  Slot *slot = &cache->slots[slot_for (pid, tid)];
  if (pid.length > 0)
    memcpy (slot->pid, pid.text, pid.length);
  if (tid.length > 0)
    memcpy (slot->tid, tid.text, tid.length);
  slot->n_pid = (guint8) pid.length;
  slot->n_tid = (guint8) tid.length;
  slot->process = process;
  slot->thread = thread;
  slot->used = TRUE;
}
