/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests every limit of loom-limits.h: input up to the limit is read, input beyond the limit is reported, and the rest
 * of the file is not lost.
 */
#include "loom-error.h"
#include "loom-event.h"
#include "loom-limits.h"
#include "loom-load.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *folder;

#define EVENT(ts) "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":1,\"name\":\"n\"}"

/* --- files -------------------------------------------------------------------------------------------------------- */

static char *
put (const char *name, const char *text, gsize length)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_mkdir_with_parents (parent, 0700);
  g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
  return path;
}

static char *
put_packed (const char *name, const char *text, gsize length)
{
  g_autoptr (GZlibCompressor) zip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  gsize room = length + length / 100 + 1000, n_read, n_written;
  g_autofree char *packed = g_malloc (room);
  g_assert_cmpint (g_converter_convert (G_CONVERTER (zip), text, length, packed, room, G_CONVERTER_INPUT_AT_END,
                                        &n_read, &n_written, NULL),
                   ==, G_CONVERTER_FINISHED);
  return put (name, packed, n_written);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK)) {
      remove_all (child);
      g_rmdir (child);
    } else {
      g_unlink (child);
    }
  }
}

static LoomRun *
load_with (const char *path, guint64 piece_bytes)
{
  g_autoptr (GError) error = NULL;
  LoomLoadOptions options = { .n_threads = 2, .piece_bytes = piece_bytes };
  LoomRun *run = loom_load_paths ((const char *const[]) { path, NULL }, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return run;
}

static LoomRun *
load (const char *path)
{
  return load_with (path, 0);
}

static const LoomProblem *
find_problem (LoomRun *run, const char *code)
{
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 1);
  const LoomImportLog *log = loom_run_get_source (run, 0)->log;
  for (guint i = 0; i < loom_import_log_get_n_problems (log); i++)
    if (strcmp (loom_import_log_get_problem (log, i)->code, code) == 0)
      return loom_import_log_get_problem (log, i);
  return NULL;
}

static const LoomRunSkippedFile *
find_ignored (LoomRun *run, const char *words)
{
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++)
    if (strstr (loom_run_get_ignored (run, i)->reason, words) != NULL)
      return loom_run_get_ignored (run, i);
  return NULL;
}

static void
check_problem (LoomRun *run, const char *code, guint64 offset, guint64 n_events)
{
  const LoomProblem *problem = find_problem (run, code);
  g_assert_nonnull (problem);
  g_assert_cmpuint (problem->count, ==, 1);
  g_assert_cmpuint (problem->offset, ==, offset);
  g_assert_cmpuint (loom_run_get_source (run, 0)->n_events, ==, n_events);
}

static void
append_many (GString *text, const char *part, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
}

/* --- nesting ------------------------------------------------------------------------------------------------------ */

static void
test_depth (void)
{
  for (guint depth = LOOM_LIMIT_DEPTH; depth <= LOOM_LIMIT_DEPTH + 1; depth++) {
    g_autoptr (GString) text =
      g_string_new ("[" EVENT (1) ",{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1,\"args\":");
    append_many (text, "[", depth);
    append_many (text, "]", depth);
    g_string_append (text, "}," EVENT (5) "]");
    g_autofree char *path = put ("deep.json", text->str, text->len);
    g_autoptr (LoomRun) run = load (path);
    g_assert_cmpuint (loom_run_get_source (run, 0)->n_events, ==, 3);
    if (depth > LOOM_LIMIT_DEPTH)
      check_problem (run, "deep-nesting", strlen ("[" EVENT (1) ","), 3);
    else
      g_assert_null (find_problem (run, "deep-nesting"));
  }
}

/* --- events too large for memory --- */

/* Limit that the test sets in place of LOOM_LIMIT_EVENT_BYTES; larger than the first window of the scanner. */
#define SMALL_BYTES 700000

