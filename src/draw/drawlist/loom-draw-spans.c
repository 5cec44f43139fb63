/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the marks of spans. A span that is at least a pixel wide has its own mark; narrower spans in the same pixel
 * column are merged into one mark. If few spans are in view, they are visited one by one; if many, the row's summary is
 * read for each pixel column. Both ways give the same kinds of marks.
 */
#include <math.h>
#include <string.h>

#include "loom-draw-private.h"
#include "loom-row-parts.h"
#include "loom-string-pool.h"

/* If a row has at most this many spans per pixel on average, its spans are visited one by one; else a summary is read
 * for each pixel. At this number, visiting the spans takes about as long as reading the summaries. */
#define WALK_PER_PX 2

/* In px: a mark is cut at this distance beyond the edges of the view. The distance is so large that the outlines at cut
 * ends are not visible, and so small that coordinates are precise as floats. */
#define CUT_PX 8.0

/* Number of spans that are examined in a pixel column whose longest span is a wait; a multiple of LOOM_SAMPLE_RUN,
 * because neighbouring spans are sampled in groups of this size. */
#define SAMPLED 16

guint
loom_draw_pen_get_color (const LoomDrawPen *pen, guint32 span, guint32 name_id)
{
  switch (pen->list->options.color_by) {
  case LOOM_COLOR_BY_CATEGORY: {
    const char *category = loom_trace_get_name (pen->trace, name_id)->category;
    guint32 hash = (guint32) loom_string_pool_hash (category, strlen (category)) * 2654435761u;
    return loom_theme_hue_index (hash >> 16, hash >> 8);
  }
  case LOOM_COLOR_BY_RANK: return loom_theme_hue_index ((guint) MAX (pen->track->rank, 0) * 5, 0);
  case LOOM_COLOR_BY_DURATION: {
    /* a hue for each power of ten of the duration, from blue for 1 ns to rose for 1000 s */
    double decades = log10 ((double) MAX (pen->spans->dur_ns[span], 1));
    return loom_theme_hue_index ((guint) CLAMP (LOOM_N_HUES - 1 - decades, 0, LOOM_N_HUES - 1), 0);
  }
  case LOOM_COLOR_BY_NAME:
  default: return loom_name_colors_get (pen->list->colors, pen->id.trace, name_id, pen->device);
  }
}

LoomDrawItem *
loom_draw_pen_push (LoomDrawPen *pen, double x0, double x1, guint32 span, guint32 name_id, guint32 count, double fill,
                    guint flags)
{
  LoomDrawItem mark = {
    .x0 = (float) CLAMP (x0, pen->x0, pen->x1),
    .x1 = (float) CLAMP (x1, pen->x0, pen->x1),
    .span = { pen->id.trace, span },
    .name_id = name_id,
    .count = count,
    .color = (guint8) loom_draw_pen_get_color (pen, span, name_id),
    .fill = (guint8) (CLAMP (fill, 0.0, 1.0) * 255.0 + 0.5),
    .flags = (guint8) flags,
  };
  g_array_append_val (pen->list->marks, mark);
  return &g_array_index (pen->list->marks, LoomDrawItem, pen->list->marks->len - 1);
}

/* Returns LOOM_DRAW_ITEM_WAITING if spans with this name are waits of a device stream for another stream or for the
 * host; else 0. Also returns 0 if spans are not coloured by name. */
static guint
flags_of_wait (const LoomDrawPen *pen, guint32 name_id)
{
  gboolean waits = pen->device && pen->list->options.color_by == LOOM_COLOR_BY_NAME &&
                   loom_name_colors_family (pen->list->colors, pen->id.trace, name_id, TRUE) == LOOM_WORK_FAMILY_WAIT;
  return waits ? LOOM_DRAW_ITEM_WAITING : 0;
}

static void
push_span (LoomDrawPen *pen, guint32 span)
{
  gint64 start = pen->spans->start_ns[span];
  double x0 = loom_draw_local_view_x (&pen->view, start);
  double x1 = loom_draw_local_view_x (&pen->view, loom_time_add (start, pen->spans->dur_ns[span]));
  guint ref_flags = loom_source_ref_flags (pen->spans->ref[span]), flags = 0;
  flags |= (ref_flags & LOOM_REF_OPEN) != 0 ? LOOM_DRAW_ITEM_OPEN : 0;
  flags |= (ref_flags & LOOM_REF_SUSPECT) != 0 ? LOOM_DRAW_ITEM_SUSPECT : 0;
  if (loom_draw_search_hits_has (&pen->hits, span, span))
    flags |= LOOM_DRAW_ITEM_HIT;
  flags |= flags_of_wait (pen, pen->spans->name_id[span]);
  loom_draw_pen_push (pen, x0, MAX (x1, x0 + 1), span, pen->spans->name_id[span], 1, 1, flags);
}

