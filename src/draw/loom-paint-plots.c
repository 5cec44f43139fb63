/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters are step functions, so lines are made of level and upright boxes. One series is an area with a line on top;
 * several are lines; a cloud is its band and its mean.
 *
 * No line of several hides the others: what a pixel's samples cover is a veil below all lines, and where lines lie on
 * one another they take turns.
 */
#include <math.h>

#include "loom-paint-private.h"

#define LINE_PX 1.5
#define FAINT_LINE_PX 1.0

/* Of a line that lies over spans, whose names stay readable. */
#define OVER_ALPHA 0.65

/* What a cloud covers. */
#define BAND_ALPHA 0.18
/* What the samples of one pixel cover, of one line among several. */
#define VEIL_ALPHA 0.3

/* Of several lines each is on top for so long. */
#define TURN_PX 8.0

/* Room above and below the values within the row. */
#define TOP_PX 5.0
#define BOTTOM_PX 3.0

typedef struct {
  LoomPaint *paint;
  double bottom, px_per_value, value_min;
  double zero_y;
  double width;         /* of the line */
  LoomColor line, area; /* alpha 0: not painted */
} Brush;

static double
y_of (const Brush *brush, double value)
{
  return brush->bottom - (value - brush->value_min) * brush->px_per_value;
}

/* What is between the values and zero. */
static void
paint_area (const Brush *brush, const LoomPlotColumn *columns, guint32 n)
{
  LoomCanvasColumns boxes;
  if (brush->area >> 24 == 0)
    return;
  loom_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->area);
  for (guint32 i = 0; i + 1 < n; i++) {
    double y = y_of (brush, columns[i].last);
    if (!isnan (y) && y != brush->zero_y)
      loom_canvas_columns_box (&boxes, columns[i].x, MIN (y, brush->zero_y), columns[i + 1].x, MAX (y, brush->zero_y));
  }
  loom_canvas_columns_end (&boxes);
}

/* One column to the next: the upright from the value before and over the column's extremes, then the level. */
static void
paint_column (const Brush *brush, LoomCanvasColumns *boxes, const LoomPlotColumn *column, double next_x, double before)
{
  double low = column->low, high = column->high, half = brush->width / 2, x = column->x;
  double pixel = 1 / brush->paint->canvas.scale, y = y_of (brush, column->last);
  if (!isnan (before)) {
    low = MIN (low, before);
    high = MAX (high, before);
  }
  if (high > low) {
    double x1 = MIN (x + MAX (FAINT_LINE_PX, pixel), MAX (next_x, x + pixel));
    loom_canvas_columns_box (boxes, x, y_of (brush, high) - half, x1, y_of (brush, low) + half);
    x = x1;
  }
  if (next_x > x || high <= low)
    loom_canvas_columns_box (boxes, x, y - half, next_x, y + half);
}

static gboolean
is_dense (const LoomPlotColumn *column)
{
  return column->high > column->low;
}

/* What the pixels of several lines cover. */
static void
paint_veil (const Brush *brush, const LoomPlotColumn *columns, guint32 n, LoomColor color)
{
  LoomCanvasColumns boxes;
  loom_canvas_columns_begin (&brush->paint->canvas, &boxes, loom_color_with_alpha (color, VEIL_ALPHA));
  for (guint32 i = 0; i + 1 < n; i++)
    if (is_dense (&columns[i]))
      loom_canvas_columns_box (&boxes, columns[i].x, y_of (brush, columns[i].high), columns[i].x + FAINT_LINE_PX,
                               y_of (brush, columns[i].low));
  loom_canvas_columns_end (&boxes);
}

/* The level part of one line of several: its edges are device pixels, so that painting it again changes nothing. */
static void
paint_level (const Brush *brush, LoomCanvasColumns *boxes, double x0, double x1, double value)
{
  double scale = brush->paint->canvas.scale, height = MAX (floor (brush->width * scale + 0.5), 1) / scale;
  double top = floor ((y_of (brush, value) - height / 2) * scale + 0.5) / scale;
  loom_canvas_columns_box (boxes, x0, top, x1, top + height);
}

