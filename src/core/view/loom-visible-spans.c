/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-visible-spans.h: finds the spans in a box, and makes the new selection, in a worker if there are many
 * spans.
 */
#include "loom-visible-spans.h"

#include "loom-row-parts.h"
#include "loom-run-details.h"
#include "loom-span-set.h"
#include "loom-worker.h"

#include <math.h>

/* if more rows of spans (LoomRow) than this must be searched, a worker searches them; otherwise they are searched on
 * the main thread */
#define FEW_PLACES 2000
/* if the box contains more spans than this, or more spans than this were selected before, a worker makes the new
 * selection; otherwise the selection is made on the main thread */
#define FEW_SPANS 20000

/* A row of spans of one depth (LoomRow), which a row of the timeline shows in the time range of `part`. `first` and
 * `end`: the range of the spans of this LoomRow that touch the searched box. */
typedef struct {
  LoomRowPart part;
  guint32 row;
  guint32 first, end; /* range of spans that touch the box, as indices into the spans of the trace */
} Place;

typedef struct {
  LoomTimelineState *state; /* only used on the main thread; this struct holds a reference while the worker runs */
  LoomTimeline *timeline;
  LoomRange range; /* time range of the searched box (LoomVisibleBox), timeline ns */
  GArray *places;  /* Place: the rows of spans to search */
  GArray *spans;   /* the previous selection in its order, followed by the spans found */
  GArray *held;    /* the previous selection, sorted by trace, then span */
  /* number of spans that would be selected without the limit LOOM_SELECTED_MOST. During the search it still is the
   * number for the previous selection */
  guint64 n_wanted;
  GCancellable *cancellable;
} Search;

static Search *
search_new (LoomTimelineState *state)
{
  Search *search = g_new0 (Search, 1);
  search->state = state;
  search->timeline = loom_timeline_ref (loom_timeline_state_get_timeline (state));
  search->places = g_array_new (FALSE, FALSE, sizeof (Place));
  search->spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  search->held = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  search->cancellable = g_cancellable_new ();
  return search;
}

static void
search_free (Search *search)
{
  loom_timeline_unref (search->timeline);
  g_array_unref (search->places);
  g_array_unref (search->spans);
  g_array_unref (search->held);
  g_object_unref (search->cancellable);
  g_free (search);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

static const LoomTrace *
trace_of (const Search *search, guint32 number)
{
  return loom_run_get_trace (loom_timeline_get_run (search->timeline), number);
}

/* --- collecting the rows to search, on the main thread, which alone reads the row list --------------------------- */

/* Adds those rows of spans (LoomRow, one per depth of nesting) of the track in `part` that `row`, a row of the
 * timeline, shows in its strips `from` … `to` − 1. A strip shows the spans of one depth. A folded group has a single
 * strip with the number 0, which shows a preview of the group's rows. */
static void
add_part (Search *search, const LoomTimelineRow *row, const LoomRowPart *part, guint from, guint to)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (search->state);
  const LoomTrack *track = loom_trace_get_track (trace_of (search, part->id.trace), part->id.track);
  guint n_rows = row->kind == LOOM_ROW_GROUP ? MIN (track->n_rows, 1) : track->n_rows;
  for (guint k = track->first_row; k < track->first_row + n_rows; k++) {
    guint strip = row->kind == LOOM_ROW_GROUP ? 0 : loom_row_list_strip_of (outline, row, part->id, k);
    Place place = { .part = *part, .row = k };
    if (strip != G_MAXUINT && strip >= from && strip < to)
      g_array_append_val (search->places, place);
  }
}

static void
add_strips (Search *search, const LoomTimelineRow *row, guint from, guint to)
{
  LoomRowParts parts;
  LoomRowPart part;
  loom_row_parts_init (&parts, loom_timeline_get_run (search->timeline), row);
  while (loom_row_parts_next (&parts, &part))
    add_part (search, row, &part, from, to);
}

