/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests random access to gzip files by restart places, which are positions between compressed blocks: any part of the
 * text is the same as if the whole file is unpacked, for several levels, members and kinds of blocks, and little of the
 * file is read. The test is built with both decompressors (ISA-L, zlib).
 */
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "loom-error.h"
#include "loom-gzip-restarts.h"
#include "loom-stream-reader.h"

#define TEXT_BYTES (14u * 1024 * 1024)
#define N_READS 16

/* A text and its gzip file. */
typedef struct {
  GString *text;
  char *path;
  gsize n_packed;
} File;

/* Returns text like that of a trace, of `n_bytes` or a little more. */
static GString *
make_text (gsize n_bytes)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (3);
  GString *text = g_string_sized_new (n_bytes + 200);
  for (guint i = 0; text->len < n_bytes; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"aten::op_%d\",\"ts\":%u.%03d,\"dur\":%d},\n",
                            g_rand_int_range (dice, 0, 300), i * 10, g_rand_int_range (dice, 0, 1000),
                            g_rand_int_range (dice, 1, 5000));
  return text;
}

static void
pack (GByteArray *out, const char *text, gsize n, int level, int strategy)
{
  z_stream stream = { 0 };
  g_assert_cmpint (deflateInit2 (&stream, level, Z_DEFLATED, 15 + 16, 8, strategy), ==, Z_OK);
  guint before = out->len, bound = (guint) deflateBound (&stream, n) + 64;
  g_byte_array_set_size (out, before + bound);
  stream.next_in = (Bytef *) text;
  stream.avail_in = (uInt) n;
  stream.next_out = out->data + before;
  stream.avail_out = bound;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (out, before + (guint) stream.total_out);
  deflateEnd (&stream);
}

/* Compresses a text as `n_members` gzip members, each with another level. */
static File *
make_file (guint n_members, int level, int strategy)
{
  File *file = g_new0 (File, 1);
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  file->text = make_text (TEXT_BYTES);
  for (guint i = 0; i < n_members; i++) {
    gsize begin = file->text->len * i / n_members, end = file->text->len * (i + 1) / n_members;
    pack (packed, file->text->str + begin, end - begin, (int) i % 2 == 0 ? level : 1, strategy);
  }
  int fd = g_file_open_tmp ("loom-restarts-XXXXXX", &file->path, NULL);
  close (fd);
  g_assert_true (g_file_set_contents (file->path, (const char *) packed->data, (gssize) packed->len, NULL));
  file->n_packed = packed->len;
  return file;
}

