/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the points of charts of dots: circles for normal points, crosses for flagged points (outliers), so that the
 * difference does not depend on colour alone.
 */
#include "loom-chart-private.h"

#include <math.h>

gboolean
loom_chart_is_flagged (const LoomChart *chart, guint point)
{
  return point < chart->lines.points->len && g_array_index (chart->lines.points, LoomChartPoint, point).flagged;
}

void
loom_chart_paint_dot (cairo_t *cr, double x, double y, gboolean flagged, LoomColor color, gboolean contrast)
{
  double radius = contrast ? 3 : LOOM_CHART_DOT_PX / 2;
  loom_color_set_source (cr, color);
  if (!flagged) {
    cairo_new_sub_path (cr);
    cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
    cairo_fill (cr);
    return;
  }
  cairo_set_line_width (cr, contrast ? 2 : 1.5);
  for (int way = -1; way <= 1; way += 2) {
    cairo_move_to (cr, x - 1.5 * radius, y - way * 1.5 * radius);
    cairo_line_to (cr, x + 1.5 * radius, y + way * 1.5 * radius);
  }
  cairo_stroke (cr);
}

double
loom_chart_dot_radius (const LoomChart *chart, guint point)
{
  double area = g_array_index (chart->lines.points, LoomChartPoint, point).area;
  return MAX (LOOM_CHART_LARGE_DOT_PX / 2 * sqrt (area), LOOM_CHART_DOT_PX / 2);
}

/* Paints a dot whose area has a meaning: with a light fill and an outline, so that overlapping dots remain
 * distinguishable. */
static void
paint_large_dot (cairo_t *cr, double x, double y, double radius, LoomColor color, gboolean contrast)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  loom_color_set_source (cr, loom_color_with_alpha (color, 0.5));
  cairo_fill_preserve (cr);
  loom_color_set_source (cr, color);
  cairo_set_line_width (cr, contrast ? 2 : 1);
  cairo_stroke (cr);
}

void
loom_chart_paint_dots (cairo_t *cr, const LoomChartLayout *layout, guint line, LoomColor color, gboolean contrast)
{
  const LoomChartLine *own = &g_array_index (layout->chart->lines.lines, LoomChartLine, line);
  for (guint i = 0; i < layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (layout->path, LoomChartVertex, i);
    if (vertex->point < own->first || vertex->point >= own->first + own->n)
      continue;
    double radius = loom_chart_dot_radius (layout->chart, vertex->point);
    if (radius > LOOM_CHART_DOT_PX / 2)
      paint_large_dot (cr, vertex->x, vertex->y, radius, color, contrast);
    else
      loom_chart_paint_dot (cr, vertex->x, vertex->y, loom_chart_is_flagged (layout->chart, vertex->point), color,
                            contrast);
  }
}
