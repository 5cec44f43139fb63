/* SPDX-License-Identifier: Apache-2.0
 *
 * An allocator of blocks of fixed size. Blocks are parts of large memory mappings (slabs). A block has no mapping of
 * its own: mapping and unmapping memory stops all other threads that touch new memory; releasing only the pages of a
 * block does not stop them. A free block is either "filled" (its pages are present) or "hollow" (its pages were
 * released).
 */
#define _GNU_SOURCE /* needed for MADV_POPULATE_WRITE */
#include "loom-page-allocator.h"

#include <sys/mman.h>

#define SLAB_BLOCKS 32u
#define SLAB_BYTES (SLAB_BLOCKS * (gsize) LOOM_PAGE_ALLOCATOR_BYTES)
#define MOST_KEPT 64u /* maximum number of free blocks whose pages stay in memory: 8 MiB in total */
#define ALL_FREE G_MAXUINT32

typedef struct {
  char *base;
  /* One bit per block. `free`: set if the block is free. `filled`: set if the block is free and its pages are
   * present. */
  guint32 free, filled;
} Slab;

static GMutex mutex;
static GArray *slabs; /* all slabs (Slab), sorted by `base` */
static guint n_kept;
/* index of the slab in which the search for a free block begins; this is the slab that provided the last block */
static guint hint;

/* Returns the slab that contains `block`. */
static Slab *
find_slab (const char *block)
{
  guint low = 0, high = slabs->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    *(g_array_index (slabs, Slab, middle).base <= block ? &low : &high) = middle;
  }
  return &g_array_index (slabs, Slab, low);
}

static gboolean
add_slab (void)
{
  char *base = mmap (NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return FALSE;
  if (slabs == NULL)
    slabs = g_array_new (FALSE, FALSE, sizeof (Slab));
  guint at = 0;
  while (at < slabs->len && g_array_index (slabs, Slab, at).base < base)
    at++;
  Slab slab = { base, ALL_FREE, 0 };
  g_array_insert_val (slabs, at, slab);
  hint = at;
  return TRUE;
}

/* Returns a slab with a free block; NULL if no slab has one. `filled`: TRUE for a block whose pages are present,
 * FALSE for a block whose pages were released. */
static Slab *
find_free (gboolean filled)
{
  for (guint i = 0; slabs != NULL && i < slabs->len; i++) {
    guint at = (hint + i) % slabs->len;
    Slab *slab = &g_array_index (slabs, Slab, at);
    if ((filled ? slab->filled : slab->free & ~slab->filled) == 0)
      continue;
    hint = at;
    return slab;
  }
  return NULL;
}

/* Takes a free block. If `filled` is TRUE, takes a block whose pages are present; returns NULL if there is none. If it
 * is FALSE, takes a block whose pages were released; if there is none, maps a new slab; returns NULL if this fails. */
static char *
take_block (gboolean filled)
{
  Slab *slab = find_free (filled);
  if (slab == NULL && (filled || !add_slab ()))
    return NULL;
  slab = slab != NULL ? slab : &g_array_index (slabs, Slab, hint);
  guint block = (guint) __builtin_ctz (filled ? slab->filled : slab->free & ~slab->filled);
  n_kept -= filled;
  slab->free &= ~(1u << block);
  slab->filled &= ~(1u << block);
  return slab->base + block * (gsize) LOOM_PAGE_ALLOCATOR_BYTES;
}

static void
put_back (char *block, gboolean keep)
{
  Slab *slab = find_slab (block);
  guint32 bit = 1u << (guint) ((gsize) (block - slab->base) / LOOM_PAGE_ALLOCATOR_BYTES);
  slab->free |= bit;
  if (keep)
    slab->filled |= bit;
}

/* Makes all pages of a block present in one call, which is faster than one page fault per page. Does nothing if the
 * kernel is too old to support this. */
static void
populate (char *block)
{
#ifdef MADV_POPULATE_WRITE
  (void) !madvise (block, LOOM_PAGE_ALLOCATOR_BYTES, MADV_POPULATE_WRITE);
#endif
}

gpointer
loom_page_allocator_new (void)
{
  g_mutex_lock (&mutex);
  gboolean is_filled = n_kept > 0;
  char *block = take_block (is_filled);
  g_mutex_unlock (&mutex);
  if (block != NULL && !is_filled)
    populate (block);
  return block;
}

void
loom_page_allocator_prepare (guint n)
{
  g_mutex_lock (&mutex);
  while (n_kept < MIN (n, MOST_KEPT)) {
    char *block = take_block (FALSE);
    if (block == NULL)
      break;
    g_mutex_unlock (&mutex);
    populate (block);
    g_mutex_lock (&mutex);
    n_kept++;
    put_back (block, TRUE);
  }
  g_mutex_unlock (&mutex);
}

void
loom_page_allocator_free (gpointer block)
{
  g_mutex_lock (&mutex);
  gboolean keep = n_kept < MOST_KEPT;
  n_kept += keep;
  if (keep)
    put_back (block, TRUE);
  g_mutex_unlock (&mutex);
  if (keep)
    return;
  madvise (block, LOOM_PAGE_ALLOCATOR_BYTES, MADV_DONTNEED);
  g_mutex_lock (&mutex);
  put_back (block, FALSE);
  g_mutex_unlock (&mutex);
}

void
loom_page_allocator_trim (void)
{
  g_mutex_lock (&mutex);
  for (guint i = slabs != NULL ? slabs->len : 0; i-- > 0;) {
    Slab *slab = &g_array_index (slabs, Slab, i);
    for (guint block = 0; block < SLAB_BLOCKS && slab->free != ALL_FREE; block++)
      if (slab->filled >> block & 1)
        madvise (slab->base + block * (gsize) LOOM_PAGE_ALLOCATOR_BYTES, LOOM_PAGE_ALLOCATOR_BYTES, MADV_DONTNEED);
    slab->filled = 0;
    if (slab->free != ALL_FREE)
      continue;
    munmap (slab->base, SLAB_BYTES);
    g_array_remove_index (slabs, i);
  }
  if (slabs != NULL && slabs->len == 0)
    g_clear_pointer (&slabs, g_array_unref);
  n_kept = 0;
  hint = 0;
  g_mutex_unlock (&mutex);
}
