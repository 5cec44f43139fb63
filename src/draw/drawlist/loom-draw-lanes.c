/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the lanes of folded groups. A lane is a strip that summarises the hidden rows of its group. A lane consists of
 * narrow columns (cells). Each cell is a stack of bars, one for each kind of work of the accelerators; the height of a
 * bar is a share of time. Time in which several kinds run counts only for the kind that comes first in LoomLanePart. So
 * the bar of communication shows exposed communication, during which no computation runs. Communication is divided at
 * the arrival of the last rank: until then the rank waits, and then it transfers. Where the devices of a rank do no
 * work, its lane shows whether its training loop waits for data. Annotations and waits of streams contain no work; they
 * are shown only where a cell has neither work nor a wait for data.
 */
#include "loom-lane-cells.h"

#include <math.h>

/* Limits for the sampling of spans. To choose the rows of a track that a lane shows, at most MOST_DEPTHS rows of the
 * track are examined, and at most SAMPLED spans of each row. SAMPLED has a second use: if the longest span of a
 * device's row in a cell (a column of the lane) is not work, at most SAMPLED spans of the row in this cell are
 * examined. They show which kind of work runs in the cell, and for which share of the time. */
#define SAMPLED 16 /* a multiple of LOOM_SAMPLE_RUN, because neighbouring spans are sampled in groups of this size */
#define MOST_DEPTHS 8

/* Maximum number of rows of one track that are shown in a lane. One row is not enough: kernels inside an annotation or
 * a wait are one row deeper than kernels outside of it. */
#define MOST_ROWS 3

/* --- rows of a lane --------------------------------------------------------------------------------------------- */

/* Examines SAMPLED spans of the row and returns how many of them are work. If the row has fewer spans, the number of
 * spans with work is scaled as if SAMPLED spans had been examined. */
static guint
sample_work (const LoomDrawPen *pen, const LoomRow *row)
{
  guint32 n = MIN (row->n, SAMPLED), n_work = 0;
  for (guint32 i = 0; i < n; i++) {
    guint32 span = row->first + loom_row_summary_sample (row->n, n, i);
    n_work += loom_lane_cells_get_part (pen, pen->spans->name_id[span]) < LOOM_LANE_N_WORK_PARTS;
  }
  return n > 0 ? n_work * SAMPLED / n : 0;
}

/* Finds the rows of a track that are shown in a lane, and returns their number. For an accelerator, finds the first
 * rows that contain work, at most `most`. For a thread, finds only one row, because deeper rows would show the same
 * time again: the outermost row in which at least half of the spans are work. If there are no such rows, the result is
 * the first row of the track. O(depth). */
