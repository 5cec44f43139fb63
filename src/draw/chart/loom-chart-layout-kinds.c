/* SPDX-License-Identifier: Apache-2.0
 *
 * The layouts of all kinds of charts except pies.
 */
#include "loom-chart-private.h"

#include <math.h>
#include <string.h>

/* --- charts with two axes: histogram and lines -------------------------------------------------------------------- */

/* if the plot is less high than this, the ticks of the y axis may be closer together; at the usual distance, the axis
 * might have no ticks */
#define SMALL_PX 90.0

/* Sets the box of the plot, from y = `top` down, and its axes. The y axis contains the values from `low` to `high`,
 * which include 0, and is extended at both ends to round values. `whole`: all ticks of the y axis are whole numbers. */
static void
set_axes (LoomChartLayout *layout, double top, double low, double high, gboolean whole, LoomTextCache *text)
{
  const LoomChart *chart = layout->chart;
  gboolean shares = chart->kind == LOOM_CHART_HISTOGRAM && chart->histogram.total > 0;
  const char *unit = shares ? "%" : chart->unit;
  double bottom = layout->height - LOOM_CHART_AXIS_PX - (chart->x_name[0] != '\0' ? 14 : 0), widest = 0;
  layout->plot = (LoomChartBox) { 0, top, layout->width, bottom - top };
  if (layout->plot.height < 24)
    return;
  double apart = layout->plot.height < SMALL_PX ? 12 : 34;
  loom_chart_add_ticks (layout->y_ticks, low, high, layout->plot.height, apart, unit, whole, NULL);
  if (layout->y_ticks->len > 1) { /* extends the y axis at both ends to the next tick; an axis of percentages up to 100
                                   * does not extend beyond 100 */
    const LoomChartTick *ticks = (const LoomChartTick *) (gpointer) layout->y_ticks->data;
    double step = (ticks[1].at - ticks[0].at) / layout->plot.height * (high - low),
           most = strcmp (unit, "%") == 0 && high <= 100 ? 100 : INFINITY;
    high = MIN (ceil (high / step - 1e-9) * step, most);
    low = floor (low / step + 1e-9) * step;
    g_array_set_size (layout->y_ticks, 0);
    loom_chart_add_ticks (layout->y_ticks, low, high, layout->plot.height,
                          step / (high - low) * layout->plot.height * 0.999, unit, whole, NULL);
  }
  layout->y_low = low;
  layout->y_high = high;
  for (guint i = 0; i < layout->y_ticks->len; i++) {
    LoomChartTick *tick = &g_array_index (layout->y_ticks, LoomChartTick, i);
    tick->width = loom_text_cache_width (text, LOOM_TEXT_SMALL, tick->label);
    widest = MAX (widest, tick->width);
  }
  layout->plot.x = ceil (widest) + LOOM_CHART_GAP_PX;
  layout->plot.width = layout->width - layout->plot.x - 2;
}

/* width that the labels of the median and limit lines cannot use: the width of the axis, of the gaps beside the labels,
 * and of the piece of line before each label */
#define MARK_ROOM_PX 60.0

/* Sets the number of rows above the plot for the labels of the median and limit lines. Returns the total height of
 * these rows. */
static double
set_mark_rows (LoomChartLayout *layout, LoomTextCache *text)
{
  const LoomChart *chart = layout->chart;
  double width = 0;
  layout->mark_rows = isfinite (chart->median) || isfinite (chart->limit);
  if (isfinite (chart->median) && isfinite (chart->limit)) {
    for (int limit = 0; limit <= 1; limit++) {
      g_autofree char *label = loom_chart_dup_mark (chart, limit);
      width += loom_text_cache_width (text, LOOM_TEXT_SMALL, label);
    }
    layout->mark_rows += width + MARK_ROOM_PX > layout->width;
  }
  return layout->mark_rows * LOOM_CHART_MARK_PX;
}

/* distance from the end of the axis to the label of the bar for the values beyond the bins; leaves room for the label
 * of the last tick, half of which extends beyond the axis */
#define REST_LABEL_GAP_PX 24.0

/* Makes the plot of a histogram narrower, to make room for the bar for the values beyond the bins, with its gap and
 * label. */