static void
add_row (Search *search, const LoomTimelineRow *row, double y0, double y1)
{
  if (row->kind == LOOM_ROW_COUNTER || (row->kind == LOOM_ROW_GROUP && !row->folded))
    return;
  gboolean lane = row->kind == LOOM_ROW_GROUP;
  guint n_strips = lane ? 1 : row->n_strips;
  double top = row->y + LOOM_ROW_PADDING_PX, strip_px = lane ? row->height - 2 * LOOM_ROW_PADDING_PX : LOOM_STRIP_PX;
  guint from = (guint) CLAMP (floor ((y0 - top) / strip_px), 0, n_strips);
  guint to = (guint) CLAMP (ceil ((y1 - top) / strip_px), 0, n_strips);
  if (to > from)
    add_strips (search, row, from, to);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;
  if (x->part.id.trace != y->part.id.trace)
    return x->part.id.trace < y->part.id.trace ? -1 : 1;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return x->part.range.begin_ns < y->part.range.begin_ns ? -1 : x->part.range.begin_ns > y->part.range.begin_ns;
}

static void
find_places (Search *search, const LoomVisibleBox *box)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (search->state);
  guint n_pinned = loom_row_list_get_n_pinned (outline), n_rows = loom_row_list_get_n_rows (outline);
  search->range = box->range;
  for (guint i = 0; i < n_pinned && box->pinned_y1 > box->pinned_y0; i++)
    add_row (search, loom_row_list_get_row (outline, i), box->pinned_y0, box->pinned_y1);
  for (guint i = loom_row_list_first_below (outline, box->y0); i < n_rows && box->y1 > box->y0; i++) {
    if (loom_row_list_get_row (outline, i)->y >= box->y1)
      break;
    add_row (search, loom_row_list_get_row (outline, i), box->y0, box->y1);
  }
  g_array_sort (search->places, compare_places);
}

/* --- finding the spans in these rows, on any thread -------------------------------------------------------------- */

/* Sets the members `first` and `end` of each Place to the range of its spans that touch the box. If two Places are the
 * same row of a trace, the spans of this row are counted only once. Two Places are the same row if the row is pinned
 * and is also in the preview of a folded group. Returns the total number of spans in these ranges. */
static guint64
measure (Search *search)
{
  guint64 n = 0;
  for (guint i = 0; i < search->places->len; i++) {
    Place *place = &g_array_index (search->places, Place, i);
    const LoomRow *row = loom_trace_get_row (trace_of (search, place->part.id.trace), place->row);
    loom_row_part_find_spans (&place->part, search->timeline, row, search->range, &place->first, &place->end);
    if (i > 0 && place[-1].part.id.trace == place->part.id.trace && place[-1].row == place->row) {
      place->first = MAX (place->first, place[-1].end);
      place->end = MAX (place->end, place->first);
    }
    n += place->end - place->first;
  }
  return n;
}

/* Appends the spans of `place` that are not selected yet, up to the limit LOOM_SELECTED_MOST. Returns the number of
 * spans that are not selected yet, including the spans beyond the limit. */
static guint64
take (Search *search, const Place *place)
{
  guint first = loom_span_set_lower_bound (search->held, (LoomSpanId) { place->part.id.trace, place->first }),
        at = first;
  guint behind = loom_span_set_lower_bound (search->held, (LoomSpanId) { place->part.id.trace, place->end });
  for (guint32 i = place->first; i < place->end && search->spans->len < LOOM_SELECTED_MOST; i++) {
    LoomSpanId id = { place->part.id.trace, i };
    if (at < behind && loom_timeline_span_id_equal (g_array_index (search->held, LoomSpanId, at), id))
      at++;
    else
      g_array_append_val (search->spans, id);
  }
  return place->end - place->first - (behind - first);
}

/* Appends the spans that were found to the previous selection, and updates n_wanted. If the previous selection had
 * reached LOOM_SELECTED_MOST, it lacks some wanted spans, and the spans that were found may be among these. So n_wanted
 * becomes the number of selected spans plus the larger of two numbers: the found spans that were not selected, and the
 * wanted spans that the previous selection lacks. */
static void
gather (Search *search)
{
  guint64 n_new = 0, n_left_out = search->n_wanted - search->spans->len;
  guint n_before = search->spans->len;
  loom_span_set_copy_sorted (search->held, search->spans);
  for (guint i = 0; i < search->places->len; i++)
    n_new += take (search, &g_array_index (search->places, Place, i));
  search->n_wanted = n_before + MAX (n_new, n_left_out);
}

/* --- selecting ---------------------------------------------------------------------------------------------------- */

