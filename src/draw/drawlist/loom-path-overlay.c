/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the segments of the critical path by span and by track, and makes bars and links for the segments in view.
 */
#include "loom-path-overlay.h"

#include <glib/gi18n.h>
#include <math.h>

#include "loom-merge-sort.h"
#include "loom-path-stays.h"
#include "loom-time-bsearch.h"

/* Bars are cut at this distance in px beyond the edges of the view, like the marks of spans. At this distance, the
 * outlines of cut ends are not visible, and floats are precise enough. */
#define CUT_PX 8.0

/* A segment of the critical path: a time range in which the path runs through one span, or along one track. */
typedef struct {
  gint64 begin_ns, end_ns;
  gint64 before_ns; /* sum of the lengths in ns of all segments before this one in the same array */
  LoomSpanId span;
} Piece;

struct _LoomPathOverlay {
  gatomicrefcount refs;
  LoomTimeline *timeline;
  LoomPathSlack *slack; /* slack of the spans; NULL: unknown */
  LoomRange range;
  /* array of Piece: the segments of the critical path that run through spans, sorted by span and then by time */
  GArray *by_row;
  /* array of Piece, sorted by track, then time: one element for each stay on a track (a time range in which the path
   * does not leave the track); `span` is the first span of the stay */
  GArray *by_track;
  /* guint32, indexed by track (tracks are numbered over all traces): index in by_track of the first element of this
   * track; the last element is the length of by_track */
  guint32 *track_begins;
  /* array indexed by trace: number of the first track of this trace (tracks are numbered over all traces); the last
   * element is the number of all tracks */
  guint32 *first_track;
  GArray *tracks; /* LoomPathTrack: the tracks through which the path runs, sorted by rank */
  LoomPathStays on_tracks, in_ranks;
};

static guint64
get_key (LoomSpanId span)
{
  return (guint64) span.trace << 32 | span.span;
}

#define IS_BEFORE(a, b) (get_key ((a)->span) < get_key ((b)->span))
LOOM_DEFINE_SORT (sort_pieces, Piece, IS_BEFORE)

static gint64
get_length (const Piece *piece)
{
  return piece->end_ns - piece->begin_ns;
}

/* --- building ----------------------------------------------------------------------------------------------------- */

static void
sum_up (GArray *pieces)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < pieces->len; i++) {
    Piece *piece = &g_array_index (pieces, Piece, i);
    piece->before_ns = sum_ns;
    sum_ns += get_length (piece);
  }
}

static void
index_tracks (LoomPathOverlay *overlay)
{
  LoomRun *run = loom_timeline_get_run (overlay->timeline);
  guint n = loom_run_get_n_traces (run);
  overlay->first_track = g_new0 (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    overlay->first_track[i + 1] = overlay->first_track[i] + loom_trace_get_n_tracks (loom_run_get_trace (run, i));
  overlay->track_begins = g_new0 (guint32, overlay->first_track[n] + 1);
}

static void
add_piece (LoomPathOverlay *overlay, const Piece *piece)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (overlay->timeline), piece->span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, piece->span.span, &track, &row);
  const LoomPathStay stay = { piece->begin_ns,
                              piece->end_ns,
                              piece->span,
                              piece->span,
                              overlay->first_track[piece->span.trace] + track,
                              loom_trace_get_track (trace, track)->rank },
                     *on_track = loom_path_stays_get_last (&overlay->on_tracks),
                     *in_rank = loom_path_stays_get_last (&overlay->in_ranks);
  loom_path_stays_add (&overlay->on_tracks, &stay, on_track != NULL && on_track->track == stay.track);
  loom_path_stays_add (&overlay->in_ranks, &stay,
                       in_rank != NULL && in_rank->rank == stay.rank && in_rank->first.trace == stay.first.trace);
  g_array_append_val (overlay->by_row, *piece);
}

/* Returns TRUE if the path runs through the span of the stretch (a segment of the critical path) during the stretch.
 * Returns FALSE for a launch or a pause, during which the path waits for the span to begin. */
