/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints counters. Values change in steps, so lines consist of horizontal and vertical boxes. A single series is an
 * area with a line on top; several series are lines. A counter of the kind LOOM_PLOT_MEAN is painted as a band from the
 * lowest to the highest series, with a line for their mean. A stack is painted as areas with lines on top.
 *
 * Several series never hide each other completely. Where a pixel has several samples, their range is drawn as a
 * translucent bar below all lines. Where lines coincide, short pieces of each are visible in turn.
 */
#include <math.h>

#include "loom-paint-private.h"

#define LINE_PX 1.5
#define FAINT_LINE_PX 1.0

/* Alpha of lines that are drawn over spans, so that the names of spans are readable. */
#define OVER_ALPHA 0.65

/* Alpha of the band from the lowest to the highest value, in parts of the kind LOOM_PLOT_MEAN. */
#define BAND_ALPHA 0.18
/* Alpha of the bars in plots with several lines. In a pixel with several samples of a line, a bar extends from the
 * lowest to the highest value of these samples. */
#define VEIL_ALPHA 0.3

/* Where several lines coincide, the line on top changes after every TURN_PX px, so that all of these lines can be seen.
 */
#define TURN_PX 8.0

/* Distances of the plot from the upper and lower edge of its row. */
#define TOP_PX 5.0
#define BOTTOM_PX 3.0

/* Alpha of the layers of a stack. */
#define LAYER_ALPHA 0.42

/* On a logarithmic scale, guides (horizontal lines) are drawn at powers of ten if these are at least this many px
 * apart. */
#define DECADE_PX 5.0

typedef struct {
  LoomPaintContext *paint;
  const LoomCounterScale *scale;
  double top, bottom, px_per_value;
  double zero_y;
  double width;         /* width of the line in px */
  LoomColor line, area; /* colours of the line, and of the area between the line and zero; alpha 0: not painted */
} Brush;

static double
y_of (const Brush *brush, double value)
{
  if (brush->scale->floor > 0)
    return brush->bottom - loom_counter_mode_scale_place (brush->scale, value) * (brush->bottom - brush->top);
  return brush->bottom - (value - brush->scale->min) * brush->px_per_value;
}

/* Fills the area between the line of the values and zero. */
static void
paint_area (const Brush *brush, const LoomPlotColumn *columns, guint32 n)
{
  LoomBoxCanvasColumns boxes;
  if (brush->area >> 24 == 0)
    return;
  loom_box_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->area);
  for (guint32 i = 0; i + 1 < n; i++) {
    double y = y_of (brush, columns[i].last);
    if (!isnan (y) && y != brush->zero_y)
      loom_box_canvas_columns_box (&boxes, columns[i].x, MIN (y, brush->zero_y), columns[i + 1].x,
                                   MAX (y, brush->zero_y));
  }
  loom_box_canvas_columns_end (&boxes);
}

/* Paints a line from a pixel column up to the next column, at `next_x`. First paints a vertical segment from the lowest
 * to the highest value of the column; the segment also includes `before`, the last value of the previous column. Then
 * paints a horizontal segment at the column's last value. */
static void
paint_column (const Brush *brush, LoomBoxCanvasColumns *boxes, const LoomPlotColumn *column, double next_x,
              double before)
{
  double low = column->low, high = column->high, half = brush->width / 2, x = column->x;
  double pixel = 1 / brush->paint->canvas.scale, y = y_of (brush, column->last);
  if (!isnan (before)) {
    low = MIN (low, before);
    high = MAX (high, before);
  }
  if (high > low) {
    double x1 = MIN (x + MAX (FAINT_LINE_PX, pixel), MAX (next_x, x + pixel));
    loom_box_canvas_columns_box (boxes, x, y_of (brush, high) - half, x1, y_of (brush, low) + half);
    x = x1;
  }
  if (next_x > x || high <= low)
    loom_box_canvas_columns_box (boxes, x, y - half, next_x, y + half);
}

static gboolean
is_dense (const LoomPlotColumn *column)
{
  return column->high > column->low;
}

