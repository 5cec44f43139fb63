/* SPDX-License-Identifier: Apache-2.0
 *
 * The spans of each row are divided into pieces, which worker threads process. Each thread has its own sums for each
 * name, and its own list of durations from which percentiles are computed. When all pieces have been processed, the
 * percentiles of one name after another are computed from the lists of all threads.
 *
 * Spans of a row do not overlap, so only the first and the last span of a row can extend beyond the range. These two
 * spans are processed when the pieces are made, so that the loop over the other spans need not check the range.
 */
#include "loom-name-aggregate.h"

#include <string.h>

#include "loom-name-child-time.h"
#include "loom-parallel.h"
#include "loom-progress-cancellable.h"

#define PIECE_SPANS (32 * LOOM_CHILD_TIME_BLOCK)

/* Maximum number of threads, and maximum number of LoomNameSums of all threads together. More threads would not be
 * faster, because they would wait for data from memory. Each thread has a LoomNameSums for every name, and all of them
 * together must not need more than some hundred megabytes. */
#define MOST_WORKERS 16
#define MOST_SUMS (2 * 1024 * 1024)

/* LoomPercentileBands are predicted from a sample of the spans: every SAMPLE_STRIDE-th span. In long runs, the distance
 * between sampled spans is greater than SAMPLE_STRIDE, so that the sample has at most about SAMPLE_SPANS spans. */
#define SAMPLE_STRIDE 16
#define SAMPLE_SPANS 131072

/* A piece: some consecutive spans of a row. A thread processes one piece at a time. */
typedef struct {
  const LoomSpans *spans;
  const guint32 *map; /* [name id of the trace] id of the name in LoomRunNames */
  guint32 trace;
  /* the spans of this piece, and the spans of the parent row, which contains their parents; `above` equals `above_end`
   * in the outermost row of a lane, because it has no parent row */
  LoomNameChildTimeRow at;
  guint64 sample_at; /* distance from `first` to the first span in the sample */
  /* TRUE if the spans of the piece are outside the range. Such spans count only as children of spans that are partly
   * inside the range. */
  gboolean only_below;
} Piece;

typedef struct {
  LoomNameSums *sums; /* [id in LoomRunNames] sums of the name */
  LoomNameChildTime below;
  /* The durations that this worker has stored. Before the first pass, these are the durations of the sample; key: id in
   * LoomRunNames × LOOM_N_BANDS. From the first pass on, these are the durations inside the bands of percentiles; key:
   * id in LoomRunNames × LOOM_N_BANDS + band. */
  LoomDurationLog kept;
  GArray *one; /* gint64: durations of one name, collected from the logs of all workers */
} Worker;

struct _LoomNameAggregate {
  LoomTimeline *timeline;
  LoomRunNames *names;
  GCancellable *cancellable;
  LoomRange range;
  guint32 n_names;
  GArray *pieces;             /* Piece: the pieces of all rows */
  LoomPercentileBands *bands; /* [id in LoomRunNames] bands of the name */
  guint64 stride;             /* every stride-th span is in the sample */
  Worker *workers;
  guint n_workers;
  gboolean *traces;
  gboolean *missing; /* [id in LoomRunNames] TRUE if the percentiles of the name are not computed yet */
  LoomNameSums *sums;
};

/* --- pieces: parts of rows that are aggregated in parallel -------------------------------------------------------- */

static inline gint64
end_of (const LoomSpans *spans, guint32 i)
{
  return loom_time_add (spans->start_ns[i], spans->dur_ns[i]);
}

static void
add_pieces (LoomNameAggregate *pass, Piece row)
{
  for (guint32 from = row.at.first; from < row.at.end;) {
    Piece piece = row;
    guint32 left = PIECE_SPANS - (from - row.at.row_first) % PIECE_SPANS;
    piece.at.first = from;
    from = row.at.end - from > left ? from + left : row.at.end;
    piece.at.end = from;
    g_array_append_val (pass->pieces, piece);
  }
}

