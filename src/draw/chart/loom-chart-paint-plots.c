/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints histograms, bars, lines and dots between their axes.
 */
#include "loom-chart-paint-private.h"

#include <math.h>

/* The points of a line are painted only if their mean distance is at least this. */
#define MIN_POINT_DISTANCE_PX 24.0

/* Place of the value beside a bar. VALUE_GAP_PX: distance from the end of the bar to the value. HALF_VALUE_PX: half the
 * height of the value; vertical lines end at this distance above and below the middle of the value. CLEAR_PX: least
 * distance of vertical lines to the left and to the right of the value. MIN_VALUE_BAR_PX: if bars are less high, they
 * have no values. */
#define VALUE_GAP_PX 5.0
#define HALF_VALUE_PX 7.0
#define CLEAR_PX 2.0
#define MIN_VALUE_BAR_PX 9.0

/* Paints the bar for the values beyond the bins of a histogram. Two strokes across the axis show that the scale is
 * interrupted before this bar. */
static void
paint_rest (const LoomChartPaint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  guint rest = loom_chart_get_n_bins (paint->chart);
  LoomChartBox box = loom_chart_layout_rest_box (paint->layout);
  double bottom = plot->y + plot->height, middle = plot->x + plot->width + paint->layout->rest_gap_px / 2;
  g_autofree char *label = loom_chart_dup_name (paint->chart, rest);
  LoomColor axis = paint->theme->role[LOOM_COLOR_ROLE_BORDER];
  gboolean beyond = isfinite (paint->chart->limit) && paint->chart->histogram.rest_begin > paint->chart->limit;
  loom_chart_paint_rule (paint, plot->x + plot->width, bottom, plot->x + plot->width + paint->layout->rest_px, bottom,
                         axis, 1);
  for (int side = -2; side <= 2; side += 4)
    loom_chart_paint_rule (paint, middle + side - 2, bottom + 4, middle + side + 2, bottom - 4,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM], 1);
  double height = MAX (box.height, 1.5);
  loom_chart_paint_fill_box (paint, (LoomChartBox) { floor (box.x), bottom - height, box.width, height },
                             loom_chart_paint_color (paint, beyond ? LOOM_CHART_ALARM : paint->chart->histogram.color));
  double width = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, label);
  loom_chart_paint_put (paint, LOOM_TEXT_SMALL, label, box.x + (box.width - width) / 2, bottom + 11, -1,
                        LOOM_COLOR_ROLE_TEXT_DIM);
}

void
loom_chart_paint_histogram (const LoomChartPaint *paint)
{
  LoomChartBox box;
  loom_chart_paint_y_axis (paint);
  for (guint i = 0; i < loom_chart_get_n_bins (paint->chart); i++) {
    if (!(g_array_index (paint->chart->histogram.counts, double, i) > 0) ||
        !loom_chart_layout_get_box (paint->layout, i, &box))
      continue;
    double left = floor (box.x), right = floor (box.x + box.width), gap = right - left > 3 ? 1 : 0;
    gboolean beyond = isfinite (paint->chart->limit) &&
                      paint->layout->x_low + (i + 0.5) * (paint->layout->x_high - paint->layout->x_low) /
                                               loom_chart_get_n_bins (paint->chart) >
                        paint->chart->limit;
    double height = MAX (box.height, 1.5);
    loom_chart_paint_fill_box (
      paint, (LoomChartBox) { left, box.y + box.height - height, MAX (right - left - gap, 1), height },
      loom_chart_paint_color (paint, beyond ? LOOM_CHART_ALARM : paint->chart->histogram.color));
  }
  loom_chart_paint_x_axis (paint, FALSE);
  if (paint->layout->rest_px > 0)
    paint_rest (paint);
  loom_chart_paint_upright_marks (paint);
}

/* Paints the line at 0. Bars with positive values extend to one side of it, bars with negative values to the other. */
static void
paint_zero (const LoomChartPaint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double zero_x = floor (loom_chart_layout_x (paint->layout, 0)) + 0.5;
  loom_chart_paint_rule (paint, zero_x, plot->y, zero_x, plot->y + plot->height,
                         paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM], 1);
}

