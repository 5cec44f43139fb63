/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-duration-log.h"

#include "loom-page-allocator.h"

/* Sizes of chunks of durations in bytes, including the header. The first chunk of a key has the size of a cache line;
 * the largest chunks have the size of a page. */
#define FIRST_BYTES 64
#define MOST_BYTES 4096

void
loom_duration_log_init (LoomDurationLog *log, gsize n_keys)
{
  *log = (LoomDurationLog) { .last = g_new0 (LoomDurationChunk *, MAX (n_keys, 1)),
                             .slabs = g_ptr_array_new_with_free_func (loom_page_allocator_free) };
}

void
loom_duration_log_clear (LoomDurationLog *log)
{
  g_clear_pointer (&log->last, g_free);
  g_clear_pointer (&log->slabs, g_ptr_array_unref);
  log->at = log->end = NULL;
}

static void
add_slab (LoomDurationLog *log)
{
  log->at = loom_page_allocator_new ();
  if (log->at == NULL)
    /* abort if the memory is exhausted, as g_malloc() does */
    g_error ("%s: no memory for %u bytes", G_STRLOC, LOOM_PAGE_ALLOCATOR_BYTES);
  log->end = log->at + LOOM_PAGE_ALLOCATOR_BYTES;
  g_ptr_array_add (log->slabs, log->at);
}

static gpointer
take_bytes (LoomDurationLog *log, gsize n_bytes)
{
  if ((gsize) (log->end - log->at) < n_bytes)
    add_slab (log);
  gpointer taken = log->at;
  log->at += n_bytes;
  return taken;
}

LoomDurationChunk *
loom_duration_log_grow (LoomDurationLog *log, gsize key)
{
  const gsize head = sizeof (LoomDurationChunk);
  LoomDurationChunk *older = log->last[key];
  gsize before = older != NULL ? head + older->size * sizeof (gint64) : FIRST_BYTES / 2;
  gsize n_bytes = MIN (2 * before, MOST_BYTES);
  LoomDurationChunk *chunk = take_bytes (log, n_bytes);
  *chunk = (LoomDurationChunk) { .older = older, .size = (n_bytes - head) / sizeof (gint64) };
  return log->last[key] = chunk;
}

void
loom_duration_log_append_to (const LoomDurationLog *log, gsize key, GArray *durations_ns)
{
  for (const LoomDurationChunk *chunk = log->last[key]; chunk != NULL; chunk = chunk->older)
    g_array_append_vals (durations_ns, chunk->dur_ns, (guint) chunk->n);
}
