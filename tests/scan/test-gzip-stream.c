/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading of compressed files at random places: the text must equal the original text. The test is built twice:
 * with the default decompressor of the build, and with zlib.
 */
#include "loom-error.h"
#include "loom-gzip-index.h"
#include "loom-stream-reader.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB ((gsize) 1024 * 1024)
#define WHOLE (40 * MIB)

static char *folder;

/* --- files --------------------------------------------------------------------------------------------------------- */

/* Returns text like a trace: repetitive, with numbers that do not repeat. */
static GString *
make_whole_text (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (11);
  GString *text = g_string_sized_new (WHOLE + 200);
  while (text->len < WHOLE)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"aten::op%u\",\"ts\":%u.%03u,\"args\":{\"id\":%u}},\n",
                            g_rand_int_range (dice, 0, 40), g_rand_int (dice), g_rand_int_range (dice, 0, 1000),
                            g_rand_int (dice));
  return text;
}

/* Returns the beginning of the text, which is generated once because that takes longer than most tests. */
static GString *
make_text (gsize n_bytes)
{
  static GString *whole;
  if (whole == NULL)
    whole = make_whole_text ();
  g_assert_cmpuint (n_bytes, <=, WHOLE);
  return g_string_new_len (whole->str, (gssize) n_bytes);
}

static void
pack (GByteArray *file, const char *text, gsize length, int level)
{
  g_autoptr (GZlibCompressor) zip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, level);
  gsize room = length + length / 100 + 1000, n_read, n_written;
  guint before = file->len;
  g_byte_array_set_size (file, before + (guint) room);
  GConverterResult result = g_converter_convert (G_CONVERTER (zip), text, length, file->data + before, room,
                                                 G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
  g_assert_cmpint (result, ==, G_CONVERTER_FINISHED);
  g_byte_array_set_size (file, before + (guint) n_written);
}

static char *
write_packed (const char *name, const GByteArray *file)
{
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
  return path;
}

/* Reads the file as loading does, at most `step` bytes at a time. Returns the source for later reads; `seen` (may be
 * NULL) receives the text. */
static LoomByteSource *
load (const char *path, gsize step, GString *seen)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *block = g_malloc (step);
  gssize n;
  while ((n = loom_stream_reader_read (reader, block, step, &error)) > 0)
    if (seen != NULL)
      g_string_append_len (seen, block, n);
  g_assert_no_error (error);
  return loom_stream_reader_dup_text (reader);
}

static LoomByteSource *
load_packed (const char *name, const GByteArray *file)
{
  g_autofree char *path = write_packed (name, file);
  return load (path, MIB, NULL);
}

/* --- checks --- */

static void
check_range (LoomByteSource *text, const GString *wanted, gsize offset, gsize length)
{
  g_autoptr (GError) error = NULL;
  length = MIN (length, wanted->len - offset);
  g_autofree char *bytes = loom_byte_source_dup_range (text, offset, length, &error);
  g_assert_no_error (error);
  g_assert_true (memcmp (bytes, wanted->str + offset, length) == 0);
}

static void
check_end (LoomByteSource *text, const GString *wanted)
{
  char byte;
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (loom_byte_source_read (text, wanted->len, &byte, 1, &error), ==, 0);
  g_assert_cmpint (loom_byte_source_read (text, wanted->len + 12345678, &byte, 1, &error), ==, 0);
  g_assert_no_error (error);
}

static void
check_anywhere (LoomByteSource *text, const GString *wanted, guint n, guint32 seed)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
  for (guint i = 0; i < n && wanted->len > 0; i++) {
    gsize offset = (gsize) (g_rand_double (dice) * (double) wanted->len);
    check_range (text, wanted, offset, (gsize) g_rand_int_range (dice, 1, i % 8 == 0 ? 700000 : 3000));
  }
}

static void
check_all (LoomByteSource *text, const GString *wanted)
{
  for (gsize at = 0; at < wanted->len; at += 100003)
    check_range (text, wanted, at, 100003);
  check_end (text, wanted);
}

