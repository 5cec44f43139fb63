/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the table and the compression of the sections of an index: what is packed is unpacked, and a file with correct
 * checksums whose table or compressed bytes are wrong is refused.
 */
#include <string.h>
#include <zlib.h>

#include "loom-error.h"
#include "loom-index-bytes.h"
#include "loom-index-file.h"
#include "loom-index-packing.h"

#define N_NUMBERS 20000
#define SECTION LOOM_INDEX_FILE_DURATIONS

/* Returns numbers like durations: each is near one of a few values. */
static GByteArray *
new_content (guint n)
{
  GByteArray *content = g_byte_array_new ();
  GRand *dice = g_rand_new_with_seed (5);
  for (guint i = 0; i < n; i++)
    loom_index_bytes_put (content, (guint64) g_rand_int_range (dice, 0, 40) + 1000 * (1 + i % 7 * i % 3));
  g_rand_free (dice);
  return content;
}

static void
check_unpacking (LoomIndexPacking packing, const guint8 *packed, gsize n_packed, const GByteArray *content)
{
  g_autofree guint8 *got = g_malloc (content->len + 1);
  g_assert_nonnull (packed);
  g_assert_true (loom_index_packing_unpack (packing, packed, n_packed, got, content->len));
  g_assert_cmpmem (got, content->len, content->data, content->len);
  g_assert_false (loom_index_packing_unpack (packing, packed, n_packed, got, content->len - 1));
  g_assert_false (loom_index_packing_unpack (packing, packed, n_packed, got, content->len + 1));
  for (gsize i = 0; i < n_packed; i += 1 + n_packed / 100)
    g_assert_false (loom_index_packing_unpack (packing, packed, i, got, content->len));
}

static void
test_packing (void)
{
  g_autoptr (GByteArray) content = new_content (N_NUMBERS);
  gsize n_deflated, n_dense;
  g_autofree guint8 *deflated = loom_index_packing_deflate (content, &n_deflated);
  g_autofree guint8 *dense = loom_index_packing_compress (content, n_deflated, &n_dense);
  check_unpacking (LOOM_INDEX_PACKING_DEFLATED, deflated, n_deflated, content);
  check_unpacking (LOOM_INDEX_PACKING_LZMA, dense, n_dense, content);
  g_assert_cmpuint (n_dense, <, n_deflated);
}

/* LZMA is not used for a short content, nor if it saves nothing. */
static void
test_deflate_suffices (void)
{
  g_autoptr (GByteArray) brief = new_content (200), content = new_content (N_NUMBERS);
  gsize n_deflated, n_dense;
  g_autofree guint8 *deflated = loom_index_packing_deflate (brief, &n_deflated);
  g_assert_null (loom_index_packing_compress (brief, n_deflated, &n_dense));
  g_assert_null (loom_index_packing_compress (content, 2048, &n_dense));
}

/* Each thread uses its stream of zlib again. The result does not depend on what was compressed before. */
static void
test_one_after_another (void)
{
  static const guint lengths[] = { 300, N_NUMBERS, 400, 300, 5000 };
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    g_autoptr (GByteArray) content = new_content (lengths[i]);
    gsize n_packed;
    uLongf n_expected = compressBound (content->len);
    g_autofree guint8 *expected = g_malloc (n_expected), *packed = loom_index_packing_deflate (content, &n_packed);
    g_assert_cmpint (compress2 (expected, &n_expected, content->data, content->len, 7), ==, Z_OK);
    g_assert_cmpmem (packed, n_packed, expected, n_expected);
    g_assert_cmpuint (loom_index_packing_measure (content), >=, n_packed);
  }
}

static void
test_stored (void)
{
  static const guint8 bytes[] = { 1, 2, 3 };
  g_autoptr (GByteArray) content = g_byte_array_new ();
  gsize n_packed;
  g_byte_array_append (content, bytes, sizeof bytes);
  g_assert_null (loom_index_packing_deflate (content, &n_packed));
  g_assert_cmpuint (n_packed, ==, sizeof bytes);
}

/* Writes a file with two sections, which should have at most `n_wanted` bytes. Checks that the sections are read again.
 * Returns the length of the file. */
