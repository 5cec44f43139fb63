/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests a load that reaches its memory budget: the part that was loaded is complete and has correct times, and the
 * import log states where it ends.
 */
#include "loom-load.h"
#include "loom-memory-info.h"

#include <glib/gstdio.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* The whole file would need about 20 MB in memory; the budget permits a part of it. */
#define N_EVENTS 400000
#define BUDGET_BYTES (8 * 1024 * 1024)

typedef struct {
  char *folder, *large, *packed, *next;
} Files;

static char *
put (const char *folder, const char *name, const char *text, gssize length)
{
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

static char *
pack (const char *folder, const char *name, const GString *text)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) out = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL);
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1);
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (G_OUTPUT_STREAM (out), G_CONVERTER (compressor));
  g_assert_true (g_output_stream_write_all (stream, text->str, text->len, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return path;
}

/* Writes the files of the test. The first two have the base of their times and their rank after the events, where a
 * load that stops early would miss them. */
static void
files_make (Files *files)
{
  g_autoptr (GString) text = g_string_new ("{\"schemaVersion\":1,\"traceEvents\":[");
  for (guint i = 0; i < N_EVENTS; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":5,\"name\":\"n%u\"},\n", i * 10,
                            i % 7);
  g_string_append (text, "{}],\"baseTimeNanoseconds\":1735632360000000000,\"distributedInfo\":{\"rank\":3}}");
  files->folder = g_dir_make_tmp ("loom-full-XXXXXX", NULL);
  files->large = put (files->folder, "1.pt.trace.json", text->str, (gssize) text->len);
  files->packed = pack (files->folder, "2.pt.trace.json.gz", text);
  files->next =
    put (files->folder, "3.json", "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}]", -1);
}

static void
files_remove (Files *files)
{
  char *paths[] = { files->large, files->packed, files->next };
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_unlink (paths[i]);
    g_free (paths[i]);
  }
  g_rmdir (files->folder);
  g_free (files->folder);
}

static LoomRun *
load (const char *const *paths, guint64 room, guint n_threads, guint64 piece_bytes)
{
#ifdef __GLIBC__
  malloc_trim (0); /* returns freed memory of earlier tests to the system, so that the budget does not count it */
#endif
  LoomLoadOptions options = { .memory_budget = loom_memory_info_get_anonymous () + room,
                              .n_threads = n_threads,
                              .piece_bytes = piece_bytes };
  g_autoptr (GError) error = NULL;
  LoomRun *run = loom_load_paths (paths, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return run;
}

static const LoomProblem *
find_problem (const LoomSource *source)
{
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++)
    if (strcmp (loom_import_log_get_problem (source->log, i)->code, "memory-budget") == 0)
      return loom_import_log_get_problem (source->log, i);
  return NULL;
}

/* Asserts that all events up to the limit are loaded, and that the log names the offset of the next event. */
static void
check_part (LoomRun *run)
{
  const LoomSource *source = loom_run_get_source (run, 0);
  const LoomProblem *problem = find_problem (source);
  LoomTrace *trace = loom_run_get_trace (run, 0);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_assert_nonnull (problem);
  g_assert_cmpuint (problem->count, ==, 1);
  g_assert_cmpint (problem->severity, ==, LOOM_SEVERITY_ERROR);
  g_assert_true (source->incomplete);
  g_assert_cmpuint (source->n_events, >, 0);
  g_assert_cmpuint (source->n_events, <, N_EVENTS);
  g_assert_cmpuint (spans->n, ==, source->n_events);
  for (guint32 i = 0; i < spans->n; i++)
    g_assert_cmpint (spans->start_ns[i] - spans->start_ns[0], ==, (gint64) i * 10000);
  char head[64], at[128];
  gsize n = loom_byte_source_read (source->text, problem->offset, at, sizeof at, NULL) > 0 ? sizeof at : 0;
  g_assert_cmpuint (n, >, 0);
  g_snprintf (head, sizeof head, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%" G_GUINT64_FORMAT ",",
              source->n_events * 10);
  g_assert_cmpint (strncmp (at, head, strlen (head)), ==, 0);
}

static void
test_part (gconstpointer data)
{
  static const struct {
    guint n_threads;
    guint64 piece_bytes;
  } ways[] = { { 1, 0 }, { 2, 0 }, { 4, 100000 }, { 2, 3000000 } };
  const Files *files = data;
  const char *paths[] = { files->large, NULL };
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autoptr (LoomRun) run = load (paths, BUDGET_BYTES, ways[i].n_threads, ways[i].piece_bytes);
    check_part (run);
    /* the members after the events were read although the events were not */
    g_assert_cmpint (loom_run_get_source (run, 0)->rank, ==, 3);
    g_assert_cmpint (loom_run_get_source (run, 0)->base_ns, ==, G_GINT64_CONSTANT (1735632360000000000));
  }
}

static void
test_packed (gconstpointer data)
{
  const Files *files = data;
  const char *paths[] = { files->packed, NULL };
  g_autoptr (LoomRun) run = load (paths, BUDGET_BYTES, 2, 0);
  check_part (run);
}

/* If the memory budget is reached while a file is read, the following files appear in the list of sources, but are not
 * read. */
static void
test_next (gconstpointer data)
{
  const Files *files = data;
  const char *paths[] = { files->large, files->next, NULL };
  g_autoptr (LoomRun) run = load (paths, BUDGET_BYTES, 1, 0);
  check_part (run);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  g_assert_cmpuint (loom_run_get_n_ignored (run), ==, 1);
  const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, 0);
  g_assert_true (ignored->failed);
  g_assert_cmpstr (ignored->path, ==, files->next);
  g_assert_nonnull (strstr (ignored->reason, "budget"));
}

static void
test_enough (gconstpointer data)
{
  const Files *files = data;
  const char *paths[] = { files->large, files->next, NULL };
  g_autoptr (LoomRun) run = load (paths, G_GUINT64_CONSTANT (4) << 30, 1, 0);
  g_assert_cmpuint (loom_run_get_source (run, 0)->n_events, ==, N_EVENTS);
  g_assert_null (find_problem (loom_run_get_source (run, 0)));
  g_assert_cmpuint (loom_run_get_n_ignored (run), ==, 0);
}

int
main (int argc, char **argv)
{
  Files files;
  g_test_init (&argc, &argv, NULL);
  if (loom_memory_info_get_anonymous () == 0) {
    g_print ("1..0 # SKIP the kernel does not say how much memory is used\n");
    return 0;
  }
  files_make (&files);
  g_test_add_data_func ("/full/part", &files, test_part);
  g_test_add_data_func ("/full/packed", &files, test_packed);
  g_test_add_data_func ("/full/next", &files, test_next);
  g_test_add_data_func ("/full/enough", &files, test_enough);
  int result = g_test_run ();
  files_remove (&files);
  return result;
}