/* One line of several: where its pixels are dense only the last value of each, for the veil tells the rest. */
static void
paint_thread (const Brush *brush, const LoomPlotColumn *columns, guint32 n)
{
  LoomCanvasColumns boxes;
  double before = NAN;
  loom_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->line);
  for (guint32 i = 0; i + 1 < n; i++) {
    double x = columns[i].x, last = columns[i].last, half = brush->width / 2;
    if (isnan (last) || is_dense (&columns[i]))
      before = NAN;
    if (!isnan (before) && before != last)
      loom_canvas_columns_box (&boxes, x, y_of (brush, MAX (before, last)) - half, x + FAINT_LINE_PX,
                               y_of (brush, MIN (before, last)) + half);
    if (!isnan (last))
      paint_level (brush, &boxes, x, MAX (columns[i + 1].x, x + FAINT_LINE_PX), last);
    before = is_dense (&columns[i]) ? NAN : last;
  }
  loom_canvas_columns_end (&boxes);
}

/* The level parts again, where it is the turn of this line: nothing changes but where another lies on it. Where the
 * samples of a pixel differ, lines are dots that change places anyway. */
static void
paint_turn (const Brush *brush, const LoomPlotColumn *columns, guint32 n, guint turn, guint n_turns)
{
  LoomCanvasColumns boxes;
  double period = TURN_PX * n_turns, width = brush->paint->viewport->width_px;
  loom_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->line);
  for (guint32 i = 0; i + 1 < n; i++) {
    double x0 = MAX (columns[i].x, 0), x1 = MIN (columns[i + 1].x, width), last = columns[i].last;
    if (isnan (last) || is_dense (&columns[i]))
      continue;
    double from = floor (x0 / period) * period + turn * TURN_PX;
    for (; from < x1; from += period)
      if (from + TURN_PX > x0)
        paint_level (brush, &boxes, MAX (from, x0), MIN (from + TURN_PX, x1), last);
  }
  loom_canvas_columns_end (&boxes);
}

/* `mean`: the last values alone, without the extremes of their columns. */
static void
paint_curve (const Brush *brush, const LoomPlotColumn *columns, guint32 n, gboolean mean)
{
  LoomCanvasColumns boxes;
  double before = NAN;
  loom_canvas_columns_begin (&brush->paint->canvas, &boxes, brush->line);
  for (guint32 i = 0; i + 1 < n; i++) {
    LoomPlotColumn column = columns[i];
    if (mean)
      column.low = column.high = column.last;
    if (!isnan (column.last))
      paint_column (brush, &boxes, &column, columns[i + 1].x, before);
    before = column.last;
  }
  loom_canvas_columns_end (&boxes);
}

static void
paint_band (const Brush *brush, const LoomPlotColumn *columns, guint32 n, LoomColor color)
{
  LoomCanvasColumns boxes;
  loom_canvas_columns_begin (&brush->paint->canvas, &boxes, color);
  for (guint32 i = 0; i + 1 < n; i++)
    if (!isnan (columns[i].last))
      loom_canvas_columns_box (&boxes, columns[i].x, y_of (brush, columns[i].high), columns[i + 1].x,
                               y_of (brush, columns[i].low));
  loom_canvas_columns_end (&boxes);
}

static void
paint_line (Brush *brush, const LoomPlotLine *line, LoomColor color)
{
  guint n;
  const LoomPlotColumn *columns = loom_draw_list_get_columns (brush->paint->list, &n) + line->first;
  gboolean mean = line->series == G_MAXUINT;
  if (mean) {
    /* The mean of a cloud: its band from lowest to highest, and the mean as a line. */
    paint_band (brush, columns, line->n, loom_color_with_alpha (color, BAND_ALPHA));
    brush->line = color;
    brush->width = LINE_PX;
  } else {
    paint_area (brush, columns, line->n);
  }
  paint_curve (brush, columns, line->n, mean);
}

