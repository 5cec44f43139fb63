/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sample-list.h"

#include "loom-event-filter.h"
#include "loom-event-list.h"
#include "loom-int64-hash.h"
#include "loom-keyed-events.h"
#include "loom-natural-collate.h"
#include "loom-run-facts.h"
#include "loom-sample-hold.h"
#include "loom-span-children.h"
#include "loom-statistics.h"

#include <string.h>

#define MEASURED 1000
#define CANCEL_SAMPLES 4096 /* number of samples processed between two checks of the cancellable */

/* A source of samples: a series of a counter, or a row of spans or instants. */
typedef struct {
  LoomTrackId track;
  const LoomSeries *series; /* NULL: the Place is a row, and not a series */
  const LoomClockMap *map;
  guint depth; /* if the Place is a row, the depth of the row in its track */
} Place;

static const LoomTrace *
trace_of (const LoomSampleList *list, const Place *place)
{
  return loom_run_get_trace (loom_timeline_get_run (list->timeline), place->track.trace);
}

static const LoomTrack *
track_of (const LoomSampleList *list, const Place *place)
{
  return loom_trace_get_track (trace_of (list, place), place->track.track);
}

static const Place *
place_of (const LoomSampleList *list, LoomSpanId row)
{
  return &g_array_index (list->places, Place, row.trace);
}

/* Returns TRUE for tracks with the samples of a thread, and for tracks on which a sampling Python profiler shows calls
 * in order of time. */
static gboolean
has_samples (const LoomTrace *trace, const LoomTrack *track)
{
  const LoomPythonProfile *profile = loom_trace_get_source (trace, track->source)->profile;
  if (track->kind == LOOM_TRACK_INSTANTS)
    return g_str_equal (track->name, "samples");
  return track->kind == LOOM_TRACK_SPANS && profile != NULL && profile->kind == LOOM_PYTHON_PROFILE_SESSION &&
         g_str_equal (track->thread, "samples");
}

/* --- one sample --------------------------------------------------------------------------------------------------- */

/* Returns how long the value of a sample holds: until the next sample of the series or, if that is too far away
 * (loom-sample-hold.h), for the usual interval between samples. −1: unknown. */
static gint64
hold_of (const LoomSeries *series, guint32 index)
{
  gint64 hold_ns = loom_sample_hold_get (series, index);
  return hold_ns < G_MAXINT64 ? hold_ns : -1;
}

static void
get_sample (const LoomSampleList *list, LoomSpanId row, LoomSample *sample)
{
  const Place *place = place_of (list, row);
  *sample = (LoomSample) { .track = place->track, .series = place->series, .depth = place->depth, .duration_ns = -1 };
  sample->span = LOOM_SPAN_ID_NONE;
  if (place->series != NULL) {
    sample->time_ns = loom_clock_map_to_timeline (place->map, place->series->time_ns[row.span]);
    sample->duration_ns = hold_of (place->series, row.span);
    sample->value = place->series->value[row.span];
    return;
  }
  const LoomTrace *trace = trace_of (list, place);
  sample->time_ns = loom_clock_map_to_timeline (place->map, loom_trace_get_spans (trace)->start_ns[row.span]);
  sample->span = (LoomSpanId) { place->track.trace, row.span };
  if (!loom_trace_span_is_instant (trace, row.span))
    sample->duration_ns = loom_span_children_self_ns (trace, row.span);
}

void
loom_sample_list_get (const LoomSampleList *list, guint row, LoomSample *sample)
{
  g_return_if_fail (list != NULL && row < list->n && sample != NULL);
  get_sample (list, list->rows[row], sample);
}

static char *
dup_series_name (const LoomTrack *track, const LoomSeries *series)
{
  return *series->name == '\0' || g_str_equal (series->name, track->name)
           ? g_strdup (track->name)
           : g_strdup_printf ("%s · %s", track->name, series->name);
}

char *
loom_sample_list_dup_name (const LoomSampleList *list, guint row)
{
  g_return_val_if_fail (list != NULL && row < list->n, NULL);
  const Place *place = place_of (list, list->rows[row]);
  if (place->series != NULL)
    return dup_series_name (track_of (list, place), place->series);
  const LoomTrace *trace = trace_of (list, place);
  return g_strdup (loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[list->rows[row].span])->text);
}

/* --- gathering the samples of the range --------------------------------------------------------------------------- */

typedef struct {
  LoomSampleList *list;
  const LoomSampleQuery *query;
  GCancellable *cancellable;
  GHashTable *tracks; /* set of the tracks in the query; NULL: all tracks */
  LoomEventFilter match;
  GArray *found; /* LoomKeyedEvent; the key is the time */
} Gathering;

static gint64 *
track_key (LoomTrackId id)
{
  gint64 *key = g_new (gint64, 1);
  *key = (gint64) id.trace << 32 | id.track;
  return key;
}

