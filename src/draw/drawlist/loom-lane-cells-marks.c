/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the marks of a lane. A cell (a narrow column of the lane) is a stack of bars; each bar becomes one mark.
 */
#include "loom-lane-cells.h"

/* A bar is drawn only if its share of the time of its cell (a column of the lane) is at least this. If all bars of a
 * cell have smaller shares, a line is drawn instead. */
#define LEAST_SHARE (0.5 / 255)

/* Maximum number of marks in a cell: one for each bar. A cell without bars has one mark, a line. */
#define MOST_MARKS LOOM_LANE_N_STACKED_PARTS

/* In px: a span that never ended is drawn with a ragged end only if it is at least this wide. */
#define LEAST_OPEN_PX 8

/* Returns TRUE if the cell (column of the lane) at `x` shows a ragged end. This is so if the span never ended, the end
 * to which it is drawn is in this cell, and the span is at least LEAST_OPEN_PX wide. */
static gboolean
ends_open (const LoomDrawPen *pen, const LoomLaneBar *bar, double x)
{
  if (bar->dur_ns * pen->view.px_per_ns < LEAST_OPEN_PX)
    return FALSE;
  double end_x = loom_draw_local_view_x (&pen->view, loom_draw_pen_end (pen, bar->longest));
  return end_x > x && end_x <= x + LOOM_LANE_CELL_PX &&
         (loom_source_ref_flags (pen->spans->ref[bar->longest]) & LOOM_REF_OPEN) != 0;
}

/* Returns the colour of a bar. Bars of accelerators have the colour of their family of work, as in the overview and in
 * the legend. The shades that distinguish the names of spans are not used, because they would look like further kinds
 * of work in such narrow bars. */
static guint
get_bar_color (const LoomDrawPen *pen, const LoomLaneBar *bar, LoomLanePart part)
{
  if (pen->list->options.color_by != LOOM_COLOR_BY_NAME)
    return loom_draw_pen_get_color (pen, bar->longest, bar->name_id);
  if (part == LOOM_LANE_PART_DATA_WAIT)
    return loom_theme_shade_index (LOOM_WORK_FAMILY_DATA, 0);
  guint color = loom_name_colors_get (pen->list->colors, pen->id.trace, bar->name_id, pen->device);
  LoomWorkFamily family = pen->device ? loom_theme_family_of_index (color) : LOOM_WORK_FAMILY_OTHER;
  return family != LOOM_WORK_FAMILY_OTHER ? loom_theme_shade_index (family, 0) : color;
}

/* Makes the mark of a bar at `x`, which represents `n` spans. `base`: sum of the shares of the bars below it. */
static LoomDrawItem
make_mark (LoomDrawPen *pen, const LoomLaneBar *bar, LoomLanePart part, guint32 n, double x, double share, double base)
{
  gboolean waits = part == LOOM_LANE_PART_RANK_WAIT || part == LOOM_LANE_PART_DATA_WAIT;
  guint flags = LOOM_DRAW_ITEM_DENSE | (waits ? LOOM_DRAW_ITEM_WAITING : 0);
  if (pen->hits.n > 0 && loom_draw_search_hits_has (&pen->hits, bar->longest, bar->longest))
    flags |= LOOM_DRAW_ITEM_HIT;
  flags |= ends_open (pen, bar, x) ? LOOM_DRAW_ITEM_OPEN : 0;
  guint8 fill = (guint8) (share * 255.0 + 0.5);
  return (LoomDrawItem) {
    .x0 = (float) MIN (x, pen->x1),
    .x1 = (float) MIN (x + LOOM_LANE_CELL_PX, pen->x1),
    .span = { pen->id.trace, bar->longest },
    .name_id = bar->name_id,
    .count = n,
    .color = (guint8) get_bar_color (pen, bar, part),
    .fill = fill,
    .base = (guint8) MIN (base * 255.0 + 0.5, 255 - fill),
    .flags = (guint8) flags,
  };
}

/* Makes the marks of a cell (a column of the lane), the uppermost bar first, at most MOST_MARKS. Returns the end of the
 * marks. If no bar has a large enough share, makes a line instead. On a thread, an annotation that has a share is shown
 * in place of a line for work. */
static LoomDrawItem *
make_marks (LoomDrawPen *pens, const LoomLaneCell *cell, double x, LoomDrawItem *marks)
{
  double share[LOOM_LANE_N_STACKED_PARTS], base[LOOM_LANE_N_STACKED_PARTS], top = 0;
  const LoomLaneBar *line = &cell->other;
  gboolean shows_other = cell->other.busy >= (float) LEAST_SHARE && !pens[cell->other.pen].device;
  for (guint part = 0; part < LOOM_LANE_N_STACKED_PARTS; part++) {
    base[part] = top;
    share[part] = MIN (cell->stack[part].busy, 1 - top);
    top += share[part];
  }
  for (guint part = LOOM_LANE_N_STACKED_PARTS; part-- > 0;) {
    const LoomLaneBar *bar = &cell->stack[part];
    if (bar->longest != G_MAXUINT32 && share[part] >= LEAST_SHARE) {
      *marks++ = make_mark (&pens[bar->pen], bar, part, cell->n, x, share[part], base[part]);
      line = NULL;
    } else if (bar->longest != G_MAXUINT32 && line != NULL && !shows_other) {
      line = bar;
    }
  }
  if (line != NULL && line->longest != G_MAXUINT32)
    *marks++ = make_mark (&pens[line->pen], line, LOOM_LANE_PART_RANGE, cell->n, x, MIN (line->busy, 1), 0);
  return marks;
}

void
loom_lane_cells_push_marks (LoomDrawList *list, LoomDrawPen *pens, const LoomLaneCell *cells, guint n_cells)
{
  /* Makes room for all marks first. Appending each of them by itself, with its colour looked up twice, took 30 instead
   * of 20 µs per lane of 850 cells. */
  guint before = list->marks->len;
  g_array_set_size (list->marks, before + n_cells * MOST_MARKS);
  LoomDrawItem *first = (LoomDrawItem *) (gpointer) list->marks->data, *end = first + before;
  for (guint i = 0; i < n_cells; i++)
    if (cells[i].n > 0)
      end = make_marks (pens, &cells[i], i * LOOM_LANE_CELL_PX, end);
  g_array_set_size (list->marks, (guint) (end - first));
}
