/* SPDX-License-Identifier: Apache-2.0
 *
 * The container of an index: packs and unpacks the header, the table of sections, and the sections of an index file
 * (README.md describes every byte). The interface is described in loom-index-file.h.
 */
#include "loom-index-file.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "loom-error.h"
#include "loom-index-bytes.h"

#define HEADER_BYTES 32
#define ENTRY_BYTES 40
/* number of bytes of the header before its checksum; the checksum covers them */
#define HEADER_CHECKED_BYTES 28

/* Limit on the unpacked length of all sections together: FREE_BYTES plus MOST_RATIO times the length of the file. This
 * limit keeps a small malicious file from using up the memory. Deflate packs zeros to about 1/1000 of their length, but
 * columns of a real index only to about 1/10. */
#define FREE_BYTES (64u << 20)
#define MOST_RATIO 256u

/* Compression level of zlib. Level 9 makes indexes 0 to 1 % smaller, and takes two to three times as long. */
#define LEVEL 7

enum { STORED, DEFLATED };

typedef struct {
  guint32 section, packing, checksum;
  guint64 offset, n_stored, n_bytes;
} Entry;

struct _LoomIndexPack {
  /* Entry: the table of sections; `offset` counts from the first section, because the length of the table is not
   * known yet */
  GArray *entries;
  GByteArray *content; /* the bytes of all sections, one section after the other */
};

struct _LoomIndexFile {
  GBytes *bytes;
  /* array indexed by section: the entry of the section in the table; if n_stored is 0, the file does not have the
   * section */
  Entry entries[LOOM_INDEX_FILE_N_SECTIONS];
  guint32 version;
  guint64 room; /* number of bytes that further sections may unpack to before the limit is reached */
};

/* --- writing ------------------------------------------------------------------------------------------------------ */

LoomIndexPack *
loom_index_file_pack_new (void)
{
  LoomIndexPack *pack = g_new0 (LoomIndexPack, 1);
  pack->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  pack->content = g_byte_array_new ();
  return pack;
}

/* Returns the compressed content; NULL if it is not shorter than `content`. */
static guint8 *
pack_content (const GByteArray *content, int level, gsize *n_packed)
{
  uLongf n = compressBound (content->len);
  g_autofree guint8 *packed = g_malloc (n);
  gboolean good = compress2 (packed, &n, content->data, content->len, level) == Z_OK;
  *n_packed = good && n < content->len ? n : content->len;
  return *n_packed < content->len ? g_steal_pointer (&packed) : NULL;
}

gsize
loom_index_file_measure (const GByteArray *content)
{
  gsize n_packed = 0;
  if (content->len > 0)
    g_free (pack_content (content, Z_BEST_SPEED, &n_packed));
  return n_packed;
}

void
loom_index_file_pack_add (LoomIndexPack *pack, LoomIndexFileSection section, const GByteArray *content)
{
  gsize n_stored;
  if (content->len == 0)
    return;
  g_autofree guint8 *packed = pack_content (content, LEVEL, &n_stored);
  const guint8 *stored = packed != NULL ? packed : content->data;
  Entry entry = { .section = section,
                  .packing = packed != NULL ? DEFLATED : STORED,
                  .checksum = (guint32) crc32_z (0, stored, n_stored),
                  .offset = pack->content->len,
                  .n_stored = n_stored,
                  .n_bytes = content->len };
  g_array_append_val (pack->entries, entry);
  g_byte_array_append (pack->content, stored, (guint) n_stored);
}

static void
put_entry (GByteArray *table, const Entry *entry, guint64 first)
{
  loom_index_bytes_put_fixed (table, entry->section, 4);
  loom_index_bytes_put_fixed (table, entry->packing, 4);
  loom_index_bytes_put_fixed (table, first + entry->offset, 8);
  loom_index_bytes_put_fixed (table, entry->n_stored, 8);
  loom_index_bytes_put_fixed (table, entry->n_bytes, 8);
  loom_index_bytes_put_fixed (table, entry->checksum, 4);
  loom_index_bytes_put_fixed (table, 0, 4);
}

