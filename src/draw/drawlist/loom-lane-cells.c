/* SPDX-License-Identifier: Apache-2.0
 *
 * Begins the cells of a lane: chooses the rows that the lane shows, and adds the waits for data of the rank.
 */
#include "loom-lane-cells.h"

/* To choose the rows of a track that a lane shows, at most MOST_DEPTHS rows of the track are examined, and at most
 * LOOM_LANE_SAMPLED spans of each row. */
#define MOST_DEPTHS 8

/* Maximum number of rows of one track that are shown in a lane. One row is not enough: kernels inside an annotation or
 * a wait are one row deeper than kernels outside of it. */
#define MOST_ROWS 3

/* --- rows of a lane --------------------------------------------------------------------------------------------- */

/* Examines LOOM_LANE_SAMPLED spans of the row and returns how many of them are work. If the row has fewer spans, the
 * number of spans with work is scaled as if LOOM_LANE_SAMPLED spans had been examined. */
static guint
sample_work (const LoomDrawPen *pen, const LoomRow *row)
{
  guint32 n = MIN (row->n, LOOM_LANE_SAMPLED), n_work = 0;
  for (guint32 i = 0; i < n; i++) {
    guint32 span = row->first + loom_row_summary_sample (row->n, n, i);
    n_work += loom_lane_cells_get_part (pen, pen->spans->name_id[span]) < LOOM_LANE_N_WORK_PARTS;
  }
  return n > 0 ? n_work * LOOM_LANE_SAMPLED / n : 0;
}

/* Finds the rows of a track that are shown in a lane, and returns their number. For an accelerator, finds the first
 * rows that contain work, at most `most`. For a thread, finds only one row, because deeper rows would show the same
 * time again: the outermost row in which at least half of the spans are work. If there are no such rows, the result is
 * the first row of the track. O(depth). */
static guint
find_rows (const LoomDrawPen *pen, guint most, guint32 *rows)
{
  guint n = 0, least = pen->device ? 1 : LOOM_LANE_SAMPLED / 2;
  most = pen->device ? most : 1;
  for (guint32 k = 0; n < most && k < MIN (pen->track->n_rows, MOST_DEPTHS); k++)
    if (sample_work (pen, loom_trace_get_row (pen->trace, pen->track->first_row + k)) >= least)
      rows[n++] = pen->track->first_row + k;
  if (n == 0 && pen->track->n_rows > 0)
    rows[n++] = pen->track->first_row;
  return n;
}

/* For each row that is shown in the lane, appends a LoomDrawPen to list->pens. A pen adds the marks of one row. Returns
 * the number of pens. In the lane of a node (`mean`), only one row of each track is shown, because the lane shows the
 * mean of the ranks. */
static guint
add_pens (LoomDrawList *list, const LoomTimelineRow *row, gboolean mean)
{
  g_byte_array_set_size (list->pens, 0);
  for (guint i = 0; i < row->n_tracks; i++) {
    LoomDrawPen pen;
    guint32 rows[MOST_ROWS];
    loom_draw_pen_init (&pen, list, row->tracks[i]);
    guint n = find_rows (&pen, mean ? 1 : MOST_ROWS, rows);
    for (guint k = 0; k < n; k++) {
      loom_draw_pen_set_row (&pen, rows[k]);
      g_byte_array_append (list->pens, (const guint8 *) (gconstpointer) &pen, sizeof pen);
    }
  }
  return list->pens->len / sizeof (LoomDrawPen);
}

/* --- waits for data --------------------------------------------------------------------------------------------- */

/* Returns the waits for data that the lane shows; NULL: none. If the rank has devices, its lane shows its waits for
 * data. If it has no devices, waits are not added: the lane is made from the thread that waits, and shows its waits
 * already. */
static const LoomDataRank *
find_data_waits (const LoomDrawList *list, const LoomTimelineRow *row, guint n_pens)
{
  const LoomDrawPen *pens = (const LoomDrawPen *) (gconstpointer) list->pens->data;
  const LoomDataWaits *waits = list->options.data_waits;
  if (waits == NULL || row->rank < 0 || n_pens == 0 || !pens->device)
    return NULL;
  return loom_data_waits_find_rank (waits, row->node, row->rank);
}

/* Adds wait `number` of `waits` to the cells (columns of the lane) that it touches. In each cell, LoomLaneBar.longest
 * is for now the index of the wait that covers most of the cell; add_data_waits() replaces it by its span. */
