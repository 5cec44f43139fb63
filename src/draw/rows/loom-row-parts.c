/* SPDX-License-Identifier: Apache-2.0
 *
 * Iterates over the tracks and details (loom-run-details.h) of a row in order of time. Finds the spans in a part of the
 * row by binary search.
 */
#include "loom-row-parts.h"

#include "loom-row-list-private.h"
#include "loom-run-details.h"

/* The order in which the parts of a row are listed. For each track, three parts are listed: the part of the track
 * before the range of the details (BEFORE), the details of the track's trace (DETAILS), and the part of the track after
 * that range (BEHIND). At the end (REST) come the details whose trace has no track in the row. A detail contains single
 * events, which are shown in place of the sums in the index of a trace. */
enum { BEFORE, DETAILS, BEHIND, REST };

void
loom_row_parts_init (LoomRowParts *parts, const LoomRun *run, const LoomTimelineRow *row)
{
  *parts = (LoomRowParts) { run, row, 0, 0, row->n_tracks > 0 ? BEFORE : REST };
}

static guint32
trace_of_detail (const LoomRowParts *parts, guint detail)
{
  return loom_run_details_get_whole (parts->run, parts->row->details[detail].id.trace);
}

/* Returns the first LoomRowDetail of a trace in the row; NULL: none. All details of one trace have the same range. */
static const LoomRowDetail *
find_detail (const LoomRowParts *parts, guint32 trace)
{
  for (guint i = 0; i < parts->row->n_details; i++)
    if (trace_of_detail (parts, i) == trace)
      return &parts->row->details[i];
  return NULL;
}

/* Returns TRUE if one of the first `n_tracks` tracks of the row belongs to this trace. If so, the details
 * (loom-run-details.h) of the trace have been listed together with that track. */
static gboolean
has_trace (const LoomRowParts *parts, guint32 trace, guint n_tracks)
{
  for (guint i = 0; i < n_tracks; i++)
    if (parts->row->tracks[i].trace == trace)
      return TRUE;
  return FALSE;
}

static void
go_on (LoomRowParts *parts)
{
  parts->track++;
  parts->detail = 0;
  parts->phase = parts->track < parts->row->n_tracks ? BEFORE : REST;
}

/* Sets `part` to the next detail (loom-run-details.h) of the current track's trace or, in the phase REST, to the next
 * detail whose trace has no track in the row. Returns FALSE if there is none. */
static gboolean
next_detail (LoomRowParts *parts, LoomRowPart *part)
{
  gboolean is_rest = parts->phase == REST;
  for (; parts->detail < parts->row->n_details; parts->detail++) {
    guint32 trace = trace_of_detail (parts, parts->detail);
    if (has_trace (parts, trace, parts->track) || (!is_rest && trace != parts->row->tracks[parts->track].trace))
      continue;
    const LoomRowDetail *detail = &parts->row->details[parts->detail++];
    *part = (LoomRowPart) { detail->id, detail->range, G_MININT64 };
    return TRUE;
  }
  return FALSE;
}

static gboolean
next_of_track (LoomRowParts *parts, LoomRowPart *part)
{
  LoomTrackId id = parts->row->tracks[parts->track];
  const LoomRowDetail *detail = find_detail (parts, id.trace);
  if (parts->phase == BEFORE) {
    *part = (LoomRowPart) { id, { G_MININT64, detail != NULL ? detail->range.begin_ns : G_MAXINT64 }, G_MININT64 };
    parts->phase = DETAILS;
    if (detail == NULL)
      go_on (parts);
    return TRUE;
  }
  if (next_detail (parts, part))
    return TRUE;
  *part = (LoomRowPart) { id, { detail->range.end_ns, G_MAXINT64 }, detail->range.begin_ns };
  go_on (parts);
  return TRUE;
}

gboolean
loom_row_parts_next (LoomRowParts *parts, LoomRowPart *part)
{
  return parts->phase == REST ? next_detail (parts, part) : next_of_track (parts, part);
}

/* --- parts of all rows ------------------------------------------------------------------------------------------ */

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const LoomRowPart *x = a, *y = b;
  if (x->id.trace != y->id.trace)
    return x->id.trace < y->id.trace ? -1 : 1;
  if (x->id.track != y->id.track)
    return x->id.track < y->id.track ? -1 : 1;
  return x->range.begin_ns < y->range.begin_ns ? -1 : x->range.begin_ns > y->range.begin_ns;
}

GArray *
loom_row_parts_list_all (const LoomRowList *outline)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LoomRowPart));
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    if (item->kind == LOOM_ROW_GROUP)
      continue;
    const LoomTimelineRow row = { .tracks = (const LoomTrackId *) (gpointer) item->tracks->data,
                                  .n_tracks = item->tracks->len,
                                  .details = item->details != NULL
                                               ? (const LoomRowDetail *) (gpointer) item->details->data
                                               : NULL,
                                  .n_details = item->details != NULL ? item->details->len : 0 };
    LoomRowParts parts;
    LoomRowPart part;
    loom_row_parts_init (&parts, loom_timeline_get_run (outline->tree->timeline), &row);
    while (loom_row_parts_next (&parts, &part))
      g_array_append_val (list, part);
  }
  g_array_sort (list, compare_parts);
  return list;
}

/* --- spans ------------------------------------------------------------------------------------------------------ */

void
loom_row_part_find_spans (const LoomRowPart *part, const LoomTimeline *timeline, const LoomRow *row, LoomRange range,
                          guint32 *first, guint32 *end)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), part->id.trace);
  const LoomClockMap *map =
    loom_timeline_get_map (timeline, part->id.trace, loom_trace_get_track (trace, part->id.track)->clock);
  gint64 begin_ns = MAX (range.begin_ns, part->range.begin_ns), end_ns = MIN (range.end_ns, part->range.end_ns);
  *first = *end = row->first;
  if (begin_ns >= end_ns)
    return;
  guint32 from = loom_trace_row_first_ending_after (trace, row, loom_clock_map_to_local (map, begin_ns));
  guint32 to = loom_trace_row_lower_bound (trace, row, loom_clock_map_to_local (map, end_ns));
  if (range.begin_ns < part->before_ns)
    from = MAX (from, loom_trace_row_lower_bound (trace, row, loom_clock_map_to_local (map, part->before_ns)));
  *first += from;
  *end += MAX (from, to);
}
