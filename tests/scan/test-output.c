/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading and writing of real files: an output file is complete or absent; gzip files of several members;
 * truncated gzip files; files that change while they are read.
 */
#define _GNU_SOURCE /* needed for O_DIRECT */
#include "loom-direct-io.h"
#include "loom-error.h"
#include "loom-output-file.h"
#include "loom-parallel-deflate.h"
#include "loom-stream-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef O_DIRECT
#define LOOM_TEST_DIRECT O_DIRECT
#else
#define LOOM_TEST_DIRECT 0
#endif

static char *folder;

static char *
place (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static guint n_syncs;

/* Replaces fsync() of the C library, to count its calls. */
int
fsync (int fd)
{
  n_syncs++;
  return (int) syscall (SYS_fsync, fd);
}

static gsize n_direct_bytes; /* number of bytes that were written with direct I/O, which bypasses the page cache */
static gulong direct_us;     /* simulated time of the disk for each direct write, in µs */

/* Replaces write() of the C library, to count direct writes and to delay them. */
ssize_t
write (int fd, const void *bytes, size_t n_bytes)
{
  int flags = fcntl (fd, F_GETFL);
  if (flags >= 0 && (flags & LOOM_TEST_DIRECT) != 0) {
    g_atomic_pointer_add (&n_direct_bytes, (gssize) n_bytes);
    g_usleep (direct_us);
  }
  return syscall (SYS_write, fd, bytes, n_bytes);
}

static guint
count_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
write_file (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  LoomOutputFile *output = loom_output_file_new (path, &error);
  g_assert_no_error (error);
  loom_output_file_append (output, text, strlen (text));
  g_assert_true (loom_output_file_commit (output, &error));
  g_assert_no_error (error);
}

static char *
read_file (LoomStreamReader *reader)
{
  GString *text = g_string_new (NULL);
  char block[7];
  gssize n;
  while ((n = loom_stream_reader_read (reader, block, sizeof block, NULL)) > 0)
    g_string_append_len (text, block, n);
  g_assert_cmpint (n, ==, 0);
  return g_string_free (text, FALSE);
}

static void
test_plain (void)
{
  g_autofree char *path = place ("plain.json"), *text = NULL;
  guint before = count_files ();
  write_file (path, "first");
  write_file (path, "second");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "second");
  g_assert_cmpuint (count_files (), ==, before + 1);
}

static void
test_abort (void)
{
  g_autofree char *path = place ("never.json");
  guint before = count_files ();
  LoomOutputFile *output = loom_output_file_new (path, NULL);
  loom_output_file_append (output, "half", 4);
  loom_output_file_abort (output);
  g_assert_cmpuint (count_files (), ==, before);
}

