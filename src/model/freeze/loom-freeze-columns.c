/* SPDX-License-Identifier: Apache-2.0
 *
 * The step of loom_trace_builder_freeze() that copies the records of events into the columns of the trace, chunk by
 * chunk. Each chunk is freed once it was copied, so that memory holds each event only once.
 */
#include "loom-freeze-private.h"

#include <stdlib.h>

#include "loom-merge-sort.h"
#include "loom-min-max-index.h"
#include "loom-row-summary.h"
#include "loom-sample-hold.h"

#define LINE 64 /* bytes of a cache line */

/* Series with fewer samples get no LoomMinMaxIndex: their samples are read one by one. */
#define MANY_SAMPLES 1024

#define BY_SAMPLE_TIME(a, b) ((a)->time_ns < (b)->time_ns)

LOOM_DEFINE_SORT (sort_samples, LoomSample, BY_SAMPLE_TIME)

typedef struct {
  LoomFreeze *freeze;
  /* work items: the tracks of spans and instants, those with most events first, then the series */
  guint32 *items;
  /* index of the first work item that sorts a block of flow events, and number of such work items */
  guint first_flow, n_flows;
  guint32 n_tracks;
  guint64 *first_sample; /* array indexed by series: index of its first sample in the columns */
  guint32 *series_track; /* array indexed by series: index of the track to which it belongs */
} Work;

/* Extends the extent of `source` in `extents` (the time range of its events on the track) so that it includes an event.
 * Adds an extent if the source has none. Searches `extents` from its end: consecutive events mostly have the same
 * source, so the extent of this source is usually the last one. */
static void
extend (GArray *extents, guint source, gint64 start_ns, gint64 end_ns)
{
  for (guint i = extents->len; i-- > 0;) {
    LoomSourceExtent *extent = &g_array_index (extents, LoomSourceExtent, i);
    if (extent->source != source)
      continue;
    extent->start_ns = MIN (extent->start_ns, start_ns);
    extent->end_ns = MAX (extent->end_ns, end_ns);
    return;
  }
  LoomSourceExtent fresh = { source, start_ns, end_ns };
  g_array_append_val (extents, fresh);
}

static inline gboolean
is_credible (gboolean anchored, gint64 start_ns, gint64 end_ns, LoomRef ref)
{
  if (G_UNLIKELY (loom_source_ref_flags (ref) & LOOM_REF_SUSPECT))
    return FALSE;
  return !anchored || (start_ns >= LOOM_TIME_PLAUSIBLE_MIN && end_ns <= LOOM_TIME_PLAUSIBLE_MAX);
}

/* Collects the extents of sources: the time ranges that the events of each source cover on a track. `run`: extent of
 * the latest consecutive events with the same source; it is added to `extents` when an event of another source follows.
 */
typedef struct {
  GArray *extents;
  LoomSourceExtent run;
} Extent;

static inline void
extent_add (Extent *extent, guint source, gint64 start_ns, gint64 end_ns)
{
  if (G_UNLIKELY (source != extent->run.source)) {
    if (extent->run.source != G_MAXUINT)
      extend (extent->extents, extent->run.source, extent->run.start_ns, extent->run.end_ns);
    extent->run = (LoomSourceExtent) { source, start_ns, end_ns };
    return;
  }
  extent->run.start_ns = MIN (extent->run.start_ns, start_ns);
  extent->run.end_ns = MAX (extent->run.end_ns, end_ns);
}

static inline void
extent_flush (Extent *extent)
{
  if (extent->run.source != G_MAXUINT)
    extend (extent->extents, extent->run.source, extent->run.start_ns, extent->run.end_ns);
}

static void
scatter (LoomFreeze *freeze, LoomLane *lane, const LoomRecord *records, guint32 n, guint32 *next, Extent *extent)
{
  LoomTrace *trace = freeze->trace;
  guint n_sources = trace->sources->len;
  gboolean is_instant = lane->kind == LOOM_TRACK_INSTANTS;
  for (guint32 i = 0; i < n; i++) {
    const LoomRecord *record = &records[i];
    guint32 span = next[record->kind]++;
    trace->start_ns[span] = record->time_ns;
    trace->dur_ns[span] = record->dur_ns;
    trace->name_id[span] = record->name_id;
    trace->ref[span] = record->ref;
    gint64 end_ns = record->time_ns + (is_instant ? 0 : record->dur_ns);
    guint source = loom_source_ref_source (record->ref);
    if (is_credible (lane->anchored, record->time_ns, end_ns, record->ref))
      extent_add (extent, source < n_sources ? source : lane->source, record->time_ns, end_ns);
  }
}

