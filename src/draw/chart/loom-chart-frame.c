/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the parts around the plot of a chart: axes, legend, names of rows, and the median and limit lines with their
 * labels.
 */
#include "loom-chart-paint-private.h"

#include <math.h>

#define LABEL_GAP_PX 12.0

void
loom_chart_paint_y_axis (const LoomChartPaint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  for (guint i = 0; i < paint->layout->y_ticks->len; i++) {
    const LoomChartTick *tick = &g_array_index (paint->layout->y_ticks, LoomChartTick, i);
    double y = plot->y + plot->height - tick->at;
    loom_chart_paint_rule (paint, plot->x, y, plot->x + plot->width, y,
                           paint->theme->role[tick->at == 0 ? LOOM_COLOR_ROLE_BORDER : LOOM_COLOR_ROLE_SEPARATOR], 1);
    loom_chart_paint_put_first (paint, LOOM_TEXT_SMALL, tick->label, 0, y, LOOM_COLOR_ROLE_TEXT_DIM);
  }
}

void
loom_chart_paint_x_axis (const LoomChartPaint *paint, gboolean guides)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double bottom = plot->y + plot->height, taken_to = -G_MAXDOUBLE;
  guint n = paint->layout->x_ticks->len;
  /* Labels are placed from left to right; in a bar chart mirrored for right-to-left languages, the leftmost tick is the
   * last one in the array. */
  gboolean turned = paint->layout->mirrored && paint->chart->kind == LOOM_CHART_BARS;
  for (guint i = 0; i < n; i++) {
    const LoomChartTick *tick = &g_array_index (paint->layout->x_ticks, LoomChartTick, turned ? n - 1 - i : i);
    double x = plot->x + tick->at, left = CLAMP (x - tick->width / 2, 0, MAX (paint->layout->width - tick->width, 0));
    if (!guides)
      loom_chart_paint_rule (paint, x, bottom, x, bottom + 3, paint->theme->role[LOOM_COLOR_ROLE_BORDER], 1);
    if (left < taken_to + 6)
      continue;
    loom_chart_paint_put (paint, LOOM_TEXT_SMALL, tick->label, left, bottom + 11, -1, LOOM_COLOR_ROLE_TEXT_DIM);
    taken_to = left + tick->width;
  }
  /* The name of the axis of a heat map is at the right in every language, because the colour scale below the map is
   * always at the left, and because time always ends at the right. */
  if (paint->chart->kind == LOOM_CHART_HEAT)
    loom_chart_paint_put_right (paint, LOOM_TEXT_SMALL, paint->chart->x_name, plot->x + plot->width, bottom + 25,
                                LOOM_COLOR_ROLE_TEXT_FAINT);
  else if (paint->chart->x_name[0] != '\0')
    loom_chart_paint_put_last (paint, LOOM_TEXT_SMALL, paint->chart->x_name,
                               paint->layout->mirrored ? plot->x : paint->layout->width - plot->x - plot->width,
                               bottom + 25, LOOM_COLOR_ROLE_TEXT_FAINT);
}

const LoomChartLine *
loom_chart_paint_get_line (const LoomChartPaint *paint, guint line)
{
  return &g_array_index (paint->chart->lines.lines, LoomChartLine, line);
}

LoomChartBox
loom_chart_paint_swatch_box (const LoomChartPaint *paint, const LoomChartKey *key)
{
  double x = paint->layout->mirrored ? key->x + loom_chart_key_width (key) - LOOM_CHART_SWATCH_PX : key->x;
  return (LoomChartBox) { x, floor (key->middle_y - LOOM_CHART_SWATCH_PX / 2), LOOM_CHART_SWATCH_PX,
                          LOOM_CHART_SWATCH_PX };
}

void
loom_chart_paint_put_key (const LoomChartPaint *paint, const LoomChartKey *key, double room)
{
  double from = LOOM_CHART_SWATCH_PX + LOOM_CHART_SWATCH_GAP_PX;
  from += paint->layout->mirrored ? paint->layout->width - key->x - loom_chart_key_width (key) : key->x;
  loom_chart_paint_put_first_short (paint, LOOM_TEXT_SPAN, key->label, from, key->middle_y, room, LOOM_COLOR_ROLE_TEXT);
}

static void
paint_swatch (const LoomChartPaint *paint, const LoomChartKey *key, guint number)
{
  LoomChartBox box = loom_chart_paint_swatch_box (paint, key);
  if (key->framed) {
    loom_chart_paint_flag_box (paint, box);
    return;
  }
  if (paint->chart->kind != LOOM_CHART_LINES || !paint->chart->lines.dots) {
    loom_chart_paint_fill (paint, box, key->color);
    return;
  }
  gboolean flagged = loom_chart_is_flagged (paint->chart, loom_chart_paint_get_line (paint, number)->first);
  loom_chart_paint_dot (paint->cr, box.x + box.width / 2, box.y + box.height / 2, flagged,
                        loom_chart_paint_color (paint, key->color), paint->theme->contrast);
}

void
loom_chart_paint_keys (const LoomChartPaint *paint)
{
  for (guint i = 0; i < paint->layout->keys->len; i++) {
    const LoomChartKey *key = &g_array_index (paint->layout->keys, LoomChartKey, i);
    paint_swatch (paint, key, i);
    loom_chart_paint_put_key (paint, key, key->room);
  }
}

