/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. A stable sort, in place, of records that are stored in chunks. Profilers write events only
 * slightly out of order, so records move only a little; copying millions of records to one array would take longer than
 * sorting them.
 */
#pragma once

#include "loom-chunk-list.h"
#include "loom-merge-sort.h"

/* Maximum number of records that are sorted together if records must move between chunks. */
#define LOOM_MOST_DISORDER 16384

/* A sequence of records that may extend over several chunks: from the index `skip` in the chunk `first` to the index
 * `end` (excluded) in the chunk `last`. */
typedef struct {
  LoomChunk **chunks;
  guint first, last;
  guint32 skip, end;
  guint32 n;
} LoomChunkRun;

/* Copies the records of the run to `room` or, if `back` is TRUE, from `room` to the run. */
static inline void
loom_chunk_sort_run_copy (const LoomChunkRun *run, gsize record_size, gpointer room, gboolean back)
{
  char *at = room;
  for (guint i = run->first; i <= run->last; i++) {
    guint32 from = i == run->first ? run->skip : 0, to = i == run->last ? run->end : run->chunks[i]->n;
    char *own = (char *) loom_chunk_list_data (run->chunks[i]) + from * record_size;
    gsize n_bytes = (to - from) * record_size;
    memcpy (back ? own : at, back ? at : own, n_bytes);
    at += n_bytes;
  }
}

/* Defines the function static gboolean name##_chunks (LoomChunk **chunks, guint n_chunks), which sorts the records of
 * all chunks together, in place. Needs LOOM_DEFINE_SORT (name, …) before it. No chunk may be empty, and the records of
 * each chunk must be sorted already. The function returns FALSE if more than LOOM_MOST_DISORDER records would have to
 * be sorted together; the caller must then copy all records into one array and sort that. */
#define LOOM_DEFINE_CHUNK_SORT(name, Type, IS_BEFORE)                                                         \
  /* Finds the records that must be sorted together so that chunk k continues the sorted chunks before it. */ \
  static gboolean name##_find_run (LoomChunk **chunks, guint k, LoomChunkRun *run)                            \
  {                                                                                                           \
    const Type *records = loom_chunk_list_data (chunks[k]);                                                   \
    const Type *last = (const Type *) loom_chunk_list_data (chunks[k - 1]) + chunks[k - 1]->n - 1;            \
    *run = (LoomChunkRun) { .chunks = chunks, .first = k, .last = k };                                        \
    while (run->end < chunks[k]->n && IS_BEFORE (&records[run->end], last))                                   \
      run->end++;                                                                                             \
    run->n = run->end;                                                                                        \
    while (run->end > 0 && run->skip == 0 && run->first > 0 && run->n <= LOOM_MOST_DISORDER) {                \
      const LoomChunk *before = chunks[--run->first];                                                         \
      const Type *theirs = loom_chunk_list_data (chunks[run->first]);                                         \
      for (run->skip = before->n; run->skip > 0 && IS_BEFORE (&records[0], &theirs[run->skip - 1]); run->n++) \
        run->skip--;                                                                                          \
    }                                                                                                         \
    return run->n <= LOOM_MOST_DISORDER;                                                                      \
  }                                                                                                           \
                                                                                                              \
  static gboolean name##_chunks (LoomChunk **chunks, guint n_chunks)                                          \
  {                                                                                                           \
    g_autofree Type *room = NULL;                                                                             \
    for (guint k = 1; k < n_chunks; k++) {                                                                    \
      LoomChunkRun run;                                                                                       \
      if (!name##_find_run (chunks, k, &run))                                                                 \
        return FALSE;                                                                                         \
      if (run.n == 0)                                                                                         \
        continue;                                                                                             \
      if (room == NULL)                                                                                       \
        room = g_new (Type, LOOM_MOST_DISORDER);                                                              \
      loom_chunk_sort_run_copy (&run, sizeof (Type), room, FALSE);                                            \
      name (room, run.n);                                                                                     \
      loom_chunk_sort_run_copy (&run, sizeof (Type), room, TRUE);                                             \
    }                                                                                                         \
    return TRUE;                                                                                              \
  }