static gsize
check_file (guint64 n_wanted)
{
  g_autoptr (GByteArray) content = new_content (N_NUMBERS), other = new_content (1);
  g_autoptr (GError) error = NULL;
  LoomIndexPack *pack = loom_index_file_pack_new ();
  loom_index_file_pack_add (pack, SECTION, content);
  loom_index_file_pack_add (pack, LOOM_INDEX_FILE_ABOUT, other);
  g_autoptr (GBytes) bytes = loom_index_file_pack_finish (pack, n_wanted);
  g_autoptr (LoomIndexFile) file = loom_index_file_new (bytes, &error);
  g_assert_no_error (error);
  g_autoptr (GBytes) got = loom_index_file_unpack (file, SECTION, &error),
                     second = loom_index_file_unpack (file, LOOM_INDEX_FILE_ABOUT, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (got, NULL), g_bytes_get_size (got), content->data, content->len);
  g_assert_cmpmem (g_bytes_get_data (second, NULL), g_bytes_get_size (second), other->data, other->len);
  return g_bytes_get_size (bytes);
}

/* Sections are packed with LZMA only if the file would otherwise be longer than wanted. */
static void
test_sections (void)
{
  gsize n_deflated = check_file (G_MAXUINT64), n_dense = check_file (0);
  g_assert_cmpuint (n_dense, <, n_deflated);
  g_assert_cmpuint (check_file (n_deflated), ==, n_deflated);
  g_assert_cmpuint (check_file (n_deflated / 2), ==, n_dense);
}

/* --- hostile files ------------------------------------------------------------------------------------------------ */

typedef struct {
  guint64 section, packing, n_stored, n_bytes;
} Row;

/* Returns a file with these rows as its table, and `content` after the table. All checksums are correct. `n_stated`:
 * number of sections in the header. */
static GBytes *
make_file (const Row *rows, guint n_rows, guint n_stated, const guint8 *content, gsize n_content)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();
  GByteArray *file = g_byte_array_new ();
  gsize at = 0;
  for (guint i = 0; i < n_rows; i++) {
    gsize n = (gsize) MIN (rows[i].n_stored, n_content - at);
    loom_index_bytes_put (table, rows[i].section);
    loom_index_bytes_put (table, rows[i].packing);
    loom_index_bytes_put (table, rows[i].n_stored);
    loom_index_bytes_put (table, rows[i].n_bytes);
    loom_index_bytes_put_fixed (table, crc32_z (0, content + at, n), 4);
    at += n;
  }
  g_byte_array_append (file, (const guint8 *) LOOM_INDEX_FILE_MAGIC, LOOM_INDEX_FILE_MAGIC_BYTES);
  loom_index_bytes_put_fixed (file, LOOM_INDEX_FILE_VERSION, 4);
  loom_index_bytes_put_fixed (file, n_stated, 4);
  loom_index_bytes_put_fixed (file, 32 + table->len + n_content, 8);
  loom_index_bytes_put_fixed (file, crc32_z (0, table->data, table->len), 4);
  loom_index_bytes_put_fixed (file, crc32_z (0, file->data, file->len), 4);
  g_byte_array_append (file, table->data, table->len);
  g_byte_array_append (file, content, (guint) n_content);
  return g_byte_array_free_to_bytes (file);
}