/* --- tests --------------------------------------------------------------------------------------------------------- */

static void
test_one_member (void)
{
  g_autoptr (GString) wanted = make_text (20 * MIB);
  for (int level = 0; level <= 6; level += 3) { /* levels: stored without compression, fast, default */
    g_autoptr (GByteArray) file = g_byte_array_new ();
    pack (file, wanted->str, wanted->len, level);
    g_autoptr (LoomByteSource) text = load_packed ("one.gz", file);
    check_anywhere (text, wanted, 150, 2);
    check_all (text, wanted);
  }
}

static void
test_members (void)
{
  static const gsize sizes[] = { 0, 1, 65280, 65280, 300000, 9000000, 0, 65280, 7000000, 400000, 400000, 3 };
  g_autoptr (GString) wanted = make_text (18 * MIB);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  gsize at = 0;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); at += sizes[i++])
    pack (file, wanted->str + at, sizes[i], 1 + (int) i % 9);
  g_string_truncate (wanted, at);
  g_byte_array_append (file, (const guint8 *) "\0\0garbage", 9);
  g_autoptr (LoomByteSource) text = load_packed ("members.gz", file);
  check_anywhere (text, wanted, 200, 4);
  check_all (text, wanted);
  at = 0;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); at += sizes[i++])
    check_range (text, wanted, at - MIN (at, 3), 6);
}

/* Returns the checksum of header fields (CRC-32, RFC 1952 section 8). */
static guint32
checksum_of (const guint8 *bytes, gsize n_bytes)
{
  guint32 sum = G_MAXUINT32;
  for (gsize i = 0; i < n_bytes; i++) {
    sum ^= bytes[i];
    for (guint bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (0xEDB88320u & -(sum & 1));
  }
  return ~sum;
}

#define PLAIN_HEADER 10

/* Adds all optional fields to the header of the member at `begin`. Each is longer than one read. `is_sum_right`: the
 * checksum of the header is correct. */
static void
lengthen_header (GByteArray *file, guint begin, gboolean is_sum_right)
{
  const guint n_extra = 60000, n_name = 30000, n_comment = 20000;
  g_autoptr (GByteArray) header = g_byte_array_new ();
  g_byte_array_append (header, file->data + begin, PLAIN_HEADER);
  header->data[3] = 0x1E; /* flags for the fields header checksum, extra, name and comment */
  g_byte_array_append (header, (const guint8[]) { n_extra & 0xFF, n_extra >> 8 }, 2);
  g_byte_array_set_size (header, header->len + n_extra + n_name + n_comment);
  memset (header->data + PLAIN_HEADER + 2, 'x', n_extra + n_name + n_comment);
  header->data[PLAIN_HEADER + 2 + n_extra + n_name - 1] = header->data[header->len - 1] = '\0';
  guint32 sum = checksum_of (header->data, header->len) + !is_sum_right;
  g_byte_array_append (header, (const guint8[]) { (guint8) sum, (guint8) (sum >> 8) }, 2);
  g_autoptr (GByteArray) rest = g_byte_array_new ();
  g_byte_array_append (rest, file->data + begin + PLAIN_HEADER, file->len - begin - PLAIN_HEADER);
  g_byte_array_set_size (file, begin);
  g_byte_array_append (file, header->data, header->len);
  g_byte_array_append (file, rest->data, rest->len);
}

static void
test_long_headers (void)
{
  const gsize size = 30000, n = 9;
  g_autoptr (GString) wanted = make_text (n * size);
  g_autoptr (GByteArray) file = g_byte_array_new (), wrong = g_byte_array_new ();
  for (gsize i = 0; i < n; i++) {
    guint begin = file->len;
    pack (file, wanted->str + i * size, size, 6);
    lengthen_header (file, begin, TRUE);
  }
  g_autoptr (LoomByteSource) text = load_packed ("headers.gz", file);
  check_anywhere (text, wanted, 100, 7);
  check_all (text, wanted);
  pack (wrong, wanted->str, size, 6);
  lengthen_header (wrong, 0, FALSE);
  g_autofree char *path = write_packed ("wrong.gz", wrong);
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (LoomByteSource) nothing = load (path, MIB, seen);
  g_assert_cmpuint (seen->len, ==, 0);
}

static void
test_tiny (void)
{
  for (guint n = 0; n < 3; n++) {
    g_autoptr (GString) wanted = make_text (n);
    g_autoptr (GByteArray) file = g_byte_array_new ();
    pack (file, wanted->str, n, 6);
    g_autoptr (LoomByteSource) text = load_packed ("tiny.gz", file);
    check_all (text, wanted);
  }
}

/* Loads with several read sizes, so that restart points are stored at different places. */
static void
test_steps_of_loading (void)
{
  static const gsize steps[] = { 7, 1000, 32768, 65536 + 288, 100000, 3 * MIB };
  g_autoptr (GString) wanted = make_text (15 * MIB);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  pack (file, wanted->str, wanted->len, 4);
  g_autofree char *path = write_packed ("steps.gz", file);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (LoomByteSource) text = load (path, steps[i], NULL);
    check_anywhere (text, wanted, 20, 7 + i);
    check_range (text, wanted, wanted->len - 100, 100);
  }
}