static void
dash (const LoomChartPaint *paint, gboolean limit)
{
  const double dashes[] = { 4, 3 };
  cairo_set_dash (paint->cr, dashes, limit ? 2 : 0, 0);
}

static gboolean
is_across (const LoomChartPaint *paint, double value)
{
  /* The x axis of a histogram is interrupted before the bar for outlying values. The interruption has no scale, so a
   * value there cannot be marked. */
  gboolean has_rest = paint->layout->rest_px > 0 && value >= paint->chart->histogram.rest_begin;
  double high = has_rest ? paint->chart->histogram.rest_end : paint->layout->x_high;
  return isfinite (value) && value >= paint->layout->x_low && value <= high;
}

/* Returns the left edge of the label of a vertical line at `value`. The label is centred on the line, but moved if it
 * would not be within `from` … `to`. */
static double
place_label (const LoomChartPaint *paint, double value, double width, double from, double to)
{
  return MAX (MIN (loom_chart_layout_x (paint->layout, value) - width / 2, to - width), from);
}

/* Paints the median and the limit of a histogram as vertical lines. If their labels would overlap, moves the labels
 * apart. */
void
loom_chart_paint_upright_marks (const LoomChartPaint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double values[] = { paint->chart->median, paint->chart->limit }, from = plot->x;
  gboolean both = is_across (paint, values[0]) && is_across (paint, values[1]), swapped = both && values[1] < values[0];
  for (int i = 0; i < 2; i++) {
    gboolean limit = (i == 1) != swapped, above = both && limit && paint->layout->mark_rows > 1;
    if (!is_across (paint, values[limit]))
      continue;
    g_autofree char *label = loom_chart_dup_mark (paint->chart, limit),
                    *other = loom_chart_dup_mark (paint->chart, !limit);
    double width = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, label),
           x = loom_chart_layout_x (paint->layout, values[limit]);
    double behind = both && i == 0 && paint->layout->mark_rows == 1
                      ? loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, other) + LABEL_GAP_PX
                      : 0;
    double left = place_label (paint, values[limit], width, from, paint->layout->width - behind);
    dash (paint, limit);
    loom_chart_paint_rule (paint, x, plot->y - 2 - (above ? LOOM_CHART_MARK_PX : 0), x, plot->y + plot->height,
                           paint->theme->role[limit ? LOOM_COLOR_ROLE_WARNING : LOOM_COLOR_ROLE_TEXT], 1.5);
    dash (paint, FALSE);
    loom_chart_paint_put (paint, LOOM_TEXT_SMALL, label, left, plot->y - LOOM_CHART_MARK_PX * (above ? 1.5 : 0.5) - 1,
                          -1, LOOM_COLOR_ROLE_TEXT_DIM);
    from = paint->layout->mark_rows == 1 ? left + width + LABEL_GAP_PX : plot->x;
  }
}

/* Paints the median and the limit of a line chart as horizontal lines. Their labels are above the plot; a short piece
 * of the line before each label shows which line it belongs to. */
void
loom_chart_paint_level_marks (const LoomChartPaint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double label_x = plot->x, label_y = plot->y - LOOM_CHART_MARK_PX * (paint->layout->mark_rows - 0.5) - 1;
  for (int limit = 0; limit <= 1; limit++) {
    double value = limit ? paint->chart->limit : paint->chart->median;
    if (!isfinite (value))
      continue;
    LoomColor color = paint->theme->role[limit ? LOOM_COLOR_ROLE_WARNING : LOOM_COLOR_ROLE_TEXT];
    g_autofree char *label = loom_chart_dup_mark (paint->chart, limit);
    double y = loom_chart_layout_y (paint->layout, value);
    dash (paint, limit);
    if (y >= plot->y && y <= plot->y + plot->height)
      loom_chart_paint_rule (paint, plot->x, y, plot->x + plot->width, y, color, 1.5);
    loom_chart_paint_rule (paint, label_x, label_y, label_x + 16, label_y, color, 1.5);
    dash (paint, FALSE);
    label_x += 21 +
               loom_chart_paint_put (paint, LOOM_TEXT_SMALL, label, label_x + 21, label_y,
                                     MAX (paint->layout->width - label_x - 21, 0), LOOM_COLOR_ROLE_TEXT_DIM) +
               14;
    if (paint->layout->mark_rows > 1) {
      label_x = plot->x;
      label_y += LOOM_CHART_MARK_PX;
    }
  }
}

void
loom_chart_paint_row_labels (const LoomChartPaint *paint, const GArray *rows)
{
  double room = paint->layout->label_px - LOOM_CHART_GAP_PX;
  if (paint->layout->row_px < 9)
    return;
  g_auto (GStrv) shown = loom_chart_shorten_all ((const char *const *) (gconstpointer) rows->data, rows->len, room,
                                                 LOOM_TEXT_SPAN, paint->text);
  for (guint i = 0; i < rows->len; i++)
    loom_chart_paint_put_first_short (paint, LOOM_TEXT_SPAN, shown[i], 0,
                                      paint->layout->plot.y + (i + 0.5) * paint->layout->row_px, room,
                                      LOOM_COLOR_ROLE_TEXT);
}
