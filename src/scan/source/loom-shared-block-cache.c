/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache of blocks of the texts of many files. Several threads share the cache, so that each block is read only once.
 * The interface is described in loom-shared-block-cache.h.
 */
#include "loom-shared-block-cache.h"

#include "loom-file-source.h"

#include <string.h>

#define MOST_BLOCK_BYTES (64u * 1024)
#define FEWEST_BLOCK_BYTES (8u * 1024)
/* Maximum product of the block size in bytes and the number of texts. If there are many texts, blocks are smaller, so
 * that one block of each text fits into memory. */
#define FIRST_BYTES (2u * 1024 * 1024)
/* maximum number of texts whose blocks are copied. With more texts, each file is mapped as a whole, because copying a
 * small part of many files takes longer */
#define MOST_COPIED 64
/* A text is mapped as a whole if it is read in random order. This is the case if windows (LoomSharedBlockWindow) have
 * requested more than MANY_BLOCKS of its blocks, and fewer than FEW_EVENTS events per block on average. */
#define MANY_BLOCKS 64
#define FEW_EVENTS 4
/* Maximum number of bytes that are returned from a mapped file. Without this limit, the search for the end of a broken
 * event could read the whole file. */
#define MOST_OF_WHOLE (256u * 1024)
/* Minimum and maximum number of bytes that are read beyond a block, so that an event that begins near the end of the
 * block is complete. */
#define FEWEST_MORE_BYTES 4096u
#define MOST_MORE_BYTES (64u * 1024)
/* A window is full when its blocks have at least this many bytes in total. */
#define WINDOW_BYTES (4u * 1024 * 1024)
/* A block is old if more than this number of windows were made after the last window that requested the block. The
 * memory of an old block may be used for another block. */
#define PASSED 1
/* A thread that needs a block which another thread is reading polls for at most PATIENCE_US, and then sleeps. While
 * polling, it reads the clock only once in LOOKS iterations. */
#define PATIENCE_US 50
#define LOOKS 16
/* Maximum number of old blocks that are examined to find memory for a new block. */
#define MOST_LOOKED_AT 8

struct _LoomSharedBlock {
  LoomByteSource *text;
  gboolean is_whole; /* TRUE if the text is a whole file that is mapped; the members below are then unused */
  guint source, number;
  guint64 begin;
  gsize wanted; /* number of bytes to read from the file into the block */
  guint serial; /* serial number of the last window that requested the block */
  /* element of the queue LoomSharedBlockCache.used, in which the least recently requested block is the first */
  GList link;
  gint n_windows; /* number of windows that contain the block */
  GMutex lock;    /* held by the thread that reads the block from the file */
  gint is_read;   /* atomic; TRUE after the block was read. From then on, the members below do not change any more */
  gsize length, capacity;
  char *bytes;
};

typedef struct {
  LoomByteSource *text;
  GPtrArray *list; /* LoomSharedBlock pointers, indexed by the number of the block in the text; NULL: the block was not
                    * requested yet */
  /* length in bytes of the longest recent event that extended beyond its block and the additional bytes after the
   * block; reduced a little with each new block */
  gint longest;
  gboolean is_held;
  LoomSharedBlock *whole; /* the whole text as one mapped block; NULL: blocks of the text are copied */
  /* number of events that windows requested from the text, and number of blocks that these requests returned */
  guint n_wanted, n_given;
} Source;

struct _LoomSharedBlockCache {
  Source *sources;
  guint n_sources;
  gsize block_bytes;
  guint serial; /* serial number of the window that was made last */
  GQueue used;
};

struct _LoomSharedBlockWindow {
  guint serial; /* serial number of the window; 0: the window is empty */
  gsize n_bytes;
  gsize block_bytes;
  GPtrArray *blocks; /* LoomSharedBlock pointers: the blocks of the window */
  GHashTable *table; /* set of the elements of `blocks`, to look them up by their text and offset */
};

/* --- creating and freeing the cache and its blocks ---------------------------------------------------------------- */

static LoomSharedBlock *
new_block (LoomByteSource *text)
{
  LoomSharedBlock *block = g_new0 (LoomSharedBlock, 1);
  g_mutex_init (&block->lock);
  block->link.data = block;
  block->text = text;
  return block;
}

/* Maps the whole text. If this fails, its blocks are copied, as before the call. */
static void
hold (Source *source)
{
  gsize length;
  source->is_held = TRUE;
  loom_file_source_hold (source->text);
  if (loom_file_source_peek (source->text, 0, &length) == NULL)
    return;
  source->whole = new_block (source->text);
  source->whole->is_whole = TRUE;
}

LoomSharedBlockCache *
loom_shared_block_cache_new (LoomByteSource *const *texts, guint n_texts)
{
  gboolean wholes = n_texts > MOST_COPIED;
  LoomSharedBlockCache *blocks = g_new0 (LoomSharedBlockCache, 1);
  blocks->n_sources = n_texts;
  blocks->sources = g_new0 (Source, MAX (n_texts, 1));
  for (guint i = 0; i < n_texts; i++)
    blocks->sources[i] = (Source) { .text = texts[i], .list = g_ptr_array_new () };
  for (guint i = 0; wholes && i < n_texts; i++)
    if (texts[i] != NULL)
      hold (&blocks->sources[i]);
  blocks->block_bytes = MOST_BLOCK_BYTES;
  while (blocks->block_bytes > FEWEST_BLOCK_BYTES && blocks->block_bytes * n_texts > FIRST_BYTES)
    blocks->block_bytes /= 2;
  return blocks;
}

