/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pages.h"

#include <sys/mman.h>

#define MOST_KEPT 64

static GMutex mutex;
static gpointer kept[MOST_KEPT];
static guint n_kept;

gpointer
loom_pages_new (void)
{
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_POPULATE
  flags |= MAP_POPULATE; /* one call instead of a fault per page */
#endif
  g_mutex_lock (&mutex);
  gpointer block = n_kept > 0 ? kept[--n_kept] : NULL;
  g_mutex_unlock (&mutex);
  if (block == NULL)
    block = mmap (NULL, LOOM_PAGES_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
  return block != MAP_FAILED ? block : NULL;
}

void
loom_pages_free (gpointer block)
{
  g_mutex_lock (&mutex);
  gboolean keeps = n_kept < MOST_KEPT;
  if (keeps)
    kept[n_kept++] = block;
  g_mutex_unlock (&mutex);
  if (!keeps)
    munmap (block, LOOM_PAGES_BYTES);
}

void
loom_pages_trim (void)
{
  g_mutex_lock (&mutex);
  while (n_kept > 0)
    munmap (kept[--n_kept], LOOM_PAGES_BYTES);
  g_mutex_unlock (&mutex);
}