static void
make_room_for_rest (LoomChartLayout *layout, LoomTextCache *text)
{
  g_autofree char *label = loom_chart_dup_name (layout->chart, loom_chart_get_n_bins (layout->chart));
  double width = loom_text_cache_width (text, LOOM_TEXT_SMALL, label),
         beside_bar = MAX (ceil ((width - LOOM_CHART_REST_BAR_PX) / 2), 0);
  layout->rest_gap_px = beside_bar + REST_LABEL_GAP_PX;
  layout->rest_px = layout->rest_gap_px + LOOM_CHART_REST_BAR_PX + beside_bar;
  layout->plot.width = MAX (layout->plot.width - layout->rest_px, 1);
}

void
loom_chart_layout_histogram (LoomChartLayout *layout, LoomTextCache *text)
{
  const LoomChartHistogram *histogram = &layout->chart->histogram;
  double most = histogram->high;
  for (guint i = 0; i < histogram->counts->len; i++)
    most = MAX (most, loom_chart_bin_value (layout->chart, i));
  set_axes (layout, LOOM_CHART_TITLE_PX + set_mark_rows (layout, text), 0, MAX (most, 1), !(histogram->total > 0),
            text);
  if (histogram->has_rest)
    make_room_for_rest (layout, text);
  layout->x_low = histogram->begin;
  layout->x_high = histogram->end > histogram->begin ? histogram->end : histogram->begin + 1;
  loom_chart_add_ticks (layout->x_ticks, layout->x_low, layout->x_high, layout->plot.width, 40, layout->chart->x_unit,
                        FALSE, text);
}

/* In a chart of dots, all points of a line (LoomChartLine) with at most MOST_DOTS points are drawn, however close they
 * are. Drawing MOST_DOTS points takes 11 ms. */
#define MOST_DOTS 2000

/* Returns TRUE if a line has more points than the pixel columns of the plot can show. */
static gboolean
is_dense (const LoomChartLayout *layout, const LoomChartLine *line)
{
  return line->n > 2 * layout->plot.width && !(layout->chart->lines.dots && line->n <= MOST_DOTS);
}

/* Adds the path of a line. If the line is dense, adds at most four points for each column of pixels: the first, lowest,
 * highest and last point. */
static void
add_path (LoomChartLayout *layout, guint number)
{
  const LoomChartLine *line = &g_array_index (layout->chart->lines.lines, LoomChartLine, number);
  const LoomChartPoint *points = &g_array_index (layout->chart->lines.points, LoomChartPoint, line->first);
  gboolean dense = is_dense (layout, line), moves = TRUE;
  double bottom = layout->plot.y + layout->plot.height;
  for (guint i = 0; i < line->n;) {
    guint end = i + 1, kept[4] = { i, i, i, i };
    double column = floor (loom_chart_layout_x (layout, points[i].x));
    for (; dense && end < line->n && floor (loom_chart_layout_x (layout, points[end].x)) == column; end++) {
      if (isfinite (points[end].y) && !(points[end].y >= points[kept[1]].y))
        kept[1] = end;
      if (isfinite (points[end].y) && !(points[end].y <= points[kept[2]].y))
        kept[2] = end;
      kept[3] = end;
    }
    if (kept[1] > kept[2]) {
      guint swap = kept[1];
      kept[1] = kept[2];
      kept[2] = swap;
    }
    for (guint k = 0; k < 4; k++) {
      if (k > 0 && kept[k] == kept[k - 1])
        continue;
      const LoomChartPoint *point = &points[kept[k]];
      LoomChartVertex vertex = { loom_chart_layout_x (layout, point->x),
                                 CLAMP (loom_chart_layout_y (layout, point->y), layout->plot.y, bottom),
                                 line->first + kept[k], number, moves };
      moves = !isfinite (point->y) || !isfinite (vertex.x) || !isfinite (loom_chart_layout_y (layout, point->y));
      if (!moves)
        g_array_append_val (layout->path, vertex);
    }
    i = end;
  }
}

#define LOG_MARGIN 0.15 /* space before the first and after the last value of a logarithmic axis, in powers of ten */

#define LABEL_ROOM_PX 32.0 /* minimum space above the highest dot, for its label */

#define COLUMN_SHARE 0.8 /* width of all columns at one x, as a share of the distance to the next x */
/* columns at the same x are painted over one another if each would be narrower than this when placed side by side */
#define MIN_COLUMN_PX 2.0
#define MAX_COLUMN_PX 40.0

