/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-track-rank.h"

#include <glib/gi18n.h>

gboolean
loom_track_rank_is_process (const LoomTrack *track, const char *format)
{
  return track->rank >= 0 &&
         ((track->flags & LOOM_TRACK_PROCESS_ID) != 0 || loom_rank_label_is_process (format, track->rank));
}

gboolean
loom_track_rank_is_process_of (const LoomTrace *trace, gint rank)
{
  for (guint i = 0; rank >= 0 && i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->rank == rank && loom_track_rank_is_process (track, track->format))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_unknown (const LoomTrack *track)
{
  return track->rank < 0 && (track->flags & LOOM_TRACK_RANKLESS) == 0;
}

gboolean
loom_track_rank_may_be (const LoomTrack *track, gint rank)
{
  return rank < 0 || track->rank == rank || is_unknown (track);
}

gboolean
loom_track_rank_may_match (const LoomTrack *a, const LoomTrack *b)
{
  return a->rank == b->rank || is_unknown (a) || is_unknown (b);
}

char *
loom_track_rank_dup_words (const LoomTrack *track, const char *format)
{
  return g_strdup_printf (loom_track_rank_is_process (track, format) ? _ ("process %d") : _ ("rank %d"), track->rank);
}
