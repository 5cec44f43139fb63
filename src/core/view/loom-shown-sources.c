/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table of the paths of the sources that a view shows (loom-shown-sources.h).
 */
#include "loom-shown-sources.h"

GHashTable *
loom_shown_sources_new (const char *const *paths)
{
  if (paths == NULL)
    return NULL;
  GHashTable *sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; paths[i] != NULL; i++)
    g_hash_table_add (sources, g_strdup (paths[i]));
  return sources;
}

gboolean
loom_shown_sources_have_track (GHashTable *sources, const LoomTimeline *timeline, LoomTrackId id)
{
  if (sources == NULL)
    return TRUE;
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (run, id.trace), id.track);
  guint source = loom_run_get_first_source (run, id.trace) + track->source;
  return g_hash_table_contains (sources, loom_run_get_source (run, source)->path);
}
