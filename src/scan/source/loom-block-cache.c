/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the texts of single events again after loading. The interface is described in loom-block-cache.h.
 */
#include "loom-block-cache.h"

#include "loom-error.h"
#include "loom-scan-args.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#define BLOCK_BYTES (64u * 1024)
/* Number of bytes that are read beyond the end of a block, so that an event that begins near the end of the block is
 * complete. */
#define OVERLAP_BYTES (8u * 1024)
#define MAX_BLOCKS 1024 /* maximum number of blocks in the cache; together they take at most 72 MB */
#define MAX_BLOCKS_BESIDE_WINDOW 4

typedef struct {
  LoomByteSource *text;
  guint64 number;
  gsize length;
  GList link; /* element of the queue of blocks, in which the most recently used block is the first */
  char bytes[BLOCK_BYTES + OVERLAP_BYTES];
} Block;

struct _LoomBlockCache {
  LoomSharedBlockWindow *window; /* blocks that are shared with other caches; borrowed; NULL: no blocks are shared */
  GHashTable *blocks;            /* the blocks of the cache, as a set of Block */
  GQueue used;
  guint most_blocks;
  Block *last;
  /* text of the last event that was longer than a block and its overlap; slices refer to it, so it is kept until the
   * next read */
  char *alone;
};

static guint
hash_block (gconstpointer data)
{
  const Block *block = data;
  return g_direct_hash (block->text) * 31u + (guint) block->number;
}

static gboolean
equal_blocks (gconstpointer a, gconstpointer b)
{
  const Block *p = a, *q = b;
  return p->text == q->text && p->number == q->number;
}

static void
free_block (gpointer data)
{
  Block *block = data;
  loom_byte_source_unref (block->text);
  g_free (block);
}

LoomBlockCache *
loom_block_cache_new (void)
{
  return loom_block_cache_new_small (MAX_BLOCKS);
}

LoomBlockCache *
loom_block_cache_new_small (guint n_blocks)
{
  LoomBlockCache *cache = g_new0 (LoomBlockCache, 1);
  cache->most_blocks = MAX (n_blocks, 1);
  cache->blocks = g_hash_table_new_full (hash_block, equal_blocks, free_block, NULL);
  g_queue_init (&cache->used);
  return cache;
}

void
loom_block_cache_free (LoomBlockCache *cache)
{
  if (cache == NULL)
    return;
  g_hash_table_unref (cache->blocks);
  g_free (cache->alone);
  g_free (cache);
}

void
loom_block_cache_set_window (LoomBlockCache *cache, LoomSharedBlockWindow *window)
{
  cache->window = window;
}

static gboolean
fill_block (Block *block, GError **error)
{
  guint64 offset = block->number * BLOCK_BYTES;
  while (block->length < sizeof block->bytes) {
    gssize n = loom_byte_source_read (block->text, offset + block->length, block->bytes + block->length,
                                      sizeof block->bytes - block->length, error);
    if (n < 0)
      return FALSE;
    if (n == 0)
      break;
    block->length += (gsize) n;
  }
  return TRUE;
}

/* Returns memory for a block. If the cache is full, this is the memory of the block that was not used for the longest
 * time; freeing it and allocating it again would make the operating system clear its pages each time. */
static Block *
take_memory (LoomBlockCache *cache)
{
  if (g_hash_table_size (cache->blocks) < (cache->window != NULL ? MAX_BLOCKS_BESIDE_WINDOW : cache->most_blocks))
    return g_malloc (sizeof (Block));
  Block *oldest = g_queue_pop_tail_link (&cache->used)->data;
  g_hash_table_steal (cache->blocks, oldest);
  loom_byte_source_unref (oldest->text);
  return oldest;
}

static Block *
add_block (LoomBlockCache *cache, LoomByteSource *text, guint64 number, GError **error)
{
  Block *block = take_memory (cache);
  block->text = loom_byte_source_ref (text);
  block->number = number;
  block->length = 0;
  block->link = (GList) { block, NULL, NULL };
  if (!fill_block (block, error)) {
    free_block (block);
    return NULL;
  }
  g_queue_push_head_link (&cache->used, &block->link);
  g_hash_table_add (cache->blocks, block);
  return block;
}

static Block *
find_block (LoomBlockCache *cache, LoomByteSource *text, guint64 number, GError **error)
{
  if (cache->last != NULL && cache->last->text == text && cache->last->number == number)
    return cache->last;
  /* The first two members of a Block. A key for lookups has only these two members, because only they are hashed and
   * compared. */
  struct {
    LoomByteSource *text;
    guint64 number;
  } wanted = { text, number };
  Block *block = g_hash_table_lookup (cache->blocks, &wanted);
  cache->last = NULL;
  if (block == NULL) {
    block = add_block (cache, text, number, error);
  } else {
    g_queue_unlink (&cache->used, &block->link);
    g_queue_push_head_link (&cache->used, &block->link);
  }
  cache->last = block;
  return block;
}

static gboolean
read_alone (LoomBlockCache *cache, LoomByteSource *text, guint64 offset, LoomEvent *event, GError **error)
{
  gsize length;
  g_free (cache->alone);
  cache->alone = loom_event_read (text, offset, &length, error);
  if (cache->alone == NULL)
    return FALSE;
  if (loom_event_parse (cache->alone, length, event))
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("No readable event at byte %" PRIu64), offset);
  return FALSE;
}

gboolean
loom_block_cache_read (LoomBlockCache *cache, LoomByteSource *text, guint64 offset, LoomEvent *event, GError **error)
{
  gsize length, inside = offset % BLOCK_BYTES;
  const char *bytes =
    cache->window != NULL ? loom_shared_block_cache_get_window (cache->window, text, offset, &length) : NULL;
  event->offset = offset;
  if (bytes != NULL && loom_event_parse (bytes, length, event))
    return TRUE;
  Block *block = find_block (cache, text, offset / BLOCK_BYTES, error);
  if (block == NULL)
    return FALSE;
  if (inside < block->length && loom_event_parse (block->bytes + inside, block->length - inside, event))
    return TRUE;
  return read_alone (cache, text, offset, event, error);
}

gboolean
loom_block_cache_read_args (LoomBlockCache *cache, LoomByteSource *text, guint64 offset, const LoomJsonSlice *keys,
                            guint n, LoomJsonSlice *values)
{
  LoomEvent event;
  gsize inside = offset % BLOCK_BYTES;
  Block *block = cache->window == NULL ? find_block (cache, text, offset / BLOCK_BYTES, NULL) : NULL;
  if (block != NULL && inside < block->length &&
      loom_scan_args_find (block->bytes + inside, block->length - inside, keys, n, values))
    return TRUE;
  return loom_block_cache_read (cache, text, offset, &event, NULL) &&
         loom_scan_args_find (event.text.text, event.text.length, keys, n, values);
}