static void
finish (Search *search)
{
  if (search->spans->len > search->held->len)
    loom_timeline_state_take_selected (search->state, g_array_ref (search->spans), search->n_wanted);
}

/* Drops spans of details that were removed while the worker ran, because such details are freed soon. A detail contains
 * events that were read from a trace in place of its index (loom-run-details.h). */
static void
drop_removed (Search *search)
{
  const LoomRun *run = loom_timeline_get_run (search->timeline);
  guint n = 0;
  for (guint i = 0; i < search->spans->len; i++) {
    LoomSpanId id = g_array_index (search->spans, LoomSpanId, i);
    if (!loom_run_details_is_removed (run, id.trace))
      g_array_index (search->spans, LoomSpanId, n++) = id;
  }
  search->n_wanted -= search->spans->len - n;
  g_array_set_size (search->spans, n);
}

static gpointer
gather_in_thread (Search *search, GCancellable *cancellable, GError **error)
{
  if (!g_cancellable_is_cancelled (search->cancellable) && measure (search) > 0)
    gather (search);
  return NULL;
}

static void
gathered (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  Search *search = input;
  g_autoptr (LoomTimelineState) state = owner;
  g_signal_handlers_disconnect_by_data (state, search->cancellable);
  if (g_cancellable_is_cancelled (search->cancellable))
    return;
  drop_removed (search);
  finish (search);
}

static void
gather_later (Search *search)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) gather_in_thread, (GDestroyNotify) search_free, NULL };
  g_signal_connect_swapped (search->state, "selection-changed", G_CALLBACK (g_cancellable_cancel), search->cancellable);
  g_signal_connect_swapped (search->state, "timeline-changed", G_CALLBACK (g_cancellable_cancel), search->cancellable);
  loom_worker_run (NULL, &kind, search, gathered, g_object_ref (search->state));
}

static void
hold_selected (Search *search)
{
  guint n;
  const LoomSpanId *selected = loom_timeline_state_get_selected (search->state, &n);
  if (n > 0)
    g_array_append_vals (search->spans, selected, n);
  search->n_wanted = loom_timeline_state_get_n_wanted (search->state);
}

LoomVisibleBox
loom_visible_spans_box_all (LoomTimelineState *state)
{
  LoomRange extent =
    /* extend the range by 1 µs on both sides, because clock maps round times, and because an instant may be exactly at
     * an end of the range */
    loom_timeline_state_get_extent (state);
  extent =
    (LoomRange) { loom_time_add (extent.begin_ns, -LOOM_NS_PER_US), loom_time_add (extent.end_ns, LOOM_NS_PER_US) };
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  return (LoomVisibleBox) { extent, 0, loom_row_list_get_pinned_height (outline), 0,
                            loom_row_list_get_height (outline) };
}

void
loom_visible_spans_select (LoomTimelineState *state, const LoomVisibleBox *box, gboolean add)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (state) && box != NULL);
  if (loom_timeline_state_get_timeline (state) == NULL)
    return;
  g_autoptr (Search) search = search_new (state);
  find_places (search, box);
  if (add)
    hold_selected (search);
  if (search->places->len > FEW_PLACES || search->spans->len > FEW_SPANS || measure (search) > FEW_SPANS) {
    gather_later (g_steal_pointer (&search));
    return;
  }
  gather (search);
  finish (search);
}

guint64
loom_visible_spans_count (LoomTimelineState *state, const LoomVisibleBox *box)
{
  g_return_val_if_fail (
    LOOM_IS_TIMELINE_STATE (state) && loom_timeline_state_get_timeline (state) != NULL && box != NULL, 0);
  g_autoptr (Search) search = search_new (state);
  find_places (search, box);
  return measure (search);
}

GArray *
loom_visible_spans_list_tracks (LoomTimelineState *state, gboolean derived)
{
  if (loom_timeline_state_shows_all (state))
    return NULL;
  LoomRun *run = loom_timeline_get_run (loom_timeline_state_get_timeline (state));
  GArray *tracks = g_array_new (TRUE, FALSE, sizeof (LoomTrackId));
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      LoomTrackId id = { i, k };
      if ((derived || !(loom_trace_get_track (trace, k)->flags & LOOM_TRACK_DERIVED)) &&
          loom_timeline_state_shows_track (state, id))
        g_array_append_val (tracks, id);
    }
  }
  return tracks;
}
