/* SPDX-License-Identifier: Apache-2.0
 *
 * Events are collected in the order of the traces, and sorted by start. For another order, a number is computed for
 * each event as its sort key, and the events are sorted again by these numbers. If events are sorted by name, the
 * number is the position of the event's name in the natural order.
 */
#include "loom-event-list.h"

#include "loom-event-filter.h"
#include "loom-keyed-events.h"
#include "loom-natural-collate.h"
#include "loom-run-names.h"
#include "loom-statistics.h"
#include "loom-track-rank.h"

/* Number of events processed between two checks of the cancellable. */
#define CANCEL_EVENTS 4096

/* --- keys by which events are sorted ------------------------------------------------------------------------------ */

static const char *
text_of (const LoomName *name, LoomEventOrder order)
{
  return order == LOOM_EVENT_BY_NAME ? name->text : name->category;
}

static int
compare_texts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomEventList *list = user_data;
  return loom_natural_collate_compare (text_of (&list->names->names[*(const guint32 *) a], list->order),
                                       text_of (&list->names->names[*(const guint32 *) b], list->order));
}

/* Computes the position of each name in the natural order. Events are then sorted by these numbers instead of by texts.
 * This is faster, because there are far fewer names than events. */
static void
rank_names (LoomEventList *list)
{
  list->names = loom_run_names_new (loom_timeline_get_run (list->timeline));
  guint32 n = list->names->n;
  g_autofree guint32 *sorted = g_new (guint32, MAX (n, 1));
  list->ranks = g_new0 (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    sorted[i] = i;
  g_qsort_with_data (sorted, (gint) n, sizeof *sorted, compare_texts, list);
  for (guint32 i = 1; i < n; i++)
    list->ranks[sorted[i]] = list->ranks[sorted[i - 1]] + (compare_texts (&sorted[i - 1], &sorted[i], list) != 0);
}

static gint64
rank_of (const LoomEventList *list, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), id.trace);
  return list->ranks[list->names->maps[id.trace][loom_trace_get_spans (trace)->name_id[id.span]]];
}

static gint64
track_of (const LoomEventList *list, LoomSpanId id)
{
  guint32 track, row;
  loom_trace_locate_span (loom_run_get_trace (loom_timeline_get_run (list->timeline), id.trace), id.span, &track, &row);
  return (gint64) id.trace << 32 | track;
}

gint
loom_event_list_get_rank (const LoomTrace *trace, const LoomTrack *track)
{
  return loom_track_rank_is_process (track, track->format) ? -1 : track->rank;
}

static gint64
rank_of_track (const LoomEventList *list, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), id.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, id.span, &track, &row);
  return loom_event_list_get_rank (trace, loom_trace_get_track (trace, track));
}

/* Returns the sort key of an event for the order and the direction of the list. Keys must be compared as unsigned
 * numbers. */
static guint64
key_of (const LoomEventList *list, LoomSpanId id)
{
  gint64 start_ns, end_ns, key;
  if (list->order == LOOM_EVENT_BY_NAME || list->order == LOOM_EVENT_BY_CATEGORY)
    key = rank_of (list, id);
  else if (list->order == LOOM_EVENT_BY_TRACK)
    key = track_of (list, id);
  else if (list->order == LOOM_EVENT_BY_RANK)
    key = rank_of_track (list, id);
  else {
    loom_timeline_get_span (list->timeline, id, &start_ns, &end_ns);
    key = list->order == LOOM_EVENT_BY_START ? start_ns : loom_time_sub (end_ns, start_ns);
  }
  return loom_statistics_time_key (list->descending ? ~key : key);
}

/* --- gathering the events of the range ---------------------------------------------------------------------------- */

typedef struct {
  LoomEventList *list;
  const LoomEventQuery *query;
  GCancellable *cancellable;
  GArray *tracks; /* LoomTrackId of the tracks in the query, sorted; NULL: all tracks */
  guint next;     /* index in `tracks` at which the next call of is_wanted() continues the search */
  LoomEventFilter match;
  GArray *found;  /* LoomKeyedEvent; until the events are sorted, each key is the start of the event */
  guint32 *words; /* [name id of the current trace] mask of the filter's words in the name */
} Gathering;

