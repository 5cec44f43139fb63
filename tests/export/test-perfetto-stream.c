/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the size limits of the parts in which Traceloom writes a Perfetto file.
 */
#include "../../src/export/perfetto/loom-perfetto-stream.h"

#include <glib/gstdio.h>

#define TEXT_BYTES 4096

/* Writes `n` events, each with a different text, to a file that is declared to have `n_tracks` tracks. Returns the
 * number of parts. */
static guint
write_events (guint n, guint n_tracks)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-stream-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.pftrace", NULL);
  LoomOutputFile *output = loom_output_file_new (path, NULL);
  LoomPerfettoStream *stream = loom_perfetto_stream_new (output, 0, -1);
  g_autoptr (GString) event = g_string_new (NULL);
  guint part = 0;
  for (guint i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf ("%0*u", TEXT_BYTES, i);
    part = loom_perfetto_stream_begin_event (stream, n_tracks);
    loom_perfetto_stream_intern (stream, LOOM_PERFETTO_STREAM_ARG_TEXT, text);
    loom_perfetto_stream_put (stream, LOOM_PERFETTO_STREAM_TRACK_EVENT, i, event);
  }
  loom_perfetto_stream_free (stream);
  loom_output_file_abort (output);
  g_rmdir (folder);
  return part;
}

/* A part of a file with few tracks ends after 4 MiB of text. With many tracks a part is larger, because it repeats all
 * tracks, but it ends at 64 MiB of text at the latest, because the text of a part is kept in memory. */
static void
test_text (void)
{
  g_assert_cmpuint (write_events (1024, 1), ==, 1);
  g_assert_cmpuint (write_events (1026, 1), ==, 2);
  g_assert_cmpuint (write_events (16 * 1024, 1000 * 1000), ==, 1);
  g_assert_cmpuint (write_events (16 * 1024 + 1, 1000 * 1000), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export/perfetto-stream/text", test_text);
  return g_test_run ();
}