/* Returns the version of a file with these sections. */
static guint32
find_version (const GArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_array_index (entries, Entry, i).section == LOOM_INDEX_FILE_FLIGHTS)
      return LOOM_INDEX_FILE_VERSION_OF_FLIGHTS;
  return LOOM_INDEX_FILE_VERSION_OF_COLUMNS;
}

static GByteArray *
make_header (const GByteArray *table, guint32 version, guint n_entries, guint64 n_bytes)
{
  GByteArray *header = g_byte_array_new ();
  g_byte_array_append (header, (const guint8 *) LOOM_INDEX_FILE_MAGIC, LOOM_INDEX_FILE_MAGIC_BYTES);
  loom_index_bytes_put_fixed (header, version, 4);
  loom_index_bytes_put_fixed (header, n_entries, 4);
  loom_index_bytes_put_fixed (header, n_bytes, 8);
  loom_index_bytes_put_fixed (header, crc32 (0, table->data, table->len), 4);
  loom_index_bytes_put_fixed (header, crc32 (0, header->data, header->len), 4);
  return header;
}

GBytes *
loom_index_file_pack_finish (LoomIndexPack *pack)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();
  guint n = pack->entries->len;
  guint64 first = HEADER_BYTES + (guint64) n * ENTRY_BYTES;
  for (guint i = 0; i < n; i++)
    put_entry (table, &g_array_index (pack->entries, Entry, i), first);
  GByteArray *file = make_header (table, find_version (pack->entries), n, first + pack->content->len);
  g_byte_array_append (file, table->data, table->len);
  g_byte_array_append (file, pack->content->data, pack->content->len);
  g_array_unref (pack->entries);
  g_byte_array_unref (pack->content);
  g_free (pack);
  return g_byte_array_free_to_bytes (file);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

gboolean
loom_index_file_set_damage (GError **error, const char *what)
{
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("The index is damaged (%s); create it again"), what);
  return FALSE;
}

static gboolean
check_header (const guint8 *bytes, gsize n_bytes, guint32 *n_entries, guint32 *checksum, GError **error)
{
  LoomIndexBytes in = { bytes, bytes + MIN (n_bytes, HEADER_BYTES), FALSE };
  if (n_bytes < LOOM_INDEX_FILE_MAGIC_BYTES || memcmp (bytes, LOOM_INDEX_FILE_MAGIC, LOOM_INDEX_FILE_MAGIC_BYTES) != 0)
    return loom_index_file_set_damage (error, "magic");
  in.at += LOOM_INDEX_FILE_MAGIC_BYTES;
  guint32 version = (guint32) loom_index_bytes_get_fixed (&in, 4);
  if (!in.failed && (version == 0 || version > LOOM_INDEX_FILE_VERSION)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED,
                 _ ("The index has version %u, but this program reads version %u; create it again"), version,
                 (guint) LOOM_INDEX_FILE_VERSION);
    return FALSE;
  }
  *n_entries = (guint32) loom_index_bytes_get_fixed (&in, 4);
  guint64 stated = loom_index_bytes_get_fixed (&in, 8);
  *checksum = (guint32) loom_index_bytes_get_fixed (&in, 4);
  guint32 own = (guint32) loom_index_bytes_get_fixed (&in, 4);
  if (!in.failed && own != crc32 (0, bytes, HEADER_CHECKED_BYTES))
    return loom_index_file_set_damage (error, "header");
  if (in.failed || n_bytes < stated) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
                 _ ("The index is truncated at byte %" PRIu64 "; create it again"), (guint64) n_bytes);
    return FALSE;
  }
  gboolean fits = n_bytes == stated && *n_entries <= LOOM_INDEX_FILE_N_SECTIONS &&
                  HEADER_BYTES + (guint64) *n_entries * ENTRY_BYTES <= n_bytes;
  return fits || loom_index_file_set_damage (error, "header");
}