static void
fill_track (LoomFreeze *freeze, guint32 track)
{
  LoomTrace *trace = freeze->trace;
  LoomLane *lane = g_array_index (freeze->drafts, LoomTrackDraft, track).lane;
  g_autofree guint32 *next = g_new (guint32, MAX (lane->rows->len, 1));
  for (guint32 i = 0; i < lane->rows->len; i++)
    next[i] = trace->rows[lane->order[i]].first;
  Extent extent = { lane->extents, { .source = G_MAXUINT } };
  if (lane->flat != NULL)
    scatter (freeze, lane, lane->flat, lane->n, next, &extent);
  while (lane->chunks.first != NULL) {
    LoomChunk *chunk = lane->chunks.first;
    scatter (freeze, lane, loom_chunk_list_data (chunk), chunk->n, next, &extent);
    lane->chunks.first = chunk->next;
    loom_chunk_list_free_chunk (chunk);
  }
  extent_flush (&extent);
  loom_lane_drop_records (lane);
  const LoomTrack *filled = &trace->tracks[track];
  for (guint32 row = filled->first_row; row < filled->first_row + filled->n_rows; row++)
    loom_trace_summary_fill (trace, row);
}

static void
describe_series (LoomFreeze *freeze, LoomSeries *series, const LoomSeriesEntry *entry)
{
  series->min = series->n > 0 ? series->value[0] : 0;
  series->max = series->min;
  for (guint32 i = 0; i < series->n; i++) {
    series->min = MIN (series->min, series->value[i]);
    series->max = MAX (series->max, series->value[i]);
  }
}

static void
fill_series (LoomFreeze *freeze, guint32 i, guint64 first, const LoomTrack *track)
{
  LoomTrace *trace = freeze->trace;
  LoomSeriesEntry *entry = loom_trace_builder_peek_series (freeze->builder, g_array_index (freeze->series, guint32, i));
  LoomSeries *series = &trace->series[i];
  series->n = (guint32) entry->samples.n;
  series->time_ns = trace->sample_time_ns + first;
  series->value = trace->sample_value + first;
  series->ref = trace->sample_ref + first;
  g_autofree LoomSample *samples = g_new (LoomSample, MAX (series->n, 1));
  loom_chunk_list_drain (&entry->samples, sizeof *samples, samples);
  sort_samples (samples, series->n);
  for (guint32 s = 0; s < series->n; s++) {
    trace->sample_time_ns[first + s] = samples[s].time_ns;
    trace->sample_value[first + s] = samples[s].value;
    trace->sample_ref[first + s] = samples[s].ref;
  }
  describe_series (freeze, series, entry);
  series->hold_ns = loom_sample_hold_find_hold (track->format, series);
  if (entry->hold_ns > 0)
    series->hold_ns = MIN (series->hold_ns, entry->hold_ns);
  series->usual_ns = loom_sample_hold_find_usual (series);
  for (LoomQuantity q = 0; q < LOOM_N_QUANTITIES && series->n >= MANY_SAMPLES; q++)
    series->extremes[q] = loom_min_max_index_new (series, q);
}

static void
fill_item (guint item, guint worker, gpointer user_data)
{
  Work *work = user_data;
  if (item >= work->first_flow && item - work->first_flow < work->n_flows) {
    loom_freeze_sort_flows (work->freeze, item - work->first_flow);
    return;
  }
  item -= item >= work->first_flow ? work->n_flows : 0;
  guint32 i = work->items[item];
  if (item < work->n_tracks)
    fill_track (work->freeze, i);
  else
    fill_series (work->freeze, i, work->first_sample[i], &work->freeze->trace->tracks[work->series_track[i]]);
}

static const char *
keep (LoomTrace *trace, const char *text)
{
  return loom_string_pool_get (trace->labels, loom_string_pool_intern (trace->labels, text, strlen (text)));
}

