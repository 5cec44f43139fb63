/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-chunk-list.h"

#include "loom-page-allocator.h"

#include <string.h>

#define FIRST_RECORDS 32
/* Maximum number of records in a chunk on the heap; a larger chunk is allocated as memory pages. */
#define MOST_RECORDS 2048

G_STATIC_ASSERT (sizeof (LoomChunk) % 8 == 0);
G_STATIC_ASSERT (sizeof (LoomRecord) == 32);

static LoomChunk *
new_on_heap (guint32 capacity, gsize record_size)
{
  LoomChunk *chunk = g_malloc (sizeof (LoomChunk) + capacity * record_size);
  *chunk = (LoomChunk) { .capacity = capacity };
  return chunk;
}

/* Returns a new chunk that is allocated as memory pages; NULL if memory does not suffice. */
static LoomChunk *
new_on_pages (gsize record_size)
{
  LoomChunk *chunk = loom_page_allocator_new ();
  if (chunk != NULL)
    *chunk = (LoomChunk) { .capacity = (guint32) ((LOOM_PAGE_ALLOCATOR_BYTES - sizeof (LoomChunk)) / record_size),
                           .is_pages = TRUE };
  return chunk;
}

void
loom_chunk_list_free_chunk (LoomChunk *chunk)
{
  if (chunk->is_pages)
    loom_page_allocator_free (chunk);
  else
    g_free (chunk);
}

void
loom_chunk_list_grow (LoomChunkList *chunks, gsize record_size)
{
  guint32 last = chunks->last != NULL ? chunks->last->capacity : 0;
  LoomChunk *chunk = last >= MOST_RECORDS ? new_on_pages (record_size) : NULL;
  if (chunk == NULL)
    chunk = new_on_heap (CLAMP (last * 2, FIRST_RECORDS, MOST_RECORDS), record_size);
  if (chunks->last == NULL)
    chunks->first = chunk;
  else
    chunks->last->next = chunk;
  chunks->last = chunk;
}

void
loom_chunk_list_join (LoomChunkList *chunks, LoomChunkList *part, const LoomRemap *remap)
{
  if (part->first == NULL)
    return;
  for (LoomChunk *chunk = part->first; chunk != NULL; chunk = chunk->next) {
    if (chunk->remap == NULL)
      chunk->remap = remap;
  }
  /* Marks the last chunk of `part` as full: its records contain ids of another builder, so records with ids of this
   * builder must not be appended to it. */
  part->last->capacity = part->last->n;
  if (chunks->last == NULL)
    chunks->first = part->first;
  else
    chunks->last->next = part->first;
  chunks->last = part->last;
  chunks->n += part->n;
  *part = (LoomChunkList) { 0 };
}

void
loom_chunk_list_drain (LoomChunkList *chunks, gsize record_size, gpointer target)
{
  char *end = target;
  while (chunks->first != NULL) {
    LoomChunk *chunk = chunks->first;
    memcpy (end, loom_chunk_list_data (chunk), chunk->n * record_size);
    end += chunk->n * record_size;
    chunks->first = chunk->next;
    loom_chunk_list_free_chunk (chunk);
  }
  *chunks = (LoomChunkList) { 0 };
}

void
loom_chunk_list_clear (LoomChunkList *chunks)
{
  for (LoomChunk *chunk = chunks->first; chunk != NULL;) {
    LoomChunk *next = chunk->next;
    loom_chunk_list_free_chunk (chunk);
    chunk = next;
  }
  *chunks = (LoomChunkList) { 0 };
}
