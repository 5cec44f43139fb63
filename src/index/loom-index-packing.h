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

/* Returns the content packed with deflate, owned by the caller, and sets the number of bytes. NULL if it would not be
 * shorter than `content`, which is then stored as it is; the number is then that of `content`. */
guint8 *loom_index_packing_deflate (const GByteArray *content, gsize *n_packed);
/* Returns the content packed with LZMA, owned by the caller, and sets the number of bytes. NULL if deflate, which packs
 * it to `n_deflated` bytes, is better: because LZMA saves hardly anything, or because the content is short. Packing
 * takes some 130 ns per byte, and unpacking some 30 ns, five times as long as with deflate. */
guint8 *loom_index_packing_compress (const GByteArray *content, gsize n_deflated, gsize *n_packed);
/* Returns about how many bytes the content takes when it is compressed, in a fifth of the time. */
gsize loom_index_packing_measure (const GByteArray *content);
/* Decompresses `packed` to `content`, which has room for `n_bytes`. Returns FALSE if `packed` is damaged or has another
 * length. Needs up to 1 MiB of memory. `packing` is not LOOM_INDEX_PACKING_STORED. */
gboolean loom_index_packing_unpack (LoomIndexPacking packing, const guint8 *packed, gsize n_packed, guint8 *content,
                                    gsize n_bytes);
