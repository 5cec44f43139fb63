/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading the events of a range through a byte index, which states where in the file the events of each time are.
 * The events that are read are those that overlap the range, in the order of the file, however the file was divided
 * into pieces while it was indexed. Little more than these events is read of the file.
 */
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "loom-error.h"
#include "loom-event-scanner.h"
#include "loom-load.h"
#include "loom-range-text.h"

#define N_EVENTS 20000
#define STEP_NS 10000
#define N_RANGES 40

/* A test file, and a list of its events except those of metadata (phase M). */
typedef struct {
  GString *text;
  GPtrArray *events; /* char *: text of each event, in the order of the file */
  GArray *times;     /* LoomRange: begin and end of each event */
  char *folder, *path;
} File;

static void
separate (File *file, guint i)
{
  /* an element that is not an event, as in files written by hand, is never among the events of a range */
  g_string_append (file->text, i == 0 ? "" : i % 500 == 7 ? ",{\"name\":\"no phase\"},\n" : ",\n");
}

static void
add_metadata (File *file, guint i)
{
  separate (file, i);
  g_string_append_printf (
    file->text, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":\"t%u\"}}", i, i);
}

static void
add_event (File *file, guint i, char phase, gint64 start_ns, gint64 dur_ns)
{
  LoomRange times = { start_ns, start_ns + dur_ns };
  g_autofree char *dur = phase == 'X'
                           ? g_strdup_printf (",\"dur\":%" PRId64 ".%03u", dur_ns / 1000, (guint) (dur_ns % 1000))
                           : g_strdup (phase == 'C' ? ",\"args\":{\"v\":1}" : ",\"id\":1,\"cat\":\"f\"");
  char *text = g_strdup_printf ("{\"ph\":\"%c\",\"name\":\"e%u\",\"pid\":1,\"tid\":%u,\"ts\":%" PRId64 ".%03u%s}",
                                phase, i, i % 3, start_ns / 1000, (guint) (start_ns % 1000), dur);
  separate (file, 1);
  g_string_append (file->text, text);
  g_ptr_array_add (file->events, text);
  g_array_append_val (file->times, times);
}

/* Writes a file with consecutive spans of three threads, a few long spans that enclose many others, flows, and samples
 * of counters. The second half of the file has the same times as the first half, like the events of a device after
 * those of the host. */
static File *
make_file (gboolean is_object)
{
  File *file = g_new0 (File, 1);
  file->text =
    g_string_new (is_object ? "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":3},\"traceEvents\":[" : "[");
  file->events = g_ptr_array_new_with_free_func (g_free);
  file->times = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint i = 0; i < 5; i++)
    add_metadata (file, i);
  for (guint i = 0; i < N_EVENTS; i++) {
    gint64 at_ns = 1000000 + (gint64) (i % (N_EVENTS / 2)) * STEP_NS;
    if (i % 700 == 3)
      add_event (file, i, 'X', at_ns, (gint64) STEP_NS * (i % 1400 == 3 ? 8000 : 900));
    add_event (file, i,
               i % 11 == 0  ? 'C'
               : i % 7 == 0 ? 's'
                            : 'X',
               at_ns, i % 11 == 0 || i % 7 == 0 ? 0 : STEP_NS / 2 + i % 100);
    if (i == 4000)
      add_metadata (file, i);
  }
  add_metadata (file, 9999);
  g_string_append (file->text, is_object ? "\n],\"traceName\":\"a.json\"}\n" : "\n]\n");
  file->folder = g_dir_make_tmp ("loom-ranges-XXXXXX", NULL);
  file->path = g_build_filename (file->folder, "rank-3.json", NULL);
  g_assert_true (g_file_set_contents (file->path, file->text->str, (gssize) file->text->len, NULL));
  return file;
}

