/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache of blocks of the texts of many files. Several threads share the cache, so that each block is read only once.
 * The cache is used by exports, which write events in the order of their times. Each file contains its events in nearly
 * this order, at one or several places, so readers use a block for a while, and then never again.
 *
 * One thread, the producer, requests the blocks for a batch of events. These blocks form the window of the batch, and
 * stay in memory until the window is cleared. The first thread that uses a block reads it from the file. If there are
 * very many files, or if copying would read the same data again and again, whole files are mapped, although unmapping
 * them is slow.
 */
#pragma once

#include "loom-byte-source.h"

/* Number of bytes after a returned range that may also be read; they are zeros, or the text that follows. */
#define LOOM_SHARED_BLOCK_PADDING 64

typedef struct _LoomSharedBlockCache LoomSharedBlockCache;
typedef struct _LoomSharedBlock LoomSharedBlock;
typedef struct _LoomSharedBlockWindow LoomSharedBlockWindow;

/* Creates a cache. `texts` is borrowed; an element may be NULL if it is never requested. Takes some MB of memory. */
LoomSharedBlockCache *loom_shared_block_cache_new (LoomByteSource *const *texts, guint n_texts);

/* Unmaps text `number` if it was mapped. No thread may use the text any more. Returns FALSE with LOOM_ERROR_READ if the
 * file changed while it was mapped; the bytes that were read from it may then have been zeros. Takes long for a large
 * file. May be called in any thread, but only once per text. */
gboolean loom_shared_block_cache_release (LoomSharedBlockCache *blocks, guint number, GError **error);

/* Frees the cache. All texts must be released, and all blocks must be removed from the windows, before the call. */
void loom_shared_block_cache_free (LoomSharedBlockCache *blocks);

/* Reports that an event of text `number` is `length` bytes long, and that fewer bytes were available from its start on.
 * From now on, more additional bytes are read after each block. May be called on any thread. */
void loom_shared_block_cache_note_length (LoomSharedBlockCache *blocks, guint number, gsize length);

/* Returns the block that contains the byte at `offset`, and adds it to the window. The block is valid as long as the
 * window contains it. Only the thread that makes windows may call this function. */
LoomSharedBlock *loom_shared_block_cache_want (LoomSharedBlockCache *blocks, LoomSharedBlockWindow *window,
                                               guint number, guint64 offset);

/* Returns the bytes of the block from `offset` in the text on, and sets `length` to their number. If no thread has read
 * the block from the file yet, reads it. Returns NULL if there are no such bytes, or if they cannot be read; the caller
 * gets the error by reading them from the file. May be called on any thread. */
const char *loom_shared_block_cache_get_block (LoomSharedBlock *block, guint64 offset, gsize *length);

LoomSharedBlockWindow *loom_shared_block_cache_new_window (void);
void loom_shared_block_cache_free_window (LoomSharedBlockWindow *window);

/* Returns TRUE if the window is full, that is, if its blocks have 4 MiB or more in total. The caller should then start
 * another window. */
gboolean loom_shared_block_cache_window_is_full (const LoomSharedBlockWindow *window);

/* Finds the block of the window that contains `offset`, and returns its bytes like loom_shared_block_cache_get_block().
 * Returns NULL if the window has no such block. Only one thread at a time may use a window. */
const char *loom_shared_block_cache_get_window (LoomSharedBlockWindow *window, LoomByteSource *text, guint64 offset,
                                                gsize *length);

void loom_shared_block_cache_clear (LoomSharedBlockWindow *window);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSharedBlockCache, loom_shared_block_cache_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSharedBlockWindow, loom_shared_block_cache_free_window)