static void
test_memory (void)
{
  g_autoptr (GString) wanted = make_text (40 * MIB);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  pack (file, wanted->str, wanted->len, 1);
  g_autoptr (LoomByteSource) text = load_packed ("memory.gz", file);
  gsize at_rest = loom_gzip_index_measure (text, NULL);
  g_assert_cmpuint (at_rest, <, wanted->len / 240 * 3); /* memory of the restart points: less than 3 bytes for each
                                                         * event of 240 bytes */
  check_anywhere (text, wanted, 100, 9);
  gsize reading = loom_gzip_index_measure (text, NULL);
  g_assert_cmpuint (reading, >, at_rest);
  g_assert_cmpuint (reading, <, at_rest + 36 * MIB);
  /* only texts that were not used for longer than this would be released */
  loom_gzip_index_release_all (G_USEC_PER_SEC * 1000);
  g_assert_cmpuint (loom_gzip_index_measure (text, NULL), ==, reading);
  loom_gzip_index_release_all (0);
  g_assert_cmpuint (loom_gzip_index_measure (text, NULL), ==, at_rest);
  check_anywhere (text, wanted, 10, 10);
}

/* Reads as an export does: at two places far apart, and with one reader a little behind another. */
static void
test_side_by_side (void)
{
  g_autoptr (GString) wanted = make_text (30 * MIB);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  pack (file, wanted->str, wanted->len, 1);
  g_autoptr (LoomByteSource) text = load_packed ("side.gz", file);
  gsize half = wanted->len / 2, lag = MIB;
  for (gsize at = 0; at + 4096 < half; at += 4096) {
    check_range (text, wanted, at, 4096);
    check_range (text, wanted, half + at, 4096);
    if (at >= lag)
      check_range (text, wanted, at - lag, 4096);
  }
  guint64 n_unpacked;
  loom_gzip_index_measure (text, &n_unpacked);
  g_assert_cmpuint (n_unpacked, <, wanted->len * 3 / 2);
}

/* --- threads ------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomByteSource *text;
  const GString *wanted;
  guint number;
} Part;

static gpointer
read_part (gpointer data)
{
  const Part *part = data;
  if (part->number % 2 == 0)
    check_anywhere (part->text, part->wanted, 60, part->number);
  else
    check_all (part->text, part->wanted);
  return NULL;
}

/* Reads at more places than the source has cursors (decompressors that wait at a place). */
static LoomByteSource *
read_everywhere (GString *plain)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  pack (file, plain->str, plain->len, 1);
  LoomByteSource *text = load_packed ("everywhere.gz", file);
  g_autoptr (GRand) dice = g_rand_new_with_seed (5);
  for (guint i = 0; i < 600; i++)
    check_range (text, plain, (gsize) g_rand_int_range (dice, 0, 40 * MIB - 500), 500);
  return text;
}

