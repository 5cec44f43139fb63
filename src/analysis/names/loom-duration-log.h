/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: durations by key, appended in any order. A key's lie in pieces that grow, all of them in a few
 * large slabs, so that keeping one costs its own eight bytes. A log per thread; no locks.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomDurationChunk LoomDurationChunk;
struct _LoomDurationChunk {
  LoomDurationChunk *older;
  gsize n, size;
  gint64 dur_ns[];
};

typedef struct {
  LoomDurationChunk **last; /* by key */
  GPtrArray *slabs;
  char *at, *end; /* what is left of the last slab */
} LoomDurationLog;

void loom_duration_log_init (LoomDurationLog *log, gsize n_keys); /* before anything else, and again once cleared */
void loom_duration_log_clear (LoomDurationLog *log);

/* Private: a chunk of the key with room for n. */
LoomDurationChunk *loom_duration_log_grow (LoomDurationLog *log, gsize key, gsize n);

/* Room for n more of the key, which the caller fills now. */
static inline gint64 *
loom_duration_log_add (LoomDurationLog *log, gsize key, gsize n)
{
  LoomDurationChunk *chunk = log->last[key];
  if (G_UNLIKELY (chunk == NULL || chunk->size - chunk->n < n))
    chunk = loom_duration_log_grow (log, key, n);
  gint64 *added = chunk->dur_ns + chunk->n;
  chunk->n += n;
  return added;
}

/* Those of a key, in no order, one after another to `to`; how many. */
gsize loom_duration_log_count (const LoomDurationLog *log, gsize key);
gsize loom_duration_log_copy (const LoomDurationLog *log, gsize key, gint64 *to);

G_END_DECLS
