/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the export in cases that the command line cannot produce: a source that disappears between loading and merging,
 * cancelling, exporting some of the sources, and the order of events.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "loom-error.h"
#include "loom-event-export.h"
#include "loom-kway-merge.h"
#include "loom-load.h"
#include "loom-trace-export.h"

typedef struct {
  char *folder;
  char *paths[3]; /* NULL-terminated */
  char *out;
  LoomTimeline *timeline;
} Fixture;

static void
write_trace (const char *path, guint n, gint64 first_us, gint64 step_us)
{
  g_autoptr (GString) text = g_string_new ("[");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (
      text, "%s{\"name\":\"s%u\",\"ph\":\"X\",\"ts\":%" G_GINT64_FORMAT ",\"dur\":3,\"pid\":1,\"tid\":%u}",
      i > 0 ? "," : "", i % 5, first_us + (gint64) i * step_us, i % 3);
  g_string_append (text, "]");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  fixture->folder = g_dir_make_tmp ("traceloom-merge-XXXXXX", NULL);
  fixture->paths[0] = g_build_filename (fixture->folder, "a.json", NULL);
  fixture->paths[1] = g_build_filename (fixture->folder, "b.json", NULL);
  fixture->out = g_build_filename (fixture->folder, "out.json", NULL);
  write_trace (fixture->paths[0], 40000, 1700000000000000, 7);
  write_trace (fixture->paths[1], 40000, 1700000000000003, 5);
  g_autoptr (LoomRun) run = loom_load_paths ((const char *const *) fixture->paths, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  fixture->timeline = loom_timeline_new (run, alignment);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->timeline, loom_timeline_unref);
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (folder)) != NULL;) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->paths[0]);
  g_free (fixture->paths[1]);
  g_free (fixture->out);
}

static guint
count_files (const Fixture *fixture)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (folder) != NULL)
    n++;
  return n;
}

static void
test_result (Fixture *fixture, gconstpointer data)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomExportResult result = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_true (loom_trace_export_write (fixture->timeline, &options, fixture->out, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_events, ==, 80000);
  g_assert_cmpuint (result.n_repaired, ==, 0);
  g_assert_cmpstr (result.path, ==, fixture->out);
  g_assert_cmpint (result.extent.begin_ns, ==, G_GINT64_CONSTANT (1700000000000000000));
  loom_trace_export_result_clear (&result);
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomExportResult result = { 0 };
  g_assert_true (loom_trace_export_write (fixture->timeline, &options, fixture->folder, NULL, &result, NULL));
  g_assert_true (g_str_has_suffix (result.path, "/merged-timeline.json"));
  loom_trace_export_result_clear (&result);
}

