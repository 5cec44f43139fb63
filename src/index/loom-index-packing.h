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

/* Returns the compressed content, owned by the caller, and sets `packing` and the number of bytes. NULL if it would not
 * be shorter than `content`, which is then stored as it is. LZMA is chosen for long contents that it makes notably
 * shorter than deflate: decompressing takes some 30 ns per byte, five times as long as with deflate. */
guint8 *loom_index_packing_pack (const GByteArray *content, LoomIndexPacking *packing, gsize *n_packed);
/* Returns about how many bytes the content takes when it is compressed, in a fifth of the time. */
gsize loom_index_packing_measure (const GByteArray *content);
/* Decompresses `packed` to `content`, which has room for `n_bytes`. Returns FALSE if `packed` is damaged or has another
 * length. Needs up to 1 MiB of memory. `packing` is not LOOM_INDEX_PACKING_STORED. */
gboolean loom_index_packing_unpack (LoomIndexPacking packing, const guint8 *packed, gsize n_packed, guint8 *content,
                                    gsize n_bytes);
