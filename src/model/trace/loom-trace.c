/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-trace-private.h"

#include "loom-min-max-index.h"
#include "loom-time-bsearch.h"

const char *
loom_trace_track_kind_to_string (LoomTrackKind kind)
{
  static const char *const words[] = { "spans", "instants", "counter", "async" };
  return words[CLAMP (kind, LOOM_TRACK_SPANS, LOOM_TRACK_ASYNC)];
}

gboolean
loom_trace_track_is_device (const LoomTrack *track)
{
  return (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) == LOOM_TRACK_DEVICE;
}

void
loom_trace_set_stamp (LoomTrace *trace, const char *stamp)
{
  g_return_if_fail (trace->stamp == NULL);
  trace->stamp = g_strdup (stamp);
}

const char *
loom_trace_get_stamp (const LoomTrace *trace)
{
  return trace->stamp;
}

LoomTrace *
loom_trace_ref (LoomTrace *trace)
{
  g_atomic_ref_count_inc (&trace->refs);
  return trace;
}

static void
free_columns (LoomTrace *trace)
{
  for (guint32 i = 0; i < trace->n_series; i++)
    for (LoomQuantity q = 0; q < LOOM_N_QUANTITIES; q++)
      loom_min_max_index_free ((LoomMinMaxIndex *) trace->series[i].extremes[q]);
  g_free (trace->start_ns);
  g_free (trace->dur_ns);
  g_free (trace->name_id);
  g_free (trace->ref);
  g_free (trace->sample_time_ns);
  g_free (trace->sample_value);
  g_free (trace->sample_ref);
  g_free (trace->summaries);
  g_free (trace->longest);
  g_free (trace->sums_ns);
}

void
loom_trace_unref (LoomTrace *trace)
{
  if (trace == NULL || !g_atomic_ref_count_dec (&trace->refs))
    return;
  for (guint i = 0; i < LOOM_N_TRACE_SHARES; i++)
    if (trace->shared[i] != 0)
      trace->free_shared[i]((gpointer) trace->shared[i]);
  free_columns (trace);
  g_ptr_array_unref (trace->sources);
  g_ptr_array_unref (trace->clocks);
  g_free (trace->extents);
  g_free (trace->tracks);
  g_free (trace->rows);
  g_free (trace->row_tracks);
  g_free (trace->series);
  g_free (trace->names);
  loom_string_pool_free (trace->texts);
  loom_string_pool_free (trace->labels);
  g_free (trace->arrows);
  g_free (trace->arrows_by_target);
  g_free (trace->points);
  g_free (trace->end_refs);
  g_free (trace->meetings);
  g_free (trace->stamp);
  loom_string_pool_free (trace->meeting_texts);
  g_free (trace);
}

gconstpointer
loom_trace_share (const LoomTrace *trace, LoomTraceShares result, LoomTraceMake make, GDestroyNotify free_result)
{
  LoomTrace *own = (LoomTrace *) trace;
  if (g_once_init_enter (&own->shared[result])) {
    gpointer made = make (trace);
    own->free_shared[result] = free_result;
    g_once_init_leave (&own->shared[result], (gsize) made);
  }
  return (gconstpointer) own->shared[result];
}

gconstpointer
loom_trace_get_shared (const LoomTrace *trace, LoomTraceShares result)
{
  LoomTrace *own = (LoomTrace *) trace;
  return (gconstpointer) g_atomic_pointer_get (&own->shared[result]);
}

guint
loom_trace_get_n_sources (const LoomTrace *trace)
{
  return trace->sources->len;
}

const LoomSource *
loom_trace_get_source (const LoomTrace *trace, guint i)
{
  g_return_val_if_fail (i < trace->sources->len, NULL);
  return trace->sources->pdata[i];
}

gboolean
loom_trace_is_index (const LoomTrace *trace)
{
  return trace->sources->len > 0 && ((const LoomSource *) trace->sources->pdata[0])->is_index;
}

guint
loom_trace_get_n_clocks (const LoomTrace *trace)
{
  return trace->clocks->len;
}

const LoomDeclaredClock *
loom_trace_get_clock (const LoomTrace *trace, guint i)
{
  g_return_val_if_fail (i < trace->clocks->len, NULL);
  return trace->clocks->pdata[i];
}

guint
loom_trace_get_n_tracks (const LoomTrace *trace)
{
  return trace->n_tracks;
}

const LoomTrack *
loom_trace_get_track (const LoomTrace *trace, guint i)
{
  g_return_val_if_fail (i < trace->n_tracks, NULL);
  return &trace->tracks[i];
}

guint
loom_trace_get_n_rows (const LoomTrace *trace)
{
  return trace->n_rows;
}

const LoomRow *
loom_trace_get_row (const LoomTrace *trace, guint row)
{
  g_return_val_if_fail (row < trace->n_rows, NULL);
  return &trace->rows[row];
}

const LoomSeries *
loom_trace_get_series (const LoomTrace *trace, guint series)
{
  g_return_val_if_fail (series < trace->n_series, NULL);
  return &trace->series[series];
}

const LoomSpans *
loom_trace_get_spans (const LoomTrace *trace)
{
  return &trace->spans;
}

gboolean
loom_trace_span_is_instant (const LoomTrace *trace, guint32 span)
{
  return loom_trace_is_instant (trace, span);
}

guint
loom_trace_get_n_names (const LoomTrace *trace)
{
  return trace->n_names;
}

