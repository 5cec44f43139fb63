/* SPDX-License-Identifier: Apache-2.0
 *
 * What several threads read of many texts, each stretch of them once. Events are written by time and stand in their files
 * in nearly that order, in one place or in several, so whoever goes through them comes to a block again and again for a
 * while and then never more.
 *
 * One thread, the giver, says what a batch of events wants; the batch's window keeps those blocks until it is cleared. They
 * are read by whoever looks at them first. Where there are very many files, and where copying would read the same again and
 * again, files are looked at as wholes where the kernel has them: that is quick to read, and slow to give back.
 */
#pragma once

#include "loom-byte-source.h"

G_BEGIN_DECLS

/* So many bytes behind what get() returns may be read; they are zero, or the text that follows. */
#define LOOM_SHARED_BLOCK_PADDING 64

typedef struct _LoomSharedBlockCache LoomSharedBlockCache;
typedef struct _LoomSharedBlock LoomSharedBlock;
typedef struct _LoomSharedBlockWindow LoomSharedBlockWindow;

/* `texts`: borrowed; some may be NULL, and are never wanted. Takes some megabytes. */
LoomSharedBlockCache *loom_shared_block_cache_new (LoomByteSource *const *texts, guint n_texts);

/* Once nobody looks at text `number` any more: whether it stayed what it was. FALSE with LOOM_ERROR_READ, then what was seen
 * may have been zeros. Takes long of a large file; any thread, once each. */
gboolean loom_shared_block_cache_release (LoomSharedBlockCache *blocks, guint number, GError **error);

/* All texts are released, and no window has a block. */
void loom_shared_block_cache_free (LoomSharedBlockCache *blocks);

/* An event of text `number` was longer than what was at hand; later blocks are read further. Any thread. */
void loom_shared_block_cache_note_length (LoomSharedBlockCache *blocks, guint number, gsize length);

/* The block that the byte stands in, as long as the window has it. Only the giver. */
LoomSharedBlock *loom_shared_block_cache_want (LoomSharedBlockCache *blocks, LoomSharedBlockWindow *window,
                                               guint number, guint64 offset);

/* Reads the block if nobody did so far. The bytes from `offset` on and how many are at hand; NULL when there are none, also
 * when they cannot be read: whoever reads them alone learns why. Any thread. */
const char *loom_shared_block_cache_get_block (LoomSharedBlock *block, guint64 offset, gsize *length);

LoomSharedBlockWindow *loom_shared_block_cache_new_window (void);
void loom_shared_block_cache_free_window (LoomSharedBlockWindow *window);

/* It has its share of the memory: time for another one. */
gboolean loom_shared_block_cache_window_is_full (const LoomSharedBlockWindow *window);

/* The same of a block that the window has; NULL when it has none. One thread at a time. */
const char *loom_shared_block_cache_get_window (LoomSharedBlockWindow *window, LoomByteSource *text, guint64 offset,
                                                gsize *length);

void loom_shared_block_cache_clear (LoomSharedBlockWindow *window);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSharedBlockCache, loom_shared_block_cache_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSharedBlockWindow, loom_shared_block_cache_free_window)

G_END_DECLS