static void
file_free (File *file)
{
  g_unlink (file->path);
  g_free (file->path);
  g_string_free (file->text, TRUE);
  g_free (file);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (File, file_free)

/* Reads the whole file, as loading does, and returns its restart places. */
static GBytes *
make_places (const File *file, guint64 most_bytes)
{
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (file->path, NULL, NULL);
  g_autofree char *buffer = g_malloc (1 << 20);
  while (loom_stream_reader_read (reader, buffer, 1 << 20, NULL) > 0)
    ;
  g_autoptr (LoomByteSource) text = loom_stream_reader_dup_text (reader);
  GByteArray *made = loom_gzip_restarts_make (text, most_bytes);
  g_assert_nonnull (made);
  return g_byte_array_free_to_bytes (made);
}

/* Returns a source of the compressed bytes of the file. */
static LoomByteSource *
open_packed (const File *file)
{
  char *content;
  gsize n;
  g_assert_true (g_file_get_contents (file->path, &content, &n, NULL));
  g_autoptr (GBytes) bytes = g_bytes_new_take (content, n);
  return loom_byte_source_new_bytes (bytes);
}

static void
check_read (const File *file, LoomByteSource *text, guint64 offset, gsize n_bytes)
{
  g_autoptr (GError) error = NULL;
  n_bytes = MIN (n_bytes, file->text->len - offset);
  g_autofree char *got = loom_byte_source_dup_range (text, offset, n_bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (got, n_bytes, file->text->str + offset, n_bytes);
}

static void
check_file (guint n_members, int level, int strategy, gboolean has_places)
{
  g_autoptr (File) file = make_file (n_members, level, strategy);
  g_autoptr (GBytes) places = make_places (file, G_MAXUINT32);
  g_autoptr (LoomByteSource) packed = open_packed (file);
  g_autoptr (GRand) dice = g_rand_new_with_seed (7);
  g_autoptr (LoomByteSource) text = loom_gzip_restarts_open (packed, places, NULL, NULL);
  for (guint i = 0; i < N_READS; i++)
    check_read (file, text, (guint64) (g_rand_double (dice) * (double) file->text->len), i % 3 == 0 ? 10 : 100000);
  check_read (file, text, file->text->len - 5, 5);
  char byte;
  g_assert_cmpint (loom_byte_source_read (text, file->text->len, &byte, 1, NULL), ==, 0);
  g_autoptr (LoomByteSource) fresh = loom_gzip_restarts_open (packed, places, NULL, NULL);
  check_read (file, fresh, file->text->len / 2, 1000);
  g_assert_true (!has_places || loom_gzip_restarts_count_read (fresh) < file->n_packed / 3);
}

static void
test_levels (void)
{
  check_file (1, 6, Z_DEFAULT_STRATEGY, TRUE);
  check_file (1, 1, Z_DEFAULT_STRATEGY, TRUE);
  check_file (1, 9, Z_DEFAULT_STRATEGY, TRUE);
}

/* Tests blocks with fixed Huffman codes, and members that are hardly longer than their headers:
 * such files may have fewer restart places, but no wrong ones. */
static void
test_kinds (void)
{
  check_file (1, 6, Z_FIXED, FALSE);
  check_file (1, 0, Z_DEFAULT_STRATEGY, FALSE);
  check_file (1, 6, Z_HUFFMAN_ONLY, FALSE);
  check_file (3, 6, Z_DEFAULT_STRATEGY, FALSE);
  check_file (500, 6, Z_DEFAULT_STRATEGY, FALSE);
}

/* The limit of bytes, and the bytes that a restart place really takes, decide how many places are made. With a limit of
 * 100 bytes there is none. With a limit of 3/4 of the bytes that all places take, the list stays below 4/5 of them. */
static void
test_budget (void)
{
  g_autoptr (File) file = make_file (1, 6, Z_DEFAULT_STRATEGY);
  g_autoptr (GBytes) all = make_places (file, G_MAXUINT32), none = make_places (file, 100);
  gsize n = g_bytes_get_size (all);
  g_autoptr (GBytes) half = make_places (file, n * 3 / 4);
  g_assert_cmpuint (n, >, 3000);
  g_assert_cmpuint (g_bytes_get_size (none), <, 100);
  g_assert_cmpuint (g_bytes_get_size (half), <, n * 4 / 5);
}

/* A restart place keeps only those bytes of its window (the last 32 KiB of text before it) to which
 * later text refers: after a block without such references it keeps none. */
static void
test_unneeded (void)
{
  g_autoptr (File) file = make_file (1, 6, Z_HUFFMAN_ONLY);
  g_autoptr (GBytes) places = make_places (file, G_MAXUINT32);
  gsize n;
  const guint8 *start = g_bytes_get_data (places, &n);
  guint n_places = 0;
  for (gsize at = 8; at + 24 <= n; n_places++)
    at += 24 + (start[at + 16] | (gsize) start[at + 17] << 8 | (gsize) start[at + 18] << 16);
  g_assert_cmpuint (n, <=, 8 + n_places * 200);
}

/* Damaged restart places are refused when they are opened. If the damage is not noticed then, reading gives an error or
 * wrong text, but never accesses invalid memory. */
static void
test_hostile (void)
{
  g_autoptr (File) file = make_file (1, 6, Z_DEFAULT_STRATEGY);
  g_autoptr (GBytes) places = make_places (file, G_MAXUINT32);
  g_autoptr (LoomByteSource) packed = open_packed (file);
  g_autoptr (GRand) dice = g_rand_new_with_seed (9);
  gsize n;
  const guint8 *start = g_bytes_get_data (places, &n);
  for (gsize i = 0; i < 60; i++) {
    g_autoptr (GBytes) cut = g_bytes_new (start, i);
    g_autoptr (GError) error = NULL;
    g_autoptr (LoomByteSource) text = loom_gzip_restarts_open (packed, cut, NULL, &error);
    g_assert_true ((text == NULL) == (i != 8) &&
                   (text != NULL || g_error_matches (error, LOOM_ERROR, LOOM_ERROR_FORMAT)));
  }
  for (guint i = 0; i < 100; i++) {
    guint8 *copy = g_memdup2 (start, n);
    gsize at = i < 60 ? i : (gsize) g_rand_int_range (dice, 0, (gint32) n);
    copy[at] ^= (guint8) (1u << (i % 8));
    g_autoptr (GBytes) other = g_bytes_new_take (copy, n);
    g_autoptr (GError) error = NULL;
    char bytes[100];
    g_autoptr (LoomByteSource) text = loom_gzip_restarts_open (packed, other, NULL, NULL);
    gssize n_got = text != NULL ? loom_byte_source_read (text, 7000000, bytes, sizeof bytes, &error) : 0;
    g_assert_cmpint (n_got, <=, (gssize) sizeof bytes);
    g_assert_true ((n_got < 0) == (error != NULL));
  }
}

/* Tests a file that was truncated after its restart places were stored: the remaining part can be read, and reading
 * beyond it is an error. */
static void
test_cut_file (void)
{
  g_autoptr (File) file = make_file (1, 6, Z_DEFAULT_STRATEGY);
  g_autoptr (GBytes) places = make_places (file, G_MAXUINT32);
  g_autoptr (GError) error = NULL;
  char bytes[100];
  g_assert_cmpint (truncate (file->path, (off_t) file->n_packed / 2), ==, 0);
  g_autoptr (LoomByteSource) packed = open_packed (file);
  g_autoptr (LoomByteSource) text = loom_gzip_restarts_open (packed, places, NULL, NULL);
  check_read (file, text, 100, 100);
  g_assert_cmpint (loom_byte_source_read (text, file->text->len - 200, bytes, sizeof bytes, &error), ==, -1);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
}

/* Unpacking up to an offset can be cancelled, and can be continued later. */
static void
test_cancel (void)
{
  g_autoptr (File) file = make_file (1, 6, Z_DEFAULT_STRATEGY);
  g_autoptr (GBytes) places = make_places (file, 100);
  g_autoptr (LoomByteSource) packed = open_packed (file);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomByteSource) text = loom_gzip_restarts_open (packed, places, cancellable, NULL);
  g_autoptr (GError) error = NULL;
  char bytes[100];
  check_read (file, text, 100, 100);
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (loom_byte_source_read (text, file->text->len - 200, bytes, sizeof bytes, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (loom_gzip_restarts_count_read (text), <, file->n_packed / 2);
  g_cancellable_reset (cancellable);
  check_read (file, text, file->text->len - 200, 100);
}

/* A file that is not compressed has no restart places. */
static void
test_plain (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("[]", 2);
  g_autoptr (LoomByteSource) text = loom_byte_source_new_bytes (bytes);
  g_assert_null (loom_gzip_restarts_make (text, G_MAXUINT32));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gzip-restarts/levels", test_levels);
  g_test_add_func ("/gzip-restarts/kinds", test_kinds);
  g_test_add_func ("/gzip-restarts/budget", test_budget);
  g_test_add_func ("/gzip-restarts/unneeded", test_unneeded);
  g_test_add_func ("/gzip-restarts/hostile", test_hostile);
  g_test_add_func ("/gzip-restarts/cut-file", test_cut_file);
  g_test_add_func ("/gzip-restarts/cancel", test_cancel);
  g_test_add_func ("/gzip-restarts/plain", test_plain);
  return g_test_run ();
}