/* Paints translucent bars from the lowest to the highest value, in pixel columns in which a line has several values. */
static void
paint_veil (const Brush *brush, const LoomPlotColumn *columns, guint32 n, LoomColor color)
{
  LoomBoxCanvasColumns boxes;
  loom_box_canvas_columns_begin (&brush->paint->canvas, &boxes, loom_color_with_alpha (color, VEIL_ALPHA));
  for (guint32 i = 0; i + 1 < n; i++)
    if (is_dense (&columns[i]))
      loom_box_canvas_columns_box (&boxes, columns[i].x, y_of (brush, columns[i].high), columns[i].x + FAINT_LINE_PX,
                                   y_of (brush, columns[i].low));
  loom_box_canvas_columns_end (&boxes);
}

/* Paints a horizontal segment of a line that may coincide with other lines. The segment is aligned to device pixels, so
 * that repainting the segment does not make its edges darker. */
static void
paint_level (const Brush *brush, LoomBoxCanvasColumns *boxes, double x0, double x1, double value)
{
  double scale = brush->paint->canvas.scale, height = MAX (floor (brush->width * scale + 0.5), 1) / scale;
  double top = floor ((y_of (brush, value) - height / 2) * scale + 0.5) / scale;
  loom_box_canvas_columns_box (boxes, x0, top, x1, top + height);
}

/* Paints one line of a plot with several lines. In pixels with several samples, paints only the last value, because
 * translucent bars (paint_veil()) already show the range of the values. */
static void
paint_thread (const Brush *brush, const LoomPlotColumn *columns, guint32 n)
{
  LoomBoxCanvasColumns boxes;
  double before = NAN;
  loom_box_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->line);
  for (guint32 i = 0; i + 1 < n; i++) {
    double x = columns[i].x, last = columns[i].last, half = brush->width / 2;
    if (isnan (last) || is_dense (&columns[i]))
      before = NAN;
    if (!isnan (before) && before != last)
      loom_box_canvas_columns_box (&boxes, x, y_of (brush, MAX (before, last)) - half, x + FAINT_LINE_PX,
                                   y_of (brush, MIN (before, last)) + half);
    if (!isnan (last))
      paint_level (brush, &boxes, x, MAX (columns[i + 1].x, x + FAINT_LINE_PX), last);
    before = is_dense (&columns[i]) ? NAN : last;
  }
  loom_box_canvas_columns_end (&boxes);
}

/* Repaints parts of a line where it may coincide with other lines, so that each line is visible in turn. `turn`: the
 * index of the line; `n_turns`: the number of all lines. Skips pixels with several samples, because the line on top
 * changes with every pixel there anyway. */
static void
paint_turn (const Brush *brush, const LoomPlotColumn *columns, guint32 n, guint turn, guint n_turns)
{
  LoomBoxCanvasColumns boxes;
  double period = TURN_PX * n_turns, width = brush->paint->viewport->width_px;
  loom_box_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->line);
  for (guint32 i = 0; i + 1 < n; i++) {
    double x0 = MAX (columns[i].x, 0), x1 = MIN (columns[i + 1].x, width), last = columns[i].last;
    if (isnan (last) || is_dense (&columns[i]))
      continue;
    double from = floor (x0 / period) * period + turn * TURN_PX;
    for (; from < x1; from += period)
      if (from + TURN_PX > x0)
        paint_level (brush, &boxes, MAX (from, x0), MIN (from + TURN_PX, x1), last);
  }
  loom_box_canvas_columns_end (&boxes);
}

/* Paints a line. `mean` TRUE: the line is the mean of several series, and only the last value of each column is
 * painted. FALSE: in each column, the range from the lowest to the highest value is painted, too. */
static void
paint_curve (const Brush *brush, const LoomPlotColumn *columns, guint32 n, gboolean mean)
{
  LoomBoxCanvasColumns boxes;
  double before = NAN;
  loom_box_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->line);
  for (guint32 i = 0; i + 1 < n; i++) {
    LoomPlotColumn column = columns[i];
    if (mean)
      column.low = column.high = column.last;
    if (!isnan (column.last))
      paint_column (brush, &boxes, &column, columns[i + 1].x, before);
    before = column.last;
  }
  loom_box_canvas_columns_end (&boxes);
}

static void
paint_band (const Brush *brush, const LoomPlotColumn *columns, guint32 n, LoomColor color)
{
  LoomBoxCanvasColumns boxes;
  loom_box_canvas_columns_begin (&brush->paint->canvas, &boxes, color);
  for (guint32 i = 0; i + 1 < n; i++)
    if (!isnan (columns[i].last))
      loom_box_canvas_columns_box (&boxes, columns[i].x, y_of (brush, columns[i].high), columns[i + 1].x,
                                   y_of (brush, columns[i].low));
  loom_box_canvas_columns_end (&boxes);
}