static void
test_places_that_fail (void)
{
  g_autofree char *inside = g_build_filename (folder, "no-such-folder", "x.json", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (loom_output_file_new (inside, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "x.json"));
  g_clear_error (&error);
  g_assert_null (loom_output_file_new (folder, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
  g_clear_error (&error);
  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    return;
  LoomOutputFile *output = loom_output_file_new ("/dev/full", &error);
  g_assert_no_error (error);
  loom_output_file_append (output, "x", 1);
  g_assert_false (loom_output_file_commit (output, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
}

static void
write_remakable (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  LoomOutputFile *output = loom_output_file_new (path, &error);
  g_assert_no_error (error);
  loom_output_file_set_remakable (output);
  loom_output_file_append (output, text, strlen (text));
  g_assert_true (loom_output_file_commit (output, &error));
  g_assert_no_error (error);
}

/* Replacing a file without fsync() may lose both the old and the new content in a power failure, so fsync() is skipped
 * only for files that can be created again. */
static void
test_remakable (void)
{
  g_autofree char *path = place ("remakable.json"), *text = NULL;
  n_syncs = 0;
  write_remakable (path, "first");
  g_assert_cmpuint (n_syncs, ==, 0);
  write_remakable (path, "second");
  g_assert_cmpuint (n_syncs, ==, 1);
  write_file (path, "third");
  g_assert_cmpuint (n_syncs, ==, 2);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "third");
  g_unlink (path);
  write_file (path, "fourth");
  g_assert_cmpuint (n_syncs, ==, 3);
}

/* Simulates a full disk by a limit on the size of files. */
static void
check_disk_full (gsize n_at_once)
{
  g_autofree char *path = place ("large.json"), *kept = NULL, *block = g_malloc0 (n_at_once);
  g_autoptr (GError) error = NULL;
  struct rlimit before, small;
  write_file (path, "the old one");
  guint n_files = count_files ();
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  small = (struct rlimit) { 100000, before.rlim_max };
  setrlimit (RLIMIT_FSIZE, &small);
  LoomOutputFile *output = loom_output_file_new (path, &error);
  g_assert_no_error (error);
  for (gsize n = 0; n < 1000000; n += n_at_once)
    loom_output_file_append (output, block, n_at_once);
  gboolean good = loom_output_file_commit (output, &error);
  setrlimit (RLIMIT_FSIZE, &before);
  g_assert_false (good);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
  g_assert_cmpuint (count_files (), ==, n_files);
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "the old one");
}

static void
test_disk_full (void)
{
  check_disk_full (4096);
  check_disk_full (70000); /* the second write is only partly done */
}

/* --- direct I/O, past the page cache --- */

/* Fills a buffer with bytes that depend on their offset. */
static void
fill (char *bytes, gsize n, guint64 offset)
{
  for (gsize i = 0; i < n; i++)
    bytes[i] = (char) ((offset + i) * 2654435761u >> 13);
}

static void
assert_filled (const char *path, guint64 n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, &error);
  g_autofree char *wanted = g_malloc (1 << 20);
  g_assert_no_error (error);
  g_assert_cmpuint (g_mapped_file_get_length (file), ==, n_bytes);
  for (guint64 at = 0; at < n_bytes; at += 1 << 20) {
    gsize n = (gsize) MIN (n_bytes - at, 1 << 20);
    fill (wanted, n, at);
    g_assert_true (memcmp (g_mapped_file_get_contents (file) + at, wanted, n) == 0);
  }
}

/* Asserts that the file occupies no more disk space than its content needs. */
static void
assert_no_spare_room (const char *path, guint64 n_bytes)
{
  struct stat status;
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpuint ((guint64) status.st_blocks * 512, <, n_bytes + 16 * 1000 * 1000);
}

#define LARGE_BYTES (G_GUINT64_CONSTANT (90) * 1000 * 1000 + 7)

/* Writes a file in pieces of all lengths, which is large enough for direct I/O. */
static void
write_large (const char *path, guint64 n_bytes, gboolean remakable)
{
  g_autofree char *piece = g_malloc (300000);
  g_autoptr (GError) error = NULL;
  LoomOutputFile *output = loom_output_file_new (path, &error);
  g_assert_no_error (error);
  if (remakable)
    loom_output_file_set_remakable (output);
  gsize n;
  for (guint64 at = 0; at < n_bytes; at += n) {
    n = (gsize) MIN (n_bytes - at, at % 3 == 0 ? 299993 : 1 + at % 40000);
    fill (piece, n, at);
    loom_output_file_append (output, piece, n);
  }
  g_assert_cmpuint (loom_output_file_get_n_bytes (output), ==, n_bytes);
  g_assert_true (loom_output_file_commit (output, &error));
  g_assert_no_error (error);
  assert_filled (path, n_bytes);
  if (remakable)
    assert_no_spare_room (path, n_bytes);
}

static void
check_large (gboolean remakable)
{
  g_autofree char *path = place ("huge.json"), *piece = g_malloc0 (300000);
  g_autoptr (GError) error = NULL;
  guint before = count_files ();
  write_large (path, LARGE_BYTES, remakable);
  LoomOutputFile *output = loom_output_file_new (path, &error);
  for (guint i = 0; i < 350; i++)
    loom_output_file_append (output, piece, 300000);
  loom_output_file_abort (output);
  assert_filled (path, LARGE_BYTES);
  g_assert_cmpuint (count_files (), ==, before + 1);
  g_unlink (path);
}

static void
test_large (void)
{
  check_large (FALSE);
}

static void
test_large_remakable (void)
{
  check_large (TRUE);
}

static gboolean
has_direct (void)
{
  g_autofree char *path = place ("direct");
  int fd = g_open (path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  LoomDirectWriter *direct = loom_direct_io_new (fd);
  g_autofree char *piece = g_malloc0 (4 << 20);
  n_direct_bytes = 0;
  if (direct != NULL)
    loom_direct_io_append (direct, piece, 4 << 20);
  gboolean has = direct != NULL && loom_direct_io_finish (direct) == 0 && n_direct_bytes == 4 << 20;
  close (fd);
  g_unlink (path);
  if (!has)
    g_test_skip ("the file system has no direct writing");
  return has;
}

static gsize
count_direct_bytes (guint64 n_bytes, gboolean remakable, gulong each_us)
{
  g_autofree char *path = place ("huge.json");
  n_direct_bytes = 0;
  direct_us = each_us;
  write_large (path, n_bytes, remakable);
  g_unlink (path);
  direct_us = 0;
  return n_direct_bytes;
}

/* On a slow disk, a file that can be created again changes from direct I/O to the page cache, because closing it does
 * not wait for the disk. Another file keeps using direct I/O, because closing it does wait. */
static void
test_slow_disk (void)
{
  if (!has_direct ())
    return;
  /* If the disk is slow, a file stays in the page cache up to 64 MiB or more, depending on the
   * memory, so a file of 60 MB uses direct I/O only until the disk is found to be slow. */
  const guint64 n_bytes = G_GUINT64_CONSTANT (60) * 1000 * 1000;
  g_assert_cmpuint (count_direct_bytes (n_bytes, TRUE, 0), >, 0);
  g_assert_cmpuint (count_direct_bytes (n_bytes, TRUE, 400000), <, 24 * 1000 * 1000);
  g_assert_cmpuint (count_direct_bytes (LARGE_BYTES, FALSE, 10000), >, 20 * 1000 * 1000);
}

/* The disk becomes full in the middle of a block of direct I/O. The test is skipped if the file system does not support
 * direct I/O. */
static void
test_direct_disk_full (void)
{
  g_autofree char *path = place ("direct"), *piece = g_malloc0 (1 << 20);
  int fd = g_open (path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  g_assert_cmpint (fd, >=, 0);
  LoomDirectWriter *direct = loom_direct_io_new (fd);
  if (direct == NULL) {
    g_test_skip ("the file system has no direct writing");
    close (fd);
    g_unlink (path);
    return;
  }
  struct rlimit before, small;
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  small = (struct rlimit) { 10 * 1000 * 1000 + 1, before.rlim_max };
  setrlimit (RLIMIT_FSIZE, &small);
  for (guint i = 0; i < 40; i++)
    loom_direct_io_append (direct, piece, 1 << 20);
  g_assert_cmpint (loom_direct_io_get_errno (direct), ==, EFBIG);
  g_assert_cmpint (loom_direct_io_finish (direct), ==, EFBIG);
  setrlimit (RLIMIT_FSIZE, &before);
  close (fd);
  g_unlink (path);
}

static char *
join_files (const char *name, const char *first, gsize n_first, const char *second, gsize n_second)
{
  g_autoptr (GString) joined = g_string_new_len (first, (gssize) n_first);
  g_string_append_len (joined, second, (gssize) n_second);
  char *path = place (name);
  g_assert_true (g_file_set_contents (path, joined->str, (gssize) joined->len, NULL));
  return path;
}

static void
test_gzip (void)
{
  g_autofree char *one = place ("one.gz"), *two = place ("two.gz"), *first = NULL, *second = NULL;
  gsize n_first, n_second;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "line %u\n", i * 7919);
  write_file (one, text->str);
  write_file (two, "tail");
  g_assert_true (g_file_get_contents (one, &first, &n_first, NULL));
  g_assert_true (g_file_get_contents (two, &second, &n_second, NULL));
  g_assert_cmpuint (n_first, <, text->len / 2);

  g_autofree char *members = join_files ("members.gz", first, n_first, second, n_second);
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (members, NULL, NULL);
  g_assert_true (loom_stream_reader_is_compressed (reader));
  g_autofree char *whole = read_file (reader);
  g_assert_cmpuint (strlen (whole), ==, text->len + 4);
  g_assert_true (g_str_has_suffix (whole, "tail") && g_str_has_prefix (whole, text->str));
  g_assert_null (loom_stream_reader_get_damage (reader));
  g_autoptr (LoomByteSource) again = loom_stream_reader_dup_text (reader);
  g_autofree char *range = loom_byte_source_dup_range (again, text->len - 5, 9, NULL);
  g_assert_cmpstr (range, ==, whole + text->len - 5);

  g_autofree char *garbage = join_files ("garbage.gz", second, n_second, "xyz", 3);
  g_autoptr (LoomStreamReader) dirty = loom_stream_reader_new (garbage, NULL, NULL);
  g_autofree char *clean = read_file (dirty);
  g_assert_cmpstr (clean, ==, "tail");
  g_assert_true (loom_stream_reader_has_trailing_garbage (dirty));

  g_autofree char *cut = join_files ("cut.gz", first, n_first / 2, "", 0);
  g_autoptr (LoomStreamReader) short_reader = loom_stream_reader_new (cut, NULL, NULL);
  g_autofree char *part = read_file (short_reader);
  g_assert_true (g_str_has_prefix (text->str, part) && strlen (part) > 1000);
  g_assert_nonnull (loom_stream_reader_get_damage (short_reader));
}

/* Parts that are compressed separately, and text that is appended, form one gzip member with correct checksum and
 * size. */
static void
test_packed (void)
{
  g_autofree char *path = place ("packed.gz"), *packed = NULL, *unpacked = g_malloc (1 << 20);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GZlibDecompressor) unzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  LoomOutputFile *output = loom_output_file_new (path, NULL);
  g_assert_true (loom_output_file_is_compressed (output));
  for (guint i = 0; i < 8; i++) {
    g_autoptr (LoomParallelDeflate) deflate = loom_parallel_deflate_new ();
    g_autoptr (GByteArray) stretch = g_byte_array_new ();
    gsize before = text->len;
    for (guint k = 0; k < 5000 * (i % 3); k++)
      g_string_append_printf (text, "%x;", k * 2654435761u);
    gsize length = text->len - before;
    loom_parallel_deflate_append (deflate, text->str + before, length, stretch);
    loom_output_file_append_packed (output, stretch, loom_parallel_deflate_checksum (text->str + before, length),
                                    length);
    g_string_append (text, "between");
    loom_output_file_append (output, "between", 7);
  }
  g_assert_cmpuint (loom_output_file_get_n_bytes (output), ==, text->len);
  g_assert_true (loom_output_file_commit (output, &error));
  gsize length, n_read, n_written;
  g_assert_true (g_file_get_contents (path, &packed, &length, NULL));
  g_assert_cmpint (g_converter_convert (G_CONVERTER (unzip), packed, length, unpacked, 1 << 20,
                                        G_CONVERTER_INPUT_AT_END, &n_read, &n_written, &error),
                   ==, G_CONVERTER_FINISHED);
  g_assert_no_error (error);
  g_assert_cmpuint (n_read, ==, length);
  g_assert_cmpuint (n_written, ==, text->len);
  g_assert_true (memcmp (unpacked, text->str, text->len) == 0);
}

/* Long texts are written without being copied to the buffer, and stay in order with short texts. */
static void
test_long_and_short (void)
{
  g_autofree char *path = place ("long.json"), *seen = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  LoomOutputFile *output = loom_output_file_new (path, NULL);
  for (guint i = 0; i < 60; i++) {
    g_autofree char *part = g_strnfill (i % 4 == 0 ? 100000 : 1000 + i, (char) ('a' + i % 26));
    g_string_append (text, part);
    loom_output_file_append (output, part, strlen (part));
  }
  g_assert_true (loom_output_file_commit (output, NULL));
  g_assert_true (g_file_get_contents (path, &seen, NULL, NULL));
  g_assert_cmpstr (seen, ==, text->str);
}

static void
test_changed_file (void)
{
  g_autofree char *path = place ("changing.json"), *bytes = NULL;
  g_autoptr (GError) error = NULL;
  write_file (path, "0123456789");
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, NULL);
  g_autoptr (LoomByteSource) text = loom_stream_reader_dup_text (reader);
  write_file (path, "abcdefghij"); /* replaces the file by another file with the same name */
  bytes = loom_byte_source_dup_range (text, 2, 3, &error);
  g_assert_null (bytes);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (error->message, "changing.json"));
}

