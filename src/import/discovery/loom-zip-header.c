/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the local header that precedes each member of a zip archive. The interface is described in loom-zip-header.h.
 */
#include "loom-zip-header.h"

#include <string.h>

#define HEADER_BYTES 30
#define USUAL_HEADER_BYTES 512 /* usual maximum length in bytes of a header with its name and extra fields */
#define MOST_NAME_BYTES 65535  /* maximum length in bytes of a name, and also of the extra fields of a header */
#define END_BYTES 22
#define ZIP64_FIELD 1

static guint16
half_at (const guint8 *bytes)
{
  return (guint16) (bytes[0] | bytes[1] << 8);
}

static guint32
word_at (const guint8 *bytes)
{
  return half_at (bytes) | (guint32) half_at (bytes + 2) << 16;
}

static guint64
long_at (const guint8 *bytes)
{
  return word_at (bytes) | (guint64) word_at (bytes + 4) << 32;
}

/* Reads the sizes of a member that do not fit into 32 bits; an extra field of the header contains them. */
static void
read_zip64 (const guint8 *extra, gsize n_extra, LoomZipHeader *header)
{
  while (n_extra >= 4) {
    gsize length = half_at (extra + 2);
    if (length > n_extra - 4)
      return;
    if (half_at (extra) == ZIP64_FIELD && length >= 16) {
      header->n_unpacked = long_at (extra + 4);
      header->n_packed = long_at (extra + 12);
      return;
    }
    extra += 4 + length;
    n_extra -= 4 + length;
  }
}

static void
parse (const guint8 *bytes, LoomZipHeader *header)
{
  gsize n_name = half_at (bytes + 26), n_extra = half_at (bytes + 28);
  header->method = half_at (bytes + 8);
  header->sizes_follow = (half_at (bytes + 6) & 8) != 0;
  header->checksum = word_at (bytes + 14);
  header->n_packed = word_at (bytes + 18);
  header->n_unpacked = word_at (bytes + 22);
  if (header->n_packed == G_MAXUINT32 || header->n_unpacked == G_MAXUINT32)
    read_zip64 (bytes + HEADER_BYTES + n_name, n_extra, header);
}

/* Finds the header that ends at `offset`, among the `n_bytes` bytes before `offset`. */
static gboolean
find_header (LoomByteSource *archive, guint64 offset, gsize n_bytes, LoomZipHeader *header)
{
  g_autofree char *bytes =
    n_bytes >= HEADER_BYTES ? loom_byte_source_dup_range (archive, offset - n_bytes, n_bytes, NULL) : NULL;
  if (bytes == NULL)
    return FALSE;
  const guint8 *end = (const guint8 *) bytes + n_bytes;
  for (const guint8 *at = end - HEADER_BYTES; at >= (const guint8 *) bytes; at--)
    if (memcmp (at, "PK\3\4", 4) == 0 &&
        (gsize) (end - at) == HEADER_BYTES + (gsize) half_at (at + 26) + half_at (at + 28)) {
      parse (at, header);
      return TRUE;
    }
  return FALSE;
}

/* First reads only the usual length of a header, and more only if that is not enough: reading the longest possible
 * header for 10,000 members would read 1.3 GB. */
gboolean
loom_zip_header_read (LoomByteSource *archive, guint64 offset, LoomZipHeader *header)
{
  gsize most_bytes = (gsize) MIN (offset, HEADER_BYTES + 2 * MOST_NAME_BYTES);
  return find_header (archive, offset, MIN (most_bytes, USUAL_HEADER_BYTES), header) ||
         (most_bytes > USUAL_HEADER_BYTES && find_header (archive, offset, most_bytes, header));
}

gboolean
loom_zip_header_has_directory (LoomByteSource *archive, guint64 n_bytes)
{
  gsize n_tail = (gsize) MIN (n_bytes, END_BYTES + MOST_NAME_BYTES);
  g_autofree char *tail =
    n_tail >= END_BYTES ? loom_byte_source_dup_range (archive, n_bytes - n_tail, n_tail, NULL) : NULL;
  for (gsize i = 0; tail != NULL && i + END_BYTES <= n_tail; i++)
    if (memcmp (tail + i, "PK\5\6", 4) == 0)
      return TRUE;
  return FALSE;
}