static guint32
parent_of (const Piece *piece, guint32 span)
{
  if (piece->at.above >= piece->at.above_end)
    return G_MAXUINT32;
  const LoomSpans *spans = piece->spans;
  guint32 parent = loom_name_child_time_find_above (&piece->at, spans->start_ns, spans->start_ns[span]);
  gboolean inside = spans->start_ns[parent] <= spans->start_ns[span] && end_of (spans, span) <= end_of (spans, parent);
  return inside ? parent : G_MAXUINT32;
}

/* For a span that is partly outside the range, adds the outside part to cut_ns of the span's name, and to below_cut_ns
 * of the parent's name. */
static void
note_cut (LoomNameAggregate *pass, const Piece *row, guint32 span, LoomRange local)
{
  LoomNameSums *sums = pass->workers[0].sums;
  gint64 start = row->spans->start_ns[span], dur = row->spans->dur_ns[span];
  gint64 inside = loom_time_sub (MIN (end_of (row->spans, span), local.end_ns), MAX (start, local.begin_ns));
  gint64 cut = dur - CLAMP (inside, 0, dur);
  guint32 parent = parent_of (row, span), id = row->map[row->spans->name_id[span]];
  sums[id].cut_ns = loom_time_add (sums[id].cut_ns, cut);
  if (parent == G_MAXUINT32)
    return;
  LoomNameSums *above = &sums[row->map[row->spans->name_id[parent]]];
  above->below_cut_ns = loom_time_add (above->below_cut_ns, cut);
}

/* Adds pieces with those spans of the row `below` that are outside the range, but whose parents in the row `above` are
 * partly inside the range. `row`: piece with the spans of `below` that are inside the range. */
static void
add_outside (LoomNameAggregate *pass, const LoomTrace *trace, const LoomRow *above, const LoomRow *below, Piece row,
             LoomRange local)
{
  guint32 first_parent = above->first + loom_trace_row_first_ending_after (trace, above, local.begin_ns);
  guint32 end_parent = above->first + loom_trace_row_lower_bound (trace, above, local.end_ns);
  if (first_parent >= end_parent)
    return;
  Piece outside = row;
  outside.only_below = TRUE;
  outside.at.first = below->first + loom_trace_row_lower_bound (trace, below, row.spans->start_ns[first_parent]);
  outside.at.end = row.at.first;
  outside.at.above = first_parent;
  outside.at.above_end = end_parent;
  add_pieces (pass, outside);
  outside.at.first = row.at.end;
  outside.at.end = below->first + loom_trace_row_lower_bound (trace, below, end_of (row.spans, end_parent - 1));
  add_pieces (pass, outside);
}

static void
add_row (LoomNameAggregate *pass, const LoomTrace *trace, const LoomRow *above, const LoomRow *own, Piece row,
         LoomRange local)
{
  row.at.row_first = own->first;
  row.at.row_end = own->first + own->n;
  row.at.first = own->first + loom_trace_row_first_ending_after (trace, own, local.begin_ns);
  row.at.end = MAX (row.at.first, own->first + loom_trace_row_lower_bound (trace, own, local.end_ns));
  if (above != NULL) {
    row.at.above = above->first;
    row.at.above_end = above->first + above->n;
    add_outside (pass, trace, above, own, row, local);
  }
  if (row.at.first == row.at.end)
    return;
  note_cut (pass, &row, row.at.first, local);
  if (row.at.end - row.at.first > 1)
    note_cut (pass, &row, row.at.end - 1, local);
  add_pieces (pass, row);
  pass->traces[row.trace] = TRUE;
}

static gboolean
is_inside (const LoomTrack *track, const LoomRow *above, const LoomRow *row)
{
  return track->kind == LOOM_TRACK_SPANS && above != NULL && above->lane == row->lane &&
         row->lane != LOOM_OVERFLOW_LANE && above->depth + 1 == row->depth;
}

