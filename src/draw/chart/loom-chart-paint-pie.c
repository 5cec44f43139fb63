/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints pies: the ring, and the values next to its slices or in a legend. If a pie has a single slice, a line of text
 * is painted instead of the ring.
 */
#include "loom-chart-paint-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* distance in px from the middle of a label, which has two lines of text, to the middle of each line */
#define LINE_PX 7.0
#define SHARE_PX 12.0    /* height of the text of a share on a slice */
#define HOLE_MARGIN_PX 3 /* minimum distance between the hole's edge and the text in it */
#define ROOMY_RING_PX 50 /* minimum radius of a ring that shows shares on its slices */

static double
middle_angle (const LoomChartPaint *paint, guint i)
{
  const double *angles = (const double *) (gpointer) paint->layout->angles->data;
  return (angles[i] + angles[i + 1]) / 2;
}

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

/* Paints the line that connects a slice with its label. */
static void
paint_leader (const LoomChartPaint *paint, guint i, LoomChartBox label)
{
  const LoomChartLayout *layout = paint->layout;
  double angle = middle_angle (paint, i), far = layout->radius + LOOM_CHART_LEADER_PX * 0.8;
  gboolean left = label.x < layout->center_x;
  cairo_move_to (paint->cr, layout->center_x + cos (angle) * layout->radius,
                 layout->center_y + sin (angle) * layout->radius);
  cairo_line_to (paint->cr, layout->center_x + cos (angle) * far, layout->center_y + sin (angle) * far);
  cairo_line_to (paint->cr, left ? label.x + label.width + 4 : label.x - 4, label.y + label.height / 2);
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_TEXT_FAINT]);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
}

/* Paints a label next to the ring: right-aligned on the left side, left-aligned on the right side. */
static void
paint_label (const LoomChartPaint *paint, guint i)
{
  const LoomChartKey *key = &g_array_index (paint->layout->keys, LoomChartKey, i);
  LoomChartBox box = loom_chart_layout_slice_label (paint->layout, i);
  g_autofree char *share = loom_chart_dup_share (paint->chart, i);
  gboolean left = box.x < paint->layout->center_x;
  double right = box.x + box.width, y = key->middle_y;
  if (box.width <= 0)
    return;
  paint_leader (paint, i, box);
  double name_px = loom_text_cache_width (paint->text, LOOM_TEXT_SPAN, key->label);
  loom_chart_paint_put (paint, LOOM_TEXT_SPAN, key->label, left ? right - name_px : box.x, y - LINE_PX, -1,
                        LOOM_COLOR_ROLE_TEXT);
  if (left)
    loom_chart_paint_put_right (paint, LOOM_TEXT_SMALL, share, right, y + LINE_PX, LOOM_COLOR_ROLE_TEXT_DIM);
  else
    loom_chart_paint_put (paint, LOOM_TEXT_SMALL, share, box.x, y + LINE_PX, -1, LOOM_COLOR_ROLE_TEXT_DIM);
}

/* Paints the share of each slice on the slice, if the slice is large enough. Used for a pie with a legend. */
static void
paint_shares (const LoomChartPaint *paint)
{
  const LoomChartLayout *layout = paint->layout;
  double total = loom_chart_get_total (paint->chart), at = (layout->radius + layout->hole) / 2;
  for (guint i = 0; layout->radius >= ROOMY_RING_PX && i < paint->chart->pie.slices->len; i++) {
    const LoomChartSlice *slice = &g_array_index (paint->chart->pie.slices, LoomChartSlice, i);
    if (!(slice->value > 0))
      continue;
    g_autofree char *share = g_strdup_printf ("%.0f %%", slice->value / total * 100);
    double angle = middle_angle (paint, i), width = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, share);
    double along = fabs (sin (angle)) * width + fabs (cos (angle)) * SHARE_PX;
    if (along + 2 > slice->value / total * 2 * G_PI * at)
      continue;
    loom_text_cache_paint (paint->text, paint->cr, LOOM_TEXT_SMALL, share,
                           layout->center_x + cos (angle) * at - width / 2, layout->center_y + sin (angle) * at, -1,
                           loom_theme_text_on (paint->theme, loom_chart_paint_color (paint, slice->color)));
  }
}