/* Returns the span that a pixel column from `begin_ns` to `end_ns` shows: the longest span of the column. If the
 * longest span is a wait of a stream, examines up to SAMPLED spans of the column, and returns the longest of them that
 * is not such a wait, if there is one. Without this rule, a stream that mostly computes, but waits once between many
 * short kernels, would look as if it waited all the time. */
static guint32
choose_span (const LoomDrawPen *pen, const LoomSpanSummary *cell, gint64 begin_ns, gint64 end_ns)
{
  if (flags_of_wait (pen, cell->name_id) == 0)
    return cell->longest;
  guint32 first = loom_trace_row_first_ending_after (pen->trace, pen->row, begin_ns),
          end = loom_trace_row_lower_bound (pen->trace, pen->row, end_ns), chosen = G_MAXUINT32;
  guint32 n = MIN (end > first ? end - first : 0, SAMPLED);
  for (guint32 i = 0; i < n; i++) {
    guint32 span = pen->row->first + first + loom_row_summary_sample (end - first, n, i);
    if (flags_of_wait (pen, pen->spans->name_id[span]) == 0 &&
        (chosen == G_MAXUINT32 || pen->spans->dur_ns[span] > pen->spans->dur_ns[chosen]))
      chosen = span;
  }
  return chosen != G_MAXUINT32 ? chosen : cell->longest;
}

/* Adds the mark of a pixel column whose spans are merged, see LOOM_DRAW_ITEM_DENSE. */
static void
push_dense (LoomDrawPen *pen, double x, const LoomSpanSummary *cell)
{
  gint64 begin_ns = loom_time_add (pen->view.begin_ns, (gint64) (x * pen->view.ns_per_px));
  gint64 end_ns = loom_time_add (pen->view.begin_ns, (gint64) ((x + 1) * pen->view.ns_per_px));
  guint32 span = choose_span (pen, cell, begin_ns, end_ns), name_id = pen->spans->name_id[span];
  guint flags = LOOM_DRAW_ITEM_DENSE |
                (loom_draw_search_hits_touches (&pen->hits, begin_ns, end_ns) ? LOOM_DRAW_ITEM_HIT : 0) |
                flags_of_wait (pen, name_id);
  loom_draw_pen_push (pen, x, x + 1, span, name_id, cell->n, (double) cell->busy_ns / pen->view.ns_per_px, flags);
}

/* --- walking ---------------------------------------------------------------------------------------------------- */

static void
flush_cell (LoomDrawPen *pen)
{
  if (pen->cell.n == 1)
    push_span (pen, pen->cell.longest);
  else if (pen->cell.n > 1)
    push_dense (pen, (double) pen->cell_x, &pen->cell);
  pen->cell.n = 0;
}

static void
add_to_cell (LoomDrawPen *pen, gint64 x, guint32 span)
{
  LoomSpanSummary *cell = &pen->cell;
  if (cell->n > 0 && pen->cell_x != x)
    flush_cell (pen);
  gint64 dur_ns = pen->spans->dur_ns[span];
  if (cell->n == 0) {
    pen->cell_x = x;
    *cell = (LoomSpanSummary) { .longest_ns = -1 };
  }
  if (dur_ns > cell->longest_ns) {
    cell->longest = span;
    cell->longest_ns = dur_ns;
    cell->name_id = pen->spans->name_id[span];
  }
  cell->n++;
  cell->busy_ns += dur_ns;
}

static void
walk (LoomDrawPen *pen, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++) {
    gint64 dur = pen->spans->dur_ns[i];
    if ((double) dur * pen->view.px_per_ns >= 1) {
      flush_cell (pen);
      push_span (pen, i);
    } else {
      add_to_cell (pen, (gint64) floor (loom_draw_local_view_x (&pen->view, pen->spans->start_ns[i])), i);
    }
  }
  flush_cell (pen);
}

/* --- summaries -------------------------------------------------------------------------------------------------- */

void
loom_draw_fill_edges (LoomDrawList *list, const LoomLocalView *view, guint n_cells, guint cell_px)
{
  for (guint i = 0; i <= n_cells; i++)
    list->edges[i] = loom_time_add (view->begin_ns, (gint64) ((double) (i * cell_px) * view->ns_per_px));
}

static void
summarise (LoomDrawPen *pen)
{
  LoomDrawList *list = pen->list;
  guint n = loom_draw_list_n_px (list);
  guint32 shown = G_MAXUINT32;
  loom_draw_fill_edges (list, &pen->view, n, 1);
  loom_row_summary_sketch_many (pen->trace, pen->row, list->edges, n, list->summaries);
  for (guint i = 0; i < n; i++) {
    const LoomSpanSummary *cell = &list->summaries[i];
    if (cell->n == 0 || i + 1 <= pen->x0 || i >= pen->x1)
      continue;
    gboolean wide = (double) cell->longest_ns * pen->view.px_per_ns >= 1;
    if (!wide && cell->n > 1) {
      push_dense (pen, i, cell);
    } else if (cell->longest != shown) {
      push_span (pen, cell->longest);
      shown = cell->longest;
    }
  }
}

