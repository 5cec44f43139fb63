/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests files of jobs that were killed while they wrote: every file of the corpus (collected example traces), truncated
 * at any byte, can be loaded and contains every event that was complete before the cut. Compressed files are truncated
 * on disk, and zlib (through GIO) determines how much text remains.
 *
 * The places of cuts are a random sample with a fixed seed. With LOOM_LONG, small files are cut at every byte, and the
 * others at many places.
 */
#include "loom-load.h"
#include "loom-stream-reader.h"
#include "loom-trace.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define SMALL_BYTES 4096
#define N_LONG_CUTS 2000
/* Approximate number of bytes of text that the test loads of one file, summed over all cuts. */
#define N_LONG_BYTES (G_GUINT64_CONSTANT (512) * 1024 * 1024)
#define N_SAMPLES 2
#define SAMPLE_BYTES (2 * 1024 * 1024)

typedef struct {
  const char *corpus;
  char *folder; /* folder that contains the truncated copies, with the same relative paths as in the corpus */
  GArray *ends; /* guint64: offset in the text at which each counted event ends */
  guint n_files, n_cuts, n_refused;
  guint64 n_events;
} Cuts;

static char under_way[4096];

static void
say_under_way (int number)
{
  gssize written = write (STDERR_FILENO, under_way, strlen (under_way));
  signal (number, SIG_DFL);
  raise (written >= 0 ? number : SIGKILL);
}

static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  Cuts *cuts = user_data;
  guint64 end = event->offset + event->text.length;
  char phase = loom_event_phase (event);
  gboolean counts = phase != '\0' ? phase != 'M' : loom_json_slice_member (event->text, "Timestamp").text != NULL;
  if (counts)
    g_array_append_val (cuts->ends, end);
  return TRUE;
}

static gboolean
find_events (Cuts *cuts, const char *path)
{
  static const LoomScanHandler handler = { on_event, NULL, NULL };
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, NULL);
  gboolean lines = strstr (path, "/system/") != NULL || strstr (path, "1591160699.algo-1.json") != NULL;
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, cuts, lines);
  g_array_set_size (cuts->ends, 0);
  return reader != NULL && loom_stream_reader_scan (reader, scanner, 0, NULL) && cuts->ends->len > 0;
}

/* Returns the number of bytes of text that the first `n_bytes` of a gzip file contain. */
static guint64
text_left (const char *bytes, gsize n_bytes)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autofree char *out = g_malloc (1 << 16);
  guint64 n_text = 0;
  for (gsize done = 0; done < n_bytes;) {
    gsize n_read = 0, n_written = 0;
    GConverterResult result = g_converter_convert (G_CONVERTER (zlib), bytes + done, n_bytes - done, out, 1 << 16,
                                                   G_CONVERTER_NO_FLAGS, &n_read, &n_written, NULL);
    done += n_read;
    n_text += n_written;
    if (result == G_CONVERTER_ERROR)
      break;
    if (result == G_CONVERTER_FINISHED)
      g_converter_reset (G_CONVERTER (zlib));
  }
  return n_text;
}

static guint
n_complete (const Cuts *cuts, guint64 n_text)
{
  guint n = 0;
  while (n < cuts->ends->len && g_array_index (cuts->ends, guint64, n) <= n_text)
    n++;
  return n;
}

static void
check_cut (Cuts *cuts, const char *path, const char *bytes, gsize at)
{
  const char *paths[] = { path, NULL };
  gboolean packed = at >= 2 && (guchar) bytes[0] == 0x1F && (guchar) bytes[1] == 0x8B;
  guint wanted = n_complete (cuts, packed ? text_left (bytes, at) : at);
  guint64 found = 0;
  g_autoptr (GError) error = NULL;
  g_snprintf (under_way, sizeof under_way, "%s, cut at %" G_GSIZE_FORMAT "\n", path, at);
  g_assert_no_errno (truncate (path, (off_t) at));
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  for (guint i = 0; run != NULL && i < loom_run_get_n_sources (run); i++)
    found += loom_run_get_source (run, i)->n_events;
  cuts->n_refused += found == 0;
  g_assert_cmpuint (found, >=, wanted);
  cuts->n_cuts++;
  cuts->n_events += wanted;
}

static int
compare_down (gconstpointer a, gconstpointer b)
{
  const gsize *first = a, *second = b;
  return *first < *second ? 1 : *first > *second ? -1 : 0;
}

/* Returns the offsets of the cuts in descending order, so that one copy of the file can be truncated repeatedly. */
static GArray *
places_for (gsize n_bytes, guint64 n_text)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (gsize));
  gboolean all = g_getenv ("LOOM_LONG") != NULL;
  guint n = !all                     ? N_SAMPLES
            : n_bytes <= SMALL_BYTES ? (guint) n_bytes
                                     : (guint) CLAMP (N_LONG_BYTES / MAX (n_text, 1), 20, N_LONG_CUTS);
  for (guint i = 0; i < n; i++) {
    gsize at = all && n_bytes <= SMALL_BYTES ? i : (gsize) (g_test_rand_double () * (double) n_bytes);
    g_array_append_val (places, at);
  }
  g_array_sort (places, compare_down);
  return places;
}

static void
cut_file (Cuts *cuts, const char *path)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  if (!g_file_get_contents (path, &bytes, &n_bytes, NULL) || n_bytes == 0 ||
      (g_getenv ("LOOM_LONG") == NULL && n_bytes > SAMPLE_BYTES) || !find_events (cuts, path))
    return;
  g_autofree char *copy = g_build_filename (cuts->folder, path + strlen (cuts->corpus), NULL),
                  *above = g_path_get_dirname (copy);
  g_assert_no_errno (g_mkdir_with_parents (above, 0700));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) n_bytes, NULL));
  g_autoptr (GArray) places = places_for (n_bytes, g_array_index (cuts->ends, guint64, cuts->ends->len - 1));
  const char *whole[] = { copy, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (whole, NULL, NULL, NULL, NULL, NULL);
  if (run != NULL && loom_run_get_n_sources (run) > 0) {
    cuts->n_files++;
    for (guint i = 0; i < places->len; i++)
      check_cut (cuts, copy, bytes, g_array_index (places, gsize, i));
  }
  g_assert_no_errno (g_unlink (copy));
}

static void
walk (Cuts *cuts, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      walk (cuts, path);
    else
      cut_file (cuts, path);
  }
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    remove_folder (path);
  }
  g_assert_no_errno (g_rmdir (folder));
}

static void
test_corpus (void)
{
  Cuts cuts = { .corpus = g_getenv ("LOOM_TEST_CORPUS") };
  if (cuts.corpus == NULL || !g_file_test (cuts.corpus, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("no corpus beside the project");
    return;
  }
  cuts.folder = g_dir_make_tmp ("traceloom-cuts-XXXXXX", NULL);
  cuts.ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  signal (SIGABRT, say_under_way);
  walk (&cuts, cuts.corpus);
  remove_folder (cuts.folder);
  g_test_message ("%u files, %u cuts: %" G_GUINT64_FORMAT " complete events, none lost; %u cuts left nothing",
                  cuts.n_files, cuts.n_cuts, cuts.n_events, cuts.n_refused);
  g_assert_cmpuint (cuts.n_files, >, 60);
  g_assert_cmpuint (cuts.n_events, >, 1000);
  g_array_unref (cuts.ends);
  g_free (cuts.folder);
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cuts/corpus", test_corpus);
  return g_test_run ();
}
