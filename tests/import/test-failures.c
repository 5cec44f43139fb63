/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests unreadable files: for each of them there is a sentence with its name, and the other files are loaded.
 */
#include "loom-load.h"

#include "loom-error.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static char *folder;

static const char good_text[] = "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}]";

static char *
put (const char *name, const char *text, gssize length)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_mkdir_with_parents (parent, 0700);
  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

static void
empty_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK)) {
      g_chmod (child, 0700);
      empty_folder (child);
      g_rmdir (child);
    } else {
      g_unlink (child);
    }
  }
}

static LoomRun *
load (const char *path, LoomTraceReady ready, gpointer user_data, GError **error)
{
  const char *paths[] = { path, NULL };
  LoomLoadOptions options = { .n_threads = 1 };
  return loom_load_paths (paths, &options, NULL, ready, user_data, error);
}

static const LoomRunSkippedFile *
find_ignored (LoomRun *run, const char *name)
{
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++)
    if (g_str_has_suffix (loom_run_get_ignored (run, i)->path, name))
      return loom_run_get_ignored (run, i);
  return NULL;
}

/* Covers documented rows: kineto.md §7 plain and .gz of same name */
static void
test_newer_twin (void)
{
  g_autofree char *plain = put ("rank0.pt.trace.json", good_text, -1);
  g_autofree char *packed = put ("rank0.pt.trace.json.gz", good_text, -1);
  const char *older[] = { "rank0.pt.trace.json", "rank0.pt.trace.json.gz" };
  for (guint i = 0; i < 2; i++) {
    struct utimbuf early = { 1000, 1000 }, late = { 2000, 2000 };
    g_assert_no_errno (g_utime (plain, i == 0 ? &early : &late));
    g_assert_no_errno (g_utime (packed, i == 0 ? &late : &early));
    g_autoptr (LoomRun) run = load (folder, NULL, NULL, NULL);
    g_assert_cmpuint (loom_run_get_n_sources (run), ==, 1);
    g_assert_nonnull (find_ignored (run, older[i]));
    g_assert_nonnull (strstr (find_ignored (run, older[i])->reason, i == 0 ? packed : plain));
  }
}

static void
test_missing (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "nowhere", NULL);
  g_assert_null (load (path, NULL, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (error->message, "nowhere"));
}

static void
test_empty_folder (void)
{
  g_autoptr (LoomRun) run = load (folder, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 0);
  g_assert_cmpuint (loom_run_get_n_ignored (run), ==, 0);
}

static void
test_folder_without_traces (void)
{
  g_autofree char *text = put ("notes.txt", "hello", -1), *html = put ("a.html", "<html>", -1);
  g_autoptr (LoomRun) run = load (folder, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 0);
  g_assert_cmpuint (loom_run_get_n_ignored (run), ==, 2);
  g_assert_false (find_ignored (run, "a.html")->failed);
}

static void
test_garbage (void)
{
  g_autofree char *good = put ("good.json", good_text, -1), *bad = put ("bad.json", "\x7f\x45\x4c\x46\0\1\2\3", 8);
  g_autoptr (LoomRun) run = load (folder, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  g_assert_true (find_ignored (run, "bad.json")->failed);
}

/* Writes a trace of 1,000 events to `bytes` as gzip. Returns the number of bytes. */
static gsize
pack_events (char *bytes, gsize n_room)
{
  g_autoptr (GString) text = g_string_new ("[");
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%s{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":1,\"name\":\"n%u\"}",
                            i > 0 ? ",\n" : "", i * 10, i * 7919 % 1000);
  g_string_append (text, "]");
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr (GInputStream) memory = g_memory_input_stream_new_from_data (text->str, (gssize) text->len, NULL);
  g_autoptr (GInputStream) packed = g_converter_input_stream_new (memory, G_CONVERTER (compressor));
  gsize n;
  g_assert_true (g_input_stream_read_all (packed, bytes, n_room, &n, NULL, NULL));
  return n;
}

static const LoomProblem *
find_problem (LoomRun *run, const char *code)
{
  const LoomSource *source = loom_run_get_source (run, 0);
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++)
    if (strcmp (loom_import_log_get_problem (source->log, i)->code, code) == 0)
      return loom_import_log_get_problem (source->log, i);
  return NULL;
}