static void
add_wait (LoomDrawList *list, LoomLaneCell *cells, guint n_cells, const LoomDataRank *waits, guint number)
{
  const LoomDataWait *wait = &waits->waits[number];
  double most = (double) n_cells * LOOM_LANE_CELL_PX,
         x0 = CLAMP (loom_viewport_x (&list->viewport, wait->begin_ns), 0, most),
         x1 = CLAMP (loom_viewport_x (&list->viewport, wait->end_ns), 0, most);
  for (guint i = (guint) (x0 / LOOM_LANE_CELL_PX); i < n_cells && i * LOOM_LANE_CELL_PX < x1; i++) {
    double share = (MIN (x1, (i + 1.0) * LOOM_LANE_CELL_PX) - MAX (x0, i * LOOM_LANE_CELL_PX)) / LOOM_LANE_CELL_PX;
    LoomLaneBar *shown = &cells[i].stack[LOOM_LANE_PART_DATA_WAIT];
    shown->busy = MIN (shown->busy + (float) share, 1);
    if (shown->longest == G_MAXUINT32 || (float) share > shown->best) {
      shown->longest = number;
      shown->best = (float) share;
    }
    loom_lane_cells_mark_slots (cells, i, LOOM_LANE_PART_DATA_WAIT,
                                (guint) (x0 * LOOM_LANE_PLACES_PER_CELL / LOOM_LANE_CELL_PX),
                                (guint) (x1 * LOOM_LANE_PLACES_PER_CELL / LOOM_LANE_CELL_PX));
  }
}

/* Returns the index in list->pens of a pen (LoomDrawPen) for the row of a span. If the last pen in list->pens is of
 * another row, appends a new pen. */
static guint
find_pen (LoomDrawList *list, LoomSpanId span)
{
  const guint n = list->pens->len / sizeof (LoomDrawPen);
  const LoomDrawPen *last = (const LoomDrawPen *) (gconstpointer) list->pens->data + n - 1;
  if (last->id.trace == span.trace && span.span >= last->row->first && span.span < last->row->first + last->row->n)
    return n - 1;
  LoomDrawPen pen;
  guint32 track, row;
  loom_trace_locate_span (loom_draw_list_trace (list, span.trace), span.span, &track, &row);
  loom_draw_pen_init (&pen, list, (LoomTrackId) { span.trace, track });
  loom_draw_pen_set_row (&pen, row);
  g_byte_array_append (list->pens, (const guint8 *) (gconstpointer) &pen, sizeof pen);
  return n;
}

/* Adds the waits of a rank to the cells (columns of the lane). Also adds a LoomDrawPen to list->pens for each row with
 * such waits. O(waits in view + cells). */
static void
add_data_waits (LoomDrawList *list, LoomLaneCell *cells, guint n_cells, const LoomDataRank *waits)
{
  for (guint i = loom_data_waits_first_ending_after (waits, list->viewport.begin_ns);
       i < waits->n_waits && waits->waits[i].begin_ns < list->viewport.end_ns; i++)
    add_wait (list, cells, n_cells, waits, i);
  for (guint i = 0; i < n_cells; i++) {
    LoomLaneBar *bar = &cells[i].stack[LOOM_LANE_PART_DATA_WAIT];
    if (bar->longest == G_MAXUINT32)
      continue;
    const LoomSpanId span = waits->waits[bar->longest].span;
    bar->pen = (guint16) find_pen (list, span);
    const LoomSpans *spans = loom_trace_get_spans (loom_draw_list_trace (list, span.trace));
    bar->longest = span.span;
    bar->dur_ns = (float) spans->dur_ns[span.span];
    bar->name_id = spans->name_id[span.span];
    cells[i].n++;
  }
}

/* The cells are copied in blocks that double in size, because setting each cell by itself took a quarter of the time of
 * a lane. */
void
loom_lane_cells_clear (LoomLaneCell *cells, guint n_cells)
{
  static const LoomLaneBar none = { .longest = G_MAXUINT32, .dur_ns = -1 };
  if (n_cells > 0)
    cells[0] = (LoomLaneCell) { .stack = { none, none, none, none, none },
                                .other = none,
                                .other_part = LOOM_LANE_PART_STREAM_WAIT };
  for (guint n = 1; n < n_cells; n *= 2)
    memcpy (&cells[n], cells, MIN (n, n_cells - n) * sizeof *cells);
}

guint
loom_lane_cells_begin (LoomDrawList *list, const LoomTimelineRow *row, guint n_cells)
{
  guint n_pens = add_pens (list, row, row->is_mean);
  const LoomDataRank *waits = find_data_waits (list, row, n_pens);
  g_byte_array_set_size (list->cells, n_cells * sizeof (LoomLaneCell));
  LoomLaneCell *cells = (LoomLaneCell *) (gpointer) list->cells->data;
  loom_lane_cells_clear (cells, n_cells);
  if (waits != NULL)
    add_data_waits (list, cells, n_cells, waits);
  return n_pens;
}

const LoomLaneCell *
loom_lane_cells_compute (LoomDrawList *list, const LoomTimelineRow *row, guint n_cells)
{
  guint n_pens = loom_lane_cells_begin (list, row, n_cells);
  LoomLaneCell *cells = (LoomLaneCell *) (gpointer) list->cells->data;
  loom_lane_cells_read_spans ((const LoomDrawPen *) (gconstpointer) list->pens->data, n_pens, cells, n_cells);
  for (guint i = 0; i < n_cells; i++)
    if (cells[i].n > 0)
      loom_lane_cells_take_slots (&cells[i]);
  return cells;
}