/* Sets `from` and `to` to the events of the row that touch the range of the query: those with the indices *from to *to
 * − 1, counted from the start of the row. */
static void
cut_row (const Gathering *gathering, const LoomTrace *trace, const LoomTrack *track, const LoomRow *row,
         const LoomClockMap *map, guint32 *from, guint32 *to)
{
  LoomRange range = gathering->query->range;
  *from = 0, *to = row->n;
  if (range.end_ns <= range.begin_ns)
    return;
  gint64 begin_ns = loom_clock_map_to_local (map, range.begin_ns), end_ns = loom_clock_map_to_local (map, range.end_ns);
  *from = track->kind == LOOM_TRACK_INSTANTS ? loom_trace_row_lower_bound (trace, row, begin_ns)
                                             : loom_trace_row_first_ending_after (trace, row, begin_ns);
  *to = MAX (loom_trace_row_lower_bound (trace, row, end_ns), *from);
}

static void
add_row (Gathering *gathering, guint32 trace_number, const LoomTrack *track, const LoomRow *row, guint32 track_words)
{
  LoomEventList *list = gathering->list;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), trace_number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomClockMap *map = loom_timeline_get_map (list->timeline, trace_number, track->clock);
  guint32 from, to, wanted = gathering->match.all & ~track_words;
  guint64 most = gathering->query->most > 0 ? gathering->query->most : LOOM_EVENT_LIST_MOST;
  cut_row (gathering, trace, track, row, map, &from, &to);
  for (guint32 i = row->first + from; i < row->first + to; i++) {
    if (i % CANCEL_EVENTS == 0 && g_cancellable_is_cancelled (gathering->cancellable))
      return;
    if ((gathering->words[spans->name_id[i]] & wanted) != wanted)
      continue;
    if (list->n_found++ < most) {
      guint64 key = loom_statistics_time_key (loom_clock_map_to_timeline (map, spans->start_ns[i]));
      LoomKeyedEvent event = { key, { trace_number, i } };
      g_array_append_val (gathering->found, event);
    }
  }
}

static void
add_track (Gathering *gathering, LoomTrackId id)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (gathering->list->timeline), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  const char *name =
    loom_source_overrides_get_name (gathering->query->names, loom_trace_get_source (trace, track->source)->path);
  guint32 words = loom_event_filter_track (&gathering->match, track, name);
  for (guint i = 0; i < track->n_rows; i++)
    add_row (gathering, id.trace, track, loom_trace_get_row (trace, track->first_row + i), words);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const LoomTrackId *x = a, *y = b;
  return x->trace != y->trace ? (x->trace > y->trace) - (x->trace < y->trace)
                              : (x->track > y->track) - (x->track < y->track);
}

/* Returns TRUE if the query selects the track. Calls must be in the order of traces and tracks, because gathering->next
 * only increases. */
static gboolean
is_wanted (Gathering *gathering, LoomTrackId id)
{
  const GArray *tracks = gathering->tracks;
  if (tracks == NULL)
    return TRUE;
  while (gathering->next < tracks->len && compare_ids (&g_array_index (tracks, LoomTrackId, gathering->next), &id) < 0)
    gathering->next++;
  return gathering->next < tracks->len && compare_ids (&g_array_index (tracks, LoomTrackId, gathering->next), &id) == 0;
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer trace)
{
  const LoomTrack *x = loom_trace_get_track (trace, *(const guint *) a),
                  *y = loom_trace_get_track (trace, *(const guint *) b);
  return (x->first_row > y->first_row) - (x->first_row < y->first_row);
}

/* Returns the tracks of events that the query selects in a trace, in the order of their rows. */
static GArray *
wanted_tracks (Gathering *gathering, guint32 trace_number, LoomTrace *trace)
{
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (loom_trace_get_track (trace, i)->kind != LOOM_TRACK_COUNTER &&
        is_wanted (gathering, (LoomTrackId) { trace_number, i }))
      g_array_append_val (wanted, i);
  g_array_sort_with_data (wanted, compare_rows, trace);
  return wanted;
}

