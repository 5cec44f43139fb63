/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the ring of a pie, and its legend with the figures.
 */
#include "loom-chart-paint-private.h"

#include <math.h>

static void
trace_slice (const LoomChartPaint *paint, guint i)
{
  const LoomChartLayout *layout = paint->layout;
  double from = g_array_index (layout->angles, double, i), to = g_array_index (layout->angles, double, i + 1);
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, layout->center_x, layout->center_y, layout->radius, from, to);
  cairo_arc_negative (paint->cr, layout->center_x, layout->center_y, layout->hole, to, from);
  cairo_close_path (paint->cr);
}

static void
paint_ring (const LoomChartPaint *paint)
{
  cairo_t *cr = paint->cr;
  double total = loom_chart_get_total (paint->chart);
  for (guint i = 0; total > 0 && i < paint->chart->pie.slices->len; i++) {
    const LoomChartSlice *slice = &g_array_index (paint->chart->pie.slices, LoomChartSlice, i);
    if (!(slice->value > 0))
      continue;
    trace_slice (paint, i);
    loom_color_set_source (cr, loom_chart_paint_color (paint, slice->color));
    cairo_fill_preserve (cr);
    loom_color_set_source (
      cr, paint->theme->role[paint->theme->contrast ? LOOM_COLOR_ROLE_TEXT : LOOM_COLOR_ROLE_BACKGROUND]);
    cairo_set_line_width (cr, slice->value < total ? 1 : 0.01);
    cairo_stroke (cr);
  }
  if (total > 0)
    return;
  cairo_new_sub_path (cr);
  cairo_arc (cr, paint->layout->center_x, paint->layout->center_y, paint->layout->radius - 0.5, 0, 2 * G_PI);
  loom_color_set_source (cr, paint->theme->role[LOOM_COLOR_ROLE_BORDER]);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
paint_slice_outline (const LoomChartPaint *paint, guint i, gboolean focused)
{
  LoomChartBox box;
  if (i >= paint->chart->pie.slices->len || !loom_chart_layout_get_box (paint->layout, i, &box))
    return;
  box.x -= 3;
  box.width += 3;
  loom_chart_paint_outline_box (paint, box, focused);
  if (paint->layout->radius <= 0 || !(g_array_index (paint->chart->pie.slices, LoomChartSlice, i).value > 0))
    return;
  trace_slice (paint, i);
  loom_color_set_source (
    paint->cr, paint->theme->role[focused ? LOOM_COLOR_ROLE_SELECTED_OUTLINE : LOOM_COLOR_ROLE_HOVER_OUTLINE]);
  cairo_set_line_width (paint->cr, focused ? 2 : 1);
  cairo_stroke (paint->cr);
}

void
loom_chart_paint_pie (const LoomChartPaint *paint)
{
  if (paint->layout->radius > 0)
    paint_ring (paint);
  for (guint i = 0; i < paint->layout->keys->len; i++) {
    const LoomChartKey *key = &g_array_index (paint->layout->keys, LoomChartKey, i);
    g_autofree char *value = loom_chart_dup_share (paint->chart, i);
    double figures = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, value);
    double behind = paint->layout->mirrored ? key->x : paint->layout->width - key->x - loom_chart_key_width (key);
    loom_chart_paint_fill_box (paint, loom_chart_paint_swatch_box (paint, key),
                               loom_chart_paint_color (paint, key->color));
    loom_chart_paint_put_key (paint, key, MAX (key->room - 4 - figures - 10, 0));
    loom_chart_paint_put_last (paint, LOOM_TEXT_SMALL, value, behind + 4, key->middle_y, LOOM_COLOR_ROLE_TEXT_DIM);
  }
  if (paint->hover != paint->focused)
    paint_slice_outline (paint, paint->hover, FALSE);
  paint_slice_outline (paint, paint->focused, TRUE);
}
