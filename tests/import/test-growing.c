/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests files that grow while they are loaded: each complete event is loaded once, and the next load adds the events
 * that were written since.
 */
#include "loom-load.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define NODE "7-algo-2_pythontimeline"
#define HOUR "framework/pevents/2031040512"

static char *folder;

/* --- writing files --- */

static char *
path_of (const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  return path;
}

static void
append (const char *name, const char *text)
{
  g_autofree char *path = path_of (name);
  FILE *file = g_fopen (path, "a");
  g_assert_cmpint (fputs (text, file), >=, 0);
  fclose (file);
}

static void
append_head (const char *name)
{
  append (
    name,
    "[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":1932984100000000}},\n");
}

/* Appends event `i`, which begins at i ms. */
static void
append_event (const char *name, guint i)
{
  g_autofree char *event =
    g_strdup_printf ("{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":5,\"name\":\"n%u\"},\n", i * 1000, i);
  append (name, event);
}

/* Renames the file that is being written into the folder of its hour, as SageMaker's writer does when it closes a
 * file. */
static void
rotate (guint number)
{
  g_autofree char *name = g_strdup_printf (HOUR "/%u000000_" NODE ".json", 1932984101 + number);
  g_autofree char *from = path_of ("framework/" NODE ".tmp"), *to = path_of (name);
  append ("framework/" NODE ".tmp", "{}]");
  g_assert_cmpint (g_rename (from, to), ==, 0);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR)) {
      remove_all (child);
      g_rmdir (child);
    } else {
      g_unlink (child);
    }
  }
}

/* --- loading --- */

static LoomRun *
load (LoomTraceReady ready, guint n_threads, guint64 piece_bytes)
{
  g_autoptr (GError) error = NULL;
  LoomLoadOptions options = { .n_threads = n_threads, .piece_bytes = piece_bytes };
  LoomRun *run = loom_load_paths ((const char *const[]) { folder, NULL }, &options, NULL, ready, NULL, &error);
  g_assert_no_error (error);
  return run;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;
  return first < second ? -1 : first > second;
}

/* Asserts that the run contains each event once, from the first one on and without gaps. Returns the number of
 * events. */
static guint
check_contiguous (LoomRun *run)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomSpans *spans = loom_trace_get_spans (loom_run_get_trace (run, t));
    g_array_append_vals (times, spans->start_ns, spans->n);
  }
  g_array_sort (times, compare_times);
  for (guint i = 0; i < times->len; i++)
    g_assert_cmpint (g_array_index (times, gint64, i) - g_array_index (times, gint64, 0), ==, (gint64) i * 1000000);
  return times->len;
}

static void
check_none_failed (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    if (ignored->failed)
      g_test_message ("%s: %s", ignored->path, ignored->reason);
    g_assert_false (ignored->failed);
  }
}

/* --- a growing file --- */

static gint n_written, is_over;

static gpointer
write_events (gpointer data)
{
  for (guint i = 0; i < 4000; i++) {
    append_event ("a.json", i);
    g_atomic_int_set (&n_written, (gint) i + 1);
  }
  g_atomic_int_set (&is_over, 1);
  return NULL;
}

static void
test_growing (void)
{
  guint last = 0;
  n_written = is_over = 0;
  append ("a.json", "[\n");
  GThread *thread = g_thread_new ("write", write_events, NULL);
  for (guint i = 0; last < 4000; i++) {
    static const guint64 piece_bytes[] = { 0, 1000, 20000 };
    gboolean over = g_atomic_int_get (&is_over) != 0;
    guint before = (guint) g_atomic_int_get (&n_written);
    g_autoptr (LoomRun) run = load (NULL, 2, piece_bytes[i % 3]);
    if (before == 0 && loom_run_get_n_traces (run) == 0)
      continue;
    guint n = check_contiguous (run);
    g_assert_cmpuint (n, >=, before);
    g_assert_cmpuint (n, >=, last);
    g_assert_true (!over || n == 4000);
    last = n;
  }
  g_thread_join (thread);
}

/* The args of loaded events can be read while the file grows. */
static void
test_details (void)
{
  char bytes[2];
  g_autoptr (GError) error = NULL;
  append ("a.json", "[\n");
  append_event ("a.json", 0);
  g_autoptr (LoomRun) run = load (NULL, 1, 0);
  append_event ("a.json", 1);
  g_assert_cmpint (loom_byte_source_read (loom_run_get_source (run, 0)->text, 0, bytes, 2, &error), ==, 2);
  g_assert_no_error (error);
  g_assert_true (memcmp (bytes, "[\n", 2) == 0);
}