/* Returns the smallest distance on the x axis between two consecutive points of a line; 1 if no line has two points
 * with different x. */
static double
find_slot (const LoomChartLines *lines)
{
  const LoomChartPoint *points = (const LoomChartPoint *) (gpointer) lines->points->data;
  double slot = INFINITY;
  for (guint i = 0; i < lines->lines->len; i++) {
    const LoomChartLine *line = &g_array_index (lines->lines, LoomChartLine, i);
    for (guint k = line->first + 1; k < line->first + line->n; k++)
      if (points[k].x > points[k - 1].x)
        slot = MIN (slot, points[k].x - points[k - 1].x);
  }
  return isfinite (slot) ? slot : 1;
}

static int
compare_tops (gconstpointer a, gconstpointer b)
{
  double x = ((const LoomChartVertex *) a)->y, y = ((const LoomChartVertex *) b)->y;
  return x < y ? -1 : x > y;
}

/* Of the columns in the same column of pixels, keeps only the tallest. `path` must be sorted by height, the tallest
 * column first. */
static void
keep_tallest (LoomChartLayout *layout)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  guint n = 0;
  for (guint i = 0; i < layout->path->len; i++) {
    LoomChartVertex vertex = g_array_index (layout->path, LoomChartVertex, i);
    if (g_hash_table_add (taken, GINT_TO_POINTER ((gint) floor (vertex.x))))
      g_array_index (layout->path, LoomChartVertex, n++) = vertex;
  }
  g_array_set_size (layout->path, n);
}

/* Places columns with the same x side by side. `slot`: distance between two neighbouring x, in units of the x axis. If
 * columns side by side would be too narrow, places all columns with the same x at the same position, with shorter
 * columns painted over taller ones. */
static void
place_columns (LoomChartLayout *layout, double slot)
{
  guint n = layout->chart->lines.lines->len;
  double slot_px = slot / (layout->x_high - layout->x_low) * layout->plot.width * COLUMN_SHARE, each = slot_px / n;
  if (each >= MIN_COLUMN_PX) {
    layout->column_px = MIN (each, MAX_COLUMN_PX);
    for (guint i = 0; i < layout->path->len; i++) {
      LoomChartVertex *vertex = &g_array_index (layout->path, LoomChartVertex, i);
      vertex->x += (vertex->line - (n - 1) / 2.0) * layout->column_px;
    }
    return;
  }
  layout->column_px = CLAMP (slot_px, 1, MAX_COLUMN_PX);
  g_array_sort (layout->path, compare_tops);
  if (!loom_chart_has_line_colors (layout->chart))
    keep_tallest (layout);
}

/* Extends the ranges of both logarithmic axes to include a point; ignores points that are not positive. */
static void
extend_log_axes (LoomChartLayout *layout, const LoomChartPoint *point)
{
  if (!(point->x > 0) || !(point->y > 0) || !isfinite (point->x) || !isfinite (point->y))
    return;
  layout->x_low = MIN (layout->x_low, log10 (point->x));
  layout->x_high = MAX (layout->x_high, log10 (point->x));
  layout->y_low = MIN (layout->y_low, log10 (point->y));
  layout->y_high = MAX (layout->y_high, log10 (point->y));
}

/* Lays out a chart with logarithmic axes. Each axis contains the values of all points and a margin. */
static void
layout_log_lines (LoomChartLayout *layout, LoomTextCache *text)
{
  const LoomChartLines *lines = &layout->chart->lines;
  double top = LOOM_CHART_TITLE_PX, widest = 0;
  layout->x_low = layout->y_low = G_MAXDOUBLE;
  layout->x_high = layout->y_high = -G_MAXDOUBLE;
  for (guint i = 0; i < lines->points->len; i++)
    extend_log_axes (layout, &g_array_index (lines->points, LoomChartPoint, i));
  if (layout->x_high < layout->x_low)
    return;
  layout->x_low -= LOG_MARGIN;
  layout->x_high += LOG_MARGIN;
  layout->y_low -= LOG_MARGIN;
  top += loom_chart_legend (layout->chart, layout->width, top, layout->keys, text);
  double bottom = layout->height - LOOM_CHART_AXIS_PX - (layout->chart->x_name[0] != '\0' ? 14 : 0);
  layout->plot = (LoomChartBox) { 0, top, layout->width, bottom - top };
  if (layout->plot.height < 24)
    return;
  layout->y_high += MAX (LOG_MARGIN, LABEL_ROOM_PX / layout->plot.height * (layout->y_high - layout->y_low));
  loom_chart_add_decade_ticks (layout->y_ticks, layout->y_low, layout->y_high, layout->plot.height, 16,
                               layout->chart->unit, text);
  for (guint i = 0; i < layout->y_ticks->len; i++)
    widest = MAX (widest, g_array_index (layout->y_ticks, LoomChartTick, i).width);
  layout->plot.x = ceil (widest) + LOOM_CHART_GAP_PX;
  layout->plot.width = layout->width - layout->plot.x - 2;
  if (layout->plot.width < 24)
    return;
  loom_chart_add_decade_ticks (layout->x_ticks, layout->x_low, layout->x_high, layout->plot.width, 70,
                               layout->chart->x_unit, text);
  for (guint i = 0; i < lines->lines->len; i++)
    add_path (layout, i);
}