gpointer
loom_trace_column_new (gsize n, gsize size)
{
  gsize n_bytes = (MAX (n, 1) * size + LINE - 1) / LINE * LINE;
  gpointer column = aligned_alloc (LINE, n_bytes);
  if (column == NULL)
    g_error ("no memory for a column of %" G_GSIZE_FORMAT " bytes", n_bytes);
  return column;
}

static guint64 *
allocate (LoomFreeze *freeze)
{
  LoomTrace *trace = freeze->trace;
  guint64 *first_sample = g_new (guint64, trace->n_series + 1);
  trace->series = g_new0 (LoomSeries, MAX (trace->n_series, 1));
  for (guint32 i = 0; i < trace->n_series; i++) {
    LoomSeriesEntry *entry =
      loom_trace_builder_peek_series (freeze->builder, g_array_index (freeze->series, guint32, i));
    first_sample[i] = trace->n_samples;
    trace->n_samples += entry->samples.n;
    trace->series[i].name = keep (trace, entry->name);
    trace->series[i].unit = keep (trace, entry->unit != NULL ? entry->unit : "");
  }
  gsize n = trace->spans.n, n_samples = MAX (trace->n_samples, 1);
  trace->start_ns = loom_trace_column_new (n, sizeof *trace->start_ns);
  trace->dur_ns = loom_trace_column_new (n, sizeof *trace->dur_ns);
  trace->name_id = loom_trace_column_new (n, sizeof *trace->name_id);
  trace->ref = loom_trace_column_new (n, sizeof *trace->ref);
  trace->sample_time_ns = g_new (gint64, n_samples);
  trace->sample_value = g_new (double, n_samples);
  trace->sample_ref = g_new (LoomRef, n_samples);
  trace->spans = (LoomSpans) { trace->start_ns, trace->dur_ns, trace->name_id, trace->ref, trace->spans.n };
  return first_sample;
}

static int
compare_lengths (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomTrace *trace = user_data;
  guint64 first = trace->tracks[*(const guint32 *) a].n_events, second = trace->tracks[*(const guint32 *) b].n_events;
  return first > second ? -1 : first < second;
}

static guint
list_items (LoomFreeze *freeze, Work *work)
{
  LoomTrace *trace = freeze->trace;
  guint n = 0;
  work->items = g_new (guint32, trace->n_tracks + trace->n_series + 1);
  work->series_track = g_new (guint32, trace->n_series + 1);
  for (guint32 i = 0; i < trace->n_tracks; i++) {
    const LoomTrack *track = &trace->tracks[i];
    if (track->kind != LOOM_TRACK_COUNTER)
      work->items[n++] = i;
    for (guint32 k = 0; track->kind == LOOM_TRACK_COUNTER && k < track->n_series; k++)
      work->series_track[track->first_series + k] = i;
  }
  work->n_tracks = n;
  g_qsort_with_data (work->items, (gint) n, sizeof (guint32), compare_lengths, trace);
  for (guint32 i = 0; i < trace->n_series; i++)
    work->items[n++] = i;
  return n;
}

static void
widen (gint64 *start_ns, gint64 *end_ns, const LoomSourceExtent *extent)
{
  gboolean is_empty = *start_ns == LOOM_TIME_NONE;
  *start_ns = is_empty ? extent->start_ns : MIN (*start_ns, extent->start_ns);
  *end_ns = is_empty ? extent->end_ns : MAX (*end_ns, extent->end_ns);
}

static void
widen_all (LoomTrace *trace, LoomTrack *track, const LoomSourceExtent *extent)
{
  widen (&track->start_ns, &track->end_ns, extent);
  if (track->flags & LOOM_TRACK_NO_EXTENT)
    return;
  LoomSource *source = trace->sources->pdata[extent->source];
  widen (&source->start_ns, &source->end_ns, extent);
  widen (&trace->extents[track->clock].begin_ns, &trace->extents[track->clock].end_ns, extent);
}

static void
measure_counter (LoomFreeze *freeze, LoomTrack *track)
{
  LoomTrace *trace = freeze->trace;
  gboolean anchored = loom_freeze_is_anchored (freeze, track->source);
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (LoomSourceExtent));
  Extent extent = { extents, { .source = G_MAXUINT } };
  for (guint32 i = track->first_series; i < track->first_series + track->n_series; i++) {
    const LoomSeries *series = &trace->series[i];
    track->n_events += series->n;
    for (guint32 s = 0; s < series->n; s++) {
      guint source = loom_source_ref_source (series->ref[s]);
      if (is_credible (anchored, series->time_ns[s], series->time_ns[s], series->ref[s]))
        extent_add (&extent, source < trace->sources->len ? source : track->source, series->time_ns[s],
                    series->time_ns[s]);
    }
  }
  extent_flush (&extent);
  for (guint i = 0; i < extents->len; i++)
    widen_all (trace, track, &g_array_index (extents, LoomSourceExtent, i));
}

