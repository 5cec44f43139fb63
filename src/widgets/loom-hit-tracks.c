/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hit-tracks.h"

/* The first hit at or behind a span. */
static guint
lower_bound (const GArray *hits, LoomSpanId span)
{
  guint low = 0, high = hits->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    LoomSpanId at = g_array_index (hits, LoomSpanId, middle);
    if (at.trace < span.trace || (at.trace == span.trace && at.span < span.span))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static gboolean
has_hit (const LoomTrace *trace, guint32 number, const LoomTrack *track, const GArray *hits)
{
  if (track->kind == LOOM_TRACK_COUNTER)
    return FALSE;
  for (guint i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    guint at = lower_bound (hits, (LoomSpanId) { number, row->first });
    if (at == hits->len)
      continue;
    LoomSpanId hit = g_array_index (hits, LoomSpanId, at);
    if (hit.trace == number && hit.span - row->first < row->n)
      return TRUE;
  }
  return FALSE;
}

GArray *
loom_hit_tracks (const LoomTimeline *timeline, const GArray *hits)
{
  GArray *tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      LoomTrackId id = { i, k };
      if (has_hit (trace, i, loom_trace_get_track (trace, k), hits))
        g_array_append_val (tracks, id);
    }
  }
  return tracks;
}
