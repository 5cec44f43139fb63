/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. Durations by key, appended in any order. Each key has chunks of growing size, all allocated
 * from a few large slabs, so a duration costs little more than its eight bytes. One log per thread; no locks.
 */
#pragma once

#include <glib.h>

typedef struct _LoomDurationChunk LoomDurationChunk;
struct _LoomDurationChunk {
  LoomDurationChunk *older;
  gsize n, size;
  gint64 dur_ns[];
};

typedef struct {
  LoomDurationChunk **last; /* [key] newest chunk */
  GPtrArray *slabs;
  char *at, *end; /* start and end of the unused part of the last slab */
} LoomDurationLog;

/* Makes an empty log. `log` must be unused or cleared. */
void loom_duration_log_init (LoomDurationLog *log, gsize n_keys);
void loom_duration_log_clear (LoomDurationLog *log);

/* Private. Adds a chunk with room for more durations of the key. */
LoomDurationChunk *loom_duration_log_grow (LoomDurationLog *log, gsize key);

static inline void
loom_duration_log_add (LoomDurationLog *log, gsize key, gint64 dur_ns)
{
  LoomDurationChunk *chunk = log->last[key];
  if (G_UNLIKELY (chunk == NULL || chunk->n == chunk->size))
    chunk = loom_duration_log_grow (log, key);
  chunk->dur_ns[chunk->n++] = dur_ns;
}

/* Appends the durations of a key to an array of gint64, in any order. */
void loom_duration_log_append_to (const LoomDurationLog *log, gsize key, GArray *durations_ns);
