/* SPDX-License-Identifier: Apache-2.0
 *
 * Events read back by the thousand: blocks of the sources' texts in a bounded cache, least recently used out first.
 * Merging by time jumps between a few places of many files; with blocks a read is one system call for hundreds of
 * events, not one each. One thread.
 */
#pragma once

#include "loom-event.h"
#include "loom-shared-block-cache.h"

G_BEGIN_DECLS

typedef struct _LoomBlockCache LoomBlockCache;

LoomBlockCache *loom_block_cache_new (void);
/* Keeps no more than so many blocks of 72 KB. */
LoomBlockCache *loom_block_cache_new_small (guint n_blocks);
void loom_block_cache_free (LoomBlockCache *cache);

/* Looks there first, and keeps only few blocks of its own. Borrowed. */
void loom_block_cache_set_window (LoomBlockCache *cache, LoomSharedBlockWindow *window);

/* The event (or JSON line) that begins at `offset`; its slices are valid until the next call. Events that cross a block
 * are read on their own. FALSE with LOOM_ERROR_READ or LOOM_ERROR_FORMAT. */
gboolean loom_block_cache_read (LoomBlockCache *cache, LoomByteSource *text, guint64 offset, LoomEvent *event,
                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomBlockCache, loom_block_cache_free)

G_END_DECLS
