/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-span-set.h: finds the same spans again in another timeline, in files that were loaded again, or in
 * another detail of a trace. A detail contains events of a time range that were read from a trace in place of its
 * index (loom-run-details.h).
 */
#include "loom-span-set.h"

#include "loom-int64-hash.h"
#include "loom-merge-sort.h"

#include <string.h>

/* Where a track of the timeline `from` is in the timeline `to`, if the file of the track was loaded again. */
typedef struct {
  gint64 from; /* trace << 32 | track in the old timeline; the hash key */
  /* index of the trace in `to`, and of the track in this trace; G_MAXUINT32: there is no corresponding track */
  guint32 to_trace, to_track;
} Place;

typedef struct {
  const LoomTimeline *from, *to;
  guint32 *shared; /* array indexed by trace of `from`: index of the same trace in `to`; G_MAXUINT32: not in `to` */
  /* set of Place, one for each track of `from` that was looked up in `to` already. Each track is thus looked up only
   * once, even if the spans are not sorted by track */
  GHashTable *places;
} Follower;

/* Returns an array, indexed by trace of `from`, with the index of the same trace in `to`; G_MAXUINT32: `to` does not
 * contain the trace. */
static guint32 *
find_shared (const LoomRun *from, const LoomRun *to)
{
  guint n = loom_run_get_n_traces (from);
  guint32 *shared = g_new (guint32, MAX (n, 1));
  /* key: LoomTrace *; value: index of this trace in `to`, plus 1 */
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  for (guint i = loom_run_get_n_traces (to); i > 0; i--)
    g_hash_table_insert (numbers, loom_run_get_trace (to, i - 1), GUINT_TO_POINTER (i));
  for (guint i = 0; i < n; i++) {
    gboolean stays = i < loom_run_get_n_traces (to) && loom_run_get_trace (to, i) == loom_run_get_trace (from, i);
    shared[i] = stays ? i : GPOINTER_TO_UINT (g_hash_table_lookup (numbers, loom_run_get_trace (from, i))) - 1;
  }
  return shared;
}

/* Returns the index of the trace in `run` that contains the file `path`, which was loaded again. If several traces
 * contain the file, returns the first of them whose index is at least `near`; if all have lower indices, the first of
 * all. G_MAXUINT32 if no trace contains the file. */
static guint32
find_successor (const LoomRun *run, const char *path, guint32 near)
{
  guint n = loom_run_get_n_traces (run);
  for (guint k = 0; k < n; k++) {
    const LoomTrace *trace = loom_run_get_trace (run, (near + k) % n);
    for (guint s = 0; s < loom_trace_get_n_sources (trace); s++)
      if (strcmp (loom_trace_get_source (trace, s)->path, path) == 0)
        return (near + k) % n;
  }
  return G_MAXUINT32;
}

static gboolean
is_same_track (const LoomTrack *a, const LoomTrack *b)
{
  return a->kind == b->kind && strcmp (a->process_key, b->process_key) == 0 &&
         strcmp (a->thread_key, b->thread_key) == 0 && strcmp (a->name, b->name) == 0;
}

static guint32
find_track (const LoomTrace *trace, const LoomTrack *like)
{
  for (guint32 i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (is_same_track (loom_trace_get_track (trace, i), like))
      return i;
  return G_MAXUINT32;
}

/* Returns the span in `row` that has the same start, name and offset in its file as `span` of the trace `old`;
 * G_MAXUINT32 if `row` has no such span. */
static guint32
find_in_row (const LoomTrace *trace, const LoomRow *row, const LoomTrace *old, guint32 span)
{
  const LoomSpans *now = loom_trace_get_spans (trace), *before = loom_trace_get_spans (old);
  const char *name = loom_trace_get_name (old, before->name_id[span])->text;
  for (guint32 i = loom_trace_row_lower_bound (trace, row, before->start_ns[span]); i < row->n; i++) {
    guint32 k = row->first + i;
    if (now->start_ns[k] != before->start_ns[span])
      break;
    if (loom_source_ref_offset (now->ref[k]) == loom_source_ref_offset (before->ref[span]) &&
        strcmp (loom_trace_get_name (trace, now->name_id[k])->text, name) == 0)
      return k;
  }
  return G_MAXUINT32;
}

static const Place *
find_place (Follower *follower, const LoomTrace *old, LoomSpanId span, guint32 track)
{
  gint64 from = (gint64) span.trace << 32 | track;
  Place *place = g_hash_table_lookup (follower->places, &from);
  if (place != NULL)
    return place;
  const LoomRun *run = loom_timeline_get_run (follower->to);
  const LoomTrack *before = loom_trace_get_track (old, track);
  place = g_new (Place, 1);
  *place =
    (Place) { from, find_successor (run, loom_trace_get_source (old, before->source)->path, span.trace), G_MAXUINT32 };
  if (place->to_trace != G_MAXUINT32)
    place->to_track = find_track (loom_run_get_trace (run, place->to_trace), before);
  g_hash_table_add (follower->places, place);
  return place;
}

/* Returns the span in a reloaded file that corresponds to `span` of the trace `old`; LOOM_SPAN_ID_NONE if the file does
 * not have the span any more. */
static LoomSpanId
find_again (Follower *follower, const LoomTrace *old, LoomSpanId span)
{
  guint32 track, row;
  loom_trace_locate_span (old, span.span, &track, &row);
  const Place *place = find_place (follower, old, span, track);
  if (place->to_track == G_MAXUINT32)
    return LOOM_SPAN_ID_NONE;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (follower->to), place->to_trace);
  const LoomTrack *now = loom_trace_get_track (trace, place->to_track);
  for (guint32 i = 0; i < now->n_rows; i++) {
    guint32 found = find_in_row (trace, loom_trace_get_row (trace, now->first_row + i), old, span.span);
    if (found != G_MAXUINT32)
      return (LoomSpanId) { place->to_trace, found };
  }
  return LOOM_SPAN_ID_NONE;
}