static void
add_track (LoomNameAggregate *pass, guint number, const LoomTrack *track)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (pass->timeline), number);
  const LoomClockMap *map = loom_timeline_get_map (pass->timeline, number, track->clock);
  LoomRange local = { loom_clock_map_to_local (map, pass->range.begin_ns),
                      loom_clock_map_to_local (map, pass->range.end_ns) };
  Piece row = { .spans = loom_trace_get_spans (trace), .map = pass->names->maps[number], .trace = number };
  const LoomRow *above = NULL;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *own = loom_trace_get_row (trace, track->first_row + k);
    row.at.slots = loom_name_child_time_cache_get (pass->names->below, number, track->first_row + k);
    add_row (pass, trace, is_inside (track, above, own) ? above : NULL, own, row, local);
    above = own;
  }
}

static gboolean
has_spans (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS || track->kind == LOOM_TRACK_ASYNC;
}

static int
compare_tracks (gconstpointer a, gconstpointer b)
{
  const LoomTrackId *x = a, *y = b;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  return x->track < y->track ? -1 : x->track > y->track;
}

/* Returns FALSE for host tracks in an index file. The spans of such a track are sums; therefore their number, their
 * median and the longest of them have no meaning. */
static gboolean
is_counted (const LoomTrace *trace, const LoomTrack *track)
{
  return has_spans (track) && (!loom_trace_is_index (trace) || (track->flags & LOOM_TRACK_DEVICE) != 0);
}

static void
add_wanted (LoomNameAggregate *pass, const LoomTrackId *tracks, gsize n_tracks)
{
  LoomRun *run = loom_timeline_get_run (pass->timeline);
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  if (n_tracks > 0)
    g_array_append_vals (wanted, tracks, (guint) n_tracks);
  g_array_sort (wanted, compare_tracks);
  for (guint i = 0; i < wanted->len; i++) {
    LoomTrackId id = g_array_index (wanted, LoomTrackId, i);
    gboolean again = i > 0 && compare_tracks (&id, &g_array_index (wanted, LoomTrackId, i - 1)) == 0;
    if (again || id.trace >= loom_run_get_n_traces (run) ||
        id.track >= loom_trace_get_n_tracks (loom_run_get_trace (run, id.trace)))
      continue;
    const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (run, id.trace), id.track);
    if (is_counted (loom_run_get_trace (run, id.trace), track))
      add_track (pass, id.trace, track);
  }
}

static void
add_all (LoomNameAggregate *pass)
{
  LoomRun *run = loom_timeline_get_run (pass->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      if (is_counted (trace, track) && (track->flags & LOOM_TRACK_DERIVED) == 0)
        add_track (pass, i, track);
    }
  }
}

/* --- durations that are kept for percentiles ---------------------------------------------------------------------- */

static inline void
keep_span (LoomNameAggregate *pass, guint number, const Piece *piece, guint32 span)
{
  gsize key = (gsize) piece->map[piece->spans->name_id[span]] * LOOM_N_BANDS;
  loom_duration_log_add (&pass->workers[number].kept, key, piece->spans->dur_ns[span]);
}

static void
forget_kept (LoomNameAggregate *pass)
{
  for (guint w = 0; w < pass->n_workers; w++) {
    loom_duration_log_clear (&pass->workers[w].kept);
    loom_duration_log_init (&pass->workers[w].kept, (gsize) pass->n_names * LOOM_N_BANDS);
  }
}

/* Sets kept_ns[b], for each band b, to the durations of a name in this band, collected from the logs of all workers.
 * The arrays are valid until the worker with the index `number` collects the next name. Returns the number of durations
 * in all bands. */
static gsize
gather_name (LoomNameAggregate *pass, guint number, guint32 id, const gint64 **kept_ns)
{
  GArray *one = pass->workers[number].one;
  guint first[LOOM_N_BANDS];
  g_array_set_size (one, 0);
  for (guint b = 0; b < LOOM_N_BANDS; b++) {
    first[b] = one->len;
    for (guint w = 0; w < pass->n_workers; w++)
      loom_duration_log_append_to (&pass->workers[w].kept, (gsize) id * LOOM_N_BANDS + b, one);
  }
  for (guint b = 0; b < LOOM_N_BANDS; b++)
    kept_ns[b] = (const gint64 *) (gpointer) one->data + first[b];
  return one->len;
}

