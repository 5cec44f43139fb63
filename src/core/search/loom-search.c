/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search.h: tests each name once, then searches the columns of spans in pieces, with one thread per
 * processor. Skips a piece if the pieces before it already have LOOM_SEARCH_MAX_HITS hits. If the query has filters on
 * args, the spans with matching names are only candidates; loom-search-args.h then tests the args of these spans.
 */
#include "loom-search.h"

#include "loom-parallel.h"
#include "loom-run-details.h"
#include "loom-search-args.h"
#include "loom-search-order.h"
#include "loom-search-sort.h"

#include <stdatomic.h>
#include <string.h>

/* number of chunks (LOOM_SEARCH_CHUNK spans each) in a Piece, which thus has up to 262,144 spans; the cancellable is
 * checked once per piece */
#define CHUNKS 64
#define HITS 16384     /* capacity with which the array of hits of a Piece is allocated */
#define FEW_HITS 20000 /* up to this number of hits, a single thread copies them into the result */

G_STATIC_ASSERT (LOOM_SEARCH_MAX_HITS <= LOOM_SEARCH_SORT_MOST);

typedef struct {
  /* array indexed by name id: 1 if spans with this name are searched for, else 0; NULL: no span of the trace is
   * searched for */
  guint8 *wanted;
  LoomNameSet set;
  /* sets of names from the index, one per chunk; NULL: the trace is not in the index, or the query has filters on
   * durations */
  const LoomNameSet *sets;
  guint64 n_found; /* number of hits of the trace, from the counts of the index; 0 if `sets` is NULL */
  /* TRUE for a detail and for the trace of which the detail shows a part. A detail contains events of a time range that
   * were read from a trace in place of its index (loom-run-details.h). In the detail, only spans that touch `range` can
   * be hits; in the trace, only spans that do not touch it */
  gboolean has_range;
  /* the time range in which the detail (loom-run-details.h) replaces its trace, in local time of the trace */
  LoomRange range;
} TraceSearch;

typedef struct {
  guint trace;
  guint32 first, end; /* the piece consists of the spans `first` … `end` − 1 */
  /* guint32: indices of the spans that were found; NULL: the spans of this piece were not searched */
  GArray *hits;
  _Atomic guint n_listed; /* number of elements of `hits`; 0 until all spans of the piece have been searched */
  guint64 n_found;
} Piece;

typedef struct {
  LoomTimeline *timeline;
  LoomSearchQuery *query;
  LoomSearchIndex *index;
  GCancellable *cancellable;
  guint n_traces; /* number of traces; details (loom-run-details.h) are numbered from this number on */
  /* number of elements of `traces`: one for each trace, and one for each possible detail (loom-run-details.h) */
  guint n_numbers;
  TraceSearch *traces; /* indexed by number of a trace or detail (loom-run-details.h): how its spans are searched */
  GArray *pieces;
} Search;

LoomSearchResult *
loom_search_result_ref (LoomSearchResult *result)
{
  g_atomic_ref_count_inc (&result->refs);
  return result;
}

void
loom_search_result_unref (LoomSearchResult *result)
{
  if (!g_atomic_ref_count_dec (&result->refs))
    return;
  g_clear_pointer (&result->names, g_ptr_array_unref);
  g_array_unref (result->hits);
  g_array_unref (result->by_time);
  g_clear_pointer (&result->visits, g_array_unref);
  g_array_unref (result->ticks_ns);
  g_free (result);
}

static LoomTrace *
trace_of (const Search *search, guint trace)
{
  return loom_run_get_trace (loom_timeline_get_run (search->timeline), trace);
}

/* Returns TRUE if the start or the duration of a span also decides whether the span is a hit, so that the name of the
 * span is not enough. */
static gboolean
needs_times (const Search *search, const TraceSearch *one)
{
  return one->has_range || loom_search_query_has_durations (search->query);
}

/* --- names ------------------------------------------------------------------------------------------------------ */