void
loom_draw_pen_init (LoomDrawPen *pen, LoomDrawList *list, LoomTrackId id)
{
  *pen = (LoomDrawPen) { .list = list, .id = id, .trace = loom_draw_list_trace (list, id.trace) };
  pen->track = loom_trace_get_track (pen->trace, id.track);
  pen->spans = loom_trace_get_spans (pen->trace);
  pen->view = loom_draw_local_view (list, id);
  pen->device = (pen->track->flags & LOOM_TRACK_DEVICE) != 0;
  pen->begin_ns = pen->view.begin_ns, pen->end_ns = pen->view.end_ns;
  pen->x0 = -CUT_PX, pen->x1 = list->viewport.width_px + CUT_PX;
}

void
loom_draw_pen_set_row (LoomDrawPen *pen, guint number)
{
  pen->row = loom_trace_get_row (pen->trace, number);
  loom_draw_search_hits_init (&pen->hits, &pen->list->options, pen->id.trace, pen->spans, pen->row->first,
                              pen->row->first + pen->row->n);
}

static void
draw_row (LoomDrawPen *pen)
{
  guint32 first = loom_trace_row_first_ending_after (pen->trace, pen->row, pen->begin_ns);
  guint32 end = loom_trace_row_lower_bound (pen->trace, pen->row, pen->end_ns);
  if (end <= first || pen->begin_ns >= pen->end_ns)
    return;
  /* if a pixel is only a few ns long, reading summaries is not faster than visiting spans */
  if (end - first <= WALK_PER_PX * loom_draw_list_n_px (pen->list) || pen->view.ns_per_px < 4)
    walk (pen, pen->row->first + first, pen->row->first + end);
  else
    summarise (pen);
}

/* --- instants --------------------------------------------------------------------------------------------------- */

/* Adds the marks of instants. A pixel column gets at most one mark, with the number of instants in the column. Instants
 * are stored like spans, but have no duration. */
static void
draw_instants (LoomDrawPen *pen)
{
  guint32 at = loom_trace_row_lower_bound (pen->trace, pen->row, pen->begin_ns);
  guint32 end = loom_trace_row_lower_bound (pen->trace, pen->row, pen->end_ns);
  gboolean global = (pen->track->flags & LOOM_TRACK_GLOBAL) != 0;
  while (at < end) {
    guint32 span = pen->row->first + at;
    double x = loom_draw_local_view_x (&pen->view, pen->spans->start_ns[span]);
    gint64 next_px = loom_time_add (pen->view.begin_ns, (gint64) ceil ((floor (x) + 1) * pen->view.ns_per_px));
    guint32 next = MAX (loom_trace_row_lower_bound (pen->trace, pen->row, next_px), at + 1);
    guint flags =
      LOOM_DRAW_ITEM_INSTANT | (global ? LOOM_DRAW_ITEM_GLOBAL : 0) | (next - at > 1 ? LOOM_DRAW_ITEM_DENSE : 0);
    if (loom_draw_search_hits_has (&pen->hits, span, pen->row->first + next - 1))
      flags |= LOOM_DRAW_ITEM_HIT;
    loom_draw_pen_push (pen, x, x + 1, span, pen->spans->name_id[span], next - at, 1, flags);
    at = next;
  }
}

/* --- strips ----------------------------------------------------------------------------------------------------- */

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const LoomDrawItem *x = a, *y = b;
  return x->x0 < y->x0 ? -1 : x->x0 > y->x0;
}

void
loom_draw_close_strip (LoomDrawList *list, LoomDepthRow *strip)
{
  strip->n = list->marks->len - strip->first;
  LoomDrawItem *marks = &g_array_index (list->marks, LoomDrawItem, strip->first);
  gboolean sorted = TRUE;
  for (guint32 i = 1; i < strip->n; i++) {
    sorted &= marks[i - 1].x0 <= marks[i].x0;
    gboolean stacked = strip->group && marks[i].x0 == marks[i - 1].x0;
    strip->tangled |= !stacked && marks[i].x0 < marks[i - 1].x1 - 1.001f;
  }
  if (!sorted) {
    qsort (marks, strip->n, sizeof *marks, compare_marks);
    strip->tangled = TRUE;
  }
  loom_draw_mark_path (list, strip);
  if (strip->n > 0 || strip->n_bars > 0)
    g_array_append_val (list->strips, *strip);
}

/* Returns the row of the track that is shown in a strip (level of nesting), as an index into the rows of the trace;
 * G_MAXUINT if the strip shows no row of this track. */