static void
refuse_table (const Row *rows, guint n_rows, guint n_stated, gsize n_content)
{
  static const guint8 content[64] = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = make_file (rows, n_rows, n_stated, content, n_content);
  g_assert_null (loom_index_file_new (bytes, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
}

static void
test_hostile_tables (void)
{
  static const Row good[] = { { 1, 0, 10, 10 }, { 2, 0, 20, 20 } };
  static const Row bad[][2] = {
    { { 1, 0, 10, 10 }, { 1, 0, 20, 20 } }, /* a section twice */
    { { 0, 0, 10, 10 }, { 2, 0, 20, 20 } }, /* no such section */
    { { LOOM_INDEX_FILE_N_SECTIONS, 0, 10, 10 }, { 2, 0, 20, 20 } },
    { { 1, LOOM_INDEX_PACKING_N, 10, 10 }, { 2, 0, 20, 20 } }, /* unknown compression */
    { { 1, 0, 10, 11 }, { 2, 0, 20, 20 } },                    /* lengths differ, although not compressed */
    { { 1, 0, 0, 0 }, { 2, 0, 20, 20 } },                      /* without content */
    { { 1, 0, 10, 10 }, { 2, 0, 21, 21 } },                    /* beyond the end */
    { { 1, 0, 10, 10 }, { 2, 0, 19, 19 } },                    /* ends before the end of the file */
    { { 1, 1, G_MAXUINT64, 10 }, { 2, 0, 31, 31 } },           /* sums of lengths overflow */
    { { 1, 0, 10, 10 }, { 2, 1, G_MAXUINT64 - 9, 20 } },
  };
  static const guint8 content[30] = { 0 };
  g_autoptr (GBytes) bytes = make_file (good, 2, 2, content, sizeof content);
  g_autoptr (LoomIndexFile) file = loom_index_file_new (bytes, NULL);
  g_assert_nonnull (file);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    refuse_table (bad[i], 2, 2, sizeof content);
  refuse_table (good, 2, 1, sizeof content);
  refuse_table (good, 2, 3, sizeof content);
  refuse_table (good, 2, G_MAXUINT32, sizeof content);
}

static void
refuse_section (const Row *row, const guint8 *content)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = make_file (row, 1, 1, content, (gsize) row->n_stored);
  g_autoptr (LoomIndexFile) file = loom_index_file_new (bytes, &error);
  g_assert_no_error (error);
  g_assert_null (loom_index_file_unpack (file, SECTION, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
}

/* Compressed bytes that unpack to another length than stated, or that are packed in another way, are damage, even if the
 * checksums are correct. */
static void
refuse_variants (LoomIndexPacking packing, LoomIndexPacking other, const guint8 *packed, gsize n, gsize n_bytes)
{
  const guint64 lengths[] = { 0, 1, n_bytes - 1, n_bytes + 1, 1u << 20, G_MAXUINT32, G_MAXUINT64 };
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    refuse_section (&(Row) { SECTION, packing, n, lengths[i] }, packed);
  refuse_section (&(Row) { SECTION, packing, n - 1, n_bytes }, packed);
  refuse_section (&(Row) { SECTION, other, n, n_bytes }, packed);
}

static void
test_hostile_sections (void)
{
  g_autoptr (GByteArray) content = new_content (N_NUMBERS);
  gsize n_deflated, n_dense;
  g_autofree guint8 *deflated = loom_index_packing_deflate (content, &n_deflated);
  g_autofree guint8 *dense = loom_index_packing_compress (content, n_deflated, &n_dense);
  refuse_variants (LOOM_INDEX_PACKING_DEFLATED, LOOM_INDEX_PACKING_LZMA, deflated, n_deflated, content->len);
  refuse_variants (LOOM_INDEX_PACKING_LZMA, LOOM_INDEX_PACKING_DEFLATED, dense, n_dense, content->len);
}

/* LZMA that is changed anywhere is read within the bounds of its content, whatever it unpacks to. */
static void
test_changed_lzma (void)
{
  g_autoptr (GByteArray) content = new_content (N_NUMBERS);
  g_autofree guint8 *got = g_malloc (content->len);
  gsize n;
  guint n_refused = 0, n_tried = 0;
  g_autofree guint8 *packed = loom_index_packing_compress (content, content->len, &n);
  g_assert_nonnull (packed);
  for (gsize i = 0; i < n; i += 97, n_tried++) {
    packed[i] ^= 0x55;
    n_refused += !loom_index_packing_unpack (LOOM_INDEX_PACKING_LZMA, packed, n, got, content->len);
    packed[i] ^= 0x55;
  }
  g_assert_cmpuint (n_refused, >, n_tried * 9 / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/packing/packing", test_packing);
  g_test_add_func ("/packing/deflate-suffices", test_deflate_suffices);
  g_test_add_func ("/packing/one-after-another", test_one_after_another);
  g_test_add_func ("/packing/stored", test_stored);
  g_test_add_func ("/packing/sections", test_sections);
  g_test_add_func ("/packing/hostile-tables", test_hostile_tables);
  g_test_add_func ("/packing/hostile-sections", test_hostile_sections);
  g_test_add_func ("/packing/changed-lzma", test_changed_lzma);
  return g_test_run ();
}
