/* SPDX-License-Identifier: Apache-2.0
 *
 * Lays out and paints diagrams of waits: boxes that represent groups of ranks, and an arrow from each box to the box
 * for whose ranks it waits. Boxes that wait for no other box are in the first column; any other box is one column after
 * the box for which it waits.
 */
#include "loom-chart-paint-private.h"

#include <math.h>

#define BOX_PX 42.0 /* height of a box */
#define ROW_PX 54.0 /* distance between rows of boxes */
#define MAX_BOX_PX 250.0
#define ARROW_SHARE 0.22 /* width of an arrow as a share of the width of a column */
#define MAX_ARROW_PX 56.0
#define HEAD_PX 7.0 /* length of an arrow's head */
#define PAD_PX 10.0

static const LoomChartWait *
get_wait (const LoomChart *chart, guint i)
{
  return &g_array_index (chart->waits, LoomChartWait, i);
}

/* --- layout ------------------------------------------------------------------------------------------------------- */

/* Sets the rows of a box and of all boxes that wait for it, directly or indirectly. The box gets the row `next`; the
 * first box that waits for it gets the same row. Returns the first row below these boxes. The recursion ends, because
 * boxes wait only for boxes that were added earlier. */
static guint
place_rows (const LoomChart *chart, guint box, guint next, guint *rows)
{
  guint below = next;
  rows[box] = next;
  for (guint i = box + 1; i < chart->waits->len; i++)
    if (get_wait (chart, i)->awaited == box)
      below = place_rows (chart, i, below, rows);
  return MAX (below, next + 1);
}

/* Sets the row of each box. Returns the number of rows. */
static guint
find_rows (const LoomChart *chart, guint *rows)
{
  guint n = 0;
  for (guint i = 0; i < chart->waits->len; i++)
    if (get_wait (chart, i)->awaited == LOOM_CHART_NONE)
      n = place_rows (chart, i, n, rows);
  return n;
}

static guint
get_column (const LoomChart *chart, guint box)
{
  guint column = 0;
  while ((box = get_wait (chart, box)->awaited) != LOOM_CHART_NONE)
    column++;
  return column;
}

double
loom_chart_layout_waits_height (const LoomChart *chart)
{
  g_autofree guint *rows = g_new0 (guint, chart->waits->len + 1);
  return LOOM_CHART_TITLE_PX + LOOM_CHART_GAP_PX + find_rows (chart, rows) * ROW_PX;
}

void
loom_chart_layout_waits (LoomChartLayout *layout, LoomTextCache *text)
{
  const LoomChart *chart = layout->chart;
  guint n_columns = 1;
  g_autofree guint *rows = g_new0 (guint, chart->waits->len + 1), *columns = g_new0 (guint, chart->waits->len + 1);
  guint n_rows = find_rows (chart, rows);
  double top = LOOM_CHART_TITLE_PX + LOOM_CHART_GAP_PX;
  for (guint i = 0; i < chart->waits->len; i++) {
    columns[i] = get_column (chart, i);
    n_columns = MAX (n_columns, columns[i] + 1);
  }
  double share_px = layout->width / n_columns, gap_px = MIN (share_px * ARROW_SHARE, MAX_ARROW_PX);
  layout->plot = (LoomChartBox) { 0, top, layout->width, MIN (n_rows * ROW_PX, layout->height - top) };
  layout->bar_px = MIN (share_px - gap_px, MAX_BOX_PX);
  layout->column_px = layout->bar_px + gap_px;
  for (guint i = 0; i < chart->waits->len; i++) {
    LoomChartVertex vertex = { columns[i] * layout->column_px, top + rows[i] * ROW_PX, i, 0, FALSE, 0 };
    g_array_append_val (layout->path, vertex);
  }
}

LoomChartBox
loom_chart_layout_wait_box (const LoomChartLayout *layout, guint element)
{
  const LoomChartVertex *vertex = &g_array_index (layout->path, LoomChartVertex, element);
  double x = layout->mirrored ? layout->width - vertex->x - layout->bar_px : vertex->x;
  return (LoomChartBox) { x, vertex->y, layout->bar_px, BOX_PX };
}