static void
free_block (LoomSharedBlock *block)
{
  g_mutex_clear (&block->lock);
  g_free (block->bytes);
  g_free (block);
}

void
loom_shared_block_cache_free (LoomSharedBlockCache *blocks)
{
  if (blocks == NULL)
    return;
  for (GList *link = blocks->used.head, *next; link != NULL; link = next) {
    next = link->next;
    free_block (link->data);
  }
  for (guint i = 0; i < blocks->n_sources; i++) {
    g_ptr_array_unref (blocks->sources[i].list);
    g_clear_pointer (&blocks->sources[i].whole, free_block);
  }
  g_free (blocks->sources);
  g_free (blocks);
}

gboolean
loom_shared_block_cache_release (LoomSharedBlockCache *blocks, guint number, GError **error)
{
  Source *source = &blocks->sources[number];
  gboolean is_held = source->is_held;
  source->is_held = FALSE;
  return !is_held || loom_file_source_release (source->text, error);
}

void
loom_shared_block_cache_note_length (LoomSharedBlockCache *blocks, guint number, gsize length)
{
  gint *longest = &blocks->sources[number].longest;
  gint seen = (gint) MIN (length, MOST_MORE_BYTES);
  if (seen > g_atomic_int_get (longest))
    g_atomic_int_set (longest, seen);
}

/* --- requesting --------------------------------------------------------------------------------------------------- */

/* Returns how many bytes to read beyond a new block: as many as the longest recent event requires. Each call reduces
 * the stored length a little, so that a single long event does not have an effect forever. */
static gsize
find_more (Source *source)
{
  gint longest = g_atomic_int_get (&source->longest);
  g_atomic_int_set (&source->longest, longest - longest / 64);
  return CLAMP (((gsize) longest + FEWEST_MORE_BYTES - 1) / FEWEST_MORE_BYTES * FEWEST_MORE_BYTES, FEWEST_MORE_BYTES,
                MOST_MORE_BYTES);
}

/* Searches the first MOST_LOOKED_AT blocks of the queue for a block that the last PASSED windows did not request.
 * Removes this block from the cache, and returns it, so that its memory can be used again. On the way, moves blocks
 * that a window still contains to the end of the queue. Returns NULL if no block was found. */
static LoomSharedBlock *
take_passed (LoomSharedBlockCache *blocks)
{
  for (guint i = 0; i < MOST_LOOKED_AT && blocks->used.head != NULL; i++) {
    LoomSharedBlock *block = blocks->used.head->data;
    if (blocks->serial - block->serial <= PASSED)
      return NULL;
    g_queue_unlink (&blocks->used, &block->link);
    if (g_atomic_int_get (&block->n_windows) == 0) {
      blocks->sources[block->source].list->pdata[block->number] = NULL;
      return block;
    }
    g_queue_push_tail_link (&blocks->used, &block->link);
  }
  return NULL;
}

static LoomSharedBlock *
add_block (LoomSharedBlockCache *blocks, guint source, guint number)
{
  LoomSharedBlock *block = take_passed (blocks);
  if (block == NULL)
    block = new_block (NULL);
  block->text = blocks->sources[source].text;
  block->source = source;
  block->number = number;
  block->begin = number * (guint64) blocks->block_bytes;
  block->wanted = blocks->block_bytes + find_more (&blocks->sources[source]);
  block->length = 0;
  g_atomic_int_set (&block->is_read, FALSE);
  blocks->sources[source].list->pdata[number] = block;
  return block;
}

static void
add_to_window (LoomSharedBlockCache *blocks, LoomSharedBlockWindow *window, LoomSharedBlock *block)
{
  g_queue_push_tail_link (&blocks->used, &block->link);
  block->serial = window->serial;
  g_atomic_int_inc (&block->n_windows);
  g_ptr_array_add (window->blocks, block);
  g_hash_table_add (window->table, block);
  window->n_bytes += block->wanted;
}