static GHashTable *
list_wanted (const GArray *tracks)
{
  if (tracks == NULL)
    return NULL;
  GHashTable *wanted = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < tracks->len; i++)
    g_hash_table_add (wanted, track_key (g_array_index (tracks, LoomTrackId, i)));
  return wanted;
}

static gboolean
is_wanted (const Gathering *gathering, LoomTrackId id)
{
  g_autofree gint64 *key = track_key (id);
  return gathering->tracks == NULL || g_hash_table_contains (gathering->tracks, key);
}

static gboolean
is_cancelled (const Gathering *gathering)
{
  return g_cancellable_is_cancelled (gathering->cancellable);
}

static void
take (Gathering *gathering, const Place *place, gint64 local_ns, guint32 index)
{
  LoomSampleList *list = gathering->list;
  if (list->n_found++ >= LOOM_SAMPLE_LIST_MOST)
    return;
  guint64 key = loom_statistics_time_key (loom_clock_map_to_timeline (place->map, local_ns));
  LoomKeyedEvent sample = { key, { list->places->len - 1, index } };
  g_array_append_val (gathering->found, sample);
}

/* Sets `local` to the range of the query on the clock of the Place. Returns FALSE if the range of the query is empty;
 * an empty range selects all times. */
static gboolean
get_local_range (const Gathering *gathering, const Place *place, LoomRange *local)
{
  LoomRange range = gathering->query->range;
  if (range.end_ns <= range.begin_ns)
    return FALSE;
  *local = (LoomRange) { loom_clock_map_to_local (place->map, range.begin_ns),
                         loom_clock_map_to_local (place->map, range.end_ns) };
  return TRUE;
}

/* Returns the number of samples of the series before `time_ns`, a time on the clock of the series. */
static guint32
lower_bound (const LoomSeries *series, gint64 time_ns)
{
  guint32 low = 0, high = series->n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (series->time_ns[middle] < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
add_series (Gathering *gathering, const Place *place, const LoomTrack *track, guint32 track_words)
{
  g_autofree char *name = dup_series_name (track, place->series);
  LoomRange local;
  guint32 from = 0, to = place->series->n;
  if ((track_words | loom_event_filter_text (&gathering->match, name)) != gathering->match.all)
    return;
  if (get_local_range (gathering, place, &local)) {
    from = lower_bound (place->series, local.begin_ns);
    to = lower_bound (place->series, local.end_ns);
  }
  if (from >= to)
    return;
  g_array_append_val (gathering->list->places, *place);
  for (guint32 i = from; i < to && (i % CANCEL_SAMPLES != 0 || !is_cancelled (gathering)); i++)
    take (gathering, place, place->series->time_ns[i], i);
}

static void
add_row (Gathering *gathering, const Place *place, const LoomRow *row, guint32 track_words, const guint32 *words)
{
  const LoomTrace *trace = trace_of (gathering->list, place);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  LoomRange local;
  guint32 from = row->first, to = row->first + row->n;
  if (get_local_range (gathering, place, &local)) {
    from = row->first + loom_trace_row_lower_bound (trace, row, local.begin_ns);
    to = row->first + loom_trace_row_lower_bound (trace, row, local.end_ns);
  }
  g_array_append_val (gathering->list->places, *place);
  for (guint32 i = from; i < to && (i % CANCEL_SAMPLES != 0 || !is_cancelled (gathering)); i++)
    if ((track_words | words[spans->name_id[i]]) == gathering->match.all &&
        (loom_trace_span_is_instant (trace, i) || loom_span_children_self_ns (trace, i) != 0))
      take (gathering, place, spans->start_ns[i], i);
}

static void
add_track (Gathering *gathering, LoomTrackId id)
{
  LoomTimeline *timeline = gathering->list->timeline;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  gboolean counts = track->kind == LOOM_TRACK_COUNTER;
  if ((!counts && !has_samples (trace, track)) || !is_wanted (gathering, id))
    return;
  const char *name =
    loom_source_overrides_get_name (gathering->query->names, loom_trace_get_source (trace, track->source)->path);
  guint32 track_words = loom_event_filter_track (&gathering->match, track, name);
  g_autofree guint32 *words = counts ? NULL : loom_event_filter_names (&gathering->match, trace);
  Place place = { .track = id, .map = loom_timeline_get_map (timeline, id.trace, track->clock) };
  for (guint i = 0; counts && i < track->n_series && !is_cancelled (gathering); i++) {
    place.series = loom_trace_get_series (trace, track->first_series + i);
    add_series (gathering, &place, track, track_words);
  }
  for (guint i = 0; !counts && i < track->n_rows && !is_cancelled (gathering); i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    place.depth = row->depth;
    add_row (gathering, &place, row, track_words, words);
  }
}

static void
gather (Gathering *gathering)
{
  LoomRun *run = loom_timeline_get_run (gathering->list->timeline);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++)
    for (guint i = 0; i < loom_trace_get_n_tracks (loom_run_get_trace (run, t)) && !is_cancelled (gathering); i++)
      add_track (gathering, (LoomTrackId) { t, i });
}

/* --- sorting the samples ------------------------------------------------------------------------------------------ */

/* Positions of the names of the listed samples in the natural order. Samples are sorted by these numbers instead of by
 * texts. */
typedef struct {
  GHashTable *ranks; /* name → position of the name in the natural order, plus 1 */
  guint32 *of_place; /* [index of a Place] position of the name of the series */
  /* trace → array of guint32: [name id of the trace] position of the name in the natural order */
  GHashTable *of_names;
} Ranks;

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return loom_natural_collate_compare (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the names that the samples can have, without duplicates and in natural order: the names of all series, and
 * all names of the traces that have samples of threads. Adds these traces to `traces`. */
static GPtrArray *
list_names (const LoomSampleList *list, GHashTable *traces)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint p = 0; p < list->places->len; p++) {
    const Place *place = &g_array_index (list->places, Place, p);
    const LoomTrace *trace = trace_of (list, place);
    if (place->series != NULL)
      g_hash_table_add (seen, dup_series_name (track_of (list, place), place->series));
    else if (g_hash_table_add (traces, GUINT_TO_POINTER (place->track.trace)))
      for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
        g_hash_table_add (seen, g_strdup (loom_trace_get_name (trace, i)->text));
  }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, seen);
  while (g_hash_table_iter_next (&iter, &name, NULL)) {
    g_ptr_array_add (names, name);
    g_hash_table_iter_steal (&iter);
  }
  g_ptr_array_sort (names, compare_texts);
  return names;
}

