/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-loop-threads.h"

#include <string.h>

#include "loom-main-thread.h"

/* Returns a text that identifies the rank and the file of a track. The file is included because a merged file has
 * tracks of several original files, and launches may have been recorded in only some of these files. Owned by the
 * caller. */
static char *
make_key (const LoomTrack *track)
{
  return g_strdup_printf ("%d %s", track->rank, track->path);
}

/* Returns an array: [name id] TRUE if spans with this name are calls that launch kernels, such as cudaLaunchKernel,
 * cuLaunchKernelEx, hipExtModuleLaunchKernel and cudaGraphLaunch. Calls that copy memory are excluded, because threads
 * that pin memory also copy. Owned by the caller. */
static guint8 *
find_launch_names (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  guint8 *are = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    const char *name = loom_trace_get_name (trace, i)->text;
    are[i] = (g_str_has_prefix (name, "cu") || g_str_has_prefix (name, "hip")) && strstr (name, "Launch") != NULL;
  }
  return are;
}

static gboolean
has_launch (const LoomTrace *trace, const LoomTrack *track, const guint8 *are_launches)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
    for (guint32 i = row->first; i < row->first + row->n; i++)
      if (are_launches[spans->name_id[i]])
        return TRUE;
  }
  return FALSE;
}

/* Finds the threads that launch kernels, and sets held_up[track] to TRUE for them, because training waits for them.
 * Returns a set of keys (make_key()), which identify the ranks and the files of these threads. Owned by the caller. */
static GHashTable *
find_launching (LoomLoopThreads *threads, const LoomTrace *trace)
{
  g_autofree guint8 *are_launches = find_launch_names (trace);
  GHashTable *ranks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < threads->n_tracks; i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (!loom_main_thread_is_own (track, -1, TRUE) || !has_launch (trace, track, are_launches))
      continue;
    threads->held_up[i] = TRUE;
    g_hash_table_add (ranks, make_key (track));
  }
  return ranks;
}

LoomLoopThreads *
loom_loop_threads_new (const LoomTrace *trace)
{
  LoomLoopThreads *threads = g_new0 (LoomLoopThreads, 1);
  threads->n_tracks = loom_trace_get_n_tracks (trace);
  threads->held_up = g_new0 (guint8, MAX (threads->n_tracks, 1));
  g_autoptr (GHashTable) ranks = find_launching (threads, trace);
  for (guint i = 0; i < threads->n_tracks; i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    g_autofree char *key = make_key (track);
    if (!threads->held_up[i])
      threads->held_up[i] = !g_hash_table_contains (ranks, key) || loom_main_thread_has_steps (trace, track);
  }
  return threads;
}

void
loom_loop_threads_free (LoomLoopThreads *threads)
{
  g_free (threads->held_up);
  g_free (threads);
}

gboolean
loom_loop_threads_has (const LoomLoopThreads *threads, guint track)
{
  return track >= threads->n_tracks || threads->held_up[track];
}