LoomSharedBlock *
loom_shared_block_cache_want (LoomSharedBlockCache *blocks, LoomSharedBlockWindow *window, guint number, guint64 offset)
{
  Source *source = &blocks->sources[number];
  GPtrArray *list = source->list;
  guint at = (guint) (offset / blocks->block_bytes);
  if (source->whole != NULL)
    return source->whole;
  source->n_wanted++;
  if (window->serial == 0) {
    window->serial = ++blocks->serial;
    window->block_bytes = blocks->block_bytes;
  }
  if (at >= list->len)
    g_ptr_array_set_size (list, (gint) at + 1);
  LoomSharedBlock *block = list->pdata[at];
  if (G_LIKELY (block != NULL && block->serial == window->serial))
    return block;
  if (block != NULL)
    g_queue_unlink (&blocks->used, &block->link);
  else
    block = add_block (blocks, number, at);
  if (++source->n_given > MANY_BLOCKS && source->n_wanted / FEW_EVENTS < source->n_given && !source->is_held)
    hold (source);
  add_to_window (blocks, window, block);
  return block;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static inline void
pause_processor (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* Waits, without sleeping, while another thread reads the block, because reading a block usually takes no longer than
 * sleeping and waking up. Returns FALSE if the other thread takes longer than PATIENCE_US. */
static gboolean
is_read_soon (LoomSharedBlock *block)
{
  for (gint64 until_us = g_get_monotonic_time () + PATIENCE_US; g_get_monotonic_time () < until_us;)
    for (guint i = 0; i < LOOKS; i++) {
      if (g_atomic_int_get (&block->is_read))
        return TRUE;
      pause_processor ();
    }
  return FALSE;
}

/* Locks the block for reading it from the file. If another thread has read the block meanwhile, returns FALSE without
 * the lock. */
static gboolean
lock_to_read (LoomSharedBlock *block)
{
  if (!g_mutex_trylock (&block->lock)) {
    if (is_read_soon (block))
      return FALSE;
    g_mutex_lock (&block->lock);
  }
  if (!block->is_read)
    return TRUE;
  g_mutex_unlock (&block->lock);
  return FALSE;
}

static void
read_block (LoomSharedBlock *block)
{
  if (!lock_to_read (block))
    return;
  if (block->capacity < block->wanted) {
    g_free (block->bytes);
    block->bytes = g_malloc (block->wanted + LOOM_SHARED_BLOCK_PADDING);
    block->capacity = block->wanted;
  }
  while (block->length < block->wanted) {
    gssize n = loom_byte_source_read (block->text, block->begin + block->length, block->bytes + block->length,
                                      block->wanted - block->length, NULL);
    if (n <= 0)
      break;
    block->length += (gsize) n;
  }
  memset (block->bytes + block->length, 0, LOOM_SHARED_BLOCK_PADDING);
  g_atomic_int_set (&block->is_read, TRUE);
  g_mutex_unlock (&block->lock);
}

static const char *
look_at_whole (LoomByteSource *text, guint64 offset, gsize *length)
{
  const char *bytes = loom_file_source_peek (text, offset, length);
  if (bytes != NULL)
    *length = MIN (*length, MOST_OF_WHOLE);
  return bytes;
}

const char *
loom_shared_block_cache_get_block (LoomSharedBlock *block, guint64 offset, gsize *length)
{
  if (block->is_whole)
    return look_at_whole (block->text, offset, length);
  if (G_UNLIKELY (!g_atomic_int_get (&block->is_read)))
    read_block (block);
  gsize at = (gsize) (offset - block->begin);
  if (at >= block->length)
    return NULL;
  *length = block->length - at;
  return block->bytes + at;
}

/* --- windows ------------------------------------------------------------------------------------------------------ */

static guint
hash_block (gconstpointer data)
{
  const LoomSharedBlock *block = data;
  return g_direct_hash (block->text) * 31u + (guint) (block->begin / FEWEST_BLOCK_BYTES);
}

static gboolean
equal_blocks (gconstpointer a, gconstpointer b)
{
  const LoomSharedBlock *p = a, *q = b;
  return p->text == q->text && p->begin == q->begin;
}

LoomSharedBlockWindow *
loom_shared_block_cache_new_window (void)
{
  LoomSharedBlockWindow *window = g_new0 (LoomSharedBlockWindow, 1);
  window->blocks = g_ptr_array_new ();
  window->table = g_hash_table_new (hash_block, equal_blocks);
  return window;
}

void
loom_shared_block_cache_free_window (LoomSharedBlockWindow *window)
{
  if (window == NULL)
    return;
  loom_shared_block_cache_clear (window);
  g_ptr_array_unref (window->blocks);
  g_hash_table_unref (window->table);
  g_free (window);
}

gboolean
loom_shared_block_cache_window_is_full (const LoomSharedBlockWindow *window)
{
  return window->n_bytes >= WINDOW_BYTES;
}

const char *
loom_shared_block_cache_get_window (LoomSharedBlockWindow *window, LoomByteSource *text, guint64 offset, gsize *length)
{
  const LoomSharedBlock wanted = { .text = text,
                                   .begin = window->block_bytes > 0 ? offset - offset % window->block_bytes : 0 };
  LoomSharedBlock *block = window->serial != 0 ? g_hash_table_lookup (window->table, &wanted) : NULL;
  if (block == NULL)
    return look_at_whole (text, offset, length);
  return block != NULL ? loom_shared_block_cache_get_block (block, offset, length) : NULL;
}

void
loom_shared_block_cache_clear (LoomSharedBlockWindow *window)
{
  g_hash_table_remove_all (window->table);
  for (guint i = 0; i < window->blocks->len; i++) {
    LoomSharedBlock *block = window->blocks->pdata[i];
    g_atomic_int_add (&block->n_windows, -1);
  }
  g_ptr_array_set_size (window->blocks, 0);
  window->serial = 0;
  window->n_bytes = 0;
}
