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
#include "loom-index-packing.h"
#include "loom-parallel.h"

#define HEADER_BYTES 32
/* ENTRY_BYTES: length in bytes of an entry of the table in files before LOOM_INDEX_FILE_VERSION_OF_SHORT_TABLE.
 * SHORT_ENTRY_BYTES: minimum length in bytes of an entry in files from this version on */
#define ENTRY_BYTES 40
#define SHORT_ENTRY_BYTES 8
/* Least number of bytes of all sections that are compressed on several threads: starting the threads takes as long as
 * compressing some KB. */
#define LEAST_PARALLEL 32768
/* number of bytes of the header before its checksum; the checksum covers them */
#define HEADER_CHECKED_BYTES 28

/* Limit on the unpacked length of all sections together: FREE_BYTES plus MOST_RATIO times the length of the file. This
 * limit keeps a small malicious file from using up the memory. Deflate packs zeros to about 1/1000 of their length, but
 * columns of a real index only to about 1/10. */
#define FREE_BYTES (64u << 20)
#define MOST_RATIO 256u

typedef struct {
  guint32 section, packing, checksum;
  guint64 offset, n_stored, n_bytes;
} Entry;

/* A section that is written. */
typedef struct {
  Entry entry; /* `offset` is not used */
  GByteArray *content;
  guint8 *packed; /* NULL: stored as it is */
} Part;

