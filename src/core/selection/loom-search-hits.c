/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search-hits.h: finds the tracks with hits, and filters the rows by these tracks.
 */
#include "loom-search-hits.h"

#include "loom-run-details.h"
#include "loom-span-set.h"
#include "loom-track-id.h"

void
loom_search_hits_take (LoomSearchHits *self, GArray *spans, GArray *times_ns)
{
  g_clear_pointer (&self->spans, g_array_unref);
  g_clear_pointer (&self->times_ns, g_array_unref);
  self->spans = spans;
  self->times_ns = times_ns;
}

static gboolean
has_hit (const LoomTrace *trace, guint32 number, const LoomTrack *track, const GArray *hits)
{
  if (track->kind == LOOM_TRACK_COUNTER)
    return FALSE;
  for (guint i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    guint at = loom_span_set_lower_bound (hits, (LoomSpanId) { number, row->first });
    if (at == hits->len)
      continue;
    LoomSpanId hit = g_array_index (hits, LoomSpanId, at);
    if (hit.trace == number && hit.span - row->first < row->n)
      return TRUE;
  }
  return FALSE;
}

/* Returns the tracks that have hits, as LoomTrackId in track order. If a trace is open only as an index, the events of
 * a time range may have been read from its file later (loom-run-details.h); the tracks of these events are included.
 * Owned by the caller. */
static GArray *
find_tracks (const LoomTimeline *timeline, const GArray *hits)
{
  GArray *tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run) + LOOM_RUN_MOST_DETAILS; i++) {
    const LoomTrace *trace = loom_run_details_has_trace (run, i) ? loom_run_get_trace (run, i) : NULL;
    for (guint k = 0; trace != NULL && k < loom_trace_get_n_tracks (trace); k++) {
      LoomTrackId id = { i, k };
      if (has_hit (trace, i, loom_trace_get_track (trace, k), hits))
        g_array_append_val (tracks, id);
    }
  }
  return tracks;
}

gboolean
loom_search_hits_filter (const LoomSearchHits *self, const LoomTimeline *timeline, LoomRowList *outline)
{
  gboolean filters = self->only && self->spans != NULL && self->spans->len > 0;
  g_autoptr (GArray) tracks = filters ? find_tracks (timeline, self->spans) : NULL;
  return loom_row_list_set_only (outline, tracks);
}

void
loom_search_hits_fill_options (const LoomSearchHits *self, LoomPaintOptions *options)
{
  if (self->times_ns == NULL)
    return;
  options->ticks_ns = (const gint64 *) (gpointer) self->times_ns->data;
  options->n_ticks = self->times_ns->len;
}