static void
paint_mean (Brush *brush, const LoomPlotColumn *columns, guint32 n, gboolean banded)
{
  /* if `banded` is TRUE, paints a band from the lowest to the highest value of all series; then paints their mean as a
   * line */
  if (banded)
    paint_band (brush, columns, n, loom_color_with_alpha (brush->line, BAND_ALPHA));
  brush->width = LINE_PX;
  paint_curve (brush, columns, n, TRUE);
}

/* Paints a layer of a stack: the area between its edges, and a line along the edge that is farther from zero. */
static void
paint_layer (Brush *brush, const LoomPlotColumn *columns, guint32 n)
{
  paint_band (brush, columns, n,
              loom_color_with_alpha (brush->line, brush->paint->theme->contrast ? 2 * LAYER_ALPHA : LAYER_ALPHA));
  brush->width = FAINT_LINE_PX;
  paint_curve (brush, columns, n, TRUE);
}

static LoomColor
color_of_line (const LoomPaintContext *paint, const LoomTimelineRow *row, const LoomPlotLine *line)
{
  const LoomCounterPart *part = &row->parts[line->part];
  guint first = row->series[part->first].color;
  if (line->kind == LOOM_LINE_TOTAL)
    return paint->theme->role[LOOM_COLOR_ROLE_TEXT];
  if (line->series == G_MAXUINT)
    return paint->theme->series[first % LOOM_N_SERIES_COLORS];
  if (part->kind == LOOM_PLOT_MEAN)
    return loom_color_with_alpha (paint->theme->series[first % LOOM_N_SERIES_COLORS], 0.25);
  return paint->theme->series[row->series[line->series].color % LOOM_N_SERIES_COLORS];
}

static Brush
make_brush (LoomPaintContext *paint, const LoomPlot *plot, const LoomCounterPart *part, gboolean over)
{
  double top = plot->y + (over ? 0 : TOP_PX), bottom = plot->y + plot->height - (over ? 0 : BOTTOM_PX);
  double span = part->scale.max - part->scale.min;
  Brush brush = { .paint = paint, .scale = &part->scale, .top = top, .bottom = bottom };
  brush.px_per_value = span > 0 ? (bottom - top) / span : 0;
  brush.zero_y = CLAMP (y_of (&brush, 0), top, bottom);
  return brush;
}

/* Paints guides on a logarithmic scale, if there is room. The guides are at powers of ten above the floor of the scale,
 * and at the same magnitudes below zero if the scale has negative values. */
static void
paint_decades (const Brush *brush, double width, LoomColor color)
{
  LoomPaintContext *paint = brush->paint;
  double floor_value = brush->scale->floor, pixel = 1 / paint->canvas.scale;
  double distance = fabs (y_of (brush, floor_value) - y_of (brush, floor_value * 10));
  for (int sign = 1; sign >= -1 && distance >= DECADE_PX; sign -= 2)
    for (double value = floor_value * 10; value < (sign > 0 ? brush->scale->max : -brush->scale->min); value *= 10) {
      double y = y_of (brush, sign * value);
      loom_box_canvas_box (&paint->canvas, 0, y, width, y + pixel, loom_color_with_alpha (color, 0.6));
    }
}

/* Paints a thin line at the upper end of the scale, and a thin line at zero. */
static void
paint_scale (const Brush *brush)
{
  LoomPaintContext *paint = brush->paint;
  double width = paint->viewport->width_px, pixel = 1 / paint->canvas.scale, top = y_of (brush, brush->scale->max);
  LoomColor color = paint->theme->role[LOOM_COLOR_ROLE_GRID];
  loom_box_canvas_box (&paint->canvas, 0, top, width, top + pixel, color);
  loom_box_canvas_box (&paint->canvas, 0, brush->zero_y, width, brush->zero_y + pixel, color);
  if (brush->scale->floor > 0)
    paint_decades (brush, width, color);
}

/* --- painting a plot ---------------------------------------------------------------------------------------------- */

/* A plot that is being painted. */
typedef struct {
  LoomPaintContext *paint;
  const LoomPlot *plot;
  const LoomTimelineRow *row;
  const LoomPlotLine *lines;
  const LoomPlotColumn *columns;
  gboolean over; /* TRUE if the plot is painted over spans */
} Picture;

