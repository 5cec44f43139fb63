/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the texts of single events again after loading. Keeps blocks of the sources' texts in a cache of limited size,
 * and drops the least recently used block. An export that merges many files by time reads alternately from one place in
 * each file; with blocks, one system call reads hundreds of events. Only one thread may use a cache.
 */
#pragma once

#include "loom-event.h"
#include "loom-shared-block-cache.h"

typedef struct _LoomBlockCache LoomBlockCache;

LoomBlockCache *loom_block_cache_new (void);
/* Creates a cache of at most `n_blocks` blocks of 72 KB. */
LoomBlockCache *loom_block_cache_new_small (guint n_blocks);
void loom_block_cache_free (LoomBlockCache *cache);

/* Makes loom_block_cache_read() search for blocks in `window` first, which several caches share. This cache then keeps
 * only a few blocks itself. `window` is borrowed. */
void loom_block_cache_set_window (LoomBlockCache *cache, LoomSharedBlockWindow *window);

/* Reads the event (or JSON line) that begins at `offset`; the slices of `event` are valid until the next call. An event
 * that extends beyond a block and its overlap is read separately. Returns FALSE with LOOM_ERROR_READ or
 * LOOM_ERROR_FORMAT. */
gboolean loom_block_cache_read (LoomBlockCache *cache, LoomByteSource *text, guint64 offset, LoomEvent *event,
                                GError **error);

/* Reads members of the args of the event that begins at `offset`, see loom_scan_args_find(). Takes less time than
 * loom_block_cache_read(), which parses the whole event. The slices in `values` are valid until the next call. Returns
 * FALSE if the event cannot be read. */
gboolean loom_block_cache_read_args (LoomBlockCache *cache, LoomByteSource *text, guint64 offset,
                                     const LoomJsonSlice *keys, guint n, LoomJsonSlice *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomBlockCache, loom_block_cache_free)
