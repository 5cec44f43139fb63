/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading of texts that are stored inside other files: byte ranges, raw deflate streams, and gzip inside either.
 * The test is built twice: with the default decompressor of the build, and with zlib.
 */
#include "loom-error.h"
#include "loom-gzip-index.h"
#include "loom-range-source.h"
#include "loom-stream-reader.h"
#include "loom-temp-file.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>

#define LEAD "what stands before it, "
#define N_TEXT (20u * 1024 * 1024)

static char *folder;

static GString *
make_whole_text (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (11);
  GString *text = g_string_sized_new (N_TEXT + 200);
  while (text->len < N_TEXT)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"op%u\",\"ts\":%u},\n", g_rand_int_range (dice, 0, 40),
                            g_rand_int (dice));
  return text;
}

/* Returns the beginning of a text that is generated once, because that takes longer than most tests. */
static GString *
make_text (gsize n_bytes)
{
  static GString *whole;
  if (whole == NULL)
    whole = make_whole_text ();
  g_assert_cmpuint (n_bytes, <=, N_TEXT);
  return g_string_new_len (whole->str, (gssize) n_bytes);
}

/* Compresses a text; `window` as in zlib's deflateInit2(). */
static GString *
pack (const GString *text, int window)
{
  z_stream stream = { 0 };
  g_assert_cmpint (deflateInit2 (&stream, 1, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  gsize room = deflateBound (&stream, text->len);
  GString *packed = g_string_sized_new (room);
  stream.next_in = (Bytef *) text->str;
  stream.avail_in = (uInt) text->len;
  stream.next_out = (Bytef *) packed->str;
  stream.avail_out = (uInt) room;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  packed->len = room - stream.avail_out;
  deflateEnd (&stream);
  return packed;
}

/* Writes a file that contains the bytes at an offset. Returns the location of the bytes in the file. */
static LoomSourceLocation *
put_inside (const char *name, const GString *bytes)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GString) all = g_string_new (LEAD);
  struct stat status;
  g_string_append_len (all, bytes->str, (gssize) bytes->len);
  g_string_append (all, "and behind it");
  g_assert_true (g_file_set_contents (path, all->str, (gssize) all->len, NULL));
  g_assert_cmpint (stat (path, &status), ==, 0);
  LoomSourceLocation *origin = loom_source_location_new (path, &status, NULL);
  origin->offset = strlen (LEAD);
  origin->n_bytes = bytes->len;
  return origin;
}

static void
check_text (LoomByteSource *text, const GString *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GRand) dice = g_rand_new_with_seed (3);
  char byte;
  for (guint i = 0; i < 40; i++) {
    gsize offset = (gsize) g_rand_int_range (dice, 0, (gint32) wanted->len), length = MIN (5000, wanted->len - offset);
    g_autofree char *bytes = loom_byte_source_dup_range (text, offset, length, &error);
    g_assert_no_error (error);
    g_assert_cmpmem (bytes, length, wanted->str + offset, length);
  }
  g_assert_cmpint (loom_byte_source_read (text, wanted->len, &byte, 1, &error), ==, 0);
  g_assert_no_error (error);
}

/* Reads the whole text in sequence, then at random places. Returns the code of the damage; NULL: the text is not
 * damaged. */