static void
match_names (guint item, guint worker, gpointer user_data)
{
  Search *search = user_data;
  TraceSearch *one = &search->traces[item];
  if (item >= search->n_traces && !one->has_range)
    return;
  const LoomTrace *trace = trace_of (search, item);
  const guint32 *counts = search->index != NULL ? loom_search_index_get_counts (search->index, trace) : NULL;
  guint n = loom_trace_get_n_names (trace);
  if (g_cancellable_is_cancelled (search->cancellable))
    return;
  g_autofree guint8 *wanted = g_malloc0 (MAX (n, 1));
  /* if durations or starts decide which spans are hits, the index does not tell the number of hits, because the index
   * contains only names */
  gboolean any = FALSE, times = needs_times (search, one);
  for (guint i = 0; i < n; i++) {
    if (loom_search_query_is_slow (search->query) && g_cancellable_is_cancelled (search->cancellable))
      break;
    const LoomName *name = loom_trace_get_name (trace, i);
    if ((counts != NULL && counts[i] == 0) || !loom_search_query_matches_name (search->query, name->text) ||
        !loom_search_query_matches_category (search->query, name->category))
      continue;
    wanted[i] = any = TRUE;
    loom_search_index_name_set_add (&one->set, i);
    one->n_found += counts != NULL && !times ? counts[i] : 0;
  }
  one->sets = counts != NULL && !times ? loom_search_index_get_sets (search->index, trace) : NULL;
  one->wanted = any ? g_steal_pointer (&wanted) : NULL;
}

/* --- columns ---------------------------------------------------------------------------------------------------- */

static void
search_chunk (const LoomSpans *spans, const guint8 *wanted, guint32 first, guint32 end, Piece *piece)
{
  guint32 room[64];
  guint n = 0;
  for (guint32 i = first; i < end; i++) {
    /* This loop has no branch for hits, because the processor could not predict which spans are hits. Every index is
     * written to room[n]; n grows only for a hit, so the next index overwrites an index that is not a hit. */
    room[n] = i;
    n += wanted[spans->name_id[i]];
    if (n == G_N_ELEMENTS (room)) {
      g_array_append_vals (piece->hits, room, n);
      n = 0;
    }
  }
  g_array_append_vals (piece->hits, room, n);
}

static gboolean
touches (const LoomSpans *spans, guint32 i, LoomRange range)
{
  gint64 start_ns = spans->start_ns[i];
  return start_ns < range.end_ns &&
         (start_ns >= range.begin_ns || loom_time_add (start_ns, spans->dur_ns[i]) > range.begin_ns);
}

/* Returns the number of spans, from `first` to `end` − 1, that have a wanted name and matching times. Appends the
 * indices of these spans to piece->hits, but only until piece->hits has `most` elements. */
static guint64
search_times (const Search *search, const Piece *piece, guint32 first, guint32 end, guint most)
{
  const TraceSearch *one = &search->traces[piece->trace];
  const LoomSpans *spans = loom_trace_get_spans (trace_of (search, piece->trace));
  gboolean is_detail = piece->trace >= search->n_traces;
  guint64 n = 0;
  for (guint32 i = first; i < end; i++) {
    if (!one->wanted[spans->name_id[i]] || !loom_search_query_matches_duration (search->query, spans->dur_ns[i]) ||
        (one->has_range && touches (spans, i, one->range) != is_detail))
      continue;
    n++;
    if (piece->hits->len < most)
      g_array_append_val (piece->hits, i);
  }
  return n;
}

static guint64
count_chunk (const LoomSpans *spans, const guint8 *wanted, guint32 first, guint32 end)
{
  guint64 n = 0;
  for (guint32 i = first; i < end; i++)
    n += wanted[spans->name_id[i]];
  return n;
}

/* Returns TRUE if the pieces (Piece) before the piece with the index `item` have LOOM_SEARCH_MAX_HITS hits or more, so
 * that the result cannot list hits of the piece `item`. Always returns FALSE for a piece of a detail
 * (loom-run-details.h): details are in view, so gather() reserves places in the result for their hits. */