/* The value beside a bar. */
typedef struct {
  char *text;
  double from, middle_y; /* place of the text, see loom_chart_paint_put_first() */
  double x0, x1;         /* the left and the right end of the text in px */
} BarValue;

static void
clear_value (gpointer value)
{
  g_free (((BarValue *) value)->text);
}

/* Returns the values (BarValue) beside the bars that have one, from the top down. Owned by the caller. */
static GArray *
list_values (const LoomChartPaint *paint)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (BarValue));
  g_array_set_clear_func (values, clear_value);
  gboolean any = loom_chart_has_bar_values (paint->chart) && paint->layout->bar_px >= MIN_VALUE_BAR_PX;
  LoomChartBox bar;
  double number;
  for (guint i = 0; any && i < paint->chart->bars.values->len; i++) {
    if (!loom_chart_layout_get_box (paint->layout, i, &bar) || !loom_chart_get_bar_value (paint->chart, i, &number))
      continue;
    double end = paint->layout->mirrored ? paint->layout->width - bar.x : bar.x + bar.width;
    BarValue value = { .text = loom_chart_format_bar (paint->chart, number),
                       .from = end + VALUE_GAP_PX,
                       .middle_y = bar.y + bar.height / 2 - 0.5 };
    double width = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, value.text);
    value.x0 = paint->layout->mirrored ? paint->layout->width - value.from - width : value.from;
    value.x1 = value.x0 + width;
    g_array_append_val (values, value);
  }
  return values;
}

/* Paints a vertical line from the top of the plot to a tick of the axis, with gaps where it would cross the
 * printed numbers `values`. */
static void
paint_guide (const LoomChartPaint *paint, double x, const GArray *values)
{
  const LoomChartBox *plot = &paint->layout->plot;
  LoomColor color = paint->theme->role[LOOM_COLOR_ROLE_SEPARATOR];
  double y = plot->y, bottom = plot->y + plot->height + 3;
  for (guint i = 0; i < values->len; i++) {
    const BarValue *value = &g_array_index (values, BarValue, i);
    if (x < value->x0 - CLEAR_PX || x > value->x1 + CLEAR_PX)
      continue;
    double top = value->middle_y - HALF_VALUE_PX;
    if (top > y)
      loom_chart_paint_rule (paint, x, y, x, top, color, 1);
    y = MAX (y, value->middle_y + HALF_VALUE_PX);
  }
  if (bottom > y)
    loom_chart_paint_rule (paint, x, y, x, bottom, color, 1);
}

void
loom_chart_paint_bars (const LoomChartPaint *paint)
{
  const LoomChartBars *bars = &paint->chart->bars;
  LoomChartBox box;
  g_autoptr (GArray) values = list_values (paint);
  loom_chart_paint_row_labels (paint, bars->groups);
  for (guint i = 0; bars->stacked && i < paint->layout->x_ticks->len; i++)
    paint_guide (paint, paint->layout->plot.x + g_array_index (paint->layout->x_ticks, LoomChartTick, i).at, values);
  if (bars->stacked)
    loom_chart_paint_x_axis (paint, TRUE);
  for (guint i = 0; i < bars->values->len; i++) {
    if (!loom_chart_layout_get_box (paint->layout, i, &box))
      continue;
    if (bars->stacked && g_array_index (bars->values, double, i) > 0)
      box.width = MAX (box.width - 1, 1);
    if (g_array_index (bars->values, double, i) > 0 || !bars->stacked)
      loom_chart_paint_fill (paint, (LoomChartBox) { box.x, box.y, box.width, MAX (box.height - 1, 1) },
                             g_array_index (bars->series, LoomChartBarSeries, i % bars->series->len).color);
  }
  for (guint i = 0; i < values->len; i++) {
    const BarValue *value = &g_array_index (values, BarValue, i);
    loom_chart_paint_put_first (paint, LOOM_TEXT_SMALL, value->text, value->from, value->middle_y,
                                LOOM_COLOR_ROLE_TEXT_DIM);
  }
  if (paint->layout->x_low < 0)
    paint_zero (paint);
  loom_chart_paint_keys (paint);
}