/* Returns TRUE if the spans of this row are not nested in spans of another row. */
static gboolean
is_outermost (const LoomRow *row)
{
  return row->depth == 0 || row->lane >= LOOM_OVERFLOW_LANE;
}

static guint
count_outermost (const LoomTrace *trace, const LoomTrack *track)
{
  guint n = 0;
  for (guint32 i = track->first_row; i < track->first_row + track->n_rows; i++)
    n += is_outermost (&trace->rows[i]);
  return n;
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const LoomRange *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Returns the outermost spans of the track, cut to the time range of the track (start_ns to end_ns), in order of their
 * begins. Owned by the caller. */
static GArray *
list_outermost (const LoomTrace *trace, const LoomTrack *track)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint32 i = track->first_row; i < track->first_row + track->n_rows; i++)
    for (guint32 k = 0; is_outermost (&trace->rows[i]) && k < trace->rows[i].n; k++) {
      guint32 span = trace->rows[i].first + k;
      gint64 end_ns = loom_time_add (trace->spans.start_ns[span], trace->spans.dur_ns[span]);
      LoomRange range = { MAX (trace->spans.start_ns[span], track->start_ns), MIN (end_ns, track->end_ns) };
      if (range.begin_ns < range.end_ns)
        g_array_append_val (ranges, range);
    }
  g_array_sort (ranges, compare_begins);
  return ranges;
}

/* Returns the time in ns during which at least one span of the track runs, for a track whose spans overlap. */
static gint64
measure_union (const LoomTrace *trace, const LoomTrack *track)
{
  g_autoptr (GArray) ranges = list_outermost (trace, track);
  gint64 busy_ns = 0, until_ns = track->start_ns;
  for (guint i = 0; i < ranges->len; i++) {
    const LoomRange *range = &g_array_index (ranges, LoomRange, i);
    gint64 begin_ns = MAX (range->begin_ns, until_ns);
    if (range->end_ns > begin_ns)
      busy_ns = loom_time_add (busy_ns, range->end_ns - begin_ns);
    until_ns = MAX (until_ns, range->end_ns);
  }
  return busy_ns;
}

static void
measure_busy (const LoomTrace *trace, LoomTrack *track)
{
  LoomSpanSummary summary;
  if (track->n_rows == 0 || track->start_ns == LOOM_TIME_NONE)
    return;
  if (count_outermost (trace, track) > 1) {
    track->busy_ns = measure_union (trace, track);
    return;
  }
  loom_row_summary_add (trace, &trace->rows[track->first_row], track->start_ns, track->end_ns, &summary);
  track->busy_ns = summary.busy_ns;
}

static void
measure (LoomFreeze *freeze)
{
  for (guint32 i = 0; i < freeze->trace->n_tracks; i++) {
    LoomTrack *track = &freeze->trace->tracks[i];
    if (track->kind == LOOM_TRACK_COUNTER) {
      measure_counter (freeze, track);
      continue;
    }
    const GArray *extents = g_array_index (freeze->drafts, LoomTrackDraft, i).lane->extents;
    for (guint e = 0; e < extents->len; e++)
      widen_all (freeze->trace, track, &g_array_index (extents, LoomSourceExtent, e));
    measure_busy (freeze->trace, track);
  }
}

gboolean
loom_freeze_fill (LoomFreeze *freeze)
{
  Work work = { .freeze = freeze };
  work.first_sample = allocate (freeze);
  loom_trace_summary_reserve (freeze->trace);
  guint n_items = list_items (freeze, &work);
  work.n_flows = loom_freeze_list_flows (freeze);
  work.first_flow = MIN (n_items, 1);
  gboolean done = loom_parallel_for (n_items + work.n_flows, freeze->n_threads, fill_item, &work, freeze->progress);
  g_free (work.items);
  g_free (work.first_sample);
  g_free (work.series_track);
  if (done)
    measure (freeze);
  return done;
}