static guint32
rank_of (const Ranks *ranks, const char *text)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (ranks->ranks, text)) - 1;
}

static void
rank_names (Ranks *ranks, const LoomSampleList *list)
{
  g_autoptr (GHashTable) traces = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) names = list_names (list, traces);
  ranks->ranks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < names->len; i++)
    g_hash_table_insert (ranks->ranks, g_strdup (names->pdata[i]), GUINT_TO_POINTER (i + 1));
  ranks->of_place = g_new0 (guint32, MAX (list->places->len, 1));
  ranks->of_names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint p = 0; p < list->places->len; p++) {
    const Place *place = &g_array_index (list->places, Place, p);
    g_autofree char *name = place->series != NULL ? dup_series_name (track_of (list, place), place->series) : NULL;
    ranks->of_place[p] = name != NULL ? rank_of (ranks, name) : 0;
  }
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, traces);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), GPOINTER_TO_UINT (key));
    guint32 *of_names = g_new (guint32, MAX (loom_trace_get_n_names (trace), 1));
    for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
      of_names[i] = rank_of (ranks, loom_trace_get_name (trace, i)->text);
    g_hash_table_insert (ranks->of_names, key, of_names);
  }
}

static void
clear_ranks (Ranks *ranks)
{
  g_clear_pointer (&ranks->ranks, g_hash_table_unref);
  g_clear_pointer (&ranks->of_names, g_hash_table_unref);
  g_clear_pointer (&ranks->of_place, g_free);
}

static gint64
rank_of_row (const Ranks *ranks, const LoomSampleList *list, LoomSpanId row)
{
  const Place *place = place_of (list, row);
  if (place->series != NULL)
    return ranks->of_place[row.trace];
  const guint32 *of_names = g_hash_table_lookup (ranks->of_names, GUINT_TO_POINTER (place->track.trace));
  return of_names[loom_trace_get_spans (trace_of (list, place))->name_id[row.span]];
}

/* Converts a floating-point value to an integer, so that the integers have the same order as the values. */
static gint64
value_key (double value)
{
  gint64 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits < 0 ? G_MININT64 - bits : bits;
}

static gint64
key_of (const Ranks *ranks, const LoomSampleList *list, LoomSampleOrder order, LoomSpanId row)
{
  LoomSample sample;
  const Place *place = place_of (list, row);
  get_sample (list, row, &sample);
  switch (order) {
  case LOOM_SAMPLE_BY_DURATION: return sample.duration_ns;
  case LOOM_SAMPLE_BY_NAME: return rank_of_row (ranks, list, row);
  case LOOM_SAMPLE_BY_VALUE: return sample.series != NULL ? value_key (sample.value) : G_MININT64;
  case LOOM_SAMPLE_BY_DEPTH: return sample.depth;
  case LOOM_SAMPLE_BY_RANK: return loom_event_list_get_rank (trace_of (list, place), track_of (list, place));
  case LOOM_SAMPLE_BY_TRACK: return (gint64) place->track.trace << 32 | place->track.track;
  case LOOM_SAMPLE_BY_TIME:
  case LOOM_N_SAMPLE_ORDERS:
  default: return sample.time_ns;
  }
}

