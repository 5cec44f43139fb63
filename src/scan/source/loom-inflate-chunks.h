/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides the text of a compressed file into overlapping chunks, so that several threads can scan it. The text can only
 * be unpacked from its beginning to its end, by one thread at a time. A thread that has scanned its chunk therefore
 * unpacks the next chunk and scans it, while the other threads scan their chunks. Only the thread that unpacked a chunk
 * may use it.
 */
#pragma once

#include "loom-stream-reader.h"

typedef struct {
  /* Offsets in the text. `begin`: beginning of the chunk; `end`: beginning of the next chunk. In the last chunk, which
   * extends to the end of the text, `end` is LOOM_SCAN_NOWHERE */
  guint64 begin, end;
  char *text; /* the text of the chunk: from `begin` to at most 64 KB beyond `end` */
  gsize length;
} LoomInflateChunk;

typedef struct _LoomInflateChunks LoomInflateChunks;

/* Divides the text into chunks of `n_bytes`, beginning at `offset`. The reader is borrowed. */
LoomInflateChunks *loom_inflate_chunks_new (LoomStreamReader *reader, guint64 offset, gsize n_bytes);
void loom_inflate_chunks_free (LoomInflateChunks *portions);

/* Allocates memory for a chunk. It can be used for one chunk after another. */
LoomInflateChunk *loom_inflate_chunk_new (const LoomInflateChunks *portions);
void loom_inflate_chunk_free (LoomInflateChunk *portion);

/* Unpacks the next chunk into `portion`. Returns FALSE without `error` after the last chunk, and FALSE with `error` if
 * the file cannot be read or reading was cancelled. */
gboolean loom_inflate_chunks_take (LoomInflateChunks *portions, LoomInflateChunk *portion, GError **error);

/* Scans a chunk. Returns FALSE if an event extends beyond `end`, and the text of the chunk does not contain all of it;
 * otherwise returns TRUE. */
gboolean loom_inflate_chunk_scan (const LoomInflateChunk *portion, LoomEventScanner *scanner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInflateChunks, loom_inflate_chunks_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInflateChunk, loom_inflate_chunk_free)
