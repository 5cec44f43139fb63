/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-track-rank.h"

#include <glib/gi18n.h>

gboolean
loom_track_rank_is_process (const LoomTrack *track, const char *format)
{
  return track->rank >= 0 &&
         ((track->flags & LOOM_TRACK_PROCESS_ID) != 0 || loom_rank_label_is_process (format, track->rank));
}

char *
loom_track_rank_dup_words (const LoomTrack *track, const char *format)
{
  return g_strdup_printf (loom_track_rank_is_process (track, format) ? _ ("process %d") : _ ("rank %d"), track->rank);
}