static gboolean
is_full (const Search *search, guint item)
{
  guint64 n = 0;
  if (g_array_index (search->pieces, Piece, item).trace >= search->n_traces)
    return FALSE;
  for (guint i = 0; i < item; i++)
    n += atomic_load (&g_array_index (search->pieces, Piece, i).n_listed);
  return n >= LOOM_SEARCH_MAX_HITS;
}

static void
search_piece (guint item, guint worker, gpointer user_data)
{
  Search *search = user_data;
  Piece *piece = &g_array_index (search->pieces, Piece, item);
  const TraceSearch *one = &search->traces[piece->trace];
  const LoomSpans *spans = loom_trace_get_spans (trace_of (search, piece->trace));
  gboolean lists = !is_full (search, item), times = needs_times (search, one);
  if (g_cancellable_is_cancelled (search->cancellable) || (!lists && one->sets != NULL))
    return;
  piece->hits = g_array_sized_new (FALSE, FALSE, sizeof (guint32), HITS);
  for (guint32 first = piece->first; first < piece->end; first += LOOM_SEARCH_CHUNK) {
    guint32 end = MIN (piece->end - first, LOOM_SEARCH_CHUNK) + first;
    if (one->sets != NULL && !loom_search_index_name_sets_meet (&one->sets[first / LOOM_SEARCH_CHUNK], &one->set))
      continue;
    if (times)
      piece->n_found += search_times (search, piece, first, end, lists ? LOOM_SEARCH_MAX_HITS : 0);
    else if (lists && piece->hits->len < LOOM_SEARCH_MAX_HITS)
      search_chunk (spans, one->wanted, first, end, piece);
    else if (one->sets == NULL)
      piece->n_found += count_chunk (spans, one->wanted, first, end);
  }
  piece->n_found += times ? 0 : piece->hits->len;
  atomic_store (&piece->n_listed, piece->hits->len);
}

static void
add_pieces (Search *search, guint number)
{
  guint32 n = loom_trace_get_spans (trace_of (search, number))->n;
  for (guint32 first = 0; first < n;) {
    Piece piece = { .trace = number, .first = first, .end = MIN (n - first, CHUNKS * LOOM_SEARCH_CHUNK) + first };
    g_array_append_val (search->pieces, piece);
    first = piece.end;
  }
}

/* --- making a result ---------------------------------------------------------------------------------------------- */

static LoomSearchResult *
result_new (void)
{
  LoomSearchResult *result = g_new0 (LoomSearchResult, 1);
  g_atomic_ref_count_init (&result->refs);
  result->by_time = g_array_new (FALSE, FALSE, sizeof (guint32));
  result->ticks_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  return result;
}

/* Makes a result from the hits in the array, and sorts their indices by time (LoomSearchResult.by_time). Takes
 * ownership of the array. `n_found` and `n_unread`: see LoomSearchResult. */
static LoomSearchResult *
result_of_hits (LoomTimeline *timeline, GArray *hits, guint64 n_found, guint64 n_unread)
{
  LoomSearchResult *result = result_new ();
  result->hits = hits;
  result->n_found = n_found;
  result->n_unread = n_unread;
  loom_search_order_hits (result, timeline);
  return result;
}

/* Returns a copy of the result without the hits in details (loom-run-details.h) that `rows` do not show; if `rows` is
 * NULL, without any hits in details. */
static LoomSearchResult *
copy_hits (LoomTimeline *timeline, const LoomSearchResult *result, const LoomRowList *rows)
{
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (timeline));
  GArray *kept = g_array_sized_new (FALSE, FALSE, sizeof (LoomSpanId), result->hits->len);
  for (guint i = 0; i < result->hits->len; i++) {
    LoomSpanId hit = g_array_index (result->hits, LoomSpanId, i);
    if (hit.trace < n_traces || (rows != NULL && loom_row_list_has_detail (rows, hit.trace)))
      g_array_append_val (kept, hit);
  }
  return result_of_hits (timeline, kept, result->n_found - (result->hits->len - kept->len), result->n_unread);
}