/* --- bands: durations near the percentiles ------------------------------------------------------------------------ */

/* Chooses the spans of the sample: every stride-th span, counted over all pieces. The stride is odd, because patterns
 * in traces often repeat after an even number of spans. */
static void
place_sample (LoomNameAggregate *pass)
{
  guint64 n_spans = 0, at = 0;
  for (guint i = 0; i < pass->pieces->len; i++) {
    const Piece *piece = &g_array_index (pass->pieces, Piece, i);
    n_spans += piece->only_below ? 0 : piece->at.end - piece->at.first;
  }
  loom_progress_cancellable_add_total (pass->cancellable, n_spans);
  pass->stride = MAX (n_spans / SAMPLE_SPANS, SAMPLE_STRIDE) | 1;
  for (guint i = 0; i < pass->pieces->len; i++) {
    Piece *piece = &g_array_index (pass->pieces, Piece, i);
    piece->sample_at = (pass->stride - at % pass->stride) % pass->stride;
    at += piece->only_below ? 0 : piece->at.end - piece->at.first;
  }
}

static void
sample_piece (guint item, guint number, gpointer data)
{
  LoomNameAggregate *pass = data;
  const Piece *piece = &g_array_index (pass->pieces, Piece, item);
  if (piece->only_below || g_cancellable_is_cancelled (pass->cancellable))
    return;
  for (guint64 i = piece->at.first + piece->sample_at; i < piece->at.end; i += pass->stride)
    keep_span (pass, number, piece, (guint32) i);
}

static void
find_bands_of (guint item, guint number, gpointer data)
{
  LoomNameAggregate *pass = data;
  const gint64 *sample_ns[LOOM_N_BANDS];
  gsize n = gather_name (pass, number, item, sample_ns);
  loom_percentile_bands_init (&pass->bands[item], sample_ns[0], n);
}

static void
find_bands (LoomNameAggregate *pass)
{
  place_sample (pass);
  loom_parallel_for (pass->pieces->len, pass->n_workers, sample_piece, pass, NULL);
  loom_parallel_for (pass->n_names, pass->n_names > 16 ? pass->n_workers : 1, find_bands_of, pass, NULL);
  forget_kept (pass);
}

/* --- counting the durations of spans ------------------------------------------------------------------------------ */

static inline void
count_span (const LoomNameColumns *at, guint32 i)
{
  guint32 id = at->map[at->name_id[i]];
  gint64 dur = at->dur_ns[i];
  LoomNameSums *sums = &at->sums[id];
  const LoomPercentileBands *bands = &at->bands[id];
  guint part = loom_percentile_bands_part (bands, dur);
  sums->parts[part]++;
  sums->total_ns = loom_time_add (sums->total_ns, dur);
  sums->squares = loom_name_aggregate_add_squares (sums->squares, (LoomSquareSum) dur * (LoomSquareSum) dur);
  sums->min_ns = MIN (sums->min_ns, dur);
  if (G_UNLIKELY (dur > sums->max_ns)) {
    sums->max_ns = dur;
    sums->longest = (LoomSpanId) { at->trace, i };
  }
  if (bands->kept >> part & 1)
    loom_duration_log_add (at->kept, (gsize) id * LOOM_N_BANDS + part / 2, dur);
}

static void
count_spans (const LoomNameColumns *columns, guint32 first, guint32 end)
{
  /* a local copy shows the compiler that writing to the sums does not change the columns */
  const LoomNameColumns at = *columns;
  for (guint32 i = first; i < end; i++)
    count_span (&at, i);
}

