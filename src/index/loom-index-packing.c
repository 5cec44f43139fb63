/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-packing.h"

#include <lzma.h>
#include <zlib.h>

/* Compression level of zlib. Level 9 makes indexes 0 to 1 % smaller, and takes two to three times as long. */
#define LEVEL 7
/* Content is packed with LZMA only if deflate needs at least this number of bytes for it. Beginning to read LZMA takes
 * as long as reading some hundred bytes of it, so LZMA is not worth this for short content. */
#define LEAST_LZMA 2048
/* LZMA is chosen if it saves at least 1/LEAST_SAVED of the bytes that deflate needs. */
#define LEAST_SAVED 64
#define MOST_DICTIONARY (1u << 20)

/* Returns the parameters of LZMA, which the file does not state. `lp` and `pb` describe the alignment of numbers; they
 * are 0, because the content consists of numbers of variable length, which are not aligned. */
static lzma_options_lzma
get_options (gsize n_bytes)
{
  lzma_options_lzma options;
  lzma_lzma_preset (&options, LZMA_PRESET_DEFAULT);
  options.dict_size = (guint32) CLAMP (n_bytes, LZMA_DICT_SIZE_MIN, MOST_DICTIONARY);
  options.lc = 3;
  options.lp = 0;
  options.pb = 0;
  return options;
}

/* Compresses `content` with LZMA. Returns NULL if the result would be longer than `most` bytes. */
static guint8 *
pack_lzma (const GByteArray *content, gsize most, gsize *n_packed)
{
  lzma_options_lzma options = get_options (content->len);
  const lzma_filter filters[] = { { LZMA_FILTER_LZMA1, &options }, { LZMA_VLI_UNKNOWN, NULL } };
  g_autofree guint8 *packed = g_malloc (MAX (most, 1));
  *n_packed = 0;
  gboolean good =
    lzma_raw_buffer_encode (filters, NULL, content->data, content->len, packed, n_packed, most) == LZMA_OK;
  return good ? g_steal_pointer (&packed) : NULL;
}

static void
free_stream (gpointer data)
{
  z_stream *stream = data;
  deflateEnd (stream);
  g_free (stream);
}

/* Sets the level of a stream that is used again. zlib before 1.2.12 may write to the output of the stream meanwhile, so
 * it is set first, and there is no input yet. */
static gboolean
set_level (z_stream *stream, int level, guint8 *packed, gsize most)
{
  stream->avail_in = 0;
  stream->next_out = packed;
  stream->avail_out = (uInt) most;
  return deflateReset (stream) == Z_OK && deflateParams (stream, level, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* Returns a stream of this thread, ready to compress to `packed` with the level `level`; NULL: there is not enough memory. Each
 * thread keeps its stream until it ends: an index has some twenty short sections, and to allocate and clear 270 KB for
 * each of them took more than half of the time of compressing them. */
static z_stream *
begin_stream (int level, guint8 *packed, gsize most)
{
  static GPrivate of_thread = G_PRIVATE_INIT (free_stream);
  z_stream *stream = g_private_get (&of_thread);
  if (stream != NULL)
    return set_level (stream, level, packed, most) ? stream : NULL;
  stream = g_new0 (z_stream, 1);
  if (deflateInit (stream, level) != Z_OK) {
    g_free (stream);
    return NULL;
  }
  g_private_set (&of_thread, stream);
  return stream;
}

/* Compresses `content` to `packed`, which has room for `most` bytes. Returns the number of bytes; 0 if there is not
 * enough memory, or the content does not become shorter than `most` bytes. */
static gsize
deflate_content (const GByteArray *content, int level, guint8 *packed, gsize most)
{
  z_stream *stream = begin_stream (level, packed, most);
  if (stream == NULL)
    return 0;
  stream->next_in = content->data;
  stream->avail_in = content->len;
  stream->next_out = packed;
  stream->avail_out = (uInt) most;
  return deflate (stream, Z_FINISH) == Z_STREAM_END ? stream->total_out : 0;
}

/* Compresses `content` with deflate. Returns NULL if the result is not shorter than `content`. */
static guint8 *
pack_deflate (const GByteArray *content, int level, gsize *n_packed)
{
  g_autofree guint8 *packed = g_malloc (MAX (content->len, 1));
  gsize n = content->len > 1 ? deflate_content (content, level, packed, content->len - 1) : 0;
  *n_packed = n > 0 ? n : content->len;
  return n > 0 ? g_steal_pointer (&packed) : NULL;
}

guint8 *
loom_index_packing_deflate (const GByteArray *content, gsize *n_packed)
{
  return pack_deflate (content, LEVEL, n_packed);
}

guint8 *
loom_index_packing_compress (const GByteArray *content, gsize n_deflated, gsize *n_packed)
{
  return n_deflated >= LEAST_LZMA ? pack_lzma (content, n_deflated - n_deflated / LEAST_SAVED, n_packed) : NULL;
}

gsize
loom_index_packing_measure (const GByteArray *content)
{
  gsize n_packed = 0;
  if (content->len > 0)
    g_free (pack_deflate (content, Z_BEST_SPEED, &n_packed));
  return n_packed;
}

static gboolean
unpack_lzma (const guint8 *packed, gsize n_packed, guint8 *content, gsize n_bytes)
{
  lzma_options_lzma options = get_options (n_bytes);
  const lzma_filter filters[] = { { LZMA_FILTER_LZMA1, &options }, { LZMA_VLI_UNKNOWN, NULL } };
  gsize n_read = 0, n_written = 0;
  lzma_ret result = lzma_raw_buffer_decode (filters, NULL, packed, &n_read, n_packed, content, &n_written, n_bytes);
  return result == LZMA_OK && n_read == n_packed && n_written == n_bytes;
}

gboolean
loom_index_packing_unpack (LoomIndexPacking packing, const guint8 *packed, gsize n_packed, guint8 *content,
                           gsize n_bytes)
{
  uLongf n_written = n_bytes;
  if (packing == LOOM_INDEX_PACKING_LZMA)
    return unpack_lzma (packed, n_packed, content, n_bytes);
  return uncompress (content, &n_written, packed, n_packed) == Z_OK && n_written == n_bytes;
}
