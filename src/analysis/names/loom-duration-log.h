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
  LoomDurationChunk **last; /* [key] → its newest chunk */
  GPtrArray *slabs;
  char *at, *end; /* unused part of the last slab */
} LoomDurationLog;

void loom_duration_log_init (LoomDurationLog *log, gsize n_keys); /* initialises an unused or cleared log */
void loom_duration_log_clear (LoomDurationLog *log);

/* Private. Allocates a chunk of the key with room for n durations. */
LoomDurationChunk *loom_duration_log_grow (LoomDurationLog *log, gsize key, gsize n);

/* Returns room for n more durations of the key, which the caller must fill at once. */
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

/* count(): number of durations of a key. copy(): copies them to `to`, in any order, and returns their number. */
gsize loom_duration_log_count (const LoomDurationLog *log, gsize key);
gsize loom_duration_log_copy (const LoomDurationLog *log, gsize key, gint64 *to);
