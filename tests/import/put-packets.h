/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes packets of Perfetto traces (protobuf messages). All functions are inline, because each test program uses only
 * some of them, and the compiler warns about unused static functions.
 */
#pragma once

#include "loom-byte-source.h"

#include <archive.h>
#include <archive_entry.h>
#include <gio/gio.h>
#include <string.h>

static inline void
put_varint (GByteArray *out, guint64 value)
{
  do {
    guint8 byte = (guint8) (value & 0x7F) | (value > 0x7F ? 0x80 : 0);
    g_byte_array_append (out, &byte, 1);
  } while ((value >>= 7) > 0);
}

static inline void
put_number (GByteArray *out, guint field, guint64 value)
{
  put_varint (out, (guint64) field << 3);
  put_varint (out, value);
}

static inline void
put_bytes (GByteArray *out, guint field, const void *bytes, gsize n_bytes)
{
  put_varint (out, (guint64) field << 3 | 2);
  put_varint (out, n_bytes);
  g_byte_array_append (out, bytes, (guint) n_bytes);
}

/* Appends a packet with a track event of the type TrackEvent.Type `type`. */
static inline void
put_event (GByteArray *out, guint64 time_ns, guint type, const char *name)
{
  g_autoptr (GByteArray) event = g_byte_array_new (), packet = g_byte_array_new ();
  put_number (event, 9, type);
  put_number (event, 11, 5);
  if (name != NULL)
    put_bytes (event, 23, name, strlen (name));
  put_number (packet, 8, time_ns);
  put_bytes (packet, 11, event->data, event->len);
  put_bytes (out, 1, packet->data, packet->len);
}

/* Appends a packet that contains other packets, compressed with Zstandard. */
static inline void
put_zstd (GByteArray *out, const GByteArray *packets)
{
  g_autoptr (GByteArray) packet = g_byte_array_new ();
  guint8 buffer[64 * 1024];
  size_t n_bytes = 0;
  struct archive *archive = archive_write_new ();
  struct archive_entry *entry = archive_entry_new ();
  archive_write_set_format_raw (archive);
  g_assert_cmpint (archive_write_add_filter_zstd (archive), ==, ARCHIVE_OK);
  archive_write_set_bytes_in_last_block (archive, 1);
  archive_write_open_memory (archive, buffer, sizeof buffer, &n_bytes);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_write_header (archive, entry);
  g_assert_cmpint (archive_write_data (archive, packets->data, packets->len), ==, packets->len);
  archive_entry_free (entry);
  archive_write_close (archive);
  archive_write_free (archive);
  put_bytes (packet, 133, buffer, n_bytes);
  put_bytes (out, 1, packet->data, packet->len);
}

/* Appends a packet that contains other packets, compressed with zlib. */
static inline void
put_compressed (GByteArray *out, const GByteArray *packets)
{
  g_autoptr (GZlibCompressor) zlib = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 9);
  g_autoptr (GByteArray) packet = g_byte_array_new ();
  gsize n_room = packets->len + 64 * 1024, n_read, n_written;
  g_autofree guint8 *buffer = g_malloc (n_room);
  g_assert_cmpint (g_converter_convert (G_CONVERTER (zlib), packets->data, packets->len, buffer, n_room,
                                        G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL),
                   ==, G_CONVERTER_FINISHED);
  put_bytes (packet, 50, buffer, n_written);
  put_bytes (out, 1, packet->data, packet->len);
}

static inline LoomByteSource *
new_file (const GByteArray *bytes)
{
  g_autoptr (GBytes) copy = g_bytes_new (bytes->data, bytes->len);
  return loom_byte_source_new_bytes (copy);
}