static Brush
brush_of (const Picture *picture, guint32 i)
{
  const LoomPlotLine *line = &picture->lines[i];
  Brush brush = make_brush (picture->paint, picture->plot, &picture->row->parts[line->part], picture->over);
  LoomColor color = color_of_line (picture->paint, picture->row, line);
  brush.line = picture->over && line->kind == LOOM_LINE_SERIES ? loom_color_with_alpha (color, OVER_ALPHA) : color;
  brush.width = LINE_PX;
  return brush;
}

static gboolean
is_single (const Picture *picture, guint32 i)
{
  return picture->lines[i].kind == LOOM_LINE_SERIES &&
         picture->row->parts[picture->lines[i].part].kind != LOOM_PLOT_MEAN;
}

/* Paints a plot with several lines: first the bars for pixels with several samples, then all lines, then segments that
 * make each of several coinciding lines visible in turn. */
static void
paint_several (const Picture *picture)
{
  guint32 n = picture->plot->n, last = n;
  for (guint32 i = 0; i < n; i++) {
    Brush brush = brush_of (picture, i);
    if (is_single (picture, i))
      paint_veil (&brush, picture->columns + picture->lines[i].first, picture->lines[i].n, brush.line);
  }
  for (guint32 i = 0; i < n; i++) {
    Brush brush = brush_of (picture, i);
    if (is_single (picture, i))
      paint_thread (&brush, picture->columns + picture->lines[i].first, picture->lines[i].n);
    last = is_single (picture, i) ? i : last;
  }
  for (guint32 i = 0; i < n; i++) { /* repaints segments of all lines except the last one, which is on top anyway */
    Brush brush = brush_of (picture, i);
    if (is_single (picture, i) && i != last)
      paint_turn (&brush, picture->columns + picture->lines[i].first, picture->lines[i].n, i, n);
  }
}

/* Paints the bands, means and stacks of a plot. Single lines are painted over them later. */
static void
paint_sums (const Picture *picture)
{
  for (guint32 i = 0; i < picture->plot->n; i++) {
    const LoomPlotLine *line = &picture->lines[i];
    const LoomPlotColumn *columns = picture->columns + line->first;
    Brush brush = brush_of (picture, i);
    if (line->kind == LOOM_LINE_MEAN)
      paint_mean (&brush, columns, line->n, line->part == 0);
    else if (line->kind == LOOM_LINE_LAYER)
      paint_layer (&brush, columns, line->n);
    else if (line->kind == LOOM_LINE_TOTAL)
      paint_veil (&brush, columns, line->n + 1, brush.line);
  }
}

/* Paints the faint lines of series, which belong to parts of the kind LOOM_PLOT_MEAN. If `all` is TRUE, also paints the
 * lines of series in parts of other kinds; this is needed for a plot with a single series, and for a plot over
 * spans. */
static void
paint_plain (const Picture *picture, gboolean all)
{
  gboolean single = picture->row->n_series > 0 && picture->row->series[picture->row->n_series - 1].color == 0;
  for (guint32 i = 0; i < picture->plot->n; i++) {
    const LoomPlotLine *line = &picture->lines[i];
    Brush brush = brush_of (picture, i);
    if (line->kind != LOOM_LINE_SERIES || (is_single (picture, i) && !all))
      continue;
    if (single || (picture->over && picture->plot->n == 1))
      brush.area = loom_color_with_alpha (color_of_line (picture->paint, picture->row, line), 0.16);
    brush.width = picture->over || !is_single (picture, i) ? FAINT_LINE_PX : LINE_PX;
    paint_area (&brush, picture->columns + line->first, line->n);
    paint_curve (&brush, picture->columns + line->first, line->n, FALSE);
  }
}

void
loom_paint_plot (LoomPaintContext *paint, const LoomPlot *plot)
{
  guint n;
  Picture picture = { .paint = paint, .plot = plot, .row = loom_row_list_get_row (paint->outline, plot->source_row) };
  picture.lines = loom_draw_list_get_lines (paint->list, &n) + plot->first;
  picture.columns = loom_draw_list_get_columns (paint->list, &n);
  picture.over = plot->row != plot->source_row;
  Brush brush = make_brush (paint, plot, picture.row->parts, picture.over);
  if (!picture.over)
    paint_scale (&brush);
  gboolean several = !picture.over && plot->n > 1;
  paint_plain (&picture, !several);
  paint_sums (&picture);
  if (several)
    paint_several (&picture);
}
