/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. Stores many durations, grouped by a number (the key), in any order. The durations of a key
 * are stored in chunks of growing size; all chunks are parts of a few large slabs. So a duration needs little more than
 * eight bytes. There are no locks, because each thread has its own log.
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
  LoomDurationChunk **last; /* [key] newest chunk of the key's durations */
  GPtrArray *slabs;
  char *at, *end; /* start and end of the unused part of the last slab */
} LoomDurationLog;

/* Makes an empty log. `log` must be unused or cleared. */
void loom_duration_log_init (LoomDurationLog *log, gsize n_keys);
void loom_duration_log_clear (LoomDurationLog *log);

/* Private to the inline functions of this header. Adds a chunk with space for more durations of the key. */
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