static void
count_piece (guint item, guint number, gpointer data)
{
  LoomNameAggregate *pass = data;
  Worker *worker = &pass->workers[number];
  const Piece *piece = &g_array_index (pass->pieces, Piece, item);
  const LoomSpans *spans = piece->spans;
  if (g_cancellable_is_cancelled (pass->cancellable))
    return;
  const LoomNameColumns at = { .start_ns = spans->start_ns,
                               .dur_ns = spans->dur_ns,
                               .name_id = spans->name_id,
                               .map = piece->map,
                               .bands = pass->bands,
                               .sums = worker->sums,
                               .kept = &worker->kept,
                               .trace = piece->trace };
  if (piece->only_below) {
    loom_name_child_time_outside (&at, piece->at);
    return;
  }
  if (piece->at.above < piece->at.above_end)
    loom_name_child_time_inside (&at, piece->at, &worker->below);
  count_spans (&at, piece->at.first, piece->at.end);
  loom_progress_cancellable_add_done (pass->cancellable, piece->at.end - piece->at.first);
}

/* Second pass: stores the durations of all spans whose name is marked in pass->missing, because its percentiles are
 * outside of the predicted bands. */
static void
keep_piece (guint item, guint number, gpointer data)
{
  LoomNameAggregate *pass = data;
  const Piece *piece = &g_array_index (pass->pieces, Piece, item);
  if (piece->only_below || g_cancellable_is_cancelled (pass->cancellable))
    return;
  for (guint32 i = piece->at.first; i < piece->at.end; i++)
    if (pass->missing[piece->map[piece->spans->name_id[i]]])
      keep_span (pass, number, piece, i);
}

/* --- percentiles of all names ------------------------------------------------------------------------------------- */

static guint64
count_of (const LoomNameSums *sums)
{
  guint64 n = 0;
  for (guint i = 0; i < LOOM_N_BAND_PARTS; i++)
    n += sums->parts[i];
  return n;
}

static void
find_name (guint id, guint number, gpointer data)
{
  LoomNameAggregate *pass = data;
  LoomNameSums *sums = &pass->sums[id];
  const gint64 *kept_ns[LOOM_N_BANDS];
  if (!pass->missing[id])
    return;
  gather_name (pass, number, id, kept_ns);
  pass->missing[id] = !loom_percentile_bands_find (&pass->bands[id], sums->parts, kept_ns, sums->quantiles_ns);
}

/* Computes the percentiles of the names marked in pass->missing. A name stays marked if one of its percentiles is
 * outside of its bands. */
static void
find_names (LoomNameAggregate *pass)
{
  loom_parallel_for (pass->n_names, pass->n_names > 16 ? pass->n_workers : 1, find_name, pass, NULL);
  forget_kept (pass);
}