static gboolean
is_in_span (const LoomPathStretch *stretch)
{
  return !loom_timeline_span_id_is_none (stretch->span) && stretch->kind != LOOM_PATH_KIND_LAUNCH &&
         stretch->kind != LOOM_PATH_KIND_PAUSE;
}

static void
add_pieces (LoomPathOverlay *overlay, const LoomCriticalPath *path)
{
  for (guint i = 0; i < path->stretches->len; i++) {
    const LoomPathStretch *stretch = &g_array_index (path->stretches, LoomPathStretch, i);
    if (!is_in_span (stretch))
      continue;
    gint64 begin_ns, end_ns;
    loom_timeline_get_span (overlay->timeline, stretch->span, &begin_ns, &end_ns);
    Piece piece = { MAX (stretch->range.begin_ns, begin_ns), MIN (stretch->range.end_ns, end_ns), 0, stretch->span };
    if (piece.end_ns > piece.begin_ns)
      add_piece (overlay, &piece);
  }
}

/* Fills by_track with the stays of the critical path: the times during which the path stays on one track. Launches and
 * pauses between two segments on the same track are included in the stay. */
static void
group_by_track (LoomPathOverlay *overlay, guint n_tracks)
{
  const GArray *stays = overlay->on_tracks.all;
  guint32 *begins = overlay->track_begins;
  for (guint i = 0; i < stays->len; i++)
    begins[g_array_index (stays, LoomPathStay, i).track + 1]++;
  for (guint i = 0; i < n_tracks; i++)
    begins[i + 1] += begins[i];
  g_array_set_size (overlay->by_track, stays->len);
  g_autofree guint32 *next = g_memdup2 (begins, (n_tracks + 1) * sizeof *begins);
  for (guint i = 0; i < stays->len; i++) {
    const LoomPathStay *stay = &g_array_index (stays, LoomPathStay, i);
    g_array_index (overlay->by_track, Piece, next[stay->track]++) =
      (Piece) { stay->begin_ns, stay->end_ns, 0, stay->first };
  }
  sum_up (overlay->by_track);
}

static int
compare_tracks (gconstpointer a, gconstpointer b)
{
  const LoomPathTrack *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->id.trace != y->id.trace)
    return x->id.trace < y->id.trace ? -1 : 1;
  return x->id.track < y->id.track ? -1 : x->id.track > y->id.track;
}

static void
list_tracks (LoomPathOverlay *overlay, guint n_traces)
{
  for (guint i = 0; i < n_traces; i++)
    for (guint32 k = overlay->first_track[i]; k < overlay->first_track[i + 1]; k++) {
      LoomTrackId id = { i, k - overlay->first_track[i] };
      const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (overlay->timeline), i);
      LoomPathTrack track = { id, loom_trace_get_track (trace, id.track)->rank };
      if (overlay->track_begins[k + 1] > overlay->track_begins[k])
        g_array_append_val (overlay->tracks, track);
    }
  g_array_sort (overlay->tracks, compare_tracks);
}

LoomPathOverlay *
loom_path_overlay_new (LoomTimeline *timeline, const LoomCriticalPath *path, LoomPathSlack *slack)
{
  g_return_val_if_fail (timeline != NULL && path != NULL, NULL);
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (timeline));
  LoomPathOverlay *overlay = g_new0 (LoomPathOverlay, 1);
  g_atomic_ref_count_init (&overlay->refs);
  overlay->timeline = loom_timeline_ref (timeline);
  overlay->slack = slack;
  overlay->range = path->range;
  overlay->by_row = g_array_new (FALSE, FALSE, sizeof (Piece));
  overlay->by_track = g_array_new (FALSE, FALSE, sizeof (Piece));
  overlay->tracks = g_array_new (FALSE, FALSE, sizeof (LoomPathTrack));
  loom_path_stays_init (&overlay->on_tracks);
  loom_path_stays_init (&overlay->in_ranks);
  index_tracks (overlay);
  add_pieces (overlay, path);
  group_by_track (overlay, overlay->first_track[n_traces]);
  list_tracks (overlay, n_traces);
  sort_pieces ((Piece *) (gpointer) overlay->by_row->data, overlay->by_row->len);
  sum_up (overlay->by_row);
  loom_path_stays_add_levels (&overlay->on_tracks);
  loom_path_stays_add_levels (&overlay->in_ranks);
  return overlay;
}

