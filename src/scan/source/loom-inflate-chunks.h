/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a compressed file in portions that overlap, so that several threads scan what can only be unpacked in order:
 * whoever has nothing to scan unpacks the next. One thread at a time takes; a portion belongs to whoever took it.
 */
#pragma once

#include "loom-stream-reader.h"

G_BEGIN_DECLS

typedef struct {
  guint64 begin, end; /* end: where the next portion begins; LOOM_SCAN_NOWHERE: nowhere, the text ends with this one */
  char *text;         /* from `begin` on, and somewhat beyond `end` */
  gsize length;
} LoomInflateChunk;

typedef struct _LoomInflateChunks LoomInflateChunks;

/* Portions of `n_bytes` from `offset` on; the reader is borrowed. */
LoomInflateChunks *loom_inflate_chunks_new (LoomStreamReader *reader, guint64 offset, gsize n_bytes);
void loom_inflate_chunks_free (LoomInflateChunks *portions);

/* Memory for one portion after another. */
LoomInflateChunk *loom_inflate_chunk_new (const LoomInflateChunks *portions);
void loom_inflate_chunk_free (LoomInflateChunk *portion);

/* FALSE behind the last, and with `error` when the file cannot be read or reading was cancelled. */
gboolean loom_inflate_chunks_take (LoomInflateChunks *portions, LoomInflateChunk *portion, GError **error);

/* FALSE when the portion does not hold enough to reach its end. */
gboolean loom_inflate_chunk_scan (const LoomInflateChunk *portion, LoomEventScanner *scanner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInflateChunks, loom_inflate_chunks_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInflateChunk, loom_inflate_chunk_free)

G_END_DECLS