static void
paint_flags (const LoomChartPaint *paint)
{
  double last_x = -G_MAXDOUBLE;
  for (guint i = 0; i < paint->layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (paint->layout->path, LoomChartVertex, i);
    if (!loom_chart_is_flagged (paint->chart, vertex->point) || fabs (vertex->x - last_x) < 1)
      continue;
    cairo_new_sub_path (paint->cr);
    cairo_arc (paint->cr, vertex->x, vertex->y, 3.5, 0, 2 * G_PI);
    loom_color_set_source (paint->cr, loom_chart_paint_color (paint, LOOM_CHART_ALARM));
    cairo_fill_preserve (paint->cr);
    loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
    cairo_set_line_width (paint->cr, 1);
    cairo_stroke (paint->cr);
    last_x = vertex->x;
  }
}

static void
trace_line (const LoomChartPaint *paint, guint first, guint end)
{
  const LoomChartVertex *path = (const LoomChartVertex *) (gpointer) paint->layout->path->data;
  for (guint i = first; i < end; i++) {
    if (path[i].moves)
      cairo_move_to (paint->cr, path[i].x, path[i].y);
    else if (paint->chart->lines.steps)
      cairo_line_to (paint->cr, path[i].x, path[i - 1].y);
    cairo_line_to (paint->cr, path[i].x, path[i].y);
  }
}

/* Paints a line of a chart of dots if its points are joined (LoomChartLine.joined). */
static void
paint_curve (const LoomChartPaint *paint, guint line)
{
  const LoomChartLine *own = loom_chart_paint_get_line (paint, line);
  for (guint i = 0; i < paint->layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (paint->layout->path, LoomChartVertex, i);
    if (vertex->line == line)
      (vertex->moves ? cairo_move_to : cairo_line_to) (paint->cr, vertex->x, vertex->y);
  }
  loom_color_set_source (paint->cr, loom_chart_paint_color (paint, own->color));
  cairo_set_line_width (paint->cr, paint->theme->contrast ? 2 : 1.5);
  cairo_stroke (paint->cr);
}

static void
paint_dots (const LoomChartPaint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  loom_chart_paint_y_axis (paint);
  loom_chart_paint_x_axis (paint, FALSE);
  if (!paint->chart->lines.logarithmic) {
    double zero_y = loom_chart_layout_y (paint->layout, 0);
    loom_chart_paint_rule (paint, plot->x - 4, zero_y, plot->x + plot->width + 4, zero_y,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM], 1);
  } else
    loom_chart_paint_rule (paint, plot->x, plot->y + plot->height, plot->x + plot->width, plot->y + plot->height,
                           paint->theme->role[LOOM_COLOR_ROLE_BORDER], 1);
  for (guint i = 0; i < paint->chart->lines.lines->len; i++)
    if (loom_chart_paint_get_line (paint, i)->joined)
      paint_curve (paint, i);
    else
      loom_chart_paint_dots (paint->cr, paint->layout, i,
                             loom_chart_paint_color (paint, loom_chart_paint_get_line (paint, i)->color),
                             paint->theme->contrast);
  loom_chart_paint_dot_labels (paint);
  loom_chart_paint_keys (paint);
}

/* Returns the box in which a column or a part of a stacked column is painted. */
static LoomChartBox
get_column_box (const LoomChartPaint *paint, const LoomChartVertex *vertex)
{
  const LoomChartLayout *layout = paint->layout;
  gboolean stacked = paint->chart->lines.stacked;
  double bottom = stacked ? vertex->base : layout->plot.y + layout->plot.height, gap = layout->column_px > 4 ? 1 : 0,
         left = floor (vertex->x - layout->column_px / 2), right = floor (vertex->x + layout->column_px / 2),
         height = MAX (bottom - vertex->y, stacked ? 0.5 : 1.5);
  return (LoomChartBox) { left, bottom - height, MAX (right - left - gap, 1), height };
}