LoomSearchResult *
loom_search_result_new_timed (LoomTimeline *timeline, const LoomSearchResult *result)
{
  g_return_val_if_fail (timeline != NULL && result != NULL, NULL);
  return copy_hits (timeline, result, NULL);
}

/* Returns TRUE if a hit is in a detail (loom-run-details.h) that no row shows. Only the last hits can be in details,
 * because hits are sorted by trace, and the numbers of details follow those of traces. */
static gboolean
has_hidden (LoomRun *run, const LoomRowList *rows, const GArray *hits)
{
  guint n_traces = loom_run_get_n_traces (run), shown = G_MAXUINT;
  for (guint i = hits->len; i > 0 && g_array_index (hits, LoomSpanId, i - 1).trace >= n_traces; i--) {
    guint detail = g_array_index (hits, LoomSpanId, i - 1).trace;
    if (detail != shown && !loom_row_list_has_detail (rows, detail))
      return TRUE;
    shown = detail;
  }
  return FALSE;
}

LoomSearchResult *
loom_search_result_new_remaining (LoomTimeline *timeline, const LoomRowList *rows, LoomSearchResult *result)
{
  if (!has_hidden (loom_timeline_get_run (timeline), rows, result->hits))
    return loom_search_result_ref (result);
  return copy_hits (timeline, result, rows);
}

/* The data for copying the hits of all pieces into the array of the result. */
typedef struct {
  const Piece *pieces;
  /* array indexed by piece (Piece): index, in the hits of the result, of the first hit of this piece; the last element
   * is the number of all hits in the result */
  guint *first;
  LoomSpanId *hits;
} Gathering;

static void
gather_piece (guint item, guint worker, gpointer user_data)
{
  const Gathering *gathering = user_data;
  const Piece *piece = &gathering->pieces[item];
  guint first = gathering->first[item], end = gathering->first[item + 1];
  for (guint i = first; i < end; i++)
    gathering->hits[i] = (LoomSpanId) { piece->trace, g_array_index (piece->hits, guint32, i - first) };
}

/* Returns the number of listed hits that are in details (events of a time range that were read from a trace in place of
 * its index, loom-run-details.h). */
static guint
count_in_details (const Search *search)
{
  guint n = 0;
  for (guint i = search->pieces->len; i-- > 0;) {
    const Piece *piece = &g_array_index (search->pieces, Piece, i);
    if (piece->trace < search->n_traces)
      break;
    n += piece->hits != NULL ? MIN (piece->hits->len, LOOM_SEARCH_MAX_HITS - n) : 0;
  }
  return n;
}

/* Copies the hits of all pieces into the result, at most LOOM_SEARCH_MAX_HITS. */
static void
gather (const Search *search, LoomSearchResult *result)
{
  guint n_pieces = search->pieces->len, n = 0, most = LOOM_SEARCH_MAX_HITS - count_in_details (search);
  g_autofree guint *first = g_new (guint, n_pieces + 1);
  for (guint i = 0; i < n_pieces; i++) {
    const Piece *piece = &g_array_index (search->pieces, Piece, i);
    most = piece->trace < search->n_traces ? most : LOOM_SEARCH_MAX_HITS;
    first[i] = n;
    n += piece->hits != NULL ? MIN (piece->hits->len, most - n) : 0;
  }
  first[n_pieces] = n;
  result->hits = g_array_set_size (g_array_new (FALSE, FALSE, sizeof (LoomSpanId)), n);
  Gathering gathering = { (const Piece *) (gpointer) search->pieces->data, first,
                          (LoomSpanId *) (gpointer) result->hits->data };
  loom_parallel_for (n_pieces, n < FEW_HITS ? 1 : 0, gather_piece, &gathering, NULL);
}