/* An export never overwrites a source, not even through a link, and not even if the source is not exported. */
static void
test_over_source (Fixture *fixture, gconstpointer data)
{
  const guint second = 1;
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *before = NULL, *after = NULL;
  g_assert_true (g_file_get_contents (fixture->paths[0], &before, NULL, NULL));
  g_assert_cmpint (symlink (fixture->paths[0], fixture->out), ==, 0);
  options.sources = &second;
  options.n_sources = 1;
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GError) error = NULL;
    const char *target = i == 0 ? fixture->paths[0] : fixture->out;
    g_assert_false (loom_trace_export_write (fixture->timeline, &options, target, NULL, NULL, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
    g_assert_nonnull (strstr (error->message, target));
    g_clear_error (&error);
    g_assert_false (
      loom_event_export_write (fixture->timeline, NULL, 0, NULL, LOOM_EVENT_EXPORT_CSV, target, NULL, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
  }
  g_assert_true (g_file_get_contents (fixture->paths[0], &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpuint (count_files (fixture), ==, 3);
}

static void
test_sources (Fixture *fixture, gconstpointer data)
{
  const guint second = 1;
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomExportResult result = { 0 };
  options.sources = &second;
  options.n_sources = 1;
  g_assert_true (loom_trace_export_write (fixture->timeline, &options, fixture->out, NULL, &result, NULL));
  g_assert_cmpuint (result.n_events, ==, 40000);
  g_assert_cmpint (result.extent.begin_ns, ==, G_GINT64_CONSTANT (1700000000000003000));
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (fixture->out, &text, NULL, NULL));
  g_assert_null (strstr (text, "a.json"));
  g_assert_nonnull (strstr (text, "b.json"));
  loom_trace_export_result_clear (&result);
}

static void
test_vanished (Fixture *fixture, gconstpointer data)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  write_trace (fixture->paths[1], 10, 0, 1); /* replaces the file of the source by another file with the same name */
  g_assert_false (loom_trace_export_write (fixture->timeline, &options, fixture->out, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "b.json"));
  g_assert_cmpuint (count_files (fixture), ==, 2);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  for (int layout = LOOM_TRACE_EXPORT_RANKS; layout <= LOOM_TRACE_EXPORT_COMPOSER; layout++) {
    g_autoptr (GError) error = NULL;
    g_cancellable_cancel (cancellable);
    options.layout = (LoomExportLayout) layout;
    g_assert_false (loom_trace_export_write (fixture->timeline, &options, fixture->out, progress, NULL, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_assert_cmpuint (count_files (fixture), ==, 2);
  }
}

static void
test_nothing_in_range (Fixture *fixture, gconstpointer data)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  options.has_range = TRUE;
  options.range = (LoomRange) { 5, 10 };
  for (int layout = LOOM_TRACE_EXPORT_RANKS; layout <= LOOM_TRACE_EXPORT_COMPOSER; layout++) {
    g_autoptr (GError) error = NULL;
    options.layout = (LoomExportLayout) layout;
    g_assert_false (loom_trace_export_write (fixture->timeline, &options, fixture->out, NULL, NULL, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_RANGE);
    g_assert_cmpuint (count_files (fixture), ==, 2);
  }
}

/* The merge returns every span once, sorted by time. With a range it returns the same spans as filtering all spans by
 * the range. */
static void
test_sweep (Fixture *fixture, gconstpointer data)
{
  const LoomRange range = { G_GINT64_CONSTANT (1700000000100000000), G_GINT64_CONSTANT (1700000000150001000) };
  LoomMergeOptions all = { 0 }, some = { .has_range = TRUE, .range = range };
  g_autoptr (LoomPidTidMap) places = loom_pid_tid_map_new (fixture->timeline);
  g_autoptr (LoomKwayMerge) whole = loom_kway_merge_new (fixture->timeline, places, &all);
  g_autoptr (LoomKwayMerge) part = loom_kway_merge_new (fixture->timeline, places, &some);
  LoomMergeItem item, same;
  gint64 last_ns = G_MININT64;
  guint n = 0, n_part = 0;
  for (; loom_kway_merge_next (whole, &item); n++) {
    g_assert_cmpint (item.start_ns, >=, last_ns);
    last_ns = item.start_ns;
    if (item.end_ns < range.begin_ns || item.start_ns > range.end_ns)
      continue;
    g_assert_true (loom_kway_merge_next (part, &same));
    g_assert_cmpint (same.start_ns, ==, item.start_ns);
    g_assert_cmpuint (same.index, ==, item.index);
    n_part++;
  }
  g_assert_cmpuint (n, ==, 80000);
  g_assert_cmpuint (n_part, >, 10000);
  g_assert_false (loom_kway_merge_next (part, &same));
}

/* --- order over many batches -------------------------------------------------------------------------------------- */

#define N_FLOWS 6000

/* Loads a single file, instead of the run that the fixture has loaded. */
static void
load_text (Fixture *fixture, const GString *text)
{
  const char *const paths[] = { fixture->paths[0], NULL };
  g_autoptr (GError) error = NULL;
  g_clear_pointer (&fixture->timeline, loom_timeline_unref);
  g_assert_true (g_file_set_contents (paths[0], text->str, (gssize) text->len, NULL));
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  fixture->timeline = loom_timeline_new (run, alignment);
}

static char *
merge_text (Fixture *fixture)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  char *merged = NULL;
  g_assert_true (loom_trace_export_write (fixture->timeline, &options, fixture->out, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (fixture->out, &merged, NULL, NULL));
  return merged;
}

/* Flow events at the same time are ordered, however many there are: start events first, end events last. */
static void
test_flows_of_one_instant (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":90000,\"pid\":1,\"tid\":1}");
  for (guint i = 0; i < N_FLOWS; i++)
    g_string_append_printf (
      text, ",{\"name\":\"f\",\"cat\":\"c\",\"ph\":\"%c\",\"ts\":5000,\"pid\":1,\"tid\":1,\"id\":%u}", "fts"[i % 3], i);
  g_string_append (text, "]");
  load_text (fixture, text);
  g_autofree char *merged = merge_text (fixture);
  guint n[3] = { 0 };
  for (const char *at = merged; (at = strstr (at, "\"cat\":\"c\",\"ph\":\"")) != NULL; at += 16) {
    guint phase = (guint) (strchr ("stf", at[16]) - "stf");
    g_assert_cmpuint (phase, <, 3);
    n[phase]++;
    for (guint later = phase + 1; later < 3; later++)
      g_assert_cmpuint (n[later], ==, 0);
  }
  for (guint phase = 0; phase < 3; phase++)
    g_assert_cmpuint (n[phase], ==, N_FLOWS / 3);
}

/* Returns a trace with more events at one time than are sorted in one batch, with events hours before and after this
 * time, and with spans that begin at the same time. */
static GString *
crowd (guint n_crowd)
{
  GString *text = g_string_new ("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":9,\"pid\":1,\"tid\":1}");
  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (
      text, ",{\"name\":\"s\",\"ph\":\"X\",\"ts\":%" G_GUINT64_FORMAT ",\"dur\":%u,\"pid\":1,\"tid\":%u}",
      G_GUINT64_CONSTANT (7200000000) * (i % 3) + i / 60 * 100, i % 4 * 7, i % 20);
  for (guint i = 0; i < n_crowd; i++)
    g_string_append_printf (text, ",{\"name\":\"i\",\"ph\":\"i\",\"s\":\"t\",\"ts\":5000,\"pid\":1,\"tid\":%u}", i % 2);
  for (guint i = 0; i < 500; i++)
    g_string_append_printf (text, ",{\"name\":\"c\",\"ph\":\"C\",\"ts\":%u,\"pid\":1,\"args\":{\"v\":%u}}",
                            4000 + i * 5, i);
  return g_string_append (text, "]");
}

static gboolean
is_in_order (const LoomPidTidMap *places, const LoomMergeItem *a, const LoomMergeItem *b)
{
  if (a->start_ns != b->start_ns)
    return a->start_ns < b->start_ns;
  if (a->end_ns != b->end_ns)
    return a->end_ns > b->end_ns;
  return loom_pid_tid_map_ordinal_of (places, a->trace, a->track) <=
         loom_pid_tid_map_ordinal_of (places, b->trace, b->track);
}

static void
test_crowds (Fixture *fixture, gconstpointer data)
{
  static const guint sizes[] = { 100, 20000, 50000 };
  LoomMergeOptions all = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GString) text = crowd (sizes[i]);
    load_text (fixture, text);
    g_autoptr (LoomPidTidMap) places = loom_pid_tid_map_new (fixture->timeline);
    g_autoptr (LoomKwayMerge) sweep = loom_kway_merge_new (fixture->timeline, places, &all);
    LoomMergeItem last, item;
    guint n = 1, n_together = 0;
    g_assert_true (loom_kway_merge_next (sweep, &last));
    for (; loom_kway_merge_next (sweep, &item); last = item, n++) {
      g_assert_true (is_in_order (places, &last, &item));
      n_together += item.start_ns == last.start_ns && item.end_ns < last.end_ns;
    }
    g_assert_cmpuint (n, ==, 1 + 3000 + sizes[i] + 500);
    g_assert_cmpuint (n_together, >, 300);
  }
}

/* Processes without drawn events are numbered in the order of the file, whichever thread writes them. */
static void
test_strays_in_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":9,\"pid\":1,\"tid\":1}");
  for (guint i = 0; i < N_FLOWS; i++)
    g_string_append_printf (text, ",{\"name\":\"f\",\"ph\":\"s\",\"ts\":%u,\"pid\":%u,\"id\":%u}", 100 + i,
                            100000 - i / 2, i);
  g_string_append (text, "]");
  load_text (fixture, text);
  g_autofree char *merged = merge_text (fixture);
  gint64 first = -1, n = 0;
  for (const char *at = merged; (at = strstr (at, "\"ph\":\"s\",\"ts\"")) != NULL; at += 8, n++) {
    gint64 pid = g_ascii_strtoll (strstr (at, "\"pid\":") + 6, NULL, 10);
    first = first < 0 ? pid : first;
    g_assert_cmpint (pid, ==, first + n / 2);
  }
  g_assert_cmpint (n, ==, N_FLOWS);
}