static void
find_quantiles (LoomNameAggregate *pass)
{
  gboolean any = FALSE;
  for (guint32 id = 0; id < pass->n_names; id++)
    pass->missing[id] = count_of (&pass->sums[id]) > 0;
  find_names (pass);
  for (guint32 id = 0; id < pass->n_names; id++) {
    if (!pass->missing[id])
      continue;
    LoomNameSums *sums = &pass->sums[id];
    guint64 n = count_of (sums);
    loom_percentile_bands_init_whole (&pass->bands[id]);
    memset (sums->parts, 0, sizeof sums->parts);
    sums->parts[1] = n;
    any = TRUE;
  }
  if (any)
    loom_parallel_for (pass->pieces->len, pass->n_workers, keep_piece, pass, NULL);
  if (any && !g_cancellable_is_cancelled (pass->cancellable))
    find_names (pass);
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

static void
clear_sums (LoomNameSums *sums, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    sums[i] = (LoomNameSums) { .min_ns = G_MAXINT64, .max_ns = -1, .longest = LOOM_SPAN_ID_NONE };
}

static gboolean
is_before (LoomSpanId a, LoomSpanId b)
{
  return a.trace != b.trace ? a.trace < b.trace : a.span < b.span;
}

static void
add_sums (LoomNameSums *to, const LoomNameSums *from)
{
  for (guint i = 0; i < LOOM_N_BAND_PARTS; i++)
    to->parts[i] += from->parts[i];
  to->total_ns = loom_time_add (to->total_ns, from->total_ns);
  to->squares = loom_name_aggregate_add_squares (to->squares, from->squares);
  to->min_ns = MIN (to->min_ns, from->min_ns);
  if (from->max_ns > to->max_ns || (from->max_ns == to->max_ns && is_before (from->longest, to->longest)))
    to->longest = from->longest;
  to->max_ns = MAX (to->max_ns, from->max_ns);
  to->below_ns += from->below_ns;
  to->cut_ns = loom_time_add (to->cut_ns, from->cut_ns);
  to->below_cut_ns = loom_time_add (to->below_cut_ns, from->below_cut_ns);
}

static LoomNameAggregate *
pass_new (LoomTimeline *timeline, LoomRunNames *names, LoomRange range, GCancellable *cancellable)
{
  LoomNameAggregate *pass = g_new0 (LoomNameAggregate, 1);
  pass->timeline = loom_timeline_ref (timeline);
  pass->names = loom_run_names_ref (names);
  pass->cancellable = cancellable;
  pass->range = range;
  pass->n_names = names->n;
  pass->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  pass->bands = g_new (LoomPercentileBands, MAX (pass->n_names, 1));
  pass->n_workers = CLAMP (MOST_SUMS / MAX (pass->n_names, 1), 1, MIN (loom_parallel_resolve (0), MOST_WORKERS));
  pass->workers = g_new0 (Worker, pass->n_workers);
  pass->missing = g_new0 (gboolean, MAX (pass->n_names, 1));
  pass->traces = g_new0 (gboolean, MAX (loom_run_get_n_traces (loom_timeline_get_run (timeline)), 1));
  for (guint w = 0; w < pass->n_workers; w++) {
    pass->workers[w].sums = g_new (LoomNameSums, MAX (pass->n_names, 1));
    clear_sums (pass->workers[w].sums, pass->n_names);
    loom_duration_log_init (&pass->workers[w].kept, (gsize) pass->n_names * LOOM_N_BANDS);
    loom_name_child_time_init (&pass->workers[w].below, pass->n_names);
    pass->workers[w].one = g_array_sized_new (FALSE, FALSE, sizeof (gint64), 64);
  }
  return pass;
}

LoomNameAggregate *
loom_name_aggregate_run (LoomTimeline *timeline, LoomRunNames *names, LoomRange range, const LoomTrackId *tracks,
                         gsize n_tracks, GCancellable *cancellable)
{
  g_autoptr (LoomNameAggregate) pass = pass_new (timeline, names, range, cancellable);
  if (tracks != NULL)
    add_wanted (pass, tracks, n_tracks);
  else
    add_all (pass);
  find_bands (pass);
  loom_parallel_for (pass->pieces->len, pass->n_workers, count_piece, pass, NULL);
  pass->sums = pass->workers[0].sums;
  for (guint w = 1; w < pass->n_workers; w++)
    for (guint32 id = 0; id < pass->n_names; id++)
      add_sums (&pass->sums[id], &pass->workers[w].sums[id]);
  if (!g_cancellable_is_cancelled (cancellable))
    find_quantiles (pass);
  pass->cancellable = NULL;
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&pass);
}

void
loom_name_aggregate_free (LoomNameAggregate *pass)
{
  if (pass == NULL)
    return;
  for (guint w = 0; w < pass->n_workers; w++) {
    g_free (pass->workers[w].sums);
    loom_duration_log_clear (&pass->workers[w].kept);
    loom_name_child_time_clear (&pass->workers[w].below);
    g_array_unref (pass->workers[w].one);
  }
  g_free (pass->workers);
  g_free (pass->traces);
  g_free (pass->bands);
  g_free (pass->missing);
  g_array_unref (pass->pieces);
  loom_run_names_unref (pass->names);
  loom_timeline_unref (pass->timeline);
  g_free (pass);
}

const LoomNameSums *
loom_name_aggregate_get (const LoomNameAggregate *pass)
{
  return pass->sums;
}

const gboolean *
loom_name_aggregate_get_traces (const LoomNameAggregate *pass)
{
  return pass->traces;
}