static LoomSearchResult *
make_result (Search *search)
{
  LoomSearchResult *result = result_new ();
  result->names = g_ptr_array_new_with_free_func (g_free);
  gather (search, result);
  for (guint i = 0; i < search->pieces->len; i++) {
    const Piece *piece = &g_array_index (search->pieces, Piece, i);
    result->n_found += search->traces[piece->trace].sets == NULL ? piece->n_found : 0;
  }
  for (guint i = 0; i < search->n_traces; i++) {
    TraceSearch *one = &search->traces[i];
    result->n_found += one->n_found;
    g_ptr_array_add (result->names, one->has_range ? NULL : g_steal_pointer (&one->wanted));
  }
  /* filters on durations accept some spans of a name and reject others, so the names do not determine the hits */
  if (loom_search_query_has_durations (search->query))
    g_clear_pointer (&result->names, g_ptr_array_unref);
  loom_search_order_hits (result, search->timeline);
  return result;
}

static void
search_clear (Search *search)
{
  for (guint i = 0; i < search->pieces->len; i++) {
    Piece *piece = &g_array_index (search->pieces, Piece, i);
    g_clear_pointer (&piece->hits, g_array_unref);
  }
  g_array_unref (search->pieces);
  for (guint i = 0; i < search->n_numbers; i++)
    g_free (search->traces[i].wanted);
  g_free (search->traces);
}

/* --- search of names, then of args -------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomSearchIndex *index;
  GArray *details; /* LoomRowDetail: details (loom-run-details.h) to search; NULL: no details are searched */
  LoomSearchQuery *query;
  LoomSearchPartly partly; /* NULL: partial results are not reported; `owner` and `cancellable` are not set then */
  gpointer owner;
  GCancellable *cancellable;
} Question;

static LoomSearchResult *
search_columns (Search *search)
{
  for (guint i = 0; i < search->n_numbers; i++)
    if (search->traces[i].wanted != NULL)
      add_pieces (search, i);
  loom_parallel_for (search->pieces->len, 0, search_piece, search, NULL);
  return g_cancellable_is_cancelled (search->cancellable) ? NULL : make_result (search);
}

static void tell_part (GArray *hits, guint64 n_found, guint64 n_unread, gpointer user_data);

static LoomSearchResult *
search_args (Search *search, const Question *question)
{
  guint64 n_found, n_unread;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < search->n_numbers; i++)
    g_ptr_array_add (names, search->traces[i].wanted);
  LoomArgsSearch args = {
    search->timeline,   search->query, names, search->cancellable, question->partly != NULL ? tell_part : NULL,
    (gpointer) question
  };
  GArray *hits = loom_search_args (&args, &n_found, &n_unread);
  if (!g_cancellable_is_cancelled (search->cancellable))
    return result_of_hits (search->timeline, hits, n_found, n_unread);
  g_array_unref (hits);
  return NULL;
}

/* A detail (loom-run-details.h) contains the events of a time range of a trace of which only an index was read. Makes
 * the search read the detail inside this range, and the index only outside it. */
static void
add_detail (Search *search, const LoomRowDetail *detail)
{
  guint number = detail->id.trace,
        whole = loom_run_details_get_whole (loom_timeline_get_run (search->timeline), number);
  const LoomClockMap *map = loom_timeline_get_map (search->timeline, number, 0);
  LoomRange range = { loom_clock_map_to_local (map, detail->range.begin_ns),
                      loom_clock_map_to_local (map, detail->range.end_ns) };
  search->traces[number].has_range = search->traces[whole].has_range = TRUE;
  search->traces[number].range = search->traces[whole].range = range;
}