void
loom_chart_layout_lines (LoomChartLayout *layout, LoomTextCache *text)
{
  if (layout->chart->lines.logarithmic) {
    layout_log_lines (layout, text);
    return;
  }
  const LoomChartLines *lines = &layout->chart->lines;
  double low = 0, high = 0, top = LOOM_CHART_TITLE_PX, slot = lines->columns ? find_slot (lines) : 0;
  layout->x_low = G_MAXDOUBLE;
  layout->x_high = -G_MAXDOUBLE;
  for (guint i = 0; i < lines->points->len; i++) {
    const LoomChartPoint *point = &g_array_index (lines->points, LoomChartPoint, i);
    gboolean counts = isfinite (point->y) && !(lines->dots && point->flagged);
    high = counts ? MAX (high, point->y) : high;
    low = counts && !lines->columns ? MIN (low, point->y) : low;
    layout->x_low = MIN (layout->x_low, point->x);
    layout->x_high = MAX (layout->x_high, point->x);
  }
  if (lines->points->len == 0)
    return;
  if (lines->x_log) { /* on each side, adds half the distance between two powers of two; otherwise the first and the
                       * last dot would lie on the edges of the plot */
    layout->x_low -= 0.5;
    layout->x_high += 0.5;
  }
  if (layout->x_high <= layout->x_low || lines->columns) {
    layout->x_low -= lines->columns ? slot / 2 : 0.5;
    layout->x_high += lines->columns ? slot / 2 : 0.5;
  }
  top += loom_chart_legend (layout->chart, layout->width, top, layout->keys, text);
  if (lines->stacked)
    high = loom_chart_stack_highest (layout->chart);
  if (isfinite (layout->chart->limit) && layout->chart->limit < 4 * high)
    high = MAX (high, layout->chart->limit * 1.05);
  set_axes (layout, top + set_mark_rows (layout, text), low, high > low ? high : 1, FALSE, text);
  if (layout->plot.width < 24 || layout->plot.height < 24)
    return;
  /* leaves room for half of a dot at each end of the plot */
  layout->plot.x += 4;
  layout->plot.width -= 8;
  if (lines->x_log)
    loom_chart_add_log_ticks (layout->x_ticks, layout->x_low, layout->x_high, layout->plot.width, layout->chart->x_unit,
                              text);
  else
    loom_chart_add_ticks (layout->x_ticks, layout->x_low, layout->x_high, layout->plot.width, 40, layout->chart->x_unit,
                          layout->chart->x_unit[0] == '\0', text);
  if (lines->stacked) {
    loom_chart_stack_place (layout, slot);
    return;
  }
  for (guint i = 0; i < lines->lines->len; i++)
    add_path (layout, i);
  if (lines->columns)
    place_columns (layout, slot);
}

/* --- bars --------------------------------------------------------------------------------------------------------- */

#define MAX_LABEL_SHARE 0.3
/* In a narrow bar chart, the names of the rows may take up to MAX_NARROW_SHARE of the chart's width, but not more than
 * MAX_NARROW_PX. */
#define MAX_NARROW_SHARE 0.4
#define MAX_NARROW_PX 240.0
#define BAR_TICK_PX 90.0 /* minimum distance between the ticks of the axis in a chart of stacked bars */

