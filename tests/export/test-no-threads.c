/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading and merging if the system refuses to create threads: the work is done in one thread, with the same
 * result as with several.
 */
#define _GNU_SOURCE /* needed for RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>

#include "loom-load.h"
#include "loom-trace-export.h"

static gint n_allowed, n_denied;

/* Replaces pthread_create() of the C library. Each call decreases `n_allowed`. If it was above 0, the thread is
 * created; otherwise the call fails and is counted in `n_denied`. */
G_MODULE_EXPORT int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*start) (void *), void *data)
{
  typedef int (*Create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
  Create create = (Create) dlsym (RTLD_NEXT, "pthread_create");
  if (g_atomic_int_add (&n_allowed, -1) > 0)
    return create (thread, attributes, start, data);
  g_atomic_int_inc (&n_denied);
  return EAGAIN;
}

static char *folder;
static char *paths[3];

/* Writes a trace that is large enough to be decompressed in a separate thread and written in many batches. */
static void
write_trace (const char *path, gboolean packed)
{
  g_autoptr (GString) text = g_string_new ("[");
  for (guint i = 0; i < 60000; i++)
    g_string_append_printf (
      text, "%s{\"name\":\"s%u\",\"ph\":\"X\",\"ts\":%u,\"dur\":3,\"pid\":1,\"tid\":%u,\"args\":{\"x\":%u}}",
      i > 0 ? "," : "", i % 5, i * 7, i % 3, g_test_rand_int_range (0, G_MAXINT32));
  g_string_append (text, "]");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GOutputStream) stream =
    G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL));
  g_autoptr (GConverter) converter = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
  g_autoptr (GOutputStream) out = packed ? g_converter_output_stream_new (stream, converter) : g_object_ref (stream);
  g_assert_true (g_output_stream_write_all (out, text->str, text->len, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (out, NULL, NULL));
}

/* Merges both files while at most `n_threads` threads can be created. Returns the merged text. */
static char *
merge (guint n_threads, const char *name, gsize *length)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  g_autofree char *out = g_build_filename (folder, name, NULL);
  char *bytes;
  g_atomic_int_set (&n_denied, 0);
  g_atomic_int_set (&n_allowed, (gint) n_threads);
  g_autoptr (LoomRun) run = loom_load_paths ((const char *const *) paths, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (loom_run_get_n_events (run), ==, 120000);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  g_assert_true (loom_trace_export_write (timeline, &options, out, NULL, NULL, &error));
  g_assert_no_error (error);
  loom_timeline_unref (timeline);
  g_assert_true (g_file_get_contents (out, &bytes, length, NULL));
  g_unlink (out);
  return bytes;
}

static void
test_same (gconstpointer data)
{
  const char *name = data;
  gsize n_wanted, n;
  g_autofree char *wanted = merge (G_MAXINT, name, &n_wanted);
  g_assert_cmpint (g_atomic_int_get (&n_denied), ==, 0);
  for (guint n_threads = 0; n_threads < 4; n_threads++) {
    g_autofree char *bytes = merge (n_threads, name, &n);
    g_assert_true (n_threads > 0 || g_atomic_int_get (&n_denied) > 0);
    g_assert_cmpmem (bytes, n, wanted, n_wanted);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("traceloom-threads-XXXXXX", NULL);
  paths[0] = g_build_filename (folder, "a.json", NULL);
  paths[1] = g_build_filename (folder, "b.json.gz", NULL);
  n_allowed = G_MAXINT;
  write_trace (paths[0], FALSE);
  write_trace (paths[1], TRUE);
  g_test_add_data_func ("/export/no-threads/plain", "out.json", test_same);
  g_test_add_data_func ("/export/no-threads/packed", "out.json.gz", test_same);
  int status = g_test_run ();
  for (guint i = 0; i < 2; i++) {
    g_unlink (paths[i]);
    g_free (paths[i]);
  }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