const LoomName *
loom_trace_get_name (const LoomTrace *trace, guint32 name_id)
{
  g_return_val_if_fail (name_id < trace->n_names, NULL);
  return &trace->names[name_id];
}

const LoomArrow *
loom_trace_get_arrows (const LoomTrace *trace, guint32 *n)
{
  *n = trace->n_arrows;
  return trace->arrows;
}

const guint32 *
loom_trace_get_arrows_by_target (const LoomTrace *trace)
{
  return trace->arrows_by_target;
}

const LoomFlowPoint *
loom_trace_get_flow_points (const LoomTrace *trace, guint32 *n)
{
  *n = trace->n_points;
  return trace->points;
}

gboolean
loom_trace_get_extent (const LoomTrace *trace, guint clock, LoomRange *range)
{
  g_return_val_if_fail (clock < trace->clocks->len, FALSE);
  *range = trace->extents[clock];
  return range->begin_ns != LOOM_TIME_NONE;
}

LoomRef
loom_trace_get_end_ref (const LoomTrace *trace, guint32 span)
{
  g_return_val_if_fail (span < trace->spans.n, LOOM_REF_NONE);
  LoomRef ref = trace->ref[span];
  if (!(loom_source_ref_flags (ref) & LOOM_REF_END))
    return LOOM_REF_NONE;
  LoomRef begin = loom_source_ref_make (loom_source_ref_source (ref), 0, loom_source_ref_offset (ref));
  guint32 low = 0, high = trace->n_end_refs;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (trace->end_refs[middle].begin < begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low < trace->n_end_refs && trace->end_refs[low].begin == begin ? trace->end_refs[low].end : LOOM_REF_NONE;
}

void
loom_trace_locate_span (const LoomTrace *trace, guint32 span, guint32 *track, guint32 *row)
{
  g_return_if_fail (span < trace->spans.n);
  guint32 low = 0, high = trace->n_rows;
  while (high - low > 1) {
    guint32 middle = low + (high - low) / 2;
    if (trace->rows[middle].first <= span)
      low = middle;
    else
      high = middle;
  }
  *row = low;
  *track = trace->row_tracks[low];
}

guint32
loom_trace_get_parent (const LoomTrace *trace, guint32 span)
{
  guint32 track, row;
  g_return_val_if_fail (span < trace->spans.n, G_MAXUINT32);
  loom_trace_locate_span (trace, span, &track, &row);
  const LoomRow *own = &trace->rows[row];
  if (trace->tracks[track].kind != LOOM_TRACK_SPANS || own->depth == 0 || own->lane == LOOM_OVERFLOW_LANE)
    return G_MAXUINT32;
  const LoomRow *above = &trace->rows[row - 1];
  guint32 i = loom_trace_row_lower_bound (trace, above, loom_time_add (trace->start_ns[span], 1));
  guint32 parent = above->first + i - 1;
  return i > 0 && loom_trace_end_ns (trace, parent) >= loom_trace_end_ns (trace, span) ? parent : G_MAXUINT32;
}

guint32
loom_trace_row_lower_bound (const LoomTrace *trace, const LoomRow *row, gint64 start_ns)
{
  return loom_time_bsearch_time (trace->start_ns + row->first, 0, row->n, start_ns);
}

guint32
loom_trace_row_gallop (const LoomTrace *trace, const LoomRow *row, guint32 from, gint64 time_ns)
{
  return loom_time_bsearch_near (trace->start_ns + row->first, from, row->n, from, time_ns);
}

guint32
loom_trace_row_first_ending_after (const LoomTrace *trace, const LoomRow *row, gint64 time_ns)
{
  guint32 i = loom_trace_row_lower_bound (trace, row, time_ns);
  /* Only the last span that starts before the time can extend beyond it, because spans of a row do not overlap. */
  return i > 0 && loom_trace_end_ns (trace, row->first + i - 1) > time_ns ? i - 1 : i;
}

static gsize
texts_memory (const LoomTrace *trace)
{
  return loom_string_pool_get_memory (trace->texts) + loom_string_pool_get_memory (trace->labels) +
         trace->n_names * sizeof (LoomName);
}

static gsize
series_memory (const LoomTrace *trace)
{
  gsize n_bytes = trace->n_series * sizeof (LoomSeries);
  for (guint32 i = 0; i < trace->n_series; i++)
    for (LoomQuantity q = 0; q < LOOM_N_QUANTITIES; q++)
      n_bytes += loom_min_max_index_get_memory (trace->series[i].extremes[q]);
  return n_bytes;
}

gsize
loom_trace_get_memory (const LoomTrace *trace)
{
  gsize per_span = sizeof (gint64) * 2 + sizeof (guint32) + sizeof (LoomRef);
  gsize per_sample = sizeof (gint64) + sizeof (double) + sizeof (LoomRef);
  return sizeof *trace + trace->spans.n * per_span + trace->n_samples * per_sample + texts_memory (trace) +
         trace->n_tracks * sizeof (LoomTrack) + trace->n_rows * (sizeof (LoomRow) + sizeof (guint32)) +
         series_memory (trace) + trace->n_arrows * (sizeof (LoomArrow) + sizeof (guint32)) +
         trace->n_points * sizeof (LoomFlowPoint) + trace->n_end_refs * sizeof (LoomEndRef) +
         trace->n_summaries * sizeof (LoomRowSummary) + trace->n_longest * sizeof (guint32) +
         trace->n_sums * sizeof (gint64) + trace->n_meetings * sizeof (LoomSyncEvent);
}