/* Compressing with several threads gives the same text as without compression. */
static void
test_compressed (Fixture *fixture, gconstpointer data)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *merged = merge_text (fixture), *packed = NULL, *target = g_strconcat (fixture->out, ".gz", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GZlibDecompressor) unzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  gsize length, n_read, n_written, n_text = strlen (merged);
  g_autofree char *text = g_malloc (n_text + 1);
  g_assert_true (loom_trace_export_write (fixture->timeline, &options, target, NULL, NULL, &error));
  g_assert_true (g_file_get_contents (target, &packed, &length, NULL));
  GConverterResult result = g_converter_convert (G_CONVERTER (unzip), packed, length, text, n_text + 1,
                                                 G_CONVERTER_INPUT_AT_END, &n_read, &n_written, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, G_CONVERTER_FINISHED);
  g_assert_cmpuint (n_read, ==, length); /* a single gzip member and nothing after it */
  g_assert_cmpuint (n_written, ==, n_text);
  g_assert_true (memcmp (text, merged, n_text) == 0);
}

/* Cancels the export in the middle, while batches are prepared and other threads write; no file may be left. */
static gpointer
cancel_when_some_is_done (gpointer data)
{
  LoomProgress *progress = data;
  while (loom_progress_get_done (progress) == 0)
    g_thread_yield ();
  g_cancellable_cancel (loom_progress_get_cancellable (progress));
  return NULL;
}