LoomPathOverlay *
loom_path_overlay_new_of_range (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable,
                                const char **missing)
{
  g_return_val_if_fail (timeline != NULL && missing != NULL, NULL);
  *missing = NULL;
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, cancellable);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, &range, cancellable);
  if (steps == NULL || collectives == NULL)
    return NULL;
  LoomPathSlack *slack;
  g_autoptr (LoomCriticalPath) path =
    loom_critical_path_new_stretches (timeline, range, collectives, steps, &slack, cancellable);
  if (path == NULL)
    return NULL;
  if (path->stretches->len > 0)
    return loom_path_overlay_new (timeline, path, slack);
  *missing = loom_critical_path_get_missing (path);
  if (*missing == NULL)
    *missing = _ ("There is no critical path in this range.");
  return NULL;
}

LoomPathOverlay *
loom_path_overlay_ref (LoomPathOverlay *overlay)
{
  g_atomic_ref_count_inc (&overlay->refs);
  return overlay;
}

void
loom_path_overlay_unref (LoomPathOverlay *overlay)
{
  if (overlay == NULL || !g_atomic_ref_count_dec (&overlay->refs))
    return;
  loom_timeline_unref (overlay->timeline);
  loom_path_slack_free (overlay->slack);
  g_array_unref (overlay->by_row);
  g_array_unref (overlay->by_track);
  g_array_unref (overlay->tracks);
  loom_path_stays_clear (&overlay->on_tracks);
  loom_path_stays_clear (&overlay->in_ranks);
  g_free (overlay->track_begins);
  g_free (overlay->first_track);
  g_free (overlay);
}

LoomTimeline *
loom_path_overlay_get_timeline (const LoomPathOverlay *overlay)
{
  return overlay->timeline;
}

LoomRange
loom_path_overlay_get_range (const LoomPathOverlay *overlay)
{
  return overlay->range;
}

guint
loom_path_overlay_get_n_pieces (const LoomPathOverlay *overlay)
{
  return overlay->by_row->len;
}

static gint64
get_rank (gconstpointer tracks, guint32 at)
{
  return ((const LoomPathTrack *) tracks)[at].rank;
}