/* The first gzip member is correct, but the second one begins with an invalid block type. */
static void
test_damaged_gzip (void)
{
  char bytes[65536];
  gsize n = pack_events (bytes, sizeof bytes - 200);
  memcpy (bytes + n, bytes, 10);
  memset (bytes + n + 10, 0x07, 190);
  g_autofree char *path = put ("damaged.json.gz", bytes, (gssize) n + 200);
  g_autoptr (LoomRun) run = load (path, NULL, NULL, NULL);
  const LoomSource *source = loom_run_get_source (run, 0);
  const LoomProblem *problem = find_problem (run, "damaged-gzip");
  g_assert_nonnull (problem);
  g_assert_null (find_problem (run, "truncated-gzip"));
  g_assert_cmpuint (source->n_events, ==, 1000);
  g_assert_true (source->incomplete);
  guint64 unpacked, packed, n_lost;
  g_assert_cmpint (sscanf (problem->message,
                           "The compressed data is damaged: the text could not be read from byte %" G_GUINT64_FORMAT
                           " to the end (%" G_GUINT64_FORMAT " compressed bytes from compressed byte %" G_GUINT64_FORMAT
                           ");",
                           &unpacked, &n_lost, &packed),
                   ==, 3);
  g_assert_cmpuint (unpacked, ==, problem->offset);
  g_assert_cmpuint (packed, >, n);
  g_assert_cmpuint (packed, <, n + 40); /* the damage is found later than its place, because decompressors read ahead */
  g_assert_cmpuint (packed + n_lost, ==, n + 200);
}

/* Tests files with a corrupt byte. It depends on the byte whether the data after it can be decompressed, but the file
 * must never be reported as truncated. */
static void
test_wrong_bytes (void)
{
  char bytes[65536];
  gsize n = pack_events (bytes, sizeof bytes);
  memset (bytes + n / 2, 0xFF, 40);
  g_autofree char *path = put ("wrong.json.gz", bytes, (gssize) n);
  g_autoptr (LoomRun) run = load (path, NULL, NULL, NULL);
  g_assert_true (find_problem (run, "damaged-gzip") != NULL || find_problem (run, "checksum-gzip") != NULL);
  g_assert_null (find_problem (run, "truncated-gzip"));
  g_assert_true (loom_run_get_source (run, 0)->incomplete);
}

static void
test_wrong_checksum (void)
{
  for (guint back = 1; back <= 8; back += 7) { /* flips a bit of the text length in the trailer, then of the checksum
                                                * before it */
    char bytes[65536];
    gsize n = pack_events (bytes, sizeof bytes);
    bytes[n - back] ^= 1;
    g_autofree char *path = put ("checksum.json.gz", bytes, (gssize) n);
    g_autoptr (LoomRun) run = load (path, NULL, NULL, NULL);
    const LoomProblem *problem = find_problem (run, "checksum-gzip");
    g_assert_nonnull (problem);
    g_assert_cmpuint (problem->offset, !=, LOOM_OFFSET_NONE);
    g_assert_null (find_problem (run, "damaged-gzip"));
    g_assert_cmpuint (loom_run_get_source (run, 0)->n_events, ==, 1000);
    g_assert_true (loom_run_get_source (run, 0)->incomplete);
  }
}

static void
test_header_alone (void)
{
  char bytes[65536];
  pack_events (bytes, sizeof bytes);
  g_autofree char *path = put ("header.json.gz", bytes, 10), *good = put ("good.json", good_text, -1);
  g_autoptr (LoomRun) run = load (folder, NULL, NULL, NULL);
  g_assert_cmpstr (
    find_ignored (run, "header.json.gz")->reason, ==,
    "The file is truncated: the compressed data ends too early, at compressed byte 10 (byte 0 of the decompressed data)");
}

/* Tests a file that has one event per line without a JSON array around them, and whose last event is truncated. */
static void
test_lines (void)
{
  static const char line[] = "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}\n";
  g_autofree char *text = g_strconcat (line, line, "{\"ph\":\"X\",\"pi", NULL), *path = put ("lines.json", text, -1);
  g_autoptr (LoomRun) run = load (path, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_source (run, 0)->n_events, ==, 2);
  g_assert_nonnull (find_problem (run, "truncated"));
}