guint
loom_chart_layout_hit_waits (const LoomChartLayout *layout, double x, double y)
{
  for (guint i = 0; i < layout->path->len; i++) {
    LoomChartBox box = loom_chart_layout_wait_box (layout, i);
    if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height)
      return i;
  }
  return LOOM_CHART_NONE;
}

/* --- painting ----------------------------------------------------------------------------------------------------- */

static void
paint_head (const LoomChartPaint *paint, double x, double y, double toward)
{
  cairo_move_to (paint->cr, x, y);
  cairo_line_to (paint->cr, x - toward * HEAD_PX, y - HEAD_PX / 2);
  cairo_line_to (paint->cr, x - toward * HEAD_PX, y + HEAD_PX / 2);
  cairo_close_path (paint->cr);
  cairo_fill (paint->cr);
}

/* Paints the arrow from a box to the box for which it waits: a line with two corners if their rows differ. */
static void
paint_arrow (const LoomChartPaint *paint, guint element)
{
  const LoomChartLayout *layout = paint->layout;
  LoomChartBox from = loom_chart_layout_wait_box (layout, element),
               to = loom_chart_layout_wait_box (layout, get_wait (paint->chart, element)->awaited);
  double toward = layout->mirrored ? 1 : -1, end = layout->mirrored ? to.x : to.x + to.width,
         begin = layout->mirrored ? from.x + from.width : from.x, middle = floor ((begin + end) / 2) + 0.5,
         y0 = floor (from.y + BOX_PX / 2) + 0.5, y1 = floor (to.y + BOX_PX / 2) + 0.5;
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
  cairo_set_line_width (paint->cr, 1.5);
  cairo_move_to (paint->cr, begin, y0);
  cairo_line_to (paint->cr, middle, y0);
  cairo_line_to (paint->cr, middle, y1);
  cairo_line_to (paint->cr, end - toward * HEAD_PX, y1);
  cairo_stroke (paint->cr);
  paint_head (paint, end, y1, toward);
}

static void
put_line (const LoomChartPaint *paint, LoomTextStyle style, const char *label, LoomChartBox box, double middle_y,
          LoomColorRole role)
{
  double room = MAX (box.width - 2 * PAD_PX, 0);
  g_autofree char *shown = loom_chart_shorten (label, room, style, paint->text);
  if (paint->layout->mirrored && loom_text_cache_width (paint->text, style, shown) <= room)
    loom_chart_paint_put_right (paint, style, shown, box.x + box.width - PAD_PX, middle_y, role);
  else
    loom_chart_paint_put (paint, style, shown, box.x + PAD_PX, middle_y, room, role);
}

static void
paint_wait (const LoomChartPaint *paint, guint element)
{
  const LoomChartWait *wait = get_wait (paint->chart, element);
  LoomChartBox box = loom_chart_layout_wait_box (paint->layout, element);
  gboolean has_detail = wait->detail[0] != '\0';
  loom_color_fill_rectangle (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND_GROUP], box.x, box.y, box.width,
                             box.height);
  loom_color_set_source (paint->cr,
                         paint->theme->role[wait->is_cause ? LOOM_COLOR_ROLE_WARNING : LOOM_COLOR_ROLE_BORDER]);
  double line_px = wait->is_cause ? 2 : 1;
  cairo_set_line_width (paint->cr, line_px);
  cairo_rectangle (paint->cr, floor (box.x) + line_px / 2, floor (box.y) + line_px / 2, floor (box.width) - line_px,
                   box.height - line_px);
  cairo_stroke (paint->cr);
  put_line (paint, LOOM_TEXT_HEADER_BOLD, wait->label, box, box.y + (has_detail ? 13 : BOX_PX / 2),
            LOOM_COLOR_ROLE_TEXT);
  if (has_detail)
    put_line (paint, LOOM_TEXT_SMALL, wait->detail, box, box.y + 30, LOOM_COLOR_ROLE_TEXT_DIM);
}

void
loom_chart_paint_waits (const LoomChartPaint *paint)
{
  for (guint i = 0; i < paint->chart->waits->len; i++)
    if (get_wait (paint->chart, i)->awaited != LOOM_CHART_NONE)
      paint_arrow (paint, i);
  for (guint i = 0; i < paint->chart->waits->len; i++)
    paint_wait (paint, i);
}