static void
gather_trace (Gathering *gathering, guint32 number)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (gathering->list->timeline), number);
  g_autoptr (GArray) wanted = wanted_tracks (gathering, number, trace);
  if (wanted->len == 0)
    return;
  gathering->words = loom_event_filter_names (&gathering->match, trace);
  for (guint k = 0; k < wanted->len && !g_cancellable_is_cancelled (gathering->cancellable); k++)
    add_track (gathering, (LoomTrackId) { number, g_array_index (wanted, guint, k) });
  g_clear_pointer (&gathering->words, g_free);
}

/* Appends the events that the query selects to gathering->found, trace by trace. Returns FALSE if cancelled. */
static gboolean
gather (Gathering *gathering)
{
  LoomRun *run = loom_timeline_get_run (gathering->list->timeline);
  const GArray *tracks = gathering->query->tracks;
  g_autoptr (GArray) sorted = tracks != NULL ? g_array_copy ((GArray *) tracks) : NULL;
  if (sorted != NULL)
    g_array_sort (sorted, compare_ids);
  gathering->tracks = sorted;
  for (guint t = 0; t < loom_run_get_n_traces (run) && !g_cancellable_is_cancelled (gathering->cancellable); t++)
    gather_trace (gathering, t);
  return !g_cancellable_is_cancelled (gathering->cancellable);
}

/* --- sorting the events ------------------------------------------------------------------------------------------- */

/* Sorts the events by their keys. Events with equal keys keep the order in which they were collected: by trace, then by
 * index. Returns FALSE if cancelled. */
static gboolean
sort_events (LoomEventList *list, LoomKeyedEvent *events, guint n, GCancellable *cancellable)
{
  loom_keyed_events_sort (events, n);
  if (list->order == LOOM_EVENT_BY_START && !list->descending)
    return TRUE;
  for (guint i = 0; i < n; i++) {
    if (i % CANCEL_EVENTS == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    events[i].key = list->order == LOOM_EVENT_BY_START ? ~events[i].key : key_of (list, events[i].id);
  }
  loom_keyed_events_sort (events, n);
  return !g_cancellable_is_cancelled (cancellable);
}

/* --- values that the columns show --------------------------------------------------------------------------------- */

/* Approximate number of events that are examined to determine how many decimal digits the column of start times needs,
 * and whether ranks differ. */
#define SAMPLED 1000

guint
loom_event_list_count_digits (gint64 ns)
{
  return ns % LOOM_NS_PER_S == 0 ? 0 : ns % LOOM_NS_PER_MS == 0 ? 3 : ns % LOOM_NS_PER_US == 0 ? 6 : 9;
}

/* nearly all events have a rank if at least this share of them has one */
#define NEARLY_ALL 0.95

void
loom_event_list_count_rank (LoomEventListRanks *ranks, const LoomTrace *trace, const LoomTrack *track)
{
  gint rank = loom_event_list_get_rank (trace, track);
  ranks->n++;
  if (rank < 0)
    return;
  ranks->lowest = ranks->n_ranked > 0 ? MIN (ranks->lowest, rank) : rank;
  ranks->highest = ranks->n_ranked > 0 ? MAX (ranks->highest, rank) : rank;
  ranks->n_ranked++;
}

gboolean
loom_event_list_do_ranks_differ (const LoomEventListRanks *ranks)
{
  return ranks->n_ranked > 0 && ranks->lowest < ranks->highest && ranks->n_ranked >= NEARLY_ALL * ranks->n;
}

static gboolean
has_rank (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != LOOM_TRACK_COUNTER && loom_event_list_get_rank (trace, track) >= 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_category (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    if (*loom_trace_get_name (trace, i)->category != '\0')
      return TRUE;
  return FALSE;
}

/* Examines about SAMPLED events. */
static void
look_at_events (LoomEventList *list)
{
  LoomEventListRanks ranks = { 0 };
  gint64 zero_ns = loom_timeline_get_start (list->timeline), start_ns, end_ns;
  for (guint i = 0, step = list->n / SAMPLED + 1; i < list->n; i += step) {
    const LoomSpanId id = list->ids[i];
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), id.trace);
    guint32 track, row;
    loom_trace_locate_span (trace, id.span, &track, &row);
    loom_event_list_count_rank (&ranks, trace, loom_trace_get_track (trace, track));
    loom_timeline_get_span (list->timeline, id, &start_ns, &end_ns);
    list->digits = MAX (list->digits, loom_event_list_count_digits (loom_time_sub (start_ns, zero_ns)));
  }
  list->ranks_differ = loom_event_list_do_ranks_differ (&ranks);
}