/* Cancels an export once it has made progress. Returns FALSE if the export was complete before it was cancelled. */
static gboolean
cancel_in_the_middle (Fixture *fixture)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_when_some_is_done, progress);
  gboolean written = loom_trace_export_write (fixture->timeline, &options, fixture->out, progress, NULL, &error);
  g_thread_join (thread);
  if (!written)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (count_files (fixture), ==, written ? 3 : 2);
  g_unlink (fixture->out);
  return !written;
}

static void
test_cancelled_in_the_middle (Fixture *fixture, gconstpointer data)
{
  gboolean cancelled = FALSE;
  for (guint i = 0; i < 50 && !cancelled; i++)
    cancelled = cancel_in_the_middle (fixture);
  g_assert_true (cancelled);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/export/result", Fixture, NULL, set_up, test_result, tear_down);
  g_test_add ("/export/folder", Fixture, NULL, set_up, test_folder, tear_down);
  g_test_add ("/export/over-source", Fixture, NULL, set_up, test_over_source, tear_down);
  g_test_add ("/export/sources", Fixture, NULL, set_up, test_sources, tear_down);
  g_test_add ("/export/vanished", Fixture, NULL, set_up, test_vanished, tear_down);
  g_test_add ("/export/cancelled", Fixture, NULL, set_up, test_cancelled, tear_down);
  g_test_add ("/export/nothing-in-range", Fixture, NULL, set_up, test_nothing_in_range, tear_down);
  g_test_add ("/export/sweep", Fixture, NULL, set_up, test_sweep, tear_down);
  g_test_add ("/export/flows-of-one-instant", Fixture, NULL, set_up, test_flows_of_one_instant, tear_down);
  g_test_add ("/export/crowds", Fixture, NULL, set_up, test_crowds, tear_down);
  g_test_add ("/export/strays-in-order", Fixture, NULL, set_up, test_strays_in_order, tear_down);
  g_test_add ("/export/compressed", Fixture, NULL, set_up, test_compressed, tear_down);
  g_test_add ("/export/cancelled-in-the-middle", Fixture, NULL, set_up, test_cancelled_in_the_middle, tear_down);
  return g_test_run ();
}
