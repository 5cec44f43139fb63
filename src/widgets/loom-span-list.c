/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-list.h"

#include "loom-sort.h"

#include <string.h>

/* Where the last span was found: selected spans mostly stand on one track. */
typedef struct {
  const LoomTimeline *from, *to;
  guint32 from_trace, from_track; /* G_MAXUINT32: none yet */
  guint32 to_trace, to_track;     /* G_MAXUINT32: there is no such track */
} Follower;

/* The number of a trace that is shared by both; G_MAXUINT32: it is not. */
static guint32
find_trace (const LoomRun *run, const LoomTrace *trace, guint32 near)
{
  guint n = loom_run_get_n_traces (run);
  for (guint k = 0; k < n; k++) {
    guint i = (near + k) % n; /* most keep their number */
    if (loom_run_get_trace (run, i) == trace)
      return i;
  }
  return G_MAXUINT32;
}

/* What was read anew from the same file. */
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
  return a->kind == b->kind && strcmp (a->process_key, b->process_key) == 0 && strcmp (a->thread_key, b->thread_key) == 0 &&
         strcmp (a->name, b->name) == 0;
}

static guint32
find_track (const LoomTrace *trace, const LoomTrack *like)
{
  for (guint32 i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (is_same_track (loom_trace_get_track (trace, i), like))
      return i;
  return G_MAXUINT32;
}

/* Starts then, is called so and stands at the same byte of its file. */
static guint32
find_in_row (const LoomTrace *trace, const LoomRow *row, const LoomTrace *old, guint32 span)
{
  const LoomSpans *now = loom_trace_get_spans (trace), *before = loom_trace_get_spans (old);
  const char *name = loom_trace_get_name (old, before->name_id[span])->text;
  for (guint32 i = loom_row_lower_bound (trace, row, before->start_ns[span]); i < row->n; i++) {
    guint32 k = row->first + i;
    if (now->start_ns[k] != before->start_ns[span])
      break;
    if (loom_ref_offset (now->ref[k]) == loom_ref_offset (before->ref[span]) &&
        strcmp (loom_trace_get_name (trace, now->name_id[k])->text, name) == 0)
      return k;
  }
  return G_MAXUINT32;
}

static void
find_place (Follower *follower, const LoomTrace *old, LoomSpanId span, guint32 track)
{
  const LoomRun *run = loom_timeline_get_run (follower->to);
  const LoomTrack *before = loom_trace_get_track (old, track);
  follower->from_trace = span.trace;
  follower->from_track = track;
  follower->to_trace = find_successor (run, loom_trace_get_source (old, before->source)->path, span.trace);
  follower->to_track =
    follower->to_trace != G_MAXUINT32 ? find_track (loom_run_get_trace (run, follower->to_trace), before) : G_MAXUINT32;
}

/* The same event of a file that was read anew. */
static LoomSpanId
find_again (Follower *follower, const LoomTrace *old, LoomSpanId span)
{
  guint32 track, row;
  loom_trace_locate_span (old, span.span, &track, &row);
  if (follower->from_trace != span.trace || follower->from_track != track)
    find_place (follower, old, span, track);
  if (follower->to_track == G_MAXUINT32)
    return LOOM_SPAN_ID_NONE;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (follower->to), follower->to_trace);
  const LoomTrack *now = loom_trace_get_track (trace, follower->to_track);
  for (guint32 i = 0; i < now->n_rows; i++) {
    guint32 found = find_in_row (trace, loom_trace_get_row (trace, now->first_row + i), old, span.span);
    if (found != G_MAXUINT32)
      return (LoomSpanId) { follower->to_trace, found };
  }
  return LOOM_SPAN_ID_NONE;
}

static LoomSpanId
follow (Follower *follower, LoomSpanId span)
{
  const LoomTrace *old = loom_run_get_trace (loom_timeline_get_run (follower->from), span.trace);
  guint32 trace = find_trace (loom_timeline_get_run (follower->to), old, span.trace);
  return trace != G_MAXUINT32 ? (LoomSpanId) { trace, span.span } : find_again (follower, old, span);
}

void
loom_span_list_follow (GArray *spans, const LoomTimeline *from, const LoomTimeline *to)
{
  Follower follower = { from, to, G_MAXUINT32, G_MAXUINT32, G_MAXUINT32, G_MAXUINT32 };
  guint kept = 0;
  for (guint i = 0; to != NULL && i < spans->len; i++) {
    LoomSpanId span = follow (&follower, g_array_index (spans, LoomSpanId, i));
    if (!loom_span_id_is_none (span))
      g_array_index (spans, LoomSpanId, kept++) = span;
  }
  g_array_set_size (spans, kept);
}

gboolean
loom_span_list_remove (GArray *spans, LoomSpanId span)
{
  for (guint i = 0; i < spans->len; i++)
    if (loom_span_id_equal (g_array_index (spans, LoomSpanId, i), span)) {
      g_array_remove_index (spans, i);
      return TRUE;
    }
  return FALSE;
}

#define IS_BEFORE(a, b) ((a)->trace != (b)->trace ? (a)->trace < (b)->trace : (a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_spans, LoomSpanId, IS_BEFORE)

void
loom_span_list_copy_sorted (GArray *sorted, const GArray *spans)
{
  g_array_set_size (sorted, 0);
  if (spans->len > 0)
    g_array_append_vals (sorted, spans->data, spans->len);
  sort_spans ((LoomSpanId *) (gpointer) sorted->data, sorted->len);
}

LoomRange
loom_span_list_get_range (const GArray *spans, const LoomTimeline *timeline)
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