/* Sets the members that determine the columns of the table: has_ranks, ranks_differ, has_categories, digits and
 * extent_ns. O(names + tracks). */
static void
look (LoomEventList *list)
{
  LoomRun *run = loom_timeline_get_run (list->timeline);
  gint64 zero_ns = loom_timeline_get_start (list->timeline);
  LoomRange extent = { 0, 0 };
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    list->has_ranks |= has_rank (loom_run_get_trace (run, i));
    list->has_categories |= has_category (loom_run_get_trace (run, i));
  }
  look_at_events (list);
  if (loom_timeline_get_extent (list->timeline, &extent))
    list->extent_ns = MAX (loom_time_sub (extent.end_ns, zero_ns), ABS (loom_time_sub (extent.begin_ns, zero_ns)));
}

LoomEventList *
loom_event_list_new (LoomTimeline *timeline, const LoomEventQuery *query, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL && query->order < LOOM_N_EVENT_ORDERS, NULL);
  g_autoptr (LoomEventList) list = g_new0 (LoomEventList, 1);
  g_atomic_ref_count_init (&list->refs);
  list->timeline = loom_timeline_ref (timeline);
  list->order = query->order;
  list->descending = query->descending;
  if (list->order == LOOM_EVENT_BY_NAME || list->order == LOOM_EVENT_BY_CATEGORY)
    rank_names (list);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomKeyedEvent));
  Gathering gathering = { .list = list, .query = query, .cancellable = cancellable, .found = found };
  loom_event_filter_init (&gathering.match, query->text);
  gboolean whole = gather (&gathering);
  loom_event_filter_clear (&gathering.match);
  if (!whole)
    return NULL;
  LoomKeyedEvent *events = (LoomKeyedEvent *) (gpointer) found->data;
  if (!sort_events (list, events, found->len, cancellable))
    return NULL;
  list->n = found->len;
  list->ids = g_new (LoomSpanId, MAX (list->n, 1));
  for (guint i = 0; i < list->n; i++)
    list->ids[i] = events[i].id;
  look (list);
  return g_steal_pointer (&list);
}

LoomEventList *
loom_event_list_ref (LoomEventList *list)
{
  g_atomic_ref_count_inc (&list->refs);
  return list;
}

void
loom_event_list_unref (LoomEventList *list)
{
  if (list == NULL || !g_atomic_ref_count_dec (&list->refs))
    return;
  loom_timeline_unref (list->timeline);
  g_clear_pointer (&list->names, loom_run_names_unref);
  g_free (list->ranks);
  g_free (list->ids);
  g_free (list);
}

/* --- position of an event ----------------------------------------------------------------------------------------- */

typedef struct {
  guint64 key;
  gint64 start_ns;
  LoomSpanId id;
} Place;

static Place
place_of (const LoomEventList *list, LoomSpanId id)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (list->timeline, id, &start_ns, &end_ns);
  return (Place) { key_of (list, id), start_ns, id };
}

static gboolean
place_is_before (const Place *a, const Place *b)
{
  if (a->key != b->key)
    return a->key < b->key;
  if (a->start_ns != b->start_ns)
    return a->start_ns < b->start_ns;
  return a->id.trace != b->id.trace ? a->id.trace < b->id.trace : a->id.span < b->id.span;
}

guint
loom_event_list_find (const LoomEventList *list, LoomSpanId event)
{
  guint low = 0, high = list->n;
  /* Events of details have greater trace numbers than the traces of the run, and the list does not contain them.
   * Details are parts of indexed files that were read later (loom-run-details.h). */
  if (event.trace >= loom_run_get_n_traces (loom_timeline_get_run (list->timeline)))
    return G_MAXUINT;
  const Place wanted = place_of (list, event);
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const Place there = place_of (list, list->ids[middle]);
    if (place_is_before (&there, &wanted))
      low = middle + 1;
    else
      high = middle;
  }
  return low < list->n && loom_timeline_span_id_equal (list->ids[low], event) ? low : G_MAXUINT;
}
