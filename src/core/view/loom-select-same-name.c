/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the spans with the same name as a given span, row by row, and selects them (loom-select-same-name.h).
 */
#include "loom-select-same-name.h"

#include "loom-row-parts.h"

typedef struct {
  LoomTimelineState *state;
  LoomSpanId span;
  const LoomName *name;
  GArray *found;
  guint64 n_all;
  /* TRUE if `n_all` includes `span`. FALSE if rows show a detail (loom-run-details.h: events that were read from a
   * trace in place of its index) instead of `span`, or if `span` belongs to a detail that rows no longer show */
  gboolean has_span;
  guint32 trace;  /* the trace whose names are in `wanted` */
  guint8 *wanted; /* array indexed by name id: TRUE if spans with this name are to be selected */
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
add_row (Search *search, const LoomRowPart *part, const LoomRow *row)
{
  const LoomRange all = { G_MININT64, G_MAXINT64 };
  const guint32 *name_id = loom_trace_get_spans (loom_run_get_trace (run_of (search), part->id.trace))->name_id;
  guint32 first, end;
  loom_row_part_find_spans (part, loom_timeline_state_get_timeline (search->state), row, all, &first, &end);
  for (guint32 i = first; i < end; i++) {
    LoomSpanId id = { search->trace, i };
    if (!search->wanted[name_id[i]])
      continue;
    search->n_all++;
    gboolean is_own = loom_timeline_span_id_equal (id, search->span);
    search->has_span |= is_own;
    if (search->found->len < LOOM_SELECTED_MOST - 1 && !is_own)
      g_array_append_val (search->found, id);
  }
}

static void
add_part (Search *search, const LoomRowPart *part)
{
  const LoomTrace *trace = loom_run_get_trace (run_of (search), part->id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, part->id.track);
  if (track->kind == LOOM_TRACK_COUNTER)
    return;
  use_trace (search, part->id.trace);
  for (guint i = 0; i < track->n_rows; i++)
    add_row (search, part, loom_trace_get_row (trace, track->first_row + i));
}

static void
add_all (Search *search)
{
  g_autoptr (GArray) parts = loom_row_parts_list_all (loom_timeline_state_get_row_list (search->state));
  for (guint i = 0; i < parts->len; i++) {
    const LoomRowPart *part = &g_array_index (parts, LoomRowPart, i);
    if (loom_timeline_state_shows_track (search->state, part->id))
      add_part (search, part);
  }
}

/* Adds the spans with the wanted name in the row that contains the track `own`. A row may show several tracks, one
 * after the other in time. */
static void
add_own_row (Search *search, LoomTrackId own)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (search->state);
  LoomRowPart part = { own, { G_MININT64, G_MAXINT64 }, G_MININT64 };
  LoomRowParts parts;
  guint index;
  if (!loom_row_list_find_track (outline, own, &index)) {
    add_part (search, &part);
    return;
  }
  loom_row_parts_init (&parts, run_of (search), loom_row_list_get_row (outline, index));
  while (loom_row_parts_next (&parts, &part))
    add_part (search, &part);
}

void
loom_select_same_name_select (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks)
{
  Search search = { .state = state, .span = span, .found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId)) };
  const LoomTrace *trace = loom_run_get_trace (run_of (&search), span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  search.name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span]);
  if (all_tracks)
    add_all (&search);
  else
    add_own_row (&search, (LoomTrackId) { span.trace, track });
  search.n_all += !search.has_span;
  g_array_append_val (search.found, span);
  g_free (search.wanted);
  loom_timeline_state_take_selected (state, search.found, search.n_all);
}