static double
widest_row_label (const GArray *rows, double most, LoomTextCache *text)
{
  double widest = 0;
  for (guint i = 0; i < rows->len; i++)
    widest = MAX (widest, loom_text_cache_width (text, LOOM_TEXT_SPAN, g_array_index (rows, const char *, i)));
  return MIN (ceil (widest) + LOOM_CHART_GAP_PX, floor (most));
}

static double
widest_value (const LoomChart *chart, LoomTextCache *text)
{
  double widest = 0;
  for (guint i = 0; loom_chart_has_bar_values (chart) && i < chart->bars.values->len; i++) {
    double value;
    if (!loom_chart_get_bar_value (chart, i, &value))
      continue;
    g_autofree char *label = loom_chart_format_bar (chart, value);
    widest = MAX (widest, loom_text_cache_width (text, LOOM_TEXT_SMALL, label));
  }
  return widest > 0 ? ceil (widest) + LOOM_CHART_GAP_PX : 2;
}

/* Returns the end of an axis of percentages: the lowest of 2.5, 10, 25, 50 and 100 that is not below `high`. With so
 * few possible ends, small values look small, and charts of similar runs have the same scale. */
static double
find_percent_end (double high)
{
  static const double ends[] = { 2.5, 10, 25, 50 };
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (high <= ends[i])
      return ends[i];
  return 100;
}

/* Sets the range of the axis so that it contains 0 and all bars or stacks. Single bars may have negative values; the
 * parts of a stack may not. */
static void
set_bar_axis (LoomChartLayout *layout)
{
  const LoomChartBars *bars = &layout->chart->bars;
  layout->x_low = 0;
  layout->x_high = bars->least_high;
  for (guint i = 0; i < bars->values->len; i++) {
    double from, to;
    loom_chart_bar_extent (layout, i, &from, &to);
    layout->x_low = MIN (layout->x_low, to);
    layout->x_high = MAX (layout->x_high, to);
  }
  if (strcmp (layout->chart->unit, "%") == 0 && layout->x_high <= 100.0001 && layout->x_low >= 0)
    layout->x_high = find_percent_end (layout->x_high);
  if (!(layout->x_high > layout->x_low))
    layout->x_high = 1;
}

void
loom_chart_bar_extent (const LoomChartLayout *layout, guint element, double *from, double *to)
{
  const LoomChartBars *bars = &layout->chart->bars;
  guint first = element - element % bars->series->len;
  double value = g_array_index (bars->values, double, element);
  *from = 0;
  for (guint i = first; bars->stacked && i < element; i++)
    *from += isfinite (g_array_index (bars->values, double, i)) ? MAX (g_array_index (bars->values, double, i), 0) : 0;
  value = isfinite (value) ? value : 0;
  *to = *from + (bars->stacked ? MAX (value, 0) : value);
}

void
loom_chart_layout_bars (LoomChartLayout *layout, LoomTextCache *text)
{
  const LoomChartBars *bars = &layout->chart->bars;
  guint n = bars->groups->len, per_group = bars->stacked ? 1 : bars->series->len;
  double top =
    LOOM_CHART_TITLE_PX + loom_chart_legend (layout->chart, layout->width, LOOM_CHART_TITLE_PX, layout->keys, text);
  double bottom = layout->height - (bars->stacked ? LOOM_CHART_AXIS_PX : 0);
  if (n == 0 || per_group == 0 || bottom <= top)
    return;
  double most = MAX (layout->width * MAX_LABEL_SHARE, MIN (MAX_NARROW_PX, layout->width * MAX_NARROW_SHARE));
  layout->label_px = widest_row_label (bars->groups, most, text);
  layout->plot = (LoomChartBox) { layout->label_px, top,
                                  layout->width - layout->label_px - widest_value (layout->chart, text), bottom - top };
  layout->row_px = MIN (layout->plot.height / n, per_group * 13.0 + 7);
  layout->bar_px = MAX ((layout->row_px - (layout->row_px > 10 ? 5 : 1)) / per_group, 1);
  layout->plot.height = layout->row_px * n;
  set_bar_axis (layout);
  if (bars->stacked)
    loom_chart_add_ticks (layout->x_ticks, 0, layout->x_high, layout->plot.width, BAR_TICK_PX, layout->chart->unit,
                          FALSE, text);
}

/* --- charts with cells: heat map and matrix ----------------------------------------------------------------------- */

#define SCALE_PX 28.0     /* height of the colour scale below the plot */
#define MAP_CELL_PX 120.0 /* maximum width of the cells of a map, unless the names of its rows are wider */