static void
test_cut_gzip (void)
{
  char bytes[65536];
  gsize n = pack_events (bytes, sizeof bytes);
  g_autofree char *path = put ("cut.json.gz", bytes, (gssize) (n / 2));
  g_autofree char *place = g_strdup_printf ("at compressed byte %" G_GSIZE_FORMAT " (", n / 2);
  g_autoptr (LoomRun) run = load (path, NULL, NULL, NULL);
  const LoomSource *source = loom_run_get_source (run, 0);
  g_assert_cmpuint (source->n_events, >, 100);
  g_assert_cmpuint (source->n_events, <, 1000);
  g_assert_true (source->incomplete);
  g_assert_nonnull (find_problem (run, "truncated-gzip"));
  g_assert_nonnull (strstr (find_problem (run, "truncated-gzip")->message, place));
}

static void
remove_second (LoomTrace *trace, gpointer user_data)
{
  g_unlink (user_data);
}

static void
test_vanishing_file (void)
{
  g_autofree char *first = put ("1.json", good_text, -1), *second = put ("2.json", good_text, -1),
                  *third = put ("3.json", good_text, -1);
  g_autoptr (LoomRun) run = load (folder, remove_second, second, NULL);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 2);
  g_assert_true (find_ignored (run, "2.json")->failed);
  g_assert_nonnull (strstr (find_ignored (run, "2.json")->reason, "2.json"));
}

static void
test_unreadable (void)
{
  g_autofree char *good = put ("good.json", good_text, -1), *shut = put ("shut/inner.json", good_text, -1);
  g_autofree char *inner = g_path_get_dirname (shut);
  gboolean root = geteuid () == 0; /* root may read every file, so the test temporarily becomes another user */
  g_chmod (inner, 0);
  g_chmod (folder, 0755);
  g_chmod (good, 0644);
  if (root)
    g_assert_cmpint (seteuid (65534), ==, 0);
  g_autoptr (LoomRun) run = load (folder, NULL, NULL, NULL);
  if (root)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  g_assert_true (find_ignored (run, "shut")->failed);
}

static void
test_links_in_a_circle (void)
{
  g_autofree char *good = put ("a/good.json", good_text, -1), *link = g_build_filename (folder, "a", "again", NULL);
  g_assert_cmpint (symlink ("..", link), ==, 0);
  g_autoptr (LoomRun) run = load (folder, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
}

static void
test_fifo (void)
{
  g_autofree char *path = g_build_filename (folder, "pipe.json", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (load (path, NULL, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
}

static void
test_cancelled (void)
{
  g_autofree char *path = put ("good.json", good_text, -1);
  const char *paths[] = { path, NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  g_autoptr (GError) error = NULL;
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_load_paths (paths, NULL, progress, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
run_in_empty_folder (gconstpointer data)
{
  empty_folder (folder);
  ((GTestFunc) data) ();
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestFunc test;
  } tests[] = {
    { "/failures/missing", test_missing },
    { "/failures/empty-folder", test_empty_folder },
    { "/failures/newer-twin", test_newer_twin },
    { "/failures/folder-without-traces", test_folder_without_traces },
    { "/failures/garbage", test_garbage },
    { "/failures/cut-gzip", test_cut_gzip },
    { "/failures/lines", test_lines },
    { "/failures/damaged-gzip", test_damaged_gzip },
    { "/failures/wrong-bytes", test_wrong_bytes },
    { "/failures/wrong-checksum", test_wrong_checksum },
    { "/failures/header-alone", test_header_alone },
    { "/failures/vanishing-file", test_vanishing_file },
    { "/failures/unreadable", test_unreadable },
    { "/failures/links-in-a-circle", test_links_in_a_circle },
    { "/failures/fifo", test_fifo },
    { "/failures/cancelled", test_cancelled },
  };
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loom-failures-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_data_func (tests[i].name, tests[i].test, run_in_empty_folder);
  int result = g_test_run ();
  empty_folder (folder);
  g_rmdir (folder);
  return result;
}