static LoomSpanId
follow (Follower *follower, LoomSpanId span)
{
  const LoomRun *run = loom_timeline_get_run (follower->from);
  guint32 trace = span.trace < loom_run_get_n_traces (run) ? follower->shared[span.trace] : G_MAXUINT32;
  return trace != G_MAXUINT32 ? (LoomSpanId) { trace, span.span }
                              : find_again (follower, loom_run_get_trace (run, span.trace), span);
}

void
loom_span_set_follow (GArray *spans, const LoomTimeline *from, const LoomTimeline *to)
{
  if (spans->len == 0 || to == NULL) {
    g_array_set_size (spans, 0);
    return;
  }
  g_autofree guint32 *shared = find_shared (loom_timeline_get_run (from), loom_timeline_get_run (to));
  g_autoptr (GHashTable) places = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  Follower follower = { from, to, shared, places };
  guint kept = 0;
  for (guint i = 0; i < spans->len; i++) {
    LoomSpanId span = follow (&follower, g_array_index (spans, LoomSpanId, i));
    if (!loom_timeline_span_id_is_none (span))
      g_array_index (spans, LoomSpanId, kept++) = span;
  }
  g_array_set_size (spans, kept);
}

/* Returns the span of `to` that is the same event as `span` of `from`; G_MAXUINT32: there is no such span. `from` and
 * `to` are two details of one trace. A trace that was read from an index file contains only sums of most spans; a
 * detail contains the single spans of a time range of this trace (loom-run-details.h). Two spans are the same event if
 * they have the same track, times and name. Their offsets in the file are not compared: they may differ, because each
 * detail was read separately. */
static guint32
find_in_detail (const LoomTrace *from, const LoomTrace *to, guint32 span)
{
  const LoomSpans *before = loom_trace_get_spans (from), *now = loom_trace_get_spans (to);
  guint32 track, row;
  loom_trace_locate_span (from, span, &track, &row);
  guint32 same = find_track (to, loom_trace_get_track (from, track));
  const char *name = loom_trace_get_name (from, before->name_id[span])->text;
  for (guint32 i = 0; same != G_MAXUINT32 && i < loom_trace_get_track (to, same)->n_rows; i++) {
    const LoomRow *in = loom_trace_get_row (to, loom_trace_get_track (to, same)->first_row + i);
    for (guint32 k = loom_trace_row_lower_bound (to, in, before->start_ns[span]);
         k < in->n && now->start_ns[in->first + k] == before->start_ns[span]; k++)
      if (now->dur_ns[in->first + k] == before->dur_ns[span] &&
          strcmp (loom_trace_get_name (to, now->name_id[in->first + k])->text, name) == 0)
        return in->first + k;
  }
  return G_MAXUINT32;
}

gboolean
loom_span_set_follow_detail (GArray *spans, const LoomRun *run, guint from, guint to)
{
  gboolean changed = FALSE;
  for (guint i = 0; i < spans->len; i++) {
    LoomSpanId *span = &g_array_index (spans, LoomSpanId, i);
    guint32 same = span->trace == from
                     ? find_in_detail (loom_run_get_trace (run, from), loom_run_get_trace (run, to), span->span)
                     : G_MAXUINT32;
    if (same == G_MAXUINT32)
      continue;
    *span = (LoomSpanId) { to, same };
    changed = TRUE;
  }
  return changed;
}

gboolean
loom_span_set_remove (GArray *spans, LoomSpanId span)
{
  for (guint i = 0; i < spans->len; i++)
    if (loom_timeline_span_id_equal (g_array_index (spans, LoomSpanId, i), span)) {
      g_array_remove_index (spans, i);
      return TRUE;
    }
  return FALSE;
}

#define IS_BEFORE(a, b) ((a)->trace != (b)->trace ? (a)->trace < (b)->trace : (a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_spans, LoomSpanId, IS_BEFORE)

void
loom_span_set_copy_sorted (GArray *sorted, const GArray *spans)
{
  g_array_set_size (sorted, 0);
  if (spans->len > 0)
    g_array_append_vals (sorted, spans->data, spans->len);
  sort_spans ((LoomSpanId *) (gpointer) sorted->data, sorted->len);
}

guint
loom_span_set_lower_bound (const GArray *sorted, LoomSpanId span)
{
  guint low = 0, high = sorted->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    LoomSpanId at = g_array_index (sorted, LoomSpanId, middle);
    if (at.trace < span.trace || (at.trace == span.trace && at.span < span.span))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

LoomRange
loom_span_set_get_range (const GArray *spans, const LoomTimeline *timeline)
{
  LoomRange range = { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < spans->len; i++) {
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, g_array_index (spans, LoomSpanId, i), &start_ns, &end_ns);
    range.begin_ns = MIN (range.begin_ns, start_ns);
    range.end_ns = MAX (range.end_ns, end_ns);
  }
  return range;
}