static void
test_many_texts (void)
{
  LoomByteSource *texts[300];
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *name = g_strdup_printf ("many-%u", i), *path = place (name);
    write_file (path, name);
    g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, NULL);
    texts[i] = loom_stream_reader_dup_text (reader);
  }
  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
      g_autofree char *name = g_strdup_printf ("many-%u", i),
                      *bytes = loom_byte_source_dup_range (texts[i], 0, strlen (name), NULL);
      g_assert_cmpstr (bytes, ==, name);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    loom_byte_source_unref (texts[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loom-output-XXXXXX", NULL);
  g_test_add_func ("/output/large", test_large);
  g_test_add_func ("/output/large-remakable", test_large_remakable);
  g_test_add_func ("/output/remakable", test_remakable);
  g_test_add_func ("/output/slow-disk", test_slow_disk);
  g_test_add_func ("/output/direct-disk-full", test_direct_disk_full);
  g_test_add_func ("/output/plain", test_plain);
  g_test_add_func ("/output/abort", test_abort);
  g_test_add_func ("/output/places-that-fail", test_places_that_fail);
  g_test_add_func ("/output/disk-full", test_disk_full);
  g_test_add_func ("/output/packed", test_packed);
  g_test_add_func ("/output/long-and-short", test_long_and_short);
  g_test_add_func ("/reader/gzip", test_gzip);
  g_test_add_func ("/text/changed-file", test_changed_file);
  g_test_add_func ("/text/many", test_many_texts);
  int result = g_test_run ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = place (name);
    g_unlink (path);
  }
  g_rmdir (folder);
  return result;
}