/* --- a folder with rotated files --- */

static void
rotate_once (LoomTrace *trace, gpointer user_data)
{
  static gboolean done;
  if (done)
    return;
  done = TRUE;
  rotate (1);
  append_head ("framework/" NODE ".tmp");
  append_event ("framework/" NODE ".tmp", 3); /* written after the folder was read, so it is loaded by the next load */
}

/* The file that is being written (.tmp) is renamed after the folder was listed and before the file is read. Its events
 * must not be lost. */
static void
test_rotated (void)
{
  append ("a.json", "[]"); /* this file is loaded first, so that the others can change before they are read */
  append_head ("framework/" NODE ".tmp");
  append_event ("framework/" NODE ".tmp", 0);
  rotate (0);
  append_head ("framework/" NODE ".tmp");
  append_event ("framework/" NODE ".tmp", 1);
  append_event ("framework/" NODE ".tmp", 2);
  g_autoptr (LoomRun) run = load (rotate_once, 1, 0);
  check_none_failed (run);
  g_assert_cmpuint (check_contiguous (run), ==, 3);
  g_autoptr (LoomRun) again = load (NULL, 1, 0);
  check_none_failed (again);
  g_assert_cmpuint (check_contiguous (again), ==, 4);
}

/* A copy of the file that is being written exists in addition to the closed file; its events must not be loaded
 * twice. */
static void
test_copied (void)
{
  append_head ("framework/" NODE ".tmp");
  append_event ("framework/" NODE ".tmp", 0);
  append_event ("framework/" NODE ".tmp", 1);
  g_autofree char *open = path_of ("framework/" NODE ".tmp"), *text = NULL;
  g_assert_true (g_file_get_contents (open, &text, NULL, NULL));
  append_event ("framework/" NODE ".tmp", 2);
  rotate (0);
  g_assert_true (g_file_set_contents (open, text, -1, NULL));
  g_autoptr (LoomRun) run = load (NULL, 1, 0);
  check_none_failed (run);
  g_assert_cmpuint (check_contiguous (run), ==, 3);
}

static gpointer
write_rotating (gpointer data)
{
  const char *open = "framework/" NODE ".tmp";
  for (guint i = 0, number = 0; number < 40; number++) {
    append_head (open);
    for (guint k = 0; k < 5; k++) {
      append_event (open, i++);
      g_atomic_int_set (&n_written, (gint) i);
      g_usleep (1500);
    }
    rotate (number);
    g_usleep (6000); /* longer than the resolution of file times, so that the modification time changes */
  }
  g_atomic_int_set (&is_over, 1);
  return NULL;
}

static void
test_rotating (void)
{
  guint last = 0;
  n_written = is_over = 0;
  append_head ("framework/" NODE ".tmp");
  g_autofree char *open = path_of ("framework/" NODE ".tmp"), *hour = path_of (HOUR "/x");
  g_unlink (open);
  GThread *thread = g_thread_new ("rotate", write_rotating, NULL);
  for (gboolean over = FALSE; !over;) {
    over = g_atomic_int_get (&is_over) != 0;
    guint before = (guint) g_atomic_int_get (&n_written);
    g_autoptr (LoomRun) run = load (NULL, 2, 0);
    guint n = check_contiguous (run);
    g_assert_cmpuint (n, >=, before);
    g_assert_cmpuint (n, >=, last);
    last = n;
  }
  g_assert_cmpuint (last, ==, 200);
  g_thread_join (thread);
}

/* --- a metadata file that dates several traces --- */

#define STEP "framework/tensorflow/detailed_profiling/2024010100/000000010"
#define STEP_START_NS (G_GINT64_CONSTANT (1704067200250000) * 1000)

static void
put_trace (const char *name)
{
  append (name, "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\n\"traceEvents\":[\n"
                "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"/host:CPU\"}},\n"
                "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5,\"name\":\"n\"}]}");
}

static void
remove_date (LoomTrace *trace, gpointer user_data)
{
  g_autofree char *path = path_of (STEP "/901-algo-1_1704067200250000_1704067201000000.metadata");
  g_unlink (path);
}

