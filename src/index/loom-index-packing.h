/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: compresses the sections of an index. The functions may be called on any thread.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_INDEX_PACKING_STORED,
  LOOM_INDEX_PACKING_DEFLATED,
  LOOM_INDEX_PACKING_LZMA,
  LOOM_INDEX_PACKING_N,
} LoomIndexPacking;

/* Packs `content` with deflate. Returns the packed bytes, owned by the caller, and sets `n_packed` to their number. If
 * they would not be shorter than `content`, returns NULL and sets `n_packed` to the length of `content`, which is then
 * stored as it is. */
guint8 *loom_index_packing_deflate (const GByteArray *content, gsize *n_packed);
/* Packs `content` with LZMA. Returns the packed bytes, owned by the caller, and sets `n_packed` to their number.
 * `n_deflated`: number of bytes that deflate needs for the content. Returns NULL if deflate should be used instead:
 * LZMA would save hardly anything, or `n_deflated` is small. Packing takes some 130 ns per byte; unpacking takes some
 * 30 ns per byte, five times as long as with deflate. */
guint8 *loom_index_packing_compress (const GByteArray *content, gsize n_deflated, gsize *n_packed);
/* Returns about how many bytes the content takes when it is compressed. Takes a fifth of the time of compressing it. */
gsize loom_index_packing_measure (const GByteArray *content);
/* Decompresses `packed` to `content`, which has room for `n_bytes`. Returns FALSE if `packed` is damaged or has another
 * length. Needs up to 1 MiB of memory. `packing` is not LOOM_INDEX_PACKING_STORED. */
gboolean loom_index_packing_unpack (LoomIndexPacking packing, const guint8 *packed, gsize n_packed, guint8 *content,
                                    gsize n_bytes);
