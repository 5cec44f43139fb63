/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-device-tracks.h"

#include "loom-int64-hash.h"

void
loom_device_tracks_init (LoomDeviceTracks *tracks, const LoomTrace *trace)
{
  guint n = loom_trace_get_n_tracks (trace);
  /* key: process and clock of a device; value: its last track so far */
  g_autoptr (GHashTable) last = g_hash_table_new (loom_int64_hash_packed, NULL);
  tracks->first = g_new (guint32, n);
  tracks->next = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    gpointer key = GSIZE_TO_POINTER ((gsize) track->process_id << 16 | track->clock), found = NULL;
    gboolean is_first = !g_hash_table_lookup_extended (last, key, NULL, &found);
    guint32 before = GPOINTER_TO_UINT (found);
    tracks->first[i] = is_first ? i : tracks->first[before];
    tracks->next[i] = G_MAXUINT32;
    if (!is_first)
      tracks->next[before] = i;
    g_hash_table_insert (last, key, GUINT_TO_POINTER (i));
  }
}

void
loom_device_tracks_clear (LoomDeviceTracks *tracks)
{
  g_clear_pointer (&tracks->first, g_free);
  g_clear_pointer (&tracks->next, g_free);
}
