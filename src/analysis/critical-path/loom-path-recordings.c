/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-recordings.h"

/* Returns the path of the file from which the track was merged; "" if the track was not merged from another file. */
static const char *
get_merged_path (const LoomTrace *trace, const LoomTrack *track)
{
  return track->path != loom_trace_get_source (trace, track->source)->path ? track->path : "";
}

static guint32 *
number_tracks (LoomPathRecordings *recordings, const LoomTrace *trace)
{
  /* path of an original file → number of its recording, plus 1 */
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_tracks = loom_trace_get_n_tracks (trace);
  g_autofree guint32 *of_track = g_new (guint32, MAX (n_tracks, 1));
  for (guint i = 0; i < n_tracks; i++) {
    const char *path = get_merged_path (trace, loom_trace_get_track (trace, i));
    guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, path));
    if (number == 0) {
      number = ++recordings->n;
      g_hash_table_insert (numbers, (gpointer) path, GUINT_TO_POINTER (number));
    }
    of_track[i] = number - 1;
  }
  return g_hash_table_size (numbers) > 1 ? g_steal_pointer (&of_track) : NULL;
}

void
loom_path_recordings_init (LoomPathRecordings *recordings, LoomRun *run)
{
  guint n_traces = loom_run_get_n_traces (run);
  *recordings = (LoomPathRecordings) { .run = run,
                                       .first = g_new (guint32, MAX (n_traces, 1)),
                                       .of_track = g_new (guint32 *, MAX (n_traces, 1)) };
  for (guint i = 0; i < n_traces; i++) {
    recordings->first[i] = recordings->n;
    recordings->of_track[i] = number_tracks (recordings, loom_run_get_trace (run, i));
  }
}

void
loom_path_recordings_clear (LoomPathRecordings *recordings)
{
  for (guint i = 0; i < loom_run_get_n_traces (recordings->run); i++)
    g_free (recordings->of_track[i]);
  g_free (recordings->of_track);
  g_free (recordings->first);
}

guint32
loom_path_recordings_get (const LoomPathRecordings *recordings, guint32 trace, guint32 span)
{
  guint32 track, row;
  if (recordings->of_track[trace] == NULL)
    return recordings->first[trace];
  loom_trace_locate_span (loom_run_get_trace (recordings->run, trace), span, &track, &row);
  return recordings->of_track[trace][track];
}