const LoomPathTrack *
loom_path_overlay_get_tracks (const LoomPathOverlay *overlay, gint rank, guint *n)
{
  const LoomPathTrack *tracks = (const LoomPathTrack *) (gpointer) overlay->tracks->data;
  guint32 first = 0, end = overlay->tracks->len;
  if (rank >= 0) {
    first = loom_time_bsearch_by (get_rank, tracks, 0, end, rank);
    end = loom_time_bsearch_by (get_rank, tracks, first, end, (gint64) rank + 1);
  }
  *n = end - first;
  return tracks + first;
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* Returns the index in by_row of the first segment of the critical path whose span is `span` or a later one. */
static guint32
find_piece (const LoomPathOverlay *overlay, LoomSpanId span)
{
  guint32 low = 0, high = overlay->by_row->len;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (get_key (g_array_index (overlay->by_row, Piece, middle).span) < get_key (span))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the sum of the lengths of the segments `first` … `end` − 1 of the critical path, in ns. At least one segment
 * must be given. */
static gint64
get_sum (const Piece *pieces, guint32 first, guint32 end)
{
  return pieces[end - 1].before_ns + get_length (&pieces[end - 1]) - pieces[first].before_ns;
}

gint64
loom_path_overlay_get_span_ns (const LoomPathOverlay *overlay, LoomSpanId span)
{
  guint32 first = find_piece (overlay, span), end = find_piece (overlay, (LoomSpanId) { span.trace, span.span + 1 });
  return end > first ? get_sum ((const Piece *) (gpointer) overlay->by_row->data, first, end) : 0;
}

char *
loom_path_overlay_dup_slack (const LoomPathOverlay *overlay, LoomSpanId span)
{
  gint64 slack_ns;
  if (overlay->slack == NULL || !loom_path_slack_get (overlay->slack, span, &slack_ns))
    return NULL;
  return loom_time_format_duration (slack_ns);
}

static gint64
get_end (gconstpointer pieces, guint32 at)
{
  return ((const Piece *) pieces)[at].end_ns;
}

/* Returns for how many ns the critical path runs through a span of a thread, including the spans that are nested in it.
 * Returns 0 for a span of a device, because no spans are nested in it. */
static gint64
get_nested_ns (const LoomPathOverlay *overlay, LoomSpanId span)
{
  gint64 begin_ns, end_ns, sum_ns = 0;
  LoomRun *run = loom_timeline_get_run (overlay->timeline);
  /* the span has no trace: it is LOOM_SPAN_ID_NONE, or belongs to a detail (loom-run-details.h) */
  if (span.trace >= loom_run_get_n_traces (run))
    return 0;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (overlay->timeline), span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  const guint32 *begins = &overlay->track_begins[overlay->first_track[span.trace] + track];
  if (loom_trace_get_track (trace, track)->flags & LOOM_TRACK_DEVICE)
    return 0;
  loom_timeline_get_span (overlay->timeline, span, &begin_ns, &end_ns);
  const Piece *pieces = (const Piece *) (gpointer) overlay->by_track->data;
  guint32 at = loom_time_bsearch_by (get_end, pieces, begins[0], begins[1], loom_time_add (begin_ns, 1));
  for (; at < begins[1] && pieces[at].begin_ns < end_ns; at++)
    sum_ns += MIN (pieces[at].end_ns, end_ns) - MAX (pieces[at].begin_ns, begin_ns);
  return sum_ns;
}

char *
loom_path_overlay_dup_words (const LoomPathOverlay *overlay, LoomSpanId span)
{
  gint64 path_ns = loom_path_overlay_get_span_ns (overlay, span), nested_ns = get_nested_ns (overlay, span);
  if (nested_ns > path_ns) {
    g_autofree char *time = loom_time_format_duration (nested_ns);
    return g_strdup_printf (_ ("on the critical path for %s, including its callees"), time);
  }
  if (path_ns > 0) {
    g_autofree char *time = loom_time_format_duration (path_ns);
    return g_strdup_printf (_ ("on the critical path for %s"), time);
  }
  g_autofree char *slack = loom_path_overlay_dup_slack (overlay, span);
  return slack != NULL ? g_strdup_printf (_ ("not on the critical path, slack %s"), slack) : NULL;
}

/* --- bars --------------------------------------------------------------------------------------------------------- */

static gint64
get_begin (gconstpointer pieces, guint32 at)
{
  return ((const Piece *) pieces)[at].begin_ns;
}

/* Returns the index of the first segment that ends after the start of the view. `pieces`: the segments of the critical
 * path in one row or track, which do not overlap. */
static guint32
find_first (const Piece *pieces, guint32 n, const LoomViewport *viewport)
{
  return loom_time_bsearch_by (get_end, pieces, 0, n, loom_time_add (viewport->begin_ns, 1));
}

/* Returns the index after the last of the segments from index `at` on that end before `edge_ns`; at least `at` + 1,
 * even if the segment at `at` ends later. */
static guint32
find_end (const Piece *pieces, guint32 at, guint32 n, gint64 edge_ns)
{
  guint32 end = loom_time_bsearch_near_by (get_begin, pieces, at + 1, n, at + 1, edge_ns);
  return end > at + 1 && pieces[end - 1].end_ns > edge_ns ? end - 1 : end;
}

/* Appends a bar from x0 to x1. If the bar touches the previous bar of the row, and the critical path takes the same
 * share of the time in both, extends the previous bar instead. `first`: index of the first bar of the row. */
static void
push_bar (GArray *bars, guint first, const LoomViewport *viewport, double x0, double x1, double share)
{
  double width = viewport->width_px;
  LoomPathBar bar = { (float) CLAMP (x0, -CUT_PX, width + CUT_PX), (float) CLAMP (x1, -CUT_PX, width + CUT_PX),
                      (guint8) CLAMP (share * 255 + 0.5, 1, 255) };
  LoomPathBar *last = bars->len > first ? &g_array_index (bars, LoomPathBar, bars->len - 1) : NULL;
  if (last != NULL && last->share == bar.share && bar.x0 >= last->x1 && bar.x0 - last->x1 < 0.01)
    last->x1 = bar.x1;
  else
    g_array_append_val (bars, bar);
}

void
loom_path_overlay_add_row (const LoomPathOverlay *overlay, const LoomViewport *viewport, guint32 trace, guint32 first,
                           guint32 n, GArray *bars)
{
  guint32 begin = find_piece (overlay, (LoomSpanId) { trace, first }),
          end = find_piece (overlay, (LoomSpanId) { trace, first + n });
  const Piece *pieces = (const Piece *) (gpointer) overlay->by_row->data + begin;
  guint32 n_pieces = end - begin;
  guint first_bar = bars->len;
  double px_per_ns = 1 / loom_viewport_get_ns_per_px (viewport);
  for (guint32 at = find_first (pieces, n_pieces, viewport); at < n_pieces && pieces[at].begin_ns < viewport->end_ns;) {
    double x0 = loom_viewport_x (viewport, pieces[at].begin_ns);
    guint32 next = at + 1;
    if ((double) get_length (&pieces[at]) * px_per_ns < 1)
      next = find_end (pieces, at, n_pieces, loom_viewport_time (viewport, floor (x0) + 1));
    double x1 = loom_viewport_x (viewport, pieces[next - 1].end_ns),
           sum_px = (double) get_sum (pieces, at, next) * px_per_ns;
    push_bar (bars, first_bar, viewport, x0, x1, next == at + 1 && x1 - x0 >= 1 ? 1 : sum_px / MAX (x1 - x0, 1));
    at = next;
  }
}

/* Adds the time of a segment of the critical path, in ns, to each cell from `cell` on that the segment covers. A cell
 * is `cell_px` px wide. */
static void
add_to_cells (const Piece *piece, const LoomViewport *viewport, guint cell, guint cell_px, guint n_cells,
              gint64 *cells_ns)
{
  for (gint64 at_ns = MAX (piece->begin_ns, viewport->begin_ns); cell < n_cells && at_ns < piece->end_ns; cell++) {
    gint64 edge_ns = MIN (loom_viewport_time (viewport, (double) (cell + 1) * cell_px), piece->end_ns);
    cells_ns[cell] += MAX (edge_ns - at_ns, 0);
    at_ns = MAX (edge_ns, at_ns);
  }
}

void
loom_path_overlay_add_track (const LoomPathOverlay *overlay, const LoomViewport *viewport, LoomTrackId track,
                             guint cell_px, guint n_cells, gint64 *cells_ns)
{
  const guint32 *begins = &overlay->track_begins[overlay->first_track[track.trace] + track.track];
  const Piece *pieces = (const Piece *) (gpointer) overlay->by_track->data + begins[0];
  guint32 n = begins[1] - begins[0];
  for (guint32 at = find_first (pieces, n, viewport); at < n && pieces[at].begin_ns < viewport->end_ns;) {
    double x0 = MAX (loom_viewport_x (viewport, pieces[at].begin_ns), 0);
    guint cell = (guint) (x0 / cell_px);
    if (cell >= n_cells)
      break;
    gint64 edge_ns = loom_viewport_time (viewport, (double) (cell + 1) * cell_px);
    if (pieces[at].end_ns > edge_ns) {
      add_to_cells (&pieces[at++], viewport, cell, cell_px, n_cells, cells_ns);
      continue;
    }
    guint32 next = find_end (pieces, at, n, edge_ns);
    cells_ns[cell] += get_sum (pieces, at, next);
    at = next;
  }
}

void
loom_path_overlay_add_links (const LoomPathOverlay *overlay, const LoomViewport *viewport, GArray *links)
{
  loom_path_stays_add_links (&overlay->on_tracks, viewport, TRUE, links);
  loom_path_stays_add_links (&overlay->in_ranks, viewport, FALSE, links);
}