static void
file_free (File *file)
{
  g_remove (file->path);
  g_rmdir (file->folder);
  g_string_free (file->text, TRUE);
  g_ptr_array_unref (file->events);
  g_array_unref (file->times);
  g_free (file->folder);
  g_free (file->path);
  g_free (file);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (File, file_free)

static LoomRun *
load (const File *file, guint64 piece_bytes)
{
  const char *paths[] = { file->path, NULL };
  LoomLoadOptions options = { .records_bytes = TRUE, .piece_bytes = piece_bytes, .n_threads = 2 };
  LoomRun *run = loom_load_paths (paths, &options, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 1);
  return run;
}

/* --- what a range has ----------------------------------------------------------------------------------------------- */

static gboolean
collect_event (const LoomEvent *event, gpointer user_data)
{
  GPtrArray *events = user_data;
  if (loom_event_phase (event) != 'M' && loom_event_phase (event) != '\0')
    g_ptr_array_add (events, g_strndup (event->text.text, event->text.length));
  return TRUE;
}

static GPtrArray *
list_events (GBytes *text, gboolean is_object)
{
  static const LoomScanHandler handler = { .event = collect_event };
  gsize n;
  GPtrArray *events = g_ptr_array_new_with_free_func (g_free);
  const char *at = g_bytes_get_data (text, &n);
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, events, FALSE);
  loom_event_scanner_scan (scanner, at, n, 0, TRUE);
  g_assert_cmpint (loom_event_scanner_get_form (scanner), ==, is_object ? LOOM_JSON_FORM_OBJECT : LOOM_JSON_FORM_ARRAY);
  return events;
}

static void
check_events (const File *file, GPtrArray *events, LoomRange range)
{
  guint n = 0;
  for (guint i = 0; i < file->events->len; i++) {
    const LoomRange *times = &g_array_index (file->times, LoomRange, i);
    if (times->begin_ns > range.end_ns || times->end_ns < range.begin_ns)
      continue;
    g_assert_cmpuint (n, <, events->len);
    g_assert_cmpstr (events->pdata[n++], ==, file->events->pdata[i]);
  }
  g_assert_cmpuint (n, ==, events->len);
}

static void
check_range (const File *file, const LoomByteIndex *index, LoomRange range, gboolean is_object)
{
  g_autoptr (GBytes) whole = g_bytes_new (file->text->str, file->text->len);
  g_autoptr (LoomByteSource) text = loom_byte_source_new_bytes (whole);
  g_autoptr (GError) error = NULL;
  guint64 n_read = 0;
  LoomRangeTextRequest request = { .begin_ns = range.begin_ns, .end_ns = range.end_ns, .most_bytes = G_MAXUINT64 };
  g_autoptr (GBytes) made = loom_range_text_make (index, text, &request, &n_read, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) events = list_events (made, is_object);
  check_events (file, events, range);
  if (loom_time_sub (range.end_ns, range.begin_ns) < 20 * STEP_NS) /* the events of a short range are in two places of
                                                                    * the file, one in each half */
    g_assert_cmpuint (n_read, <=, 5 * LOOM_BYTE_INDEX_BLOCK_BYTES);
}

static void
test_ranges (gconstpointer user_data)
{
  gboolean is_object = GPOINTER_TO_INT (user_data);
  g_autoptr (File) file = make_file (is_object);
  g_autoptr (GRand) dice = g_rand_new_with_seed (4);
  static const guint64 pieces[] = { 0, 10000, 77777 };
  for (guint k = 0; k < G_N_ELEMENTS (pieces); k++) {
    g_autoptr (LoomRun) run = load (file, pieces[k]);
    const LoomByteIndex *index = loom_run_get_source (run, 0)->byte_index;
    g_assert_nonnull (index);
    g_assert_null (index->missing);
    for (guint i = 0; i < N_RANGES; i++) {
      gint64 begin_ns = (gint64) (g_rand_double (dice) * N_EVENTS / 2 * STEP_NS),
             length_ns = i % 4 == 0 ? 0 : g_rand_int_range (dice, 1, i % 3 == 0 ? 500 * STEP_NS : 15 * STEP_NS);
      check_range (file, index, (LoomRange) { begin_ns, begin_ns + length_ns }, is_object);
    }
    check_range (file, index, (LoomRange) { G_MININT64, G_MAXINT64 }, is_object);
    check_range (file, index, (LoomRange) { -5, -1 }, is_object);
  }
}

/* Each long span overlaps many blocks of the file. Nevertheless, reading the long spans that overlap a range costs
 * little, because there are few of them. */
static void
test_long_spans (void)
{
  g_autoptr (File) file = make_file (TRUE);
  g_autoptr (LoomRun) run = load (file, 0);
  const LoomByteIndex *index = loom_run_get_source (run, 0)->byte_index;
  g_assert_cmpuint (index->spans->len, >=, 4);
  g_assert_cmpuint (index->spans->len, <=, 16);
  g_assert_cmpuint (index->fixed->len, ==, 3);
  g_assert_cmpuint (index->blocks->len, <=, file->text->len / LOOM_BYTE_INDEX_BLOCK_BYTES + 1);
}