static LoomColor
color_of_line (const LoomPaint *paint, const LoomOutlineRow *row, const LoomPlotLine *line)
{
  if (line->series == G_MAXUINT)
    return paint->theme->series[0];
  LoomColor color = paint->theme->series[row->series[line->series].color % LOOM_N_SERIES_COLORS];
  return row->plot == LOOM_PLOT_MEAN ? loom_color_with_alpha (paint->theme->series[0], 0.25) : color;
}

static Brush
make_brush (LoomPaint *paint, const LoomPlot *plot, gboolean over)
{
  double top = plot->y + (over ? 0 : TOP_PX), bottom = plot->y + plot->height - (over ? 0 : BOTTOM_PX);
  double span = plot->value_max - plot->value_min;
  Brush brush = { .paint = paint, .bottom = bottom, .value_min = plot->value_min };
  brush.px_per_value = span > 0 ? (bottom - top) / span : 0;
  brush.zero_y = CLAMP (y_of (&brush, 0), top, bottom);
  return brush;
}

/* A thin line at the top of the scale, and one at zero when values go below it. */
static void
paint_scale (const Brush *brush, const LoomPlot *plot)
{
  LoomPaint *paint = brush->paint;
  double width = paint->viewport->width_px, pixel = 1 / paint->canvas.scale, top = y_of (brush, plot->value_max);
  LoomColor color = paint->theme->role[LOOM_ROLE_GRID];
  loom_canvas_box (&paint->canvas, 0, top, width, top + pixel, color);
  loom_canvas_box (&paint->canvas, 0, brush->zero_y, width, brush->zero_y + pixel, color);
}

/* The lines of a plot that has several: all veils, all lines, then turn by turn. */
static void
paint_several (Brush *brush, const LoomPlot *plot, const LoomPlotLine *lines, const LoomOutlineRow *row)
{
  guint n;
  LoomPaint *paint = brush->paint;
  const LoomPlotColumn *columns = loom_draw_list_get_columns (paint->list, &n);
  brush->width = LINE_PX;
  for (guint32 i = 0; i < plot->n; i++)
    paint_veil (brush, columns + lines[i].first, lines[i].n, color_of_line (paint, row, &lines[i]));
  for (guint32 i = 0; i < plot->n; i++) {
    brush->line = color_of_line (paint, row, &lines[i]);
    paint_thread (brush, columns + lines[i].first, lines[i].n);
  }
  for (guint32 i = 0; i + 1 < plot->n; i++) { /* the last is on top as it is */
    brush->line = color_of_line (paint, row, &lines[i]);
    paint_turn (brush, columns + lines[i].first, lines[i].n, i, plot->n);
  }
}

void
loom_paint_plot (LoomPaint *paint, const LoomPlot *plot)
{
  guint n;
  const LoomPlotLine *lines = loom_draw_list_get_lines (paint->list, &n) + plot->first;
  const LoomOutlineRow *row = loom_outline_get_row (paint->outline, plot->source_row);
  gboolean over = plot->row != plot->source_row, alone = row->n_series > 0 && row->series[row->n_series - 1].color == 0;
  Brush brush = make_brush (paint, plot, over);
  if (!over)
    paint_scale (&brush, plot);
  if (!over && plot->n > 1 && row->plot == LOOM_PLOT_LINES) {
    paint_several (&brush, plot, lines, row);
    return;
  }
  for (guint32 i = 0; i < plot->n; i++) {
    LoomColor color = color_of_line (paint, row, &lines[i]);
    brush.line = over ? loom_color_with_alpha (color, OVER_ALPHA) : color;
    brush.area = alone || (over && plot->n == 1) ? loom_color_with_alpha (color, 0.16) : 0;
    brush.width = over || row->plot == LOOM_PLOT_MEAN ? FAINT_LINE_PX : LINE_PX;
    paint_line (&brush, &lines[i], color);
  }
}
