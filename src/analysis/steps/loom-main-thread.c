/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-main-thread.h"

#include <string.h>

#include "loom-track-rank.h"

/* Number of spans at the beginning of a row that are examined to find out whether the row has steps. A small number is
 * enough, because a profiler marks steps from the beginning of its recording. */
#define LOOKED_FOR_STEPS 16

gboolean
loom_main_thread_is_step (const char *name)
{
  const char *number = strrchr (name, '#');
  return number != NULL && number[1] != '\0' && strspn (number + 1, "0123456789") == strlen (number + 1);
}

gboolean
loom_main_thread_is_own (const LoomTrack *track, gint rank, gboolean on_host)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DERIVED) == 0 &&
         loom_track_rank_may_be (track, rank) && ((track->flags & LOOM_TRACK_DEVICE) == 0) == on_host;
}

gboolean
loom_main_thread_has_steps (const LoomTrace *trace, const LoomTrack *track)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
    for (guint32 i = 0; row->depth == 0 && i < MIN (row->n, LOOKED_FOR_STEPS); i++)
      if (loom_main_thread_is_step (loom_trace_get_name (trace, spans->name_id[row->first + i])->text))
        return TRUE;
  }
  return FALSE;
}

const LoomTrack *
loom_main_thread_find (const LoomTrace *trace, gint rank)
{
  const LoomTrack *main = NULL;
  gboolean steps = FALSE;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (!loom_main_thread_is_own (track, rank, TRUE) || (track->flags & LOOM_TRACK_NO_EXTENT) != 0)
      continue;
    gboolean has = loom_main_thread_has_steps (trace, track);
    if (main != NULL && (has != steps ? !has : track->n_events <= main->n_events))
      continue;
    main = track;
    steps = has;
  }
  return main;
}
