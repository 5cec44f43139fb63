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

/* All spans of a lane are read if there are at most MOST_READ per cell (column of the lane) in view, or
 * LOOM_LANE_MOST_READ in total. With more spans, the shares that were computed in advance (loom-lane-shares.h) are
 * used. Until these are known, the times at which several kinds of work run simultaneously are estimated, under the
 * assumption that the kinds of work run independently of each other. Reading so many spans takes less time than an
 * estimate, 0.15 ms. */
#define MOST_READ 16

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

/* Examines up to LOOM_LANE_SAMPLED spans that run between `begin_ns` and `end_ns`. Returns FALSE if none is work.
 * Otherwise makes `bar` the bar of the longest one that is work, and multiplies LoomLaneBar.busy by the share of
 * work in the time that the examined spans take. */
static gboolean
find_work (const LoomDrawPen *pen, gint64 begin_ns, gint64 end_ns, LoomLaneBar *bar)
{
  guint32 first = loom_trace_row_first_ending_after (pen->trace, pen->row, begin_ns),
          end = loom_trace_row_lower_bound (pen->trace, pen->row, end_ns);
  guint32 n = MIN (end > first ? end - first : 0, LOOM_LANE_SAMPLED);
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

/* Returns TRUE if all spans of the rank that are in view are to be read. */
static gboolean
is_read (const LoomDrawPen *pens, guint n_pens, guint n_cells)
{
  return loom_lane_cells_count_spans (pens, n_pens) <= MAX ((guint64) n_cells * MOST_READ, LOOM_LANE_MOST_READ);
}

/* Sets the shares of the kinds of work in all cells. In the lane of a node, these are the estimated means of ranks. */
static void
fill_cells (LoomDrawList *list, const LoomTimelineRow *row, LoomLaneCell *cells, guint n_cells, guint n_pens)
{
  const LoomDrawPen *pens = (const LoomDrawPen *) (gconstpointer) list->pens->data;
  gboolean mean = row->is_mean, exact = !mean && is_read (pens, n_pens, n_cells);
  if (!mean && !exact && loom_lane_cells_add_shares (list, row, n_pens, cells, n_cells))
    return;
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
}

static void
add_lane (LoomDrawList *list, const LoomTimelineRow *row)
{
  guint n_cells = (loom_draw_list_n_px (list) + LOOM_LANE_CELL_PX - 1) / LOOM_LANE_CELL_PX,
        n_pens = loom_lane_cells_begin (list, row, n_cells);
  LoomLaneCell *cells = (LoomLaneCell *) (gpointer) list->cells->data;
  fill_cells (list, row, cells, n_cells, n_pens);
  loom_lane_cells_push_marks (list, (LoomDrawPen *) (gpointer) list->pens->data, cells, n_cells);
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
