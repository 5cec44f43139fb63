/* SPDX-License-Identifier: Apache-2.0
 *
 * Compresses ranges of the text of a gzip file independently, so that several threads can share the work. The interface
 * is described in loom-parallel-deflate.h.
 */
#include "loom-parallel-deflate.h"

#include <zlib.h>

/* A gzip header without time and name; the last byte means “unknown operating system”. */
const guint8 loom_parallel_deflate_header[LOOM_PARALLEL_DEFLATE_HEADER_BYTES] = {
  0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff
};

/* maximum number of bytes that are compressed by one call of the library, because the libraries count bytes in 32
 * bits */
#define PART_BYTES ((gsize) 64 * 1024 * 1024)
/* Maximum number of bytes by which compressed data can be longer than `length` bytes of uncompressed data: five bytes
 * for each block that is stored uncompressed, and the bytes of the flush at the end. */
#define GROWTH(length) ((length) / 1000 + 1024)

#ifdef LOOM_HAVE_ISAL

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#define LEVEL 2
#define LEVEL_BUFFER_BYTES ISAL_DEF_LVL2_DEFAULT

struct _LoomParallelDeflate {
  struct isal_zstream stream;
  guint8 level_buffer[LEVEL_BUFFER_BYTES];
};

LoomParallelDeflate *
loom_parallel_deflate_new (void)
{
  return g_new (LoomParallelDeflate, 1);
}

void
loom_parallel_deflate_free (LoomParallelDeflate *deflate)
{
  g_free (deflate);
}

static gsize
compress_into (LoomParallelDeflate *deflate, const char *bytes, gsize length, guint8 *out, gsize room)
{
  struct isal_zstream *stream = &deflate->stream;
  isal_deflate_init (stream);
  stream->level = LEVEL;
  stream->level_buf = deflate->level_buffer;
  stream->level_buf_size = LEVEL_BUFFER_BYTES;
  stream->flush = SYNC_FLUSH;
  stream->next_in = (guint8 *) bytes; /* the cast is safe: isal_deflate() only reads the bytes */
  stream->avail_in = (guint32) length;
  stream->next_out = out;
  stream->avail_out = (guint32) room;
  int result = isal_deflate (stream);
  g_assert (result == COMP_OK && stream->avail_in == 0 && stream->avail_out > 0);
  return room - stream->avail_out;
}

guint32
loom_parallel_deflate_checksum (const char *bytes, gsize length)
{
  return crc32_gzip_refl (0, (const guint8 *) bytes, length);
}

#else

#define LEVEL 4

struct _LoomParallelDeflate {
  z_stream stream;
};

LoomParallelDeflate *
loom_parallel_deflate_new (void)
{
  LoomParallelDeflate *deflate = g_new0 (LoomParallelDeflate, 1);
  deflateInit2 (&deflate->stream, LEVEL, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  return deflate;
}

void
loom_parallel_deflate_free (LoomParallelDeflate *deflate)
{
  if (deflate != NULL)
    deflateEnd (&deflate->stream);
  g_free (deflate);
}

static gsize
compress_into (LoomParallelDeflate *packer, const char *bytes, gsize length, guint8 *out, gsize room)
{
  z_stream *stream = &packer->stream;
  deflateReset (stream);
  stream->next_in = (Bytef *) bytes;
  stream->avail_in = (uInt) length;
  stream->next_out = out;
  stream->avail_out = (uInt) room;
  int result = deflate (stream, Z_SYNC_FLUSH);
  g_assert (result == Z_OK && stream->avail_in == 0 && stream->avail_out > 0);
  return room - stream->avail_out;
}

guint32
loom_parallel_deflate_checksum (const char *bytes, gsize length)
{
  return (guint32) crc32_z (0, (const Bytef *) bytes, length);
}

#endif

void
loom_parallel_deflate_append (LoomParallelDeflate *deflate, const char *bytes, gsize length, GByteArray *out)
{
  while (length > 0) {
    gsize part = MIN (length, PART_BYTES), room = part + GROWTH (part);
    guint before = out->len;
    g_byte_array_set_size (out, (guint) (before + room));
    gsize n = compress_into (deflate, bytes, part, out->data + before, room);
    g_byte_array_set_size (out, (guint) (before + n));
    bytes += part;
    length -= part;
  }
}

guint32
loom_parallel_deflate_join_checksums (guint32 first, guint32 second, gsize second_length)
{
  return (guint32) crc32_combine (first, second, (z_off_t) second_length);
}

static void
put_word (guint8 *to, guint32 value)
{
  for (guint i = 0; i < 4; i++)
    to[i] = (guint8) (value >> 8 * i);
}

void
loom_parallel_deflate_make_trailer (guint32 checksum, guint64 n_bytes,
                                    guint8 trailer[LOOM_PARALLEL_DEFLATE_TRAILER_BYTES])
{
  trailer[0] = 3;
  trailer[1] = 0;
  put_word (trailer + 2, checksum);
  put_word (trailer + 6, (guint32) n_bytes);
}