static LoomSearchResult *
answer (const Question *question, GCancellable *cancellable)
{
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (question->timeline)),
        n_details = question->details != NULL ? question->details->len : 0;
  Search search = { .timeline = question->timeline,
                    .query = question->query,
                    .index = question->index,
                    .cancellable = cancellable,
                    .n_traces = n_traces,
                    .n_numbers = n_traces + (n_details > 0 ? LOOM_RUN_MOST_DETAILS : 0) };
  search.traces = g_new0 (TraceSearch, MAX (search.n_numbers, 1));
  search.pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  for (guint i = 0; i < n_details; i++)
    add_detail (&search, &g_array_index (question->details, LoomRowDetail, i));
  loom_parallel_for (search.n_numbers, 0, match_names, &search, NULL);
  gboolean args = loom_search_query_get_filters (question->query)->len > 0;
  LoomSearchResult *result = args ? search_args (&search, question) : search_columns (&search);
  if (result != NULL)
    result->has_details = n_details > 0;
  search_clear (&search);
  return result;
}

LoomSearchResult *
loom_search (LoomTimeline *timeline, LoomSearchIndex *index, const GArray *details, LoomSearchQuery *query,
             GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL && query != NULL, NULL);
  const Question question = { .timeline = timeline, .index = index, .details = (GArray *) details, .query = query };
  return answer (&question, cancellable);
}

/* --- search in a worker ----------------------------------------------------------------------------------------- */

typedef struct {
  LoomSearchPartly partly;
  gpointer owner;
  GCancellable *cancellable;
  LoomSearchResult *result;
} Part;

static void
part_free (gpointer data)
{
  Part *part = data;
  g_object_unref (part->cancellable);
  loom_search_result_unref (part->result);
  g_free (part);
}

static gboolean
show_part (gpointer data)
{
  const Part *part = data;
  if (!g_cancellable_is_cancelled (part->cancellable))
    part->partly (part->result, part->owner);
  return G_SOURCE_REMOVE;
}

/* Reports a partial result from an idle callback. GLib runs callbacks of equal priority in the order in which they were
 * added. The callback for the end of the search has the same priority and is added later, so it runs later. */
static void
tell_part (GArray *hits, guint64 n_found, guint64 n_unread, gpointer user_data)
{
  const Question *question = user_data;
  LoomSearchResult *result = result_of_hits (question->timeline, hits, n_found, n_unread);
  Part *part = g_new (Part, 1);
  *part = (Part) { question->partly, question->owner, g_object_ref (question->cancellable), result };
  g_idle_add_full (G_PRIORITY_DEFAULT, show_part, part, part_free);
}

static void
question_free (Question *question)
{
  loom_timeline_unref (question->timeline);
  loom_search_index_unref (question->index);
  g_clear_pointer (&question->details, g_array_unref);
  loom_search_query_unref (question->query);
  g_clear_object (&question->cancellable);
  g_free (question);
}

static gpointer
search_in_thread (Question *question, GCancellable *cancellable, GError **error)
{
  return answer (question, cancellable);
}

void
loom_search_async (LoomTimeline *timeline, LoomSearchIndex *index, GArray *details, LoomSearchQuery *query,
                   GCancellable *cancellable, LoomSearchPartly partly, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) search_in_thread, (GDestroyNotify) question_free,
                                       (GDestroyNotify) loom_search_result_unref };
  Question *question =
    LOOM_WORKER_INPUT (Question, loom_timeline_ref (timeline), index != NULL ? loom_search_index_ref (index) : NULL,
                       details != NULL ? g_array_ref (details) : NULL, loom_search_query_ref (query), partly, owner,
                       g_object_ref (cancellable));
  loom_worker_run (cancellable, &kind, question, done, owner);
}

guint
loom_search_result_after (LoomTimeline *timeline, const LoomSearchResult *result, gint64 time_ns, gboolean at)
{
  guint low = 0, high = result->by_time->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    guint32 index = g_array_index (result->by_time, guint32, middle);
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, g_array_index (result->hits, LoomSpanId, index), &start_ns, &end_ns);
    if (start_ns < time_ns || (start_ns == time_ns && !at))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