/* Paints a column without stripes. A flagged column keeps the colour of its line and gets a frame, because the colour
 * identifies the rank. */
static void
paint_column (const LoomChartPaint *paint, const LoomChartVertex *vertex)
{
  gboolean colors = loom_chart_has_line_colors (paint->chart);
  LoomChartBox box = get_column_box (paint, vertex);
  gboolean flagged = loom_chart_is_flagged (paint->chart, vertex->point), framed = flagged && box.width > 4;
  guint color = flagged && !framed ? LOOM_CHART_ALARM
                : colors           ? loom_chart_paint_get_line (paint, vertex->line)->color
                                   : 0;
  loom_chart_paint_fill_box (paint, box, loom_chart_paint_color (paint, color));
  if (framed)
    loom_chart_paint_flag_box (paint, box);
}

static void
paint_columns (const LoomChartPaint *paint)
{
  const GArray *path = paint->layout->path;
  loom_chart_paint_y_axis (paint);
  for (guint i = 0; i < path->len; i++)
    paint_column (paint, &g_array_index (path, LoomChartVertex, i));
  for (guint i = 0; i < path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (path, LoomChartVertex, i);
    if (loom_chart_paint_get_line (paint, vertex->line)->color == LOOM_CHART_WAIT)
      loom_chart_paint_trace_stripes (paint, get_column_box (paint, vertex));
  }
  loom_chart_paint_stroke_stripes (paint);
  loom_chart_paint_x_axis (paint, FALSE);
  loom_chart_paint_level_marks (paint);
  loom_chart_paint_keys (paint);
}

/* Paints the points of a line if their mean distance is large enough; points that are not connected to others are
 * always painted. */
static void
paint_sparse_points (const LoomChartPaint *paint, guint line, guint first, guint end)
{
  LoomColor color = loom_chart_paint_color (paint, loom_chart_paint_get_line (paint, line)->color);
  const LoomChartVertex *path = (const LoomChartVertex *) (gpointer) paint->layout->path->data;
  gboolean sparse = (end - first) * MIN_POINT_DISTANCE_PX <= paint->layout->plot.width;
  for (guint i = first; i < end; i++) {
    gboolean alone = path[i].moves && (i + 1 == end || path[i + 1].moves);
    if ((sparse || alone) && !loom_chart_is_flagged (paint->chart, path[i].point))
      loom_chart_paint_dot (paint->cr, path[i].x, path[i].y, FALSE, color, paint->theme->contrast);
  }
}

void
loom_chart_paint_lines (const LoomChartPaint *paint)
{
  if (paint->chart->lines.columns) {
    paint_columns (paint);
    return;
  }
  if (paint->chart->lines.dots) {
    paint_dots (paint);
    return;
  }
  const LoomChartLines *lines = &paint->chart->lines;
  const LoomChartVertex *path = (const LoomChartVertex *) (gpointer) paint->layout->path->data;
  guint at = 0;
  loom_chart_paint_y_axis (paint);
  loom_chart_paint_x_axis (paint, FALSE);
  cairo_set_line_join (paint->cr, CAIRO_LINE_JOIN_ROUND);
  /* round caps make a line that consists of a single point visible as a dot */
  cairo_set_line_cap (paint->cr, CAIRO_LINE_CAP_ROUND);
  for (guint i = 0; i < lines->lines->len; i++) {
    const LoomChartLine *line = &g_array_index (lines->lines, LoomChartLine, i);
    guint first = at;
    while (at < paint->layout->path->len && path[at].point < line->first + line->n)
      at++;
    trace_line (paint, first, at);
    loom_color_set_source (paint->cr, loom_chart_paint_color (paint, line->color));
    cairo_set_line_width (paint->cr, paint->theme->contrast ? 2 : 1.5);
    cairo_stroke (paint->cr);
    paint_sparse_points (paint, i, first, at);
  }
  cairo_set_line_cap (paint->cr, CAIRO_LINE_CAP_BUTT);
  loom_chart_paint_level_marks (paint);
  paint_flags (paint);
  loom_chart_paint_keys (paint);
}