static guint
row_on_strip (const LoomDrawList *list, const LoomTimelineRow *row, LoomTrackId id, const LoomTrack *track, guint strip)
{
  /* Usually the row of the timeline shows only this track. In this case, strip number k (a level of nesting) shows row
   * number k of the track. So this row of the track is tried first. */
  guint guess = track->first_row + strip;
  if (strip < track->n_rows && loom_row_list_strip_of (list->outline, row, id, guess) == strip)
    return guess;
  for (guint k = 0; k < track->n_rows; k++)
    if (loom_row_list_strip_of (list->outline, row, id, track->first_row + k) == strip)
      return track->first_row + k;
  return G_MAXUINT;
}

/* --- details ---------------------------------------------------------------------------------------------------- */

/* Limits the pen to the part of the view between two local times: it then adds marks only in this part. */
static void
limit (LoomDrawPen *pen, gint64 begin_ns, gint64 end_ns)
{
  if (begin_ns > pen->begin_ns) {
    pen->begin_ns = begin_ns;
    pen->x0 = loom_draw_local_view_x (&pen->view, begin_ns);
  }
  if (end_ns < pen->end_ns) {
    pen->end_ns = end_ns;
    pen->x1 = loom_draw_local_view_x (&pen->view, end_ns);
  }
}

static void
draw_part (LoomDrawPen pen, LoomRowKind kind, gint64 begin_ns, gint64 end_ns)
{
  limit (&pen, begin_ns, end_ns);
  if (pen.begin_ns >= pen.end_ns)
    return;
  if (kind == LOOM_ROW_INSTANTS)
    draw_instants (&pen);
  else
    draw_row (&pen);
}

/* Adds the marks of the spans or instants of one part of a row (LoomRowPart) to a strip. If this is the first part of
 * its track, also adds the bars of the critical path for the whole time of the track. So the path is also visible in
 * the later parts of the track, and where details (loom-run-details.h) replace the track. */
static void
add_part (LoomDrawList *list, const LoomTimelineRow *row, guint strip, const LoomRowPart *part)
{
  LoomDrawPen pen;
  loom_draw_pen_init (&pen, list, part->id);
  guint trace_row = row_on_strip (list, row, part->id, pen.track, strip);
  if (trace_row == G_MAXUINT)
    return;
  const LoomClockMap *map = loom_timeline_get_map (list->timeline, part->id.trace, pen.track->clock);
  gboolean has_begin = part->range.begin_ns != G_MININT64, has_end = part->range.end_ns != G_MAXINT64;
  loom_draw_pen_set_row (&pen, trace_row);
  draw_part (pen, row->kind, has_begin ? loom_clock_map_to_local (map, part->range.begin_ns) : G_MININT64,
             has_end ? loom_clock_map_to_local (map, part->range.end_ns) : G_MAXINT64);
  if (row->kind != LOOM_ROW_INSTANTS && !row->folded && !has_begin)
    loom_draw_add_path (list, pen.id, pen.row);
}

static void
add_strip (LoomDrawList *list, guint number, const LoomTimelineRow *row, guint strip, double y)
{
  LoomDepthRow result = { .row = number, .index = (guint16) strip, .pinned = row->pinned, .y = (float) y };
  result.folded = row->folded;
  result.height = LOOM_STRIP_PX;
  result.item = row->item;
  result.first = list->marks->len;
  result.first_bar = list->bars->len;
  LoomRowParts parts;
  LoomRowPart part;
  if (loom_draw_take_over (list, row->item, &result))
    return;
  loom_row_parts_init (&parts, loom_timeline_get_run (list->timeline), row);
  while (loom_row_parts_next (&parts, &part))
    add_part (list, row, strip, &part);
  if (row->folded) /* the only strip of a folded row shows all of its tracks */
    loom_draw_add_group_path (list, row, 1);
  loom_draw_close_strip (list, &result);
}

void
loom_draw_add_strips (LoomDrawList *list, guint number, double top)
{
  const LoomTimelineRow *row = loom_row_list_get_row (list->outline, number);
  double y0 = top + LOOM_ROW_PADDING_PX;
  double upper = row->pinned ? 0 : loom_row_list_get_cover (list->outline, list->viewport.scroll_px);
  double first = floor ((upper - y0) / LOOM_STRIP_PX), last = ceil ((list->viewport.height_px - y0) / LOOM_STRIP_PX);
  guint from = (guint) CLAMP (first, 0, row->n_strips), to = (guint) CLAMP (last, 0, row->n_strips);
  for (guint strip = from; strip < to; strip++)
    if (loom_draw_list_is_in_band (list, y0 + strip * LOOM_STRIP_PX))
      add_strip (list, number, row, strip, y0 + strip * LOOM_STRIP_PX);
}