static GString *
make_giant (gsize n_bytes)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (1);
  GString *text =
    g_string_new ("[" EVENT (1) ",{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1,\"args\":{\"s\":\"");
  while (text->len < n_bytes) /* random digits, so that the event is still large when it is compressed */
    g_string_append_printf (text, "%08x", g_rand_int (dice));
  return g_string_append (text, "\"}}," EVENT (5) "," EVENT (7) "]");
}

static void
check_giant (const char *path, guint64 n_events)
{
  g_autoptr (LoomRun) run = load (path);
  if (n_events == 4) {
    g_assert_null (find_problem (run, "event-too-large"));
    g_assert_cmpuint (loom_run_get_source (run, 0)->n_events, ==, 4);
    return;
  }
  check_problem (run, "event-too-large", strlen ("[" EVENT (1) ","), n_events);
  g_assert_true (loom_run_get_source (run, 0)->incomplete);
}

static void
check_giants (gsize n_bytes, guint64 n_events)
{
  g_autoptr (GString) text = make_giant (n_bytes);
  g_autofree char *plain = put ("giant.json", text->str, text->len);
  g_setenv ("LOOM_MAP_BYTES", "16777216", TRUE);
  if (n_events == 4) /* if a file is mapped as a whole, events may have any size */
    check_giant (plain, n_events);
  g_setenv ("LOOM_MAP_BYTES", "0", TRUE); /* no mapping: the file is read by copying */
  check_giant (plain, n_events);
  g_setenv ("LOOM_MAP_BYTES", "65536", TRUE); /* the file is mapped in small ranges, which grow for a large event */
  check_giant (plain, n_events);
  g_unsetenv ("LOOM_MAP_BYTES");
  g_autofree char *packed = put_packed ("giant.json.gz", text->str, text->len);
  check_giant (packed, n_events);
}

static void
test_event (void)
{
  g_setenv ("LOOM_LIMIT_EVENT_BYTES", G_STRINGIFY (SMALL_BYTES), TRUE);
  check_giants (SMALL_BYTES / 2, 4);
  check_giants (3 * SMALL_BYTES, 3);
  g_unsetenv ("LOOM_LIMIT_EVENT_BYTES");
  check_giants (3 * SMALL_BYTES, 4);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* A long name is truncated in memory, but not inside a character; the details show the complete name from the file. */
static void
test_name (void)
{
  g_autoptr (GString) text = g_string_new ("[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1,\"name\":\"a");
  append_many (text, "é", LOOM_LIMIT_NAME_BYTES);
  g_string_append (text, "\"}," EVENT (5) "]");
  g_autofree char *path = put ("long.json", text->str, text->len);
  g_autoptr (LoomRun) run = load (path);
  LoomTrace *trace = loom_run_get_trace (run, 0);
  const char *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[0])->text;
  check_problem (run, "long-name", 1, 2);
  g_assert_cmpuint (strlen (name), ==, LOOM_LIMIT_NAME_BYTES - 1 + strlen ("…"));
  g_assert_true (g_utf8_validate (name, -1, NULL));
  gsize length;
  g_autofree char *event = loom_event_read (loom_run_get_source (run, 0)->text, 1, &length, NULL);
  g_assert_cmpuint (length, >, 2 * LOOM_LIMIT_NAME_BYTES);
}

