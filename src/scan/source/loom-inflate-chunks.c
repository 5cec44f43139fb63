/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides the text of a compressed file into overlapping chunks, so that several threads can scan it. The text must be
 * unpacked in order, so a thread that has finished its chunk unpacks and scans the next one. The interface is described
 * in loom-inflate-chunks.h.
 */
#include "loom-inflate-chunks.h"

#include <string.h>

/* Maximum number of bytes by which a chunk overlaps the next one. An event that begins in a chunk and is not longer
 * than this is complete in the chunk. */
#define OVERLAP_BYTES (64u * 1024)

struct _LoomInflateChunks {
  LoomStreamReader *reader;
  gsize n_bytes;
  gsize n_more;  /* number of bytes of a chunk after its first n_bytes: the overlap with the next chunk */
  guint64 next;  /* offset in the text at which the next chunk begins */
  char *overlap; /* first bytes of the next chunk, which were unpacked as the overlap of the previous chunk */
  gsize n_overlap;
  gboolean ended;
};

LoomInflateChunks *
loom_inflate_chunks_new (LoomStreamReader *reader, guint64 offset, gsize n_bytes)
{
  LoomInflateChunks *portions = g_new0 (LoomInflateChunks, 1);
  portions->reader = reader;
  portions->n_bytes = n_bytes;
  portions->n_more = MIN (n_bytes, OVERLAP_BYTES);
  portions->next = offset;
  portions->overlap = g_malloc (portions->n_more);
  return portions;
}

void
loom_inflate_chunks_free (LoomInflateChunks *portions)
{
  if (portions == NULL)
    return;
  g_free (portions->overlap);
  g_free (portions);
}

LoomInflateChunk *
loom_inflate_chunk_new (const LoomInflateChunks *portions)
{
  LoomInflateChunk *portion = g_new0 (LoomInflateChunk, 1);
  portion->text = g_malloc (portions->n_bytes + portions->n_more);
  return portion;
}

void
loom_inflate_chunk_free (LoomInflateChunk *portion)
{
  if (portion == NULL)
    return;
  g_free (portion->text);
  g_free (portion);
}

/* Reads until the chunk has `wanted` bytes or the text ends. Returns FALSE with `error`. */
static gboolean
fill (LoomInflateChunks *portions, LoomInflateChunk *portion, gsize wanted, GError **error)
{
  gssize n = 1;
  while (portion->length < wanted && n > 0) {
    n = loom_stream_reader_read_at (portions->reader, portion->begin + portion->length, portion->text + portion->length,
                                    wanted - portion->length, error);
    portion->length += n > 0 ? (gsize) n : 0;
  }
  return n >= 0;
}

gboolean
loom_inflate_chunks_take (LoomInflateChunks *portions, LoomInflateChunk *portion, GError **error)
{
  if (portions->ended)
    return FALSE;
  portion->begin = portions->next;
  portion->length = portions->n_overlap;
  memcpy (portion->text, portions->overlap, portions->n_overlap);
  portions->ended = !fill (portions, portion, portions->n_bytes + portions->n_more, error);
  if (portions->ended)
    return FALSE;
  portions->ended = portion->length < portions->n_bytes + portions->n_more;
  portions->next += portions->n_bytes;
  portion->end = portions->ended ? LOOM_SCAN_NOWHERE : portions->next;
  portions->n_overlap = portions->ended ? 0 : portions->n_more;
  memcpy (portions->overlap, portion->text + portion->length - portions->n_overlap, portions->n_overlap);
  return TRUE;
}

gboolean
loom_inflate_chunk_scan (const LoomInflateChunk *portion, LoomEventScanner *scanner)
{
  gboolean final = portion->end == LOOM_SCAN_NOWHERE;
  loom_event_scanner_set_limit (scanner, portion->end);
  loom_event_scanner_scan (scanner, portion->text, portion->length, portion->begin, final);
  return final || loom_event_scanner_is_done (scanner) || loom_event_scanner_get_reached (scanner) != LOOM_SCAN_NOWHERE;
}