/* Sorts the samples by their keys. Samples with equal keys keep the order in which they were collected: by trace, then
 * by index. Returns FALSE if cancelled. */
static gboolean
sort (const Gathering *gathering)
{
  LoomKeyedEvent *samples = (LoomKeyedEvent *) (gpointer) gathering->found->data;
  guint n = gathering->found->len;
  const LoomSampleQuery *query = gathering->query;
  Ranks ranks = { NULL };
  gboolean whole = TRUE;
  loom_keyed_events_sort (samples, n);
  if (query->order == LOOM_SAMPLE_BY_TIME && !query->descending)
    return !is_cancelled (gathering);
  if (query->order == LOOM_SAMPLE_BY_NAME)
    rank_names (&ranks, gathering->list);
  for (guint i = 0; i < n && whole; i++) {
    gint64 key = key_of (&ranks, gathering->list, query->order, samples[i].id);
    samples[i].key = loom_statistics_time_key (query->descending ? ~key : key);
    whole = i % CANCEL_SAMPLES != 0 || !is_cancelled (gathering);
  }
  clear_ranks (&ranks);
  if (whole)
    loom_keyed_events_sort (samples, n);
  return whole && !is_cancelled (gathering);
}

/* --- list of samples ---------------------------------------------------------------------------------------------- */

/* Sets the members that determine the columns of the table. The number of decimal digits, and whether ranks differ, is
 * determined from about MEASURED samples. O(places). */
static void
look (LoomSampleList *list)
{
  guint n_ranked = 0;
  LoomEventListRanks ranks = { 0 };
  for (guint i = 0; i < list->places->len; i++) {
    const Place *place = &g_array_index (list->places, Place, i);
    list->has_values |= place->series != NULL;
    list->has_depths |= place->depth > 0;
    n_ranked += loom_event_list_get_rank (trace_of (list, place), track_of (list, place)) >= 0;
  }
  list->has_ranks = n_ranked > 0 && 2 * n_ranked >= list->places->len;
  for (guint i = 0; i < list->n; i += list->n / MEASURED + 1) {
    LoomSample sample;
    const Place *place = &g_array_index (list->places, Place, list->rows[i].trace);
    loom_sample_list_get (list, i, &sample);
    gint64 offset_ns = loom_time_sub (sample.time_ns, loom_timeline_get_start (list->timeline));
    list->digits = MAX (list->digits, loom_event_list_count_digits (offset_ns));
    loom_event_list_count_rank (&ranks, trace_of (list, place), track_of (list, place));
  }
  list->ranks_differ = loom_event_list_do_ranks_differ (&ranks);
}

gboolean
loom_sample_list_has_any (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  if (loom_run_facts_has_tracks (run, LOOM_TRACK_COUNTER))
    return TRUE;
  if (!loom_run_facts_has_tracks (run, LOOM_TRACK_INSTANTS) && !loom_run_facts_has_profiles (run))
    return FALSE;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      if (track->n_events > 0 && has_samples (trace, track))
        return TRUE;
    }
  }
  return FALSE;
}

LoomSampleList *
loom_sample_list_new (LoomTimeline *timeline, const LoomSampleQuery *query, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL && query->order < LOOM_N_SAMPLE_ORDERS, NULL);
  g_autoptr (LoomSampleList) list = g_new0 (LoomSampleList, 1);
  g_atomic_ref_count_init (&list->refs);
  list->timeline = loom_timeline_ref (timeline);
  list->places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomKeyedEvent));
  g_autoptr (GHashTable) tracks = list_wanted (query->tracks);
  Gathering gathering = { list, query, cancellable, tracks, { 0 }, found };
  loom_event_filter_init (&gathering.match, query->text);
  gather (&gathering);
  loom_event_filter_clear (&gathering.match);
  if (is_cancelled (&gathering) || !sort (&gathering))
    return NULL;
  list->n = found->len;
  list->rows = g_new (LoomSpanId, MAX (list->n, 1));
  for (guint i = 0; i < list->n; i++)
    list->rows[i] = g_array_index (found, LoomKeyedEvent, i).id;
  look (list);
  return g_steal_pointer (&list);
}

LoomSampleList *
loom_sample_list_ref (LoomSampleList *list)
{
  g_atomic_ref_count_inc (&list->refs);
  return list;
}

void
loom_sample_list_unref (LoomSampleList *list)
{
  if (list == NULL || !g_atomic_ref_count_dec (&list->refs))
    return;
  loom_timeline_unref (list->timeline);
  g_array_unref (list->places);
  g_free (list->rows);
  g_free (list);
}