/* Returns the descriptor of an open file that was deleted, such as a temporary copy; −1: none. `place` receives its
 * former path. */
static int
find_unlinked (char **place)
{
  const char *name;
  g_autoptr (GDir) descriptors = g_dir_open ("/proc/self/fd", 0, NULL);
  while (descriptors != NULL && (name = g_dir_read_name (descriptors)) != NULL) {
    g_autofree char *link = g_build_filename ("/proc/self/fd", name, NULL), *target = g_file_read_link (link, NULL);
    if (target == NULL || strstr (target, "/traceloom-") == NULL || !g_str_has_suffix (target, " (deleted)"))
      continue;
    *place = g_path_get_dirname (target);
    return atoi (name);
  }
  return -1;
}

/* After many reads at random places, the text is kept in a temporary copy, so that further reads do not decompress it
 * again. */
static void
test_everywhere (void)
{
  g_autoptr (GString) plain = make_text (40 * MIB);
  g_autoptr (LoomByteSource) text = read_everywhere (plain);
  guint64 n_unpacked;
  gsize n_held = loom_gzip_index_measure (text, &n_unpacked);
  g_assert_cmpuint (n_unpacked, <, 200 * MIB);
  g_assert_cmpuint (n_held, <, 2 * MIB);
}

/* The temporary copy of the text is in the cache folder; if writing it fails, reading reports an error. */
static void
test_copy_fails (void)
{
  g_autoptr (GString) plain = make_text (40 * MIB);
  g_autoptr (LoomByteSource) text = read_everywhere (plain);
  g_autofree char *place = NULL;
  g_autoptr (GError) error = NULL;
  char byte;
  int fd = find_unlinked (&place);
  if (fd < 0) {
    g_test_skip ("no room for a copy, or no /proc");
    return;
  }
  g_assert_cmpstr (place, ==, g_get_user_cache_dir ());
  int unreadable = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (dup2 (unreadable, fd), ==, fd);
  close (unreadable);
  g_assert_cmpint (loom_byte_source_read (text, 5, &byte, 1, &error), ==, -1);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (error->message, folder));
}

static void
test_threads (void)
{
  g_autoptr (GString) wanted = make_text (14 * MIB);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  pack (file, wanted->str, wanted->len, 1);
  g_autoptr (LoomByteSource) text = load_packed ("threads.gz", file);
  Part parts[4];
  GThread *threads[4];
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    parts[i] = (Part) { text, wanted, i };
    threads[i] = g_thread_new ("read", read_part, &parts[i]);
  }
  for (guint i = 0; i < 20; i++)
    loom_gzip_index_release_all (0);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_thread_join (threads[i]);
}

/* --- truncated and damaged files --- */

/* Asserts that `seen`, the text that was read of the first gzip member, equals the text that GLib decompresses from
 * it. */
static void
check_true (const GByteArray *file, const GString *seen)
{
  g_autoptr (GZlibDecompressor) unzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autofree char *bytes = g_malloc (seen->len + 1);
  gsize n_read = 0, n_done = 0, n_in, n_out;
  while (n_done < seen->len && n_read < file->len &&
         g_converter_convert (G_CONVERTER (unzip), file->data + n_read, file->len - n_read, bytes + n_done,
                              MIN (seen->len - n_done, 64), /* small, because a request that fails returns no part of
                                                             * its text */
                              G_CONVERTER_INPUT_AT_END, &n_in, &n_out, NULL) == G_CONVERTER_CONVERTED) {
    n_read += n_in;
    n_done += n_out;
  }
  g_assert_true (memcmp (bytes, seen->str, n_done) == 0);
}

static void
check_broken (const GByteArray *file, gsize step)
{
  g_autofree char *path = write_packed ("broken.gz", file);
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (LoomByteSource) text = load (path, step, seen);
  check_true (file, seen);
  check_all (text, seen);
  check_anywhere (text, seen, 5, file->len);
}

