/* SPDX-License-Identifier: Apache-2.0
 *
 * Lays out stacked columns. A column has one part for each line of the chart, one on top of the other. The parts of
 * column k are the k-th points of the lines. If columns are narrower than a pixel, only the highest column of each
 * column of pixels is placed, so that shorter columns do not hide it.
 */
#include "loom-chart-private.h"

#include <math.h>

#define COLUMN_SHARE 0.8 /* width of a column as a share of the distance to the next column */
#define MAX_COLUMN_PX 72.0

/* Returns the number of columns, which is the number of points of each line. */
static guint
count_columns (const LoomChartLines *lines)
{
  guint n = lines->lines->len > 0 ? G_MAXUINT : 0;
  for (guint i = 0; i < lines->lines->len; i++)
    n = MIN (n, g_array_index (lines->lines, LoomChartLine, i).n);
  return n;
}

static const LoomChartPoint *
get_part (const LoomChartLines *lines, guint line, guint column)
{
  return &g_array_index (lines->points, LoomChartPoint,
                         g_array_index (lines->lines, LoomChartLine, line).first + column);
}

static double
get_height (const LoomChartLines *lines, guint line, guint column)
{
  double y = get_part (lines, line, column)->y;
  return isfinite (y) ? MAX (y, 0) : 0;
}

static double
sum_column (const LoomChartLines *lines, guint column)
{
  double sum = 0;
  for (guint i = 0; i < lines->lines->len; i++)
    sum += get_height (lines, i, column);
  return sum;
}

double
loom_chart_stack_highest (const LoomChart *chart)
{
  double highest = 0;
  for (guint k = 0, n = count_columns (&chart->lines); k < n; k++)
    highest = MAX (highest, sum_column (&chart->lines, k));
  return highest;
}

static void
place_column (LoomChartLayout *layout, guint column)
{
  const LoomChartLines *lines = &layout->chart->lines;
  double sum = 0;
  for (guint i = 0; i < lines->lines->len; i++) {
    double height = get_height (lines, i, column);
    LoomChartVertex vertex = { .x = loom_chart_layout_x (layout, get_part (lines, i, column)->x),
                               .y = loom_chart_layout_y (layout, sum + height),
                               .point = g_array_index (lines->lines, LoomChartLine, i).first + column,
                               .line = i,
                               .base = loom_chart_layout_y (layout, sum) };
    if (height > 0)
      g_array_append_val (layout->path, vertex);
    sum += height;
  }
}

void
loom_chart_stack_place (LoomChartLayout *layout, double slot)
{
  const LoomChartLines *lines = &layout->chart->lines;
  double slot_px = slot / (layout->x_high - layout->x_low) * layout->plot.width * COLUMN_SHARE;
  guint n = count_columns (lines);
  layout->column_px = CLAMP (slot_px, 1, MAX_COLUMN_PX);
  for (guint k = 0, end; k < n; k = end) {
    guint highest = k;
    double pixel = floor (loom_chart_layout_x (layout, get_part (lines, 0, k)->x));
    for (end = k + 1; slot_px < 1 && end < n; end++) {
      if (floor (loom_chart_layout_x (layout, get_part (lines, 0, end)->x)) > pixel)
        break;
      highest = sum_column (lines, end) > sum_column (lines, highest) ? end : highest;
    }
    place_column (layout, highest);
  }
}

guint
loom_chart_stack_hit (const LoomChartLayout *layout, double x, double y)
{
  for (guint i = 0; i < layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (layout->path, LoomChartVertex, i);
    if (fabs (vertex->x - x) <= MAX (layout->column_px / 2, 1) && y >= vertex->y && y < vertex->base)
      return vertex->point;
  }
  return LOOM_CHART_NONE;
}

LoomChartBox
loom_chart_stack_box (const LoomChartLayout *layout, guint element)
{
  double bottom = layout->plot.y + layout->plot.height, left = layout->column_px / 2;
  for (guint i = 0; i < layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (layout->path, LoomChartVertex, i);
    if (vertex->point == element)
      return (LoomChartBox) { vertex->x - left, vertex->y, layout->column_px, vertex->base - vertex->y };
  }
  double x = loom_chart_layout_x (layout, g_array_index (layout->chart->lines.points, LoomChartPoint, element).x);
  return (LoomChartBox) { x - left, bottom, layout->column_px, 0 };
}
