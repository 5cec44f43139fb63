/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes zip archives as PKWARE's APPNOTE.TXT specifies: sections 4.3.7 (local header), 4.3.12 (central directory),
 * and 4.3.14 to 4.3.16 (end records).
 */
#include "loom-zip-writer.h"

#include <string.h>
#include <zlib.h>

#define LOCAL_SIGNATURE 0x04034b50u
#define ENTRY_SIGNATURE 0x02014b50u
#define END64_SIGNATURE 0x06064b50u
#define LOCATOR_SIGNATURE 0x07064b50u
#define END_SIGNATURE 0x06054b50u

#define VERSION 45u           /* version 4.5 of the zip format, the first one with Zip64 */
#define UTF8_NAMES (1u << 11) /* bit 11 of the general purpose flags: file names are UTF-8 */
#define DATE ((1u << 5) | 1u) /* the date 1980-01-01, which is the earliest that zip can represent */
#define ZIP64_EXTRA 1u
#define MOST_32 G_MAXUINT32
#define MOST_16 G_MAXUINT16

enum { STORED = 0, DEFLATED = 8 };

struct _LoomZipWriter {
  LoomOutputFile *output;
  GByteArray *directory;
  guint64 offset, n_members;
};

/* Appends the lowest `n_bytes` bytes of `value`, starting with the lowest byte. If n_bytes > 8, the bytes after the
 * eighth are 0. */
static void
put (GByteArray *out, guint64 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++, value >>= 8) {
    guint8 byte = (guint8) value;
    g_byte_array_append (out, &byte, 1);
  }
}

LoomZipWriter *
loom_zip_writer_new (LoomOutputFile *output)
{
  LoomZipWriter *zip = g_new0 (LoomZipWriter, 1);
  zip->output = output;
  zip->directory = g_byte_array_new ();
  return zip;
}

static void
append (LoomZipWriter *zip, const void *bytes, gsize n)
{
  loom_output_file_append (zip->output, bytes, n);
  zip->offset += n;
}

/* Compresses the bytes to a deflate stream without a header. Returns NULL if the stream would not be shorter than
 * the bytes. */
static GBytes *
deflate_bytes (const guint8 *bytes, gsize n)
{
  z_stream stream = { .next_in = (Bytef *) bytes, .avail_in = (uInt) n };
  if (deflateInit2 (&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    return NULL;
  gsize room = deflateBound (&stream, n);
  g_autofree guint8 *packed = g_malloc (room);
  stream.next_out = packed;
  stream.avail_out = (uInt) room;
  gboolean good = deflate (&stream, Z_FINISH) == Z_STREAM_END && stream.total_out < n;
  gsize n_packed = stream.total_out;
  deflateEnd (&stream);
  return good ? g_bytes_new_take (g_steal_pointer (&packed), n_packed) : NULL;
}

typedef struct {
  guint method;
  guint32 checksum, n_stored, n_bytes;
} Member;

/* Writes the fields that are both in the local header of a member and in its entry in the central directory. */
static void
put_member (GByteArray *out, const Member *member, gsize n_name, guint n_extra)
{
  put (out, VERSION, 2);
  put (out, UTF8_NAMES, 2);
  put (out, member->method, 2);
  put (out, 0, 2);
  put (out, DATE, 2);
  put (out, member->checksum, 4);
  put (out, member->n_stored, 4);
  put (out, member->n_bytes, 4);
  put (out, n_name, 2);
  put (out, n_extra, 2);
}

static void
put_entry (LoomZipWriter *zip, const Member *member, const char *name)
{
  GByteArray *out = zip->directory;
  gboolean is_far = zip->offset >= MOST_32;
  put (out, ENTRY_SIGNATURE, 4);
  put (out, VERSION, 2);
  put_member (out, member, strlen (name), is_far ? 12 : 0);
  /* four fields, all 0: length of the comment, number of the disk, and two fields of attributes */
  put (out, 0, 2 + 2 + 2 + 4);
  put (out, is_far ? MOST_32 : zip->offset, 4);
  g_byte_array_append (out, (const guint8 *) name, (guint) strlen (name));
  if (!is_far)
    return;
  put (out, ZIP64_EXTRA, 2);
  put (out, 8, 2);
  put (out, zip->offset, 8);
}

void
loom_zip_writer_add (LoomZipWriter *zip, const char *name, GBytes *bytes, gboolean deflated)
{
  gsize n, n_stored;
  const guint8 *content = g_bytes_get_data (bytes, &n);
  g_return_if_fail (n <= G_MAXINT32 && strlen (name) < MOST_16);
  g_autoptr (GBytes) packed = deflated ? deflate_bytes (content, n) : NULL;
  const void *stored = g_bytes_get_data (packed != NULL ? packed : bytes, &n_stored);
  Member member = { packed != NULL ? DEFLATED : STORED, (guint32) crc32_z (0, content, n), (guint32) n_stored,
                    (guint32) n };
  g_autoptr (GByteArray) header = g_byte_array_new ();
  put_entry (zip, &member, name);
  put (header, LOCAL_SIGNATURE, 4);
  put_member (header, &member, strlen (name), 0);
  g_byte_array_append (header, (const guint8 *) name, (guint) strlen (name));
  append (zip, header->data, header->len);
  append (zip, stored, n_stored);
  zip->n_members++;
}

static void
put_end64 (GByteArray *out, const LoomZipWriter *zip)
{
  put (out, END64_SIGNATURE, 4);
  put (out, 44, 8); /* size of this record in bytes, without its signature and this field */
  put (out, VERSION, 2);
  put (out, VERSION, 2);
  put (out, 0, 4 + 4); /* numbers of disks */
  put (out, zip->n_members, 8);
  put (out, zip->n_members, 8);
  put (out, zip->directory->len, 8);
  put (out, zip->offset, 8);
  put (out, LOCATOR_SIGNATURE, 4);
  put (out, 0, 4);
  put (out, zip->offset + zip->directory->len, 8);
  put (out, 1, 4);
}

void
loom_zip_writer_finish (LoomZipWriter *zip)
{
  g_autoptr (GByteArray) end = g_byte_array_new ();
  if (zip->n_members >= MOST_16 || zip->offset >= MOST_32)
    put_end64 (end, zip);
  put (end, END_SIGNATURE, 4);
  put (end, 0, 2 + 2);
  put (end, MIN (zip->n_members, MOST_16), 2);
  put (end, MIN (zip->n_members, MOST_16), 2);
  put (end, zip->directory->len, 4);
  put (end, MIN (zip->offset, MOST_32), 4);
  put (end, 0, 2);
  append (zip, zip->directory->data, zip->directory->len);
  append (zip, end->data, end->len);
  g_byte_array_unref (zip->directory);
  g_free (zip);
}