static char *
check_reader (LoomSourceLocation *origin, const GString *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from ("the member", origin, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autofree char *block = g_malloc (100000);
  gssize n;
  while ((n = loom_stream_reader_read (reader, block, 100000, &error)) > 0)
    g_string_append_len (seen, block, n);
  g_assert_no_error (error);
  g_assert_cmpuint (seen->len, ==, wanted->len);
  g_assert_true (memcmp (seen->str, wanted->str, wanted->len) == 0);
  g_autoptr (LoomByteSource) text = loom_stream_reader_dup_text (reader);
  check_text (text, wanted);
  const LoomStreamError *damage = loom_stream_reader_get_damage (reader);
  return damage != NULL ? g_strdup (loom_stream_error_get_code (damage)) : NULL;
}

static void
test_stretch (void)
{
  g_autoptr (GString) text = make_text (N_TEXT);
  g_autoptr (LoomSourceLocation) origin = put_inside ("stretch", text);
  g_assert_null (check_reader (origin, text));
  g_autoptr (GString) packed = pack (text, 31);
  g_autoptr (LoomSourceLocation) zipped = put_inside ("stretch.gz", packed);
  g_assert_null (check_reader (zipped, text));
}

static void
test_bare (void)
{
  g_autoptr (GString) text = make_text (N_TEXT), packed = pack (text, -15);
  g_autoptr (LoomSourceLocation) origin = put_inside ("bare", packed);
  origin->is_deflated = TRUE;
  g_assert_null (check_reader (origin, text));
  origin->n_unpacked = text->len;
  origin->checksum = (guint32) crc32_z (0, (const Bytef *) text->str, text->len);
  origin->has_checksum = TRUE;
  g_assert_null (check_reader (origin, text));
  origin->checksum ^= 1;
  g_autofree char *damage = check_reader (origin, text);
  g_assert_cmpstr (damage, ==, "checksum-gzip");
  origin->has_checksum = FALSE;
  origin->n_unpacked = text->len + 1;
  g_autofree char *shorter = check_reader (origin, text);
  g_assert_cmpstr (shorter, ==, "checksum-gzip");
}

static void
test_empty_bare (void)
{
  g_autoptr (GString) text = g_string_new (""), packed = pack (text, -15);
  g_autoptr (LoomSourceLocation) origin = put_inside ("empty", packed);
  origin->is_deflated = TRUE;
  char byte;
  g_autoptr (LoomByteSource) inner = loom_gzip_index_new (loom_source_location_dup_text (origin), TRUE);
  g_assert_cmpint (loom_byte_source_read (inner, 0, &byte, 1, NULL), ==, 0);
}

static void
test_gzip_in_bare (void)
{
  g_autoptr (GString) text = make_text (N_TEXT), inner = pack (text, 31), packed = pack (inner, -15);
  g_autoptr (LoomSourceLocation) origin = put_inside ("nested", packed);
  origin->is_deflated = TRUE;
  origin->n_unpacked = inner->len;
  g_assert_null (check_reader (origin, text));
}

/* The outer gzip file has not been read before: reading inside of it stores its restart points. */
static void
test_stretch_of_gzip (void)
{
  g_autoptr (GString) text = make_text (N_TEXT), packed = pack (text, 31);
  g_autoptr (LoomSourceLocation) whole = put_inside ("outer", packed);
  g_autoptr (LoomByteSource) outer = loom_gzip_index_new (loom_source_location_dup_text (whole), FALSE);
  g_assert_cmpuint (loom_gzip_index_get_end (outer, NULL), ==, G_MAXUINT64);
  gsize from = N_TEXT / 4;
  g_autoptr (GString) part = g_string_new_len (text->str + from, N_TEXT / 2);
  g_autoptr (LoomSourceLocation) origin = loom_source_location_new (NULL, NULL, outer);
  origin->offset = from;
  origin->n_bytes = part->len;
  g_assert_null (check_reader (origin, part));
  guint64 before, after;
  char byte;
  gboolean is_damaged;
  loom_gzip_index_measure (outer, &before);
  g_assert_cmpint (loom_byte_source_read (outer, from + part->len - 4000000, &byte, 1, NULL), ==, 1);
  loom_gzip_index_measure (outer, &after);
  g_assert_cmpuint (after - before, <, 8u * 1024 * 1024);
  g_assert_cmpint (loom_byte_source_read (outer, N_TEXT, &byte, 1, NULL), ==, 0);
  g_assert_cmpuint (loom_gzip_index_get_end (outer, &is_damaged), ==, N_TEXT);
  g_assert_false (is_damaged);
}

static void
test_cut_gzip (void)
{
  g_autoptr (GString) text = make_text (N_TEXT), packed = pack (text, 31);
  g_string_truncate (packed, packed->len / 2);
  g_autoptr (LoomSourceLocation) whole = put_inside ("cut", packed);
  g_autoptr (LoomByteSource) outer = loom_gzip_index_new (loom_source_location_dup_text (whole), FALSE);
  char byte;
  gboolean is_damaged;
  g_assert_cmpint (loom_byte_source_read (outer, N_TEXT - 1, &byte, 1, NULL), ==, 0);
  g_assert_cmpuint (loom_gzip_index_get_end (outer, &is_damaged), <, N_TEXT);
  g_assert_true (is_damaged);
}

static void
test_changed (void)
{
  g_autoptr (GString) text = make_text (1000), other = make_text (2000);
  g_autoptr (LoomSourceLocation) origin = put_inside ("changed", text), again = put_inside ("changed", other);
  g_autoptr (GError) error = NULL;
  g_assert_null (loom_stream_reader_new_from ("the member", origin, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
}

static void
test_spill (void)
{
  g_autoptr (GError) error = NULL;
  LoomTempFile *spill = loom_temp_file_new (100, &error);
  g_assert_no_error (error);
  g_assert_true (loom_temp_file_append (spill, "one", 3, &error));
  g_assert_true (loom_temp_file_extend (spill, 5, &error));
  g_assert_true (loom_temp_file_append (spill, "two", 3, &error));
  g_assert_cmpuint (loom_temp_file_get_length (spill), ==, 8);
  g_assert_false (loom_temp_file_reserve (spill, G_MAXUINT64, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
  g_autoptr (LoomByteSource) text = loom_temp_file_dup_text (spill);
  loom_temp_file_free (spill);
  g_autofree char *bytes = loom_byte_source_dup_range (text, 0, 8, NULL);
  g_assert_cmpmem (bytes, 8, "one\0\0two", 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loom-test-XXXXXX", NULL);
  g_test_add_func ("/scan/range-source/stretch", test_stretch);
  g_test_add_func ("/scan/range-source/bare", test_bare);
  g_test_add_func ("/scan/range-source/empty-bare", test_empty_bare);
  g_test_add_func ("/scan/range-source/gzip-in-bare", test_gzip_in_bare);
  g_test_add_func ("/scan/range-source/stretch-of-gzip", test_stretch_of_gzip);
  g_test_add_func ("/scan/range-source/cut-gzip", test_cut_gzip);
  g_test_add_func ("/scan/range-source/changed", test_changed);
  g_test_add_func ("/scan/range-source/spill", test_spill);
  int status = g_test_run ();
  static const char *const names[] = { "stretch", "stretch.gz", "bare", "empty", "nested", "outer", "cut", "changed" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