static void
test_limit (void)
{
  g_autoptr (File) file = make_file (TRUE);
  g_autoptr (LoomRun) run = load (file, 0);
  g_autoptr (GBytes) whole = g_bytes_new (file->text->str, file->text->len);
  g_autoptr (LoomByteSource) text = loom_byte_source_new_bytes (whole);
  g_autoptr (GError) error = NULL;
  guint64 n_read = 0;
  LoomRangeTextRequest request = { .begin_ns = G_MININT64, .end_ns = G_MAXINT64, .most_bytes = file->text->len / 2 };
  g_autoptr (GBytes) made =
    loom_range_text_make (loom_run_get_source (run, 0)->byte_index, text, &request, &n_read, NULL, &error);
  g_assert_null (made);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
  g_assert_cmpuint (n_read, <=, request.most_bytes);
}

/* If the events of a range do not fit into the memory budget, the whole range is refused. */
static void
test_budget (void)
{
  g_autoptr (File) file = make_file (TRUE);
  g_autoptr (LoomRun) run = load (file, 0);
  g_autoptr (GBytes) whole = g_bytes_new (file->text->str, file->text->len);
  g_autoptr (LoomByteSource) text = loom_byte_source_new_bytes (whole);
  g_autoptr (LoomMemoryBudget) budget = loom_memory_budget_new (1);
  g_autoptr (GError) error = NULL;
  guint64 n_read = 0;
  LoomRangeTextRequest request = { .end_ns = G_MAXINT64, .most_bytes = G_MAXUINT64, .budget = budget };
  g_assert_null (
    loom_range_text_make (loom_run_get_source (run, 0)->byte_index, text, &request, &n_read, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "choose a shorter range"));
  g_assert_cmpuint (n_read, ==, 0);
}

/* If a range cannot be read without the rest of the file, the reason is given. */
static void
test_missing (void)
{
  static const char *const texts[] = {
    "[{\"ph\":\"B\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1},{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":2}]",
    "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1}]",
    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},",
    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}],"
    "\"traceEvents\":[{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":1}]}",
    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}],"
    "\"samples\":[{\"ts\":2,\"name\":\"s\",\"pid\":1,\"tid\":1,\"cpu\":0}]}",
    /* a process with events of both the host and a device */
    "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":1,\"tid\":7,\"ts\":1,\"dur\":1},"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"o\",\"pid\":1,\"tid\":8,\"ts\":1,\"dur\":1}]}",
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (File) file = make_file (FALSE);
    g_assert_true (g_file_set_contents (file->path, texts[i], -1, NULL));
    g_autoptr (LoomRun) run = load (file, 0);
    g_assert_nonnull (loom_run_get_source (run, 0)->byte_index->missing);
  }
}

/* A short file has only one block, which is read as a whole. */
static void
test_short (void)
{
  g_autoptr (File) file = make_file (FALSE);
  g_string_assign (file->text, "[");
  g_ptr_array_set_size (file->events, 0);
  g_array_set_size (file->times, 0);
  for (guint i = 0; i < 3000; i++)
    add_event (file, i, 'X', 1000 + (gint64) i * STEP_NS, i % 100 == 0 ? STEP_NS * 3000 : STEP_NS / 2);
  g_string_append (file->text, "]");
  g_assert_true (g_file_set_contents (file->path, file->text->str, (gssize) file->text->len, NULL));
  g_autoptr (LoomRun) run = load (file, 0);
  const LoomByteIndex *index = loom_run_get_source (run, 0)->byte_index;
  g_assert_cmpuint (index->blocks->len, ==, 1);
  g_assert_cmpuint (index->spans->len + index->texts->len, ==, 0);
  check_range (file, index, (LoomRange) { STEP_NS * 1500, STEP_NS * 1501 }, FALSE);
}

/* A load without the option that requests a byte index creates none. */
static void
test_not_asked (void)
{
  g_autoptr (File) file = make_file (TRUE);
  const char *paths[] = { file->path, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, NULL);
  g_assert_null (loom_run_get_source (run, 0)->byte_index);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/ranges/array", GINT_TO_POINTER (FALSE), test_ranges);
  g_test_add_data_func ("/ranges/object", GINT_TO_POINTER (TRUE), test_ranges);
  g_test_add_func ("/ranges/long-spans", test_long_spans);
  g_test_add_func ("/ranges/short", test_short);
  g_test_add_func ("/ranges/limit", test_limit);
  g_test_add_func ("/ranges/budget", test_budget);
  g_test_add_func ("/ranges/missing", test_missing);
  g_test_add_func ("/ranges/not-asked", test_not_asked);
  return g_test_run ();
}
