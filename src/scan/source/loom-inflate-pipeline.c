/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks circulate: the unpacking thread fills empty ones, the scanning thread empties full ones. Every block has room
 * in front of its bytes for the unconsumed rest of the block before it, so that the scanner always sees contiguous
 * memory.
 */
#include "loom-inflate-pipeline.h"

#include <string.h>

#define N_BLOCKS 4
#define BLOCK_BYTES (1024u * 1024)
#define ROOM_BYTES (256u * 1024)

typedef struct {
  char *memory;   /* ROOM_BYTES, then BLOCK_BYTES */
  gssize n_bytes; /* 0: end of the text; −1: failed */
} Block;

typedef struct {
  LoomStreamReader *reader;
  GAsyncQueue *empty, *full; /* Block * */
  gint stopped;
  GError *error;
} Pipeline;

static gpointer
unpack (gpointer data)
{
  Pipeline *pipeline = data;
  for (;;) {
    Block *block = g_async_queue_pop (pipeline->empty);
    gsize filled = 0;
    gssize n = 1;
    while (filled < BLOCK_BYTES && n > 0 && !g_atomic_int_get (&pipeline->stopped)) {
      n = loom_stream_reader_read (pipeline->reader, block->memory + ROOM_BYTES + filled, BLOCK_BYTES - filled,
                                   &pipeline->error);
      filled += n > 0 ? (gsize) n : 0;
    }
    block->n_bytes = n < 0 ? -1 : (gssize) filled;
    gboolean last = block->n_bytes <= 0;
    g_async_queue_push (pipeline->full, block);
    if (last)
      return NULL;
  }
}

/* An unconsumed rest longer than that room (a huge event) is kept in separate memory until the scanner has consumed
 * it. */
typedef struct {
  char *bytes;
  gsize length;
  gsize capacity;
  gsize next_scan; /* a long rest is scanned again only after it has doubled */
} Rest;

static void
keep_rest (Rest *rest, const char *bytes, gsize length)
{
  if (length > rest->capacity) {
    rest->capacity = length * 2;
    rest->bytes = g_realloc (rest->bytes, rest->capacity);
  }
  memmove (rest->bytes, bytes, length);
  rest->length = length;
}

static gsize
scan_block (const LoomStreamReader *reader, LoomEventScanner *scanner, Block *block, Rest *rest, guint64 offset,
            gboolean final)
{
  gsize n_block = (gsize) block->n_bytes, used;
  if (rest->length <= ROOM_BYTES) {
    char *window = block->memory + ROOM_BYTES - rest->length;
    if (rest->length > 0)
      memcpy (window, rest->bytes, rest->length);
    used = loom_event_scanner_scan (scanner, window, rest->length + n_block, offset, final);
    keep_rest (rest, window + used, rest->length + n_block - used);
    return used;
  }
  if (rest->length + n_block > rest->capacity) {
    rest->capacity = (rest->length + n_block) * 2;
    rest->bytes = g_realloc (rest->bytes, rest->capacity);
  }
  memcpy (rest->bytes + rest->length, block->memory + ROOM_BYTES, n_block);
  rest->length += n_block;
  guint64 most = loom_stream_reader_get_most_window (reader, rest->length);
  if (!final && rest->length < MIN (rest->next_scan, most))
    return 0;
  used = loom_event_scanner_scan_window (scanner, rest->bytes, rest->length, offset, final, most);
  keep_rest (rest, rest->bytes + used, rest->length - used);
  rest->next_scan = rest->length * 2;
  return used;
}

static void
scan_blocks (Pipeline *pipeline, LoomEventScanner *scanner)
{
  Rest rest = { g_malloc (ROOM_BYTES), 0, ROOM_BYTES, 0 };
  guint64 offset = 0;
  for (;;) {
    Block *block = g_async_queue_pop (pipeline->full);
    gssize n_bytes = block->n_bytes;
    if (n_bytes >= 0 && !loom_event_scanner_is_done (scanner))
      offset += scan_block (pipeline->reader, scanner, block, &rest, offset, n_bytes == 0);
    if (loom_event_scanner_is_done (scanner) || loom_event_scanner_get_reached (scanner) != LOOM_SCAN_NOWHERE)
      g_atomic_int_set (&pipeline->stopped, 1);
    g_async_queue_push (pipeline->empty, block);
    if (n_bytes <= 0)
      break;
  }
  g_free (rest.bytes);
}

static void
clear (Pipeline *pipeline, Block *blocks)
{
  for (guint i = 0; i < N_BLOCKS; i++)
    g_free (blocks[i].memory);
  g_async_queue_unref (pipeline->empty);
  g_async_queue_unref (pipeline->full);
}

gboolean
loom_inflate_pipeline_scan (LoomStreamReader *reader, LoomEventScanner *scanner, GError **error)
{
  Block blocks[N_BLOCKS];
  Pipeline pipeline = { .reader = reader, .empty = g_async_queue_new (), .full = g_async_queue_new () };
  for (guint i = 0; i < N_BLOCKS; i++) {
    blocks[i].memory = g_malloc (ROOM_BYTES + BLOCK_BYTES);
    g_async_queue_push (pipeline.empty, &blocks[i]);
  }
  GThread *thread = g_thread_try_new ("loom-unpack", unpack, &pipeline, NULL);
  if (thread != NULL) {
    scan_blocks (&pipeline, scanner);
    g_thread_join (thread);
  }
  clear (&pipeline, blocks);
  if (thread == NULL) /* scan without a second thread */
    return loom_stream_reader_scan_from (reader, scanner, 0, error);
  if (pipeline.error == NULL)
    return TRUE;
  g_propagate_error (error, pipeline.error);
  return FALSE;
}