/* If each column represents a single number, such as a step, moves each tick to the middle of its column, and removes
 * the tick at the end of the last column. */
static void
center_ticks (LoomChartLayout *layout)
{
  const LoomChartHeat *heat = &layout->chart->heat;
  if (layout->chart->x_unit[0] != '\0' || heat->end - heat->begin != heat->n_columns)
    return;
  for (guint i = layout->x_ticks->len; i-- > 0;) {
    LoomChartTick *tick = &g_array_index (layout->x_ticks, LoomChartTick, i);
    tick->at += layout->plot.width / heat->n_columns / 2;
    if (tick->at > layout->plot.width)
      g_array_remove_index (layout->x_ticks, i);
  }
}

void
loom_chart_layout_heat (LoomChartLayout *layout, LoomTextCache *text)
{
  const LoomChartHeat *heat = &layout->chart->heat;
  gboolean matrix = loom_chart_has_cells (layout->chart);
  double top = LOOM_CHART_TITLE_PX + (matrix ? LOOM_CHART_AXIS_PX : 0),
         bottom = layout->height - SCALE_PX - (matrix ? 0 : LOOM_CHART_AXIS_PX);
  if (heat->rows->len == 0 || heat->n_columns == 0 || bottom <= top)
    return;
  layout->label_px = widest_row_label (heat->rows, layout->width * MAX_LABEL_SHARE, text);
  layout->plot = (LoomChartBox) { layout->label_px, top, layout->width - layout->label_px - 1, bottom - top };
  layout->row_px = MIN (layout->plot.height / heat->rows->len, matrix ? 30 : 22);
  /* cells of a matrix are wider than high, so that numbers fit in, but the matrix is not stretched to the full width */
  if (matrix)
    layout->plot.width =
      MIN (layout->plot.width,
           MAX (layout->chart->kind == LOOM_CHART_HEAT ? MAP_CELL_PX : layout->row_px * 2.2, layout->label_px) *
             heat->n_columns);
  layout->plot.height = layout->row_px * heat->rows->len;
  layout->x_low = heat->begin;
  layout->x_high = heat->end > heat->begin ? heat->end : heat->begin + 1;
  if (!matrix)
    loom_chart_add_ticks (layout->x_ticks, layout->x_low, layout->x_high, layout->plot.width, 50, layout->chart->x_unit,
                          layout->chart->x_unit[0] == '\0', text);
  if (!matrix)
    center_ticks (layout);
}

/* --- heights ------------------------------------------------------------------------------------------------------ */

#define SMALL_CHART_PX 110.0
#define LOG_CHART_PX 320.0

double
loom_chart_layout_natural_height (const LoomChart *chart, double width, LoomTextCache *text)
{
  g_return_val_if_fail (chart != NULL && text != NULL, 0);
  double title = LOOM_CHART_TITLE_PX, legend = loom_chart_legend (chart, width, 0, NULL, text);
  switch (chart->kind) {
  case LOOM_CHART_PIE: return loom_chart_layout_pie_height (chart, width, text);
  case LOOM_CHART_BARS:
    return title + legend + chart->bars.groups->len * ((chart->bars.stacked ? 1 : chart->bars.series->len) * 13.0 + 7) +
           (chart->bars.stacked ? LOOM_CHART_AXIS_PX : 0);
  case LOOM_CHART_HEAT:
    if (loom_chart_has_cells (chart))
      return title + chart->heat.rows->len * 26.0 + LOOM_CHART_AXIS_PX + SCALE_PX;
    return title +
           chart->heat.rows->len * (chart->heat.rows->len > 24  ? 10.0
                                    : chart->heat.rows->len > 8 ? 16.0
                                                                : 20.0) +
           LOOM_CHART_AXIS_PX + SCALE_PX;
  case LOOM_CHART_WAITS: return loom_chart_layout_waits_height (chart);
  case LOOM_CHART_MATRIX:
    return title + chart->heat.rows->len * (chart->heat.rows->len > 16 ? 14.0 : 26.0) + LOOM_CHART_AXIS_PX + SCALE_PX;
  default:
    return title + legend +
           (chart->small                                                  ? SMALL_CHART_PX
            : chart->kind == LOOM_CHART_LINES && chart->lines.logarithmic ? LOG_CHART_PX
                                                                          : 180);
  }
}