static void
test_cut (void)
{
  g_autoptr (GString) wanted = make_text (10 * MIB);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  pack (file, wanted->str, 8 * MIB, 6);
  guint first = file->len;
  pack (file, wanted->str + 8 * MIB, 2 * MIB, 6);
  const guint cuts[] = { file->len - 1, file->len - 8, first + 200000, first + 11, first + 1,
                         first,         first - 4,     first / 2,      11,         3 };
  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++) {
    g_byte_array_set_size (file, cuts[i]);
    check_broken (file, i % 2 == 0 ? MIB : 5000);
  }
}

/* Flips bits of the file; reading at random places returns the same text as loading, and no further text. */
static void
test_damaged (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (14);
  g_autoptr (GString) wanted = make_text (7 * MIB);
  g_autoptr (GByteArray) large = g_byte_array_new (), small = g_byte_array_new ();
  pack (large, wanted->str, wanted->len, 6);
  pack (small, wanted->str, 70000, 6);
  pack (small, wanted->str, 90, 9);
  for (guint i = 0; i < 600; i++) {
    const GByteArray *whole = i % 50 == 0 ? large : small;
    g_autoptr (GByteArray) file = g_byte_array_new ();
    g_byte_array_append (file, whole->data, whole->len);
    for (guint k = i % 3 + 1; k > 0; k--)
      file->data[g_rand_int_range (dice, 2, (gint32) file->len)] ^= (guint8) (1u << g_rand_int_range (dice, 0, 8));
    check_broken (file, (gsize) g_rand_int_range (dice, 1, 200000));
  }
}

static void
test_changed (void)
{
  g_autoptr (GString) wanted = make_text (100000);
  g_autoptr (GByteArray) file = g_byte_array_new (), other = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  pack (file, wanted->str, wanted->len, 6);
  pack (other, wanted->str + 10, wanted->len - 10, 6);
  g_autoptr (LoomByteSource) text = load_packed ("changed.gz", file);
  g_autofree char *path = write_packed ("changed.gz", other);
  g_assert_null (loom_byte_source_dup_range (text, 5, 10, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (error->message, "changed.gz"));
}

/* If loading ended early, the rest of the text can still be read. */
static void
test_not_read_whole (void)
{
  g_autoptr (GString) wanted = make_text (3 * MIB);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  pack (file, wanted->str, wanted->len, 6);
  g_autofree char *path = write_packed ("stopped.gz", file);
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, NULL);
  g_autoptr (LoomByteSource) text = loom_stream_reader_dup_text (reader);
  char bytes[1000];
  g_assert_cmpint (loom_stream_reader_read (reader, bytes, sizeof bytes, NULL), ==, sizeof bytes);
  check_all (text, wanted);
}

static void
remove_folder (void)
{
  const char *name;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_free (folder);
}

int
main (int argc, char **argv)
{
  folder = g_dir_make_tmp ("traceloom-test-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gzip-text/one-member", test_one_member);
  g_test_add_func ("/gzip-text/members", test_members);
  g_test_add_func ("/gzip-text/long-headers", test_long_headers);
  g_test_add_func ("/gzip-text/tiny", test_tiny);
  g_test_add_func ("/gzip-text/steps-of-loading", test_steps_of_loading);
  g_test_add_func ("/gzip-text/memory", test_memory);
  g_test_add_func ("/gzip-text/side-by-side", test_side_by_side);
  g_test_add_func ("/gzip-text/everywhere", test_everywhere);
  g_test_add_func ("/gzip-text/copy-fails", test_copy_fails);
  g_test_add_func ("/gzip-text/threads", test_threads);
  g_test_add_func ("/gzip-text/cut", test_cut);
  g_test_add_func ("/gzip-text/damaged", test_damaged);
  g_test_add_func ("/gzip-text/changed", test_changed);
  g_test_add_func ("/gzip-text/not-read-whole", test_not_read_whole);
  int result = g_test_run ();
  remove_folder ();
  return result;
}