/* The folder of a step is searched once for all its traces: the second trace also gets the date from the metadata file,
 * although the file is deleted before this trace is read. */
static void
test_dated_once (void)
{
  append (STEP "/901-algo-1_1704067200250000_1704067201000000.metadata", "");
  put_trace (STEP "/plugins/profile/2024_01_01_00_00_00/a.trace.json");
  put_trace (STEP "/plugins/profile/2024_01_01_00_00_00/b.trace.json");
  g_autoptr (LoomRun) run = load (remove_date, 1, 0);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (loom_trace_get_spans (loom_run_get_trace (run, i))->start_ns[0], ==, STEP_START_NS);
}

/* --- dumps of flight recorders --- */

/* Writes a dump with a call at `call_s` s that never completed. */
static void
put_dump (const char *name, guint call_s)
{
  g_autofree char *text = g_strdup_printf (
    "{\"version\":\"2.9\",\"pg_config\":{\"0\":{\"name\":\"0\",\"desc\":\"d\",\"ranks\":\"[0, 1]\"}},"
    "\"entries\":[{\"record_id\":0,\"pg_id\":0,\"process_group\":[\"0\",\"d\"],\"collective_seq_id\":1,"
    "\"profiling_name\":\"nccl:all_reduce\",\"time_created_ns\":17586105%02u000000000,"
    "\"state\":\"scheduled\"}]}",
    call_s);
  append (name, text);
}

static LoomRun *
load_again (const LoomRun *known)
{
  g_autoptr (GError) error = NULL;
  LoomLoadOptions options = { .known = known };
  LoomRun *run = loom_load_paths ((const char *const[]) { folder, NULL }, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return run;
}

static gint64
duration_of (LoomRun *run, guint trace)
{
  return loom_trace_get_spans (loom_run_get_trace (run, trace))->dur_ns[0];
}

/* A call that never completed lasts until the latest time of all dumps, also if a later dump is added to an open run.
 * Dumps are read again only if this time has changed. A dump whose file is gone stays on the timeline and counts. */
static void
test_dumps (void)
{
  put_dump ("dump_0.json", 10), put_dump ("dump_1.json", 14);
  g_autoptr (LoomRun) first = load_again (NULL);
  g_assert_cmpuint (loom_run_get_n_traces (first), ==, 2);
  g_assert_cmpint (duration_of (first, 0), ==, 4 * LOOM_NS_PER_S);
  g_assert_cmpint (duration_of (first, 1), ==, 0);
  put_dump ("dump_2.json", 12);
  g_autoptr (LoomRun) second = load_again (first);
  g_assert_true (loom_run_get_trace (second, 0) == loom_run_get_trace (first, 0));
  g_assert_cmpint (duration_of (second, 2), ==, 2 * LOOM_NS_PER_S);
  put_dump ("dump_3.json", 20);
  g_autoptr (LoomRun) third = load_again (second);
  static const gint64 wanted_s[] = { 10, 6, 8, 0 };
  for (guint i = 0; i < G_N_ELEMENTS (wanted_s); i++)
    g_assert_cmpint (duration_of (third, i), ==, wanted_s[i] * LOOM_NS_PER_S);
  g_autofree char *gone = g_build_filename (folder, "dump_3.json", NULL);
  g_assert_cmpint (g_remove (gone), ==, 0);
  g_autoptr (LoomRun) fourth = load_again (third);
  g_assert_cmpuint (loom_run_get_n_traces (fourth), ==, 4);
  for (guint i = 0; i < G_N_ELEMENTS (wanted_s); i++)
    g_assert_true (loom_run_get_trace (fourth, i) == loom_run_get_trace (third, i));
}

static void
run_in_empty_folder (gconstpointer data)
{
  remove_all (folder);
  ((GTestFunc) data) ();
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestFunc test;
  } tests[] = {
    { "/growing/file", test_growing },      { "/growing/details", test_details },
    { "/growing/rotated", test_rotated },   { "/growing/copied", test_copied },
    { "/growing/rotating", test_rotating }, { "/growing/dated-once", test_dated_once },
    { "/growing/dumps", test_dumps },
  };
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loom-growing-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_data_func (tests[i].name, tests[i].test, run_in_empty_folder);
  int result = g_test_run ();
  remove_all (folder);
  g_rmdir (folder);
  g_free (folder);
  return result;
}