static void
paint_legend (const LoomChartPaint *paint)
{
  for (guint i = 0; i < paint->layout->keys->len; i++) {
    const LoomChartKey *key = &g_array_index (paint->layout->keys, LoomChartKey, i);
    if (key->room <= 0)
      continue;
    g_autofree char *value = loom_chart_dup_share (paint->chart, i);
    double figures = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, value);
    double behind = paint->layout->mirrored ? key->x : paint->layout->width - key->x - loom_chart_key_width (key);
    loom_chart_paint_fill_box (paint, loom_chart_paint_swatch_box (paint, key),
                               loom_chart_paint_color (paint, key->color));
    loom_chart_paint_put_key (paint, key, MAX (key->room - 4 - figures - 10, 0));
    loom_chart_paint_put_last (paint, LOOM_TEXT_SMALL, value, behind + 4, key->middle_y, LOOM_COLOR_ROLE_TEXT_DIM);
  }
}

static void
paint_centered (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double y, LoomColorRole role)
{
  double width = loom_text_cache_width (paint->text, style, text);
  loom_text_cache_paint (paint->text, paint->cr, style, text, paint->layout->center_x - width / 2, y, -1,
                         paint->theme->role[role]);
}

/* Paints the sum of the slices in the hole of the ring, and below it the name of the things that the chart counts
 * (LoomChart.what). Paints nothing if the hole is too small for the text. */
static void
paint_total (const LoomChartPaint *paint)
{
  const LoomChartLayout *layout = paint->layout;
  const char *what = paint->chart->what;
  double total = loom_chart_get_total (paint->chart), room = 2 * layout->hole - 2 * HOLE_MARGIN_PX;
  g_autofree char *sum = loom_chart_format (total, paint->chart->unit);
  if (!(total > 0) || strcmp (paint->chart->unit, "%") == 0 ||
      loom_text_cache_width (paint->text, LOOM_TEXT_SPAN, sum) > room ||
      loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, what) > room)
    return;
  double above = *what != '\0' ? LINE_PX : 0;
  paint_centered (paint, LOOM_TEXT_SPAN, sum, layout->center_y - above, LOOM_COLOR_ROLE_TEXT);
  if (*what != '\0')
    paint_centered (paint, LOOM_TEXT_SMALL, what, layout->center_y + LINE_PX, LOOM_COLOR_ROLE_TEXT_DIM);
}

static void
paint_single (const LoomChartPaint *paint)
{
  guint single = paint->layout->single;
  LoomChartKey key = g_array_index (paint->layout->keys, LoomChartKey, single);
  g_autofree char *value = loom_chart_format (loom_chart_get_value (paint->chart, single), paint->chart->unit);
  /* Translators: shown instead of a pie that has only one slice: the name and the value of the slice */
  g_autofree char *words = g_strdup_printf (C_ ("pie", "Only %s: %s (100 %%)"), key.label, value);
  loom_chart_paint_fill_box (paint, loom_chart_paint_swatch_box (paint, &key),
                             loom_chart_paint_color (paint, key.color));
  key.label = words;
  loom_chart_paint_put_key (paint, &key, key.room);
}

void
loom_chart_paint_pie (const LoomChartPaint *paint)
{
  if (paint->layout->radius > 0)
    paint_ring (paint);
  if (paint->layout->single < paint->layout->keys->len)
    paint_single (paint);
  else if (paint->layout->direct)
    for (guint i = 0; i < paint->layout->keys->len; i++)
      paint_label (paint, i);
  else {
    paint_shares (paint);
    paint_legend (paint);
  }
  if (paint->layout->single >= paint->layout->keys->len)
    paint_total (paint);
  if (paint->hover != paint->focused)
    paint_slice_outline (paint, paint->hover, FALSE);
  paint_slice_outline (paint, paint->focused, TRUE);
}
