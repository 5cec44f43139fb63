/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests runs that are opened from indexes, which are small summary files of traces: a trace that is read replaces its
 * index, and if the trace is removed, the index is used again.
 */
#include "run-fixture.h"

#include "loom-error.h"
#include "loom-index-map.h"
#include "loom-indexed-trace.h"
#include "loom-range-task.h"
#include "loom-source-commands.h"

#include <glib/gstdio.h>

static char *
write_trace (const char *folder, int rank)
{
  g_autofree char *name = g_strdup_printf ("rank-%d.pt.trace.json", rank);
  g_autofree char *text = g_strdup_printf (
    "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%d,\"world_size\":2},\"baseTimeNanoseconds\":1700000000000000000,"
    "\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":9,\"tid\":9,\"ts\":1,\"dur\":5},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":2,\"dur\":9}]}",
    rank);
  return fixture_file (folder, name, text);
}

static guint
count_indexes (LoomRunState *state)
{
  LoomRun *run = loom_document_get_run (loom_run_state_get_document (state));
  guint n = 0;
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    n += loom_run_get_source (run, i)->is_index;
  return n;
}

static void
assert_sources (LoomRunState *run, guint n_sources, guint n_indexes)
{
  run_fixture_wait_loaded (run);
  g_assert_cmpuint (loom_run_get_n_sources (loom_document_get_run (loom_run_state_get_document (run))), ==, n_sources);
  g_assert_cmpuint (count_indexes (run), ==, n_indexes);
}

static void
make_indexes (const char *raw, const char *folder)
{
  const LoomIndexMapTarget target = { .folder = folder };
  LoomLoadOptions options = { 0 };
  LoomIndexMapResult result = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_true (loom_index_map_run ((const char *const[]) { raw, NULL }, &target, &options, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_made, ==, 2);
  loom_index_map_result_clear (&result);
}

static void
read_trace (LoomRunState *run, gint rank)
{
  LoomDocument *document = loom_run_state_get_document (run);
  g_autofree const char **paths = loom_indexed_trace_list_paths (loom_document_get_run (document), rank);
  g_assert_cmpuint (g_strv_length ((GStrv) paths), ==, 1);
  g_auto (GStrv) read = g_strdupv ((GStrv) paths); /* copied, because the run that owns the paths is replaced */
  loom_source_commands_read_traces (document, (const char *const *) read);
}

static void
test_read_trace (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  g_autofree char *first = write_trace (raw, 0), *second = write_trace (raw, 1);
  make_indexes (raw, indexes);
  LoomRunState *run = run_fixture_open (indexes);
  LoomDocument *document = loom_run_state_get_document (run);
  assert_sources (run, 2, 2);
  g_assert_null (loom_indexed_trace_list_paths (loom_document_get_run (document), 2));
  read_trace (run, 1);
  assert_sources (run, 2, 1);
  g_assert_null (loom_indexed_trace_list_paths (loom_document_get_run (document), 1));
  loom_document_reload (document);
  assert_sources (run, 2, 1);

  loom_source_commands_remove (document, (const char *const[]) { second, NULL });
  assert_sources (run, 2, 2);
  run_fixture_close (run);
}

/* A trace that grew after its index was made still belongs to the index. */
static void
test_outdated_index (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  g_autofree char *first = write_trace (raw, 0), *second = write_trace (raw, 1), *text = NULL;
  make_indexes (raw, indexes);
  g_assert_true (g_file_get_contents (second, &text, NULL, NULL));
  g_autofree char *longer = g_strconcat (text, "\n", NULL);
  g_assert_true (g_file_set_contents (second, longer, -1, NULL));

  LoomRunState *run = run_fixture_open (indexes);
  assert_sources (run, 2, 2);
  read_trace (run, 1);
  assert_sources (run, 2, 1);
  run_fixture_close (run);
}

typedef struct {
  char *path;
  GError *error;
  gboolean is_done;
} RangeRead;

static void
range_read (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  RangeRead *read = owner;
  read->path = result;
  read->error = error != NULL ? g_error_copy (error) : NULL;
  read->is_done = TRUE;
  g_assert_cmpint (loom_range_task_get_rank (input), ==, 1);
}

static gboolean
is_done (gpointer read)
{
  return ((RangeRead *) read)->is_done;
}

/* Reads the range from `begin_us` to 2 µs later, relative to the base of the clock. At 4 µs both events of the trace
 * overlap the range. */
static RangeRead
read_range (LoomDocument *document, gint64 begin_us)
{
  RangeRead read = { 0 };
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  gint64 begin_ns = G_GINT64_CONSTANT (1700000000000000000) + begin_us * 1000;
  loom_range_task_run (document, 1, (LoomRange) { begin_ns, begin_ns + 2000 }, NULL, progress, range_read, &read);
  g_assert_true (fixture_wait (is_done, &read));
  return read;
}

static void
check_range (const char *path)
{
  const char *paths[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  const LoomSource *source = loom_run_get_source (run, 0);
  g_assert_cmpint (source->rank, ==, 1);
  g_assert_cmpuint (source->n_spans, ==, 2);
  g_assert_cmpint (source->start_ns, ==, G_GINT64_CONSTANT (1700000000000001000));
}

/* Reading a range of a trace writes the events to a file that can be opened; if the trace cannot be read, the error
 * names it. */
static void
test_read_range (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  g_autofree char *first = write_trace (raw, 0), *second = write_trace (raw, 1);
  make_indexes (raw, indexes);
  LoomRunState *run = run_fixture_open (indexes);
  LoomDocument *document = loom_run_state_get_document (run);
  assert_sources (run, 2, 2);
  g_assert_true (loom_indexed_trace_has_rank (loom_document_get_run (document), 1));
  g_assert_false (loom_indexed_trace_has_rank (loom_document_get_run (document), 2));
  g_assert_true (loom_range_task_is_here (document, 1));
  RangeRead read = read_range (document, 4), none = read_range (document, 400);
  g_assert_no_error (read.error);
  check_range (read.path);
  g_assert_error (none.error, LOOM_ERROR, LOOM_ERROR_EMPTY);
  g_assert_null (none.path);

  g_assert_cmpint (g_remove (second), ==, 0);
  g_assert_false (loom_range_task_is_here (document, 1));
  RangeRead gone = read_range (document, 4);
  g_assert_error (gone.error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (gone.error->message, second));
  g_clear_error (&none.error);
  g_clear_error (&gone.error);
  g_free (read.path);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/indexed-traces/read", test_read_trace);
  g_test_add_func ("/core/indexed-traces/outdated", test_outdated_index);
  g_test_add_func ("/core/indexed-traces/range", test_read_range);
  return run_fixture_run ();
}
