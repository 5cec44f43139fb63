/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-chunks.h"

#include <string.h>

#define FIRST_RECORDS 32
#define MOST_RECORDS 4096

G_STATIC_ASSERT (sizeof (LoomChunk) % 8 == 0);
G_STATIC_ASSERT (sizeof (LoomRecord) == 32);

void
loom_chunks_grow (LoomChunks *chunks, gsize record_size)
{
  guint32 capacity = chunks->last == NULL ? FIRST_RECORDS : CLAMP (chunks->last->capacity * 2, FIRST_RECORDS, MOST_RECORDS);
  LoomChunk *chunk = g_malloc (sizeof (LoomChunk) + capacity * record_size);
  *chunk = (LoomChunk) { .capacity = capacity };
  if (chunks->last == NULL)
    chunks->first = chunk;
  else
    chunks->last->next = chunk;
  chunks->last = chunk;
}

void
loom_chunks_join (LoomChunks *chunks, LoomChunks *part, const LoomRemap *remap)
{
  if (part->first == NULL)
    return;
  for (LoomChunk *chunk = part->first; chunk != NULL; chunk = chunk->next) {
    if (chunk->remap == NULL)
      chunk->remap = remap;
  }
  /* Own records must not land behind foreign ones in the same chunk. */
  part->last->capacity = part->last->n;
  if (chunks->last == NULL)
    chunks->first = part->first;
  else
    chunks->last->next = part->first;
  chunks->last = part->last;
  chunks->n += part->n;
  *part = (LoomChunks) { 0 };
}

void
loom_chunks_drain (LoomChunks *chunks, gsize record_size, gpointer target)
{
  char *end = target;
  while (chunks->first != NULL) {
    LoomChunk *chunk = chunks->first;
    memcpy (end, loom_chunk_data (chunk), chunk->n * record_size);
    end += chunk->n * record_size;
    chunks->first = chunk->next;
    g_free (chunk);
  }
  *chunks = (LoomChunks) { 0 };
}

void
loom_chunks_clear (LoomChunks *chunks)
{
  for (LoomChunk *chunk = chunks->first; chunk != NULL;) {
    LoomChunk *next = chunk->next;
    g_free (chunk);
    chunk = next;
  }
  *chunks = (LoomChunks) { 0 };
}
