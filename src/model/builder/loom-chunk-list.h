/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Stores the events of a trace while it is built, as lists of chunks. Chunks grow from a small
 * size to 128 KiB, so that thousands of tracks with a few events each take little memory. When
 * loom_trace_builder_freeze() makes the trace, it frees each chunk as soon as its records are in the columns of the
 * trace. A chunk that another builder has filled refers to the tables that translate its ids.
 */
#pragma once

#include "loom-source.h"

/* Tables that translate ids of a builder to ids of the builder that has absorbed it. */
typedef struct {
  guint32 *names, *keys, *processes, *threads;
  guint32 n_names, n_keys, n_processes, n_threads;
} LoomRemap;

typedef struct _LoomChunk LoomChunk;
struct _LoomChunk {
  LoomChunk *next;
  /* translates the ids in the records to ids of the builder that owns the chunk; NULL: the records already contain ids
   * of that builder */
  const LoomRemap *remap;
  guint32 n, capacity;
  gboolean is_pages; /* TRUE: allocated by loom_page_allocator_new(), not on the heap */
  guint32 unused;
};

typedef struct {
  LoomChunk *first, *last;
  guint64 n;
} LoomChunkList;

typedef enum {
  LOOM_RECORD_SPAN,
  LOOM_RECORD_BEGIN,
  LOOM_RECORD_END,
  LOOM_RECORD_END_WITH_ARGS,
} LoomRecordKind;

/* A span, a begin event, an end event, or an instant event. `kind`: a LoomRecordKind; after spans were arranged in
 * rows, `kind` is the index of the row instead (LoomLane.rows). */
typedef struct {
  gint64 time_ns;
  gint64 dur_ns; /* duration in ns, LOOM_DUR_OPEN or LOOM_DUR_TO_NEXT; for an instant, its phase and scope */
  LoomRef ref;
  guint32 name_id;
  guint32 kind;
} LoomRecord;

typedef struct {
  gint64 time_ns;
  double value;
  LoomRef ref;
} LoomSample;

typedef struct {
  gint64 time_ns;
  LoomRef ref;
  guint64 key; /* key that the event has in common with the events to which it is linked; 0: it is not linked */
  guint32 name_id;
  guint32 thread;
  guint8 phase;
  guint8 bind_enclosing;
} LoomFlowRecord;

typedef struct {
  gint64 time_ns;
  LoomRef ref;
  guint32 key;
  guint32 name_id;
  guint32 process;
  guint32 phase;
} LoomAsyncRecord;

static inline gpointer
loom_chunk_list_data (LoomChunk *chunk)
{
  return chunk + 1;
}

void loom_chunk_list_free_chunk (LoomChunk *chunk);

void loom_chunk_list_grow (LoomChunkList *chunks, gsize record_size);

/* Returns memory for a new record at the end of the list. */
static inline gpointer
loom_chunk_list_append (LoomChunkList *chunks, gsize record_size)
{
  if (G_UNLIKELY (chunks->last == NULL || chunks->last->n == chunks->last->capacity))
    loom_chunk_list_grow (chunks, record_size);
  chunks->n++;
  return (char *) loom_chunk_list_data (chunks->last) + record_size * chunks->last->n++;
}

/* Moves all chunks of `part` to the end of `chunks`. In each moved chunk whose member `remap` is NULL, sets this member
 * to the parameter `remap`. */
void loom_chunk_list_join (LoomChunkList *chunks, LoomChunkList *part, const LoomRemap *remap);

/* Copies all records into `target`, which must have room for all of them, and frees each chunk after it was copied. */
void loom_chunk_list_drain (LoomChunkList *chunks, gsize record_size, gpointer target);

void loom_chunk_list_clear (LoomChunkList *chunks);