static void
test_label (void)
{
  g_autoptr (GString) text =
    g_string_new ("[" EVENT (5) ",{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"");
  append_many (text, "0123456789", LOOM_LIMIT_NAME_BYTES / 5);
  g_string_append (text, "\"}}]");
  g_autofree char *path = put ("label.json", text->str, text->len);
  g_autoptr (LoomRun) run = load (path);
  const LoomProblem *problem = find_problem (run, "long-name");
  g_assert_nonnull (problem);
  g_assert_cmpuint (problem->offset, ==, strlen ("[" EVENT (5) ","));
  g_assert_cmpuint (strlen (loom_trace_get_track (loom_run_get_trace (run, 0), 0)->process), <,
                    LOOM_LIMIT_NAME_BYTES + 4);
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

static GString *
make_tracks (const char *format, guint n)
{
  GString *text = g_string_new ("[");
  for (guint i = 0; i < n; i++) {
    g_autofree char *number = g_strdup_printf ("%u", i % 10);
    g_auto (GStrv) parts = g_strsplit (format, "#", -1);
    g_autofree char *event = g_strjoinv (number, parts);
    g_string_append_printf (text, "%s\"ts\":%u},\n", event, i);
  }
  return g_string_append (text, "{}]");
}

static void
check_tracks (const char *format, guint most)
{
  g_autoptr (GString) text = make_tracks (format, 100);
  g_autofree char *path = put ("tracks.json", text->str, text->len);
  guint64 fifth = (guint64) (strstr (text->str, "\"ts\":3}") - text->str) + strlen ("\"ts\":3},\n");
  for (guint64 piece_bytes = 0; piece_bytes <= 1000; piece_bytes += 500) {
    g_autoptr (LoomRun) run = load_with (path, piece_bytes);
    LoomTrace *trace = loom_run_get_trace (run, 0);
    guint64 n_events = 0;
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      n_events += loom_trace_get_track (trace, i)->n_events;
    g_assert_cmpuint (n_events, ==, 100);
    g_assert_cmpuint (loom_trace_get_n_tracks (trace), ==, most);
    const LoomProblem *problem = find_problem (run, "too-many-tracks");
    g_assert_nonnull (problem);
    g_assert_cmpuint (problem->offset, ==, fifth);
    g_assert_nonnull (strstr (problem->message, "change with every event, record constant "));
  }
}

static void
test_tracks (void)
{
  g_setenv ("LOOM_LIMIT_TRACKS", "4", TRUE);
  check_tracks ("{\"ph\":\"X\",\"pid\":1,\"tid\":#,\"dur\":1,\"name\":\"n\",", 5);
  check_tracks ("{\"ph\":\"X\",\"pid\":#,\"tid\":1,\"dur\":1,\"name\":\"n\",", 5);
  check_tracks ("{\"ph\":\"C\",\"pid\":1,\"name\":\"c#\",\"args\":{\"v\":1},", 5);
  check_tracks ("{\"ph\":\"b\",\"pid\":1,\"cat\":\"c\",\"id\":\"#\",\"name\":\"n#\",", 5);
  g_unsetenv ("LOOM_LIMIT_TRACKS");
}

/* --- folders ------------------------------------------------------------------------------------------------------ */

static void
put_good (const char *name)
{
  g_autofree char *path = put (name, "[" EVENT (1) "]", strlen ("[" EVENT (1) "]"));
}

static void
test_files (void)
{
  put_good ("1.json"), put_good ("2.json"), put_good ("3.json"), put_good ("4.json");
  g_setenv ("LOOM_LIMIT_FILES", "2", TRUE);
  g_autoptr (LoomRun) run = load (folder);
  g_unsetenv ("LOOM_LIMIT_FILES");
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 2);
  g_assert_cmpuint (loom_run_get_n_ignored (run), ==, 1);
  g_assert_true (find_ignored (run, "more than 2 files")->failed);
}

static void
test_folders (void)
{
  put_good ("1.json"), put_good ("a/2.json"), put_good ("a/b/3.json");
  g_setenv ("LOOM_LIMIT_FOLDER_DEPTH", "2", TRUE);
  g_autoptr (LoomRun) run = load (folder);
  g_unsetenv ("LOOM_LIMIT_FOLDER_DEPTH");
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 2);
  const LoomRunSkippedFile *ignored = find_ignored (run, "more than 2 deep");
  g_assert_nonnull (ignored);
  g_assert_true (ignored->failed && g_str_has_suffix (ignored->path, "a/b"));
}