struct _LoomIndexPack {
  GArray *parts; /* Part */
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

static void
clear_part (gpointer data)
{
  Part *part = data;
  g_byte_array_unref (part->content);
  g_free (part->packed);
}

LoomIndexPack *
loom_index_file_pack_new (void)
{
  LoomIndexPack *pack = g_new0 (LoomIndexPack, 1);
  pack->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (pack->parts, clear_part);
  return pack;
}

gsize
loom_index_file_measure (const GByteArray *content)
{
  return loom_index_packing_measure (content);
}

void
loom_index_file_pack_add (LoomIndexPack *pack, LoomIndexFileSection section, GByteArray *content)
{
  Part part = { .entry = { .section = section, .n_bytes = content->len }, .content = content };
  if (content->len == 0)
    return;
  g_byte_array_ref (content);
  g_array_append_val (pack->parts, part);
}

static const guint8 *
get_packed (const Part *part)
{
  return part->packed != NULL ? part->packed : part->content->data;
}

/* Sets how a section is stored. Takes ownership of `packed`; NULL: the section is stored as it is. */
static void
set_packed (Part *part, LoomIndexPacking packing, guint8 *packed, gsize n_stored)
{
  g_free (part->packed);
  part->packed = packed;
  part->entry.packing = packed != NULL ? packing : LOOM_INDEX_PACKING_STORED;
  part->entry.n_stored = n_stored;
  part->entry.checksum = (guint32) crc32_z (0, get_packed (part), n_stored);
}

static void
deflate_part (guint item, guint worker, gpointer data)
{
  Part *part = &g_array_index (((LoomIndexPack *) data)->parts, Part, item);
  gsize n_stored;
  guint8 *packed = loom_index_packing_deflate (part->content, &n_stored);
  set_packed (part, LOOM_INDEX_PACKING_DEFLATED, packed, n_stored);
}

static void
compress_part (guint item, guint worker, gpointer data)
{
  Part *part = &g_array_index (((LoomIndexPack *) data)->parts, Part, item);
  gsize n_stored;
  guint8 *packed = loom_index_packing_compress (part->content, (gsize) part->entry.n_stored, &n_stored);
  if (packed != NULL)
    set_packed (part, LOOM_INDEX_PACKING_LZMA, packed, n_stored);
}

/* Calls `func` once for each section of the index; `func` compresses this section. If all sections together have at
 * least LEAST_PARALLEL bytes, several threads call `func`. */
static void
for_each_part (LoomIndexPack *pack, LoomItemFunc func)
{
  guint64 n_bytes = 0;
  for (guint i = 0; i < pack->parts->len; i++)
    n_bytes += g_array_index (pack->parts, Part, i).entry.n_bytes;
  loom_parallel_for (pack->parts->len, n_bytes < LEAST_PARALLEL ? 1 : 0, func, pack, NULL);
}

static guint64
count_stored (const LoomIndexPack *pack)
{
  guint64 n_stored = 0;
  for (guint i = 0; i < pack->parts->len; i++)
    n_stored += g_array_index (pack->parts, Part, i).entry.n_stored;
  return n_stored;
}

static void
put_entry (GByteArray *table, const Entry *entry)
{
  loom_index_bytes_put (table, entry->section);
  loom_index_bytes_put (table, entry->packing);
  loom_index_bytes_put (table, entry->n_stored);
  loom_index_bytes_put (table, entry->n_bytes);
  loom_index_bytes_put_fixed (table, entry->checksum, 4);
}

static GByteArray *
make_header (const GByteArray *table, guint n_entries, guint64 n_bytes)
{
  GByteArray *header = g_byte_array_new ();
  g_byte_array_append (header, (const guint8 *) LOOM_INDEX_FILE_MAGIC, LOOM_INDEX_FILE_MAGIC_BYTES);
  loom_index_bytes_put_fixed (header, LOOM_INDEX_FILE_VERSION, 4);
  loom_index_bytes_put_fixed (header, n_entries, 4);
  loom_index_bytes_put_fixed (header, n_bytes, 8);
  loom_index_bytes_put_fixed (header, crc32 (0, table->data, table->len), 4);
  loom_index_bytes_put_fixed (header, crc32 (0, header->data, header->len), 4);
  return header;
}

GBytes *
loom_index_file_pack_finish (LoomIndexPack *pack, guint64 n_wanted)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();
  guint n = pack->parts->len;
  for_each_part (pack, deflate_part);
  if (count_stored (pack) > n_wanted)
    for_each_part (pack, compress_part);
  for (guint i = 0; i < n; i++)
    put_entry (table, &g_array_index (pack->parts, Part, i).entry);
  GByteArray *file = make_header (table, n, HEADER_BYTES + table->len + count_stored (pack));
  g_byte_array_append (file, table->data, table->len);
  for (guint i = 0; i < n; i++) {
    const Part *part = &g_array_index (pack->parts, Part, i);
    g_byte_array_append (file, get_packed (part), (guint) part->entry.n_stored);
  }
  g_array_unref (pack->parts);
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

static gsize
get_entry_bytes (guint32 version)
{
  return version < LOOM_INDEX_FILE_VERSION_OF_SHORT_TABLE ? ENTRY_BYTES : SHORT_ENTRY_BYTES;
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
                  HEADER_BYTES + (guint64) *n_entries * get_entry_bytes (version) <= n_bytes;
  return fits || loom_index_file_set_damage (error, "header");
}

/* Reads an entry of a table that states the offsets of sections. */
static Entry
read_long_entry (LoomIndexBytes *in)
{
  Entry entry = { .section = (guint32) loom_index_bytes_get_fixed (in, 4),
                  .packing = (guint32) loom_index_bytes_get_fixed (in, 4) };
  entry.offset = loom_index_bytes_get_fixed (in, 8);
  entry.n_stored = loom_index_bytes_get_fixed (in, 8);
  entry.n_bytes = loom_index_bytes_get_fixed (in, 8);
  entry.checksum = (guint32) loom_index_bytes_get_fixed (in, 4);
  loom_index_bytes_get_fixed (in, 4);
  return entry;
}

/* Reads an entry of a table that does not state offsets. `offset`: sum of the lengths of the preceding sections. It
 * becomes the offset of the entry, which is relative to the end of the table, because the length of the table is not
 * known yet. */
static Entry
read_short_entry (LoomIndexBytes *in, guint64 offset)
{
  Entry entry = { .section = loom_index_bytes_get_below (in, LOOM_INDEX_FILE_N_SECTIONS),
                  .packing = loom_index_bytes_get_below (in, LOOM_INDEX_PACKING_N),
                  .offset = offset };
  entry.n_stored = loom_index_bytes_get (in);
  entry.n_bytes = loom_index_bytes_get (in);
  entry.checksum = (guint32) loom_index_bytes_get_fixed (in, 4);
  return entry;
}

/* Adds an entry. Its offset is relative to the beginning of the file (read_long_table()) or to the end of the table
 * (read_short_table()). `n_bytes`: upper limit on the number of bytes of the file from there on. Returns FALSE if the
 * entry is damaged. */
static gboolean
add_entry (LoomIndexFile *file, const Entry *entry, gsize n_bytes)
{
  gboolean good = entry->section > 0 && entry->section < LOOM_INDEX_FILE_N_SECTIONS &&
                  entry->packing < LOOM_INDEX_PACKING_N && entry->n_stored > 0 && entry->offset <= n_bytes &&
                  entry->n_stored <= n_bytes - entry->offset &&
                  (entry->packing != LOOM_INDEX_PACKING_STORED || entry->n_stored == entry->n_bytes) &&
                  file->entries[entry->section].n_stored == 0;
  if (good)
    file->entries[entry->section] = *entry;
  return good;
}

/* Reads a table that states the offsets of sections. Sections may be anywhere in the file. */
static gboolean
read_long_table (LoomIndexFile *file, guint32 n_entries, guint32 checksum)
{
  gsize n_bytes, n_table = (gsize) n_entries * ENTRY_BYTES;
  const guint8 *table = (const guint8 *) g_bytes_get_data (file->bytes, &n_bytes) + HEADER_BYTES;
  LoomIndexBytes in = { table, table + n_table, FALSE };
  gboolean good = checksum == crc32 (0, table, (uInt) n_table);
  for (guint32 i = 0; good && i < n_entries; i++) {
    const Entry entry = read_long_entry (&in);
    good = add_entry (file, &entry, n_bytes);
  }
  return good;
}

/* Reads a table after which the sections follow in the same order, up to the end of the file. */
static gboolean
read_short_table (LoomIndexFile *file, guint32 n_entries, guint32 checksum)
{
  gsize n_bytes, n_stored = 0;
  const guint8 *start = g_bytes_get_data (file->bytes, &n_bytes);
  LoomIndexBytes in = { start + HEADER_BYTES, start + n_bytes, FALSE };
  for (guint32 i = 0; i < n_entries; i++) {
    const Entry entry = read_short_entry (&in, n_stored);
    if (in.failed || !add_entry (file, &entry, (gsize) (in.end - in.at)))
      return FALSE;
    n_stored += entry.n_stored;
  }
  gsize first = (gsize) (in.at - start);
  for (guint i = 0; i < LOOM_INDEX_FILE_N_SECTIONS; i++)
    file->entries[i].offset += first;
  return n_stored == n_bytes - first && checksum == crc32 (0, start + HEADER_BYTES, (uInt) (first - HEADER_BYTES));
}

LoomIndexFile *
loom_index_file_new (GBytes *bytes, GError **error)
{
  gsize n_bytes;
  guint32 n_entries = 0, checksum = 0;
  const guint8 *start = g_bytes_get_data (bytes, &n_bytes);
  if (!check_header (start, n_bytes, &n_entries, &checksum, error))
    return NULL;
  g_autoptr (LoomIndexFile) file = g_new0 (LoomIndexFile, 1);
  file->bytes = g_bytes_ref (bytes);
  file->version = start[LOOM_INDEX_FILE_MAGIC_BYTES]; /* the file may have any version up to LOOM_INDEX_FILE_VERSION */
  file->room = FREE_BYTES + (guint64) n_bytes * MOST_RATIO;
  gboolean good = file->version < LOOM_INDEX_FILE_VERSION_OF_SHORT_TABLE ? read_long_table (file, n_entries, checksum)
                                                                         : read_short_table (file, n_entries, checksum);
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
  if (good && entry->packing == LOOM_INDEX_PACKING_STORED)
    return g_bytes_new_from_bytes (file->bytes, entry->offset, entry->n_stored);
  gsize n_bytes = (gsize) entry->n_bytes;
  g_autofree guint8 *content = good ? g_try_malloc (MAX (n_bytes, 1)) : NULL;
  good = content != NULL && loom_index_packing_unpack (entry->packing, stored, entry->n_stored, content, n_bytes);
  if (!good) {
    set_damaged_section (section, error);
    return NULL;
  }
  file->room -= n_bytes;
  return g_bytes_new_take (g_steal_pointer (&content), n_bytes);
}
