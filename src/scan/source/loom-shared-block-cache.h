/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of the texts of many files that several threads share, so that each block is read only once. Made for exports,
 * which write events in the order of their times. Each file contains its events in nearly this order, at one or several
 * places. Readers therefore use a block for a while, and then never again.
 *
 * One thread, the producer, requests the blocks for a batch of events. These blocks form the window of the batch, and
 * stay in memory until the window is cleared. The first thread that uses a block reads it from the file. If there are
 * very many files, or if copying would read the same data again and again, whole files are mapped: mapped files are
 * fast to read, but slow to unmap.
 */
#pragma once

#include "loom-byte-source.h"

/* Number of bytes that may be read after a returned range; they are zeros or the following text. */
#define LOOM_SHARED_BLOCK_PADDING 64

typedef struct _LoomSharedBlockCache LoomSharedBlockCache;
typedef struct _LoomSharedBlock LoomSharedBlock;
typedef struct _LoomSharedBlockWindow LoomSharedBlockWindow;

/* Creates a cache. `texts` is borrowed; elements that are never requested may be NULL. Takes some megabytes. */
LoomSharedBlockCache *loom_shared_block_cache_new (LoomByteSource *const *texts, guint n_texts);

/* Unmaps text `number` if it was mapped. No thread may use the text any more. Returns FALSE with LOOM_ERROR_READ if the
 * file changed while it was mapped; the bytes that were read from it may then have been zeros. Takes long for a large
 * file. May be called in any thread, but only once per text. */
gboolean loom_shared_block_cache_release (LoomSharedBlockCache *blocks, guint number, GError **error);

/* Frees the cache. All texts must be released, and all blocks must be removed from the windows, before the call. */
void loom_shared_block_cache_free (LoomSharedBlockCache *blocks);

/* Reports that an event of text `number` has `length` bytes, and that fewer bytes were available after its start; later
 * blocks then extend further. May be called on any thread. */
void loom_shared_block_cache_note_length (LoomSharedBlockCache *blocks, guint number, gsize length);

/* Returns the block that contains the byte at `offset`, and adds it to the window. The block is valid as long as the
 * window exists. Only one thread may call this, the one that makes windows. */
LoomSharedBlock *loom_shared_block_cache_want (LoomSharedBlockCache *blocks, LoomSharedBlockWindow *window,
                                               guint number, guint64 offset);

/* Reads the block from the file unless a thread has read it already. Returns the bytes from `offset` in the text on,
 * and sets `length` to their number. Returns NULL if there are no such bytes, or if they cannot be read; reading them
 * directly then gives the error. May be called on any thread. */
const char *loom_shared_block_cache_get_block (LoomSharedBlock *block, guint64 offset, gsize *length);

LoomSharedBlockWindow *loom_shared_block_cache_new_window (void);
void loom_shared_block_cache_free_window (LoomSharedBlockWindow *window);

/* Returns TRUE if the blocks of the window have at least the total size at which a window counts as full (4 MiB). The
 * caller should then start another window. */
gboolean loom_shared_block_cache_window_is_full (const LoomSharedBlockWindow *window);

/* Returns the same bytes as loom_shared_block_cache_get_block() does for the block of the window that contains
 * `offset`; NULL if the window has no such block. A window must be used by one thread at a time. */
const char *loom_shared_block_cache_get_window (LoomSharedBlockWindow *window, LoomByteSource *text, guint64 offset,
                                                gsize *length);

void loom_shared_block_cache_clear (LoomSharedBlockWindow *window);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSharedBlockCache, loom_shared_block_cache_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSharedBlockWindow, loom_shared_block_cache_free_window)
