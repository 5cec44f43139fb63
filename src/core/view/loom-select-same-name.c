/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-select-same-name.h"

#include "loom-run-details.h"

typedef struct {
  LoomTimelineState *state;
  LoomSpanId span;
  const LoomName *name;
  GArray *found;
  guint64 n_all;
  guint32 trace;  /* the trace whose names are in `wanted` */
  guint8 *wanted; /* [name id] → TRUE if spans with this name are selected */
} Search;

static LoomRun *
run_of (const Search *search)
{
  return loom_timeline_get_run (loom_timeline_state_get_timeline (search->state));
}

/* Sets the trace to search, and compares each of its names with the wanted name once, which is much faster than
 * comparing the name of each span. */
static void
use_trace (Search *search, guint32 number)
{
  if (search->wanted != NULL && search->trace == number)
    return;
  const LoomTrace *trace = loom_run_get_trace (run_of (search), number);
  guint n = loom_trace_get_n_names (trace);
  g_free (search->wanted);
  search->wanted = g_new0 (guint8, n + 1);
  search->trace = number;
  for (guint i = 0; i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    search->wanted[i] = name->text_hash == search->name->text_hash && g_str_equal (name->text, search->name->text);
  }
}

static void
add_row (Search *search, const LoomTrace *trace, const LoomRow *row)
{
  const guint32 *name_id = loom_trace_get_spans (trace)->name_id;
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    LoomSpanId id = { search->trace, i };
    if (!search->wanted[name_id[i]])
      continue;
    search->n_all++;
    if (search->found->len < LOOM_SELECTED_MOST - 1 && !loom_timeline_span_id_equal (id, search->span))
      g_array_append_val (search->found, id);
  }
}

static void
add_track (Search *search, LoomTrackId id)
{
  const LoomTrace *trace = loom_run_get_trace (run_of (search), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  if (track->kind == LOOM_TRACK_COUNTER)
    return;
  use_trace (search, id.trace);
  for (guint i = 0; i < track->n_rows; i++)
    add_row (search, trace, loom_trace_get_row (trace, track->first_row + i));
}

static void
add_all (Search *search)
{
  LoomRun *run = run_of (search);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    for (guint k = 0; k < loom_trace_get_n_tracks (loom_run_get_trace (run, i)); k++)
      if (loom_timeline_state_shows_track (search->state, (LoomTrackId) { i, k }))
        add_track (search, (LoomTrackId) { i, k });
}

/* Adds the wanted spans of the row that contains the track `own`. A row may show several tracks, one after the other in
 * time. */
static void
add_own_row (Search *search, LoomTrackId own)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (search->state);
  guint index;
  if (!loom_row_list_find_track (outline, own, &index)) {
    add_track (search, own);
    return;
  }
  const LoomTimelineRow *row = loom_row_list_get_row (outline, index);
  for (guint i = 0; i < row->n_tracks; i++)
    add_track (search, row->tracks[i]);
}

void
loom_select_same_name_select (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks)
{
  Search search = { .state = state, .span = span, .found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId)) };
  const LoomTrace *trace = loom_run_get_trace (run_of (&search), span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  search.name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span]);
  gboolean is_of_detail = loom_run_details_get_whole (run_of (&search), span.trace) != span.trace;
  if (all_tracks)
    add_all (&search);
  else if (is_of_detail) /* not the whole row, which also has spans of the index that are not drawn in this range */
    add_track (&search, (LoomTrackId) { span.trace, track });
  else
    add_own_row (&search, (LoomTrackId) { span.trace, track });
  if (all_tracks && is_of_detail)
    search.n_all++; /* the span itself is not in the searched traces */
  g_array_append_val (search.found, span);
  g_free (search.wanted);
  loom_timeline_state_take_selected (state, search.found, search.n_all);
}