static gboolean
read_entry (LoomIndexFile *file, LoomIndexBytes *in, gsize n_bytes)
{
  Entry entry = { .section = (guint32) loom_index_bytes_get_fixed (in, 4),
                  .packing = (guint32) loom_index_bytes_get_fixed (in, 4) };
  entry.offset = loom_index_bytes_get_fixed (in, 8);
  entry.n_stored = loom_index_bytes_get_fixed (in, 8);
  entry.n_bytes = loom_index_bytes_get_fixed (in, 8);
  entry.checksum = (guint32) loom_index_bytes_get_fixed (in, 4);
  loom_index_bytes_get_fixed (in, 4);
  gboolean good = entry.section > 0 && entry.section < LOOM_INDEX_FILE_N_SECTIONS && entry.packing <= DEFLATED &&
                  entry.n_stored > 0 && entry.offset <= n_bytes && entry.n_stored <= n_bytes - entry.offset &&
                  (entry.packing == DEFLATED || entry.n_stored == entry.n_bytes) &&
                  file->entries[entry.section].n_stored == 0;
  if (good)
    file->entries[entry.section] = entry;
  return good;
}

LoomIndexFile *
loom_index_file_new (GBytes *bytes, GError **error)
{
  gsize n_bytes;
  guint32 n_entries = 0, checksum = 0;
  const guint8 *start = g_bytes_get_data (bytes, &n_bytes);
  if (!check_header (start, n_bytes, &n_entries, &checksum, error))
    return NULL;
  gsize n_table = (gsize) n_entries * ENTRY_BYTES;
  g_autoptr (LoomIndexFile) file = g_new0 (LoomIndexFile, 1);
  LoomIndexBytes in = { start + HEADER_BYTES, start + HEADER_BYTES + n_table, FALSE };
  gboolean good = checksum == crc32 (0, in.at, (uInt) n_table);
  file->bytes = g_bytes_ref (bytes);
  file->version = start[LOOM_INDEX_FILE_MAGIC_BYTES]; /* the version of the file may be any up to
                                                       * LOOM_INDEX_FILE_VERSION */
  file->room = FREE_BYTES + (guint64) n_bytes * MOST_RATIO;
  for (guint32 i = 0; good && i < n_entries; i++)
    good = read_entry (file, &in, n_bytes);
  if (good)
    return g_steal_pointer (&file);
  loom_index_file_set_damage (error, "table");
  return NULL;
}

guint32
loom_index_file_get_version (const LoomIndexFile *file)
{
  return file->version;
}

void
loom_index_file_free (LoomIndexFile *file)
{
  if (file == NULL)
    return;
  g_bytes_unref (file->bytes);
  g_free (file);
}

static const guint8 *
get_stored (const LoomIndexFile *file, const Entry *entry)
{
  return (const guint8 *) g_bytes_get_data (file->bytes, NULL) + entry->offset;
}

static gboolean
set_damaged_section (LoomIndexFileSection section, GError **error)
{
  g_autofree char *what = g_strdup_printf ("section %u", (guint) section);
  return loom_index_file_set_damage (error, what);
}

gboolean
loom_index_file_check (const LoomIndexFile *file, LoomIndexFileSection section, GError **error)
{
  g_return_val_if_fail (section < LOOM_INDEX_FILE_N_SECTIONS, FALSE);
  const Entry *entry = &file->entries[section];
  return entry->n_stored == 0 || crc32_z (0, get_stored (file, entry), entry->n_stored) == entry->checksum ||
         set_damaged_section (section, error);
}

GBytes *
loom_index_file_unpack (LoomIndexFile *file, LoomIndexFileSection section, GError **error)
{
  g_return_val_if_fail (section < LOOM_INDEX_FILE_N_SECTIONS, NULL);
  const Entry *entry = &file->entries[section];
  if (entry->n_stored == 0)
    return g_bytes_new (NULL, 0);
  const guint8 *stored = get_stored (file, entry);
  gboolean good = crc32_z (0, stored, entry->n_stored) == entry->checksum && entry->n_bytes <= file->room;
  if (good && entry->packing == STORED)
    return g_bytes_new_from_bytes (file->bytes, entry->offset, entry->n_stored);
  uLongf n_bytes = (uLongf) entry->n_bytes;
  g_autofree guint8 *content = good ? g_try_malloc (MAX (n_bytes, 1)) : NULL;
  good =
    content != NULL && uncompress (content, &n_bytes, stored, entry->n_stored) == Z_OK && n_bytes == entry->n_bytes;
  if (!good) {
    set_damaged_section (section, error);
    return NULL;
  }
  file->room -= n_bytes;
  return g_bytes_new_take (g_steal_pointer (&content), n_bytes);
}