static void
test_links (void)
{
  static const char *const links[][2] = {
    { "..", "a/up" }, { "itself", "a/itself" }, { "good.json", "a/other.json" }, { "no", "a/lost" }
  };
  put_good ("a/good.json");
  for (guint i = 0; i < G_N_ELEMENTS (links); i++) {
    g_autofree char *path = g_build_filename (folder, links[i][1], NULL);
    g_assert_cmpint (symlink (links[i][0], path), ==, 0);
  }
  g_autoptr (LoomRun) run = load (folder);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  g_assert_cmpuint (loom_run_get_n_ignored (run), ==, 4);
  g_assert_true (g_str_has_suffix (find_ignored (run, folder)->path, "a/up"));
  g_assert_nonnull (find_ignored (run, ".json”, which was found already"));
  for (guint i = 0; i < 4; i++)
    g_assert_false (loom_run_get_ignored (run, i)->failed);
}

/* --- decompression bombs, and the beginning that is examined --- */

static void
test_ratio (void)
{
  g_autoptr (GString) bomb = g_string_new ("[" EVENT (1) ",");
  append_many (bomb, "                ", 100000);
  g_string_append (bomb, EVENT (5) "]");
  g_autofree char *path = put_packed ("bomb.json.gz", bomb->str, bomb->len);
  g_autoptr (LoomRun) whole = load (path);
  g_assert_null (find_problem (whole, "gzip-ratio"));
  g_assert_cmpuint (loom_run_get_source (whole, 0)->n_events, ==, 2);
  g_setenv ("LOOM_LIMIT_GZIP_FREE_BYTES", "200000", TRUE);
  for (guint64 piece_bytes = 0; piece_bytes <= 100000; piece_bytes += 50000) {
    g_autoptr (LoomRun) run = load_with (path, piece_bytes);
    const LoomProblem *problem = find_problem (run, "gzip-ratio");
    g_assert_nonnull (problem);
    g_assert_cmpuint (problem->offset, >, 200000);
    g_assert_cmpuint (problem->offset, <, bomb->len);
    g_assert_cmpuint (loom_run_get_source (run, 0)->n_events, ==, 1);
    g_assert_true (loom_run_get_source (run, 0)->incomplete);
  }
  g_unsetenv ("LOOM_LIMIT_GZIP_FREE_BYTES");
}

static void
test_look (void)
{
  g_autoptr (GString) text = g_string_new ("{\"long\":\"");
  append_many (text, "0123456789", 60000);
  g_string_append (text, "\",\"traceEvents\":[" EVENT (1) "]}");
  g_autofree char *path = put ("late.json", text->str, text->len);
  g_autoptr (LoomRun) run = load (path);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  g_setenv ("LOOM_LIMIT_SNIFF_BYTES", "262144", TRUE);
  g_autoptr (LoomRun) less = load (path);
  g_assert_cmpuint (loom_run_get_n_traces (less), ==, 0);
  g_assert_nonnull (find_ignored (less, "without a traceEvents array in the first 256.0"));
  /* an event list is recognised even if its first event is very large */
  g_autoptr (GString) giant = make_giant (600000);
  g_string_erase (giant, 1, strlen (EVENT (1) ","));
  g_autofree char *list = put ("list.json", giant->str, giant->len);
  g_unlink (path);
  g_autoptr (LoomRun) kept = load (list);
  g_unsetenv ("LOOM_LIMIT_SNIFF_BYTES");
  g_assert_cmpuint (loom_run_get_source (kept, 0)->n_events, ==, 3);
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
    { "/limits/depth", test_depth },     { "/limits/event", test_event },   { "/limits/name", test_name },
    { "/limits/label", test_label },     { "/limits/tracks", test_tracks }, { "/limits/files", test_files },
    { "/limits/folders", test_folders }, { "/limits/links", test_links },   { "/limits/ratio", test_ratio },
    { "/limits/look", test_look },
  };
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loom-limits-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_data_func (tests[i].name, tests[i].test, run_in_empty_folder);
  int result = g_test_run ();
  remove_all (folder);
  g_rmdir (folder);
  g_free (folder);
  return result;
}