static guint
find_rows (const LoomDrawPen *pen, guint most, guint32 *rows)
{
  guint n = 0, least = pen->device ? 1 : SAMPLED / 2;
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

/* --- cells ------------------------------------------------------------------------------------------------------ */

/* Adds the bar of a row to the bar `bar` of the same kind. `n_mean`: number of rows of which `bar` shows the mean; 0:
 * it shows the largest share in a row. */
static void
raise_bar (LoomLaneBar *bar, const LoomLaneBar *of_row, guint n_mean)
{
  float busy = n_mean > 0 ? bar->busy + of_row->busy / (float) n_mean : MAX (bar->busy, of_row->busy);
  if (bar->longest == G_MAXUINT32 || of_row->busy > bar->best) {
    *bar = *of_row;
    bar->best = of_row->busy;
  }
  bar->busy = busy;
}

/* Returns for how many ns the span runs between `begin_ns` and `end_ns`. */
static gint64
get_overlap (const LoomDrawPen *pen, guint32 span, gint64 begin_ns, gint64 end_ns)
{
  gint64 start_ns = pen->spans->start_ns[span], stop_ns = loom_time_add (start_ns, pen->spans->dur_ns[span]);
  return MAX (loom_time_sub (MIN (stop_ns, end_ns), MAX (start_ns, begin_ns)), 0);
}

/* Examines up to SAMPLED spans that run between `begin_ns` and `end_ns`. Returns FALSE if none is work. Otherwise makes
 * `bar` the bar of the longest one that is work, and multiplies LoomLaneBar.busy by the share of work in the time that
 * the examined spans take. */
static gboolean
find_work (const LoomDrawPen *pen, gint64 begin_ns, gint64 end_ns, LoomLaneBar *bar)
{
  guint32 first = loom_trace_row_first_ending_after (pen->trace, pen->row, begin_ns),
          end = loom_trace_row_lower_bound (pen->trace, pen->row, end_ns);
  guint32 n = MIN (end > first ? end - first : 0, SAMPLED);
  double work_ns = 0, all_ns = 0;
  bar->dur_ns = -1;
  for (guint32 i = 0; i < n; i++) {
    guint32 span = pen->row->first + first + loom_row_summary_sample (end - first, n, i);
    double ns = (double) get_overlap (pen, span, begin_ns, end_ns);
    all_ns += ns;
    if (loom_lane_cells_get_part (pen, pen->spans->name_id[span]) >= LOOM_LANE_N_WORK_PARTS)
      continue;
    work_ns += ns;
    if ((float) pen->spans->dur_ns[span] > bar->dur_ns) {
      bar->dur_ns = (float) pen->spans->dur_ns[span];
      bar->longest = span;
      bar->name_id = pen->spans->name_id[span];
    }
  }
  bar->busy *= all_ns > 0 ? (float) (work_ns / all_ns) : 0;
  return bar->dur_ns >= 0;
}

/* Returns the share, 0 … 1, of the time of a span within a cell during which the rank waits for other ranks. The span
 * is communication; it may cover only a part of the cell. */
static double
get_waiting_share (const LoomDrawPen *pen, guint32 span, guint cell)
{
  double x0 = MAX (loom_draw_local_view_x (&pen->view, pen->spans->start_ns[span]), cell * LOOM_LANE_CELL_PX),
         x1 =
           MIN (loom_draw_local_view_x (&pen->view, loom_draw_pen_end (pen, span)), (cell + 1.0) * LOOM_LANE_CELL_PX);
  return x1 > x0 ? (loom_lane_cells_find_arrival (pen, span, x0, x1) - x0) / (x1 - x0) : 0;
}

static void
add_other (LoomLaneCell *cell, LoomLanePart part, const LoomLaneBar *bar, guint n_mean)
{
  LoomLaneBar of_row = *bar, *shown = loom_lane_cells_claim_bar (cell, part);
  of_row.busy = part == LOOM_LANE_PART_STREAM_WAIT ? 0 : of_row.busy;
  if (shown != NULL)
    raise_bar (shown, &of_row, n_mean);
}

/* Adds the bar of work of a row to a cell. `waiting`: share of its time in which the rank waits for other ranks. */
static void
add_work (LoomLaneCell *cell, LoomLanePart part, const LoomLaneBar *bar, guint n_mean, double waiting)
{
  LoomLaneBar of_row = *bar;
  of_row.busy = bar->busy * (float) (1 - waiting);
  raise_bar (&cell->stack[part], &of_row, n_mean);
  of_row.busy = bar->busy * (float) waiting;
  if (of_row.busy > 0)
    raise_bar (&cell->stack[LOOM_LANE_PART_RANK_WAIT], &of_row, n_mean);
}

/* Adds the busy time of a row to a cell (a column of the lane). If the longest span of the row in the cell is work, all
 * busy time counts as work of its kind. Otherwise (for example if it is an annotation), the busy time gets a bar of its
 * own. On a device, a part of this busy time also counts as work, of the kind of the span that find_work() finds. */
static void
add_row (LoomLaneCell *cell, const LoomDrawPen *pens, guint n_mean, guint number, guint i)
{
  const LoomDrawPen *pen = &pens[number];
  const LoomSpanSummary *summary = &pen->list->summaries[i];
  const gint64 *edges = pen->list->edges;
  double width_ns = (double) (edges[i + 1] - edges[i]);
  LoomLaneBar bar = { .dur_ns = (float) summary->longest_ns, .longest = summary->longest, .name_id = summary->name_id };
  bar.busy = width_ns > 0 ? (float) MIN ((double) summary->busy_ns / width_ns, 1) : 1;
  bar.pen = (guint16) number;
  LoomLanePart part = loom_lane_cells_get_part (pen, bar.name_id);
  cell->n += summary->n;
  if (part >= LOOM_LANE_N_WORK_PARTS) {
    add_other (cell, part, &bar, n_mean);
    if (!pen->device || summary->n == 1 || !find_work (pen, edges[i], edges[i + 1], &bar))
      return;
    part = loom_lane_cells_get_part (pen, bar.name_id);
  }
  add_work (cell, part, &bar, n_mean,
            part == LOOM_LANE_PART_COMMUNICATION ? get_waiting_share (pen, bar.longest, i) : 0);
}

/* Adds all rows of the lane to the cells (columns of the lane), without reading all of their spans. */
static void
sketch_rows (LoomDrawList *list, LoomLaneCell *cells, guint n_cells, const LoomDrawPen *pens, guint n_pens,
             gboolean mean)
{
  for (guint number = 0; number < n_pens; number++) {
    const LoomDrawPen *pen = &pens[number];
    loom_draw_fill_edges (list, &pen->view, n_cells, LOOM_LANE_CELL_PX);
    loom_row_summary_sketch_many (pen->trace, pen->row, list->edges, n_cells, list->summaries);
    for (guint i = 0; i < n_cells; i++)
      if (list->summaries[i].n > 0)
        add_row (&cells[i], pens, mean ? n_pens : 0, number, i);
  }
}

/* Estimates for each kind of work the share of the cell's time in which it runs and no kind with a lower index runs;
 * LOOM_LANE_PART_COMPUTE has the lowest index. The estimate treats computation, communication and copies as independent
 * of each other. Waiting and transferring of a rank do not overlap, so neither reduces the share of the other. Waits
 * for data are assumed to happen while the devices do no work. */
static void
estimate_shares (LoomLaneCell *cell)
{
  float free = 1 - MIN (cell->stack[LOOM_LANE_PART_COMPUTE].busy, 1);
  cell->stack[LOOM_LANE_PART_COMMUNICATION].busy *= free;
  cell->stack[LOOM_LANE_PART_RANK_WAIT].busy *= free;
  free = MAX (free - cell->stack[LOOM_LANE_PART_COMMUNICATION].busy - cell->stack[LOOM_LANE_PART_RANK_WAIT].busy, 0);
  cell->stack[LOOM_LANE_PART_COPIES].busy *= free;
  cell->stack[LOOM_LANE_PART_DATA_WAIT].busy =
    MIN (cell->stack[LOOM_LANE_PART_DATA_WAIT].busy, MAX (free - cell->stack[LOOM_LANE_PART_COPIES].busy, 0));
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

/* Removes all bars from the cells. The cells are copied in blocks that double in size, because setting each cell by
 * itself took a quarter of the time of a lane. */
static void
clear (LoomLaneCell *cells, guint n_cells)
{
  static const LoomLaneBar none = { .longest = G_MAXUINT32, .dur_ns = -1 };
  if (n_cells > 0)
    cells[0] = (LoomLaneCell) { .stack = { none, none, none, none, none },
                                .other = none,
                                .other_part = LOOM_LANE_PART_STREAM_WAIT };
  for (guint n = 1; n < n_cells; n *= 2)
    memcpy (&cells[n], cells, MIN (n, n_cells - n) * sizeof *cells);
}

static void
add_lane (LoomDrawList *list, const LoomTimelineRow *row)
{
  gboolean mean = row->rank < 0;
  guint n_cells = (loom_draw_list_n_px (list) + LOOM_LANE_CELL_PX - 1) / LOOM_LANE_CELL_PX,
        n_pens = add_pens (list, row, mean);
  const LoomDataRank *waits = find_data_waits (list, row, n_pens);
  g_byte_array_set_size (list->cells, n_cells * sizeof (LoomLaneCell));
  LoomLaneCell *cells = (LoomLaneCell *) (gpointer) list->cells->data;
  clear (cells, n_cells);
  if (waits != NULL)
    add_data_waits (list, cells, n_cells, waits);
  LoomDrawPen *pens = (LoomDrawPen *) (gpointer) list->pens->data;
  gboolean exact = !mean && loom_lane_cells_have_few_spans (pens, n_pens, n_cells);
  if (exact)
    loom_lane_cells_read_spans (pens, n_pens, cells, n_cells);
  else
    sketch_rows (list, cells, n_cells, pens, n_pens, mean);
  for (guint i = 0; !mean && i < n_cells; i++) {
    if (cells[i].n == 0)
      continue;
    if (exact)
      loom_lane_cells_take_slots (&cells[i]);
    else
      estimate_shares (&cells[i]);
  }
  loom_lane_cells_push_marks (list, pens, cells, n_cells);
}

void
loom_draw_add_group (LoomDrawList *list, guint number, double top)
{
  const LoomTimelineRow *row = loom_row_list_get_row (list->outline, number);
  if (!row->has_lane || !loom_draw_list_is_in_band (list, top + LOOM_ROW_PADDING_PX))
    return;
  LoomDepthRow strip = { .row = number, .group = TRUE, .y = (float) (top + LOOM_ROW_PADDING_PX) };
  strip.pinned = row->pinned || number == loom_row_list_get_sticky (list->outline, list->viewport.scroll_px);
  strip.height = (float) (row->height - 2 * LOOM_ROW_PADDING_PX);
  strip.item = row->item;
  strip.first = list->marks->len;
  strip.first_bar = list->bars->len;
  if (loom_draw_take_over (list, row->item, &strip))
    return;
  add_lane (list, row);
  loom_draw_add_group_path (list, row, LOOM_LANE_CELL_PX);
  loom_draw_close_strip (list, &strip);
}
