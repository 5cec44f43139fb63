/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints a laid out chart. Grey says where one reads, colour says what; nothing is told by colour alone: legends name
 * it, limits have labels, and in high contrast every filled shape has an outline.
 */
#include "loom-chart-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define LEVELS 128 /* of a heat map's colours */
#define LABEL_GAP_PX 12.0

typedef struct {
  cairo_t *cr;
  const LoomChartLayout *layout;
  const LoomChart *chart;
  const LoomTheme *theme;
  LoomTextCache *text;
  guint hover, focused;
} Paint;

/* The orange of the series comes last: it is too near to the colour of what deserves a look. */
static LoomColor
color_of (const Paint *paint, guint color)
{
  static const guint8 order[LOOM_N_SERIES_COLORS] = { 0, 2, 3, 4, 5, 6, 7, 1 };
  if (color == LOOM_CHART_GREY)
    return paint->theme->role[LOOM_ROLE_NEUTRAL];
  if (color == LOOM_CHART_ALARM)
    return paint->theme->role[LOOM_ROLE_WARNING];
  return paint->theme->series[order[color % LOOM_N_SERIES_COLORS]];
}

static void
fill_box (const Paint *paint, LoomChartBox box, LoomColor color)
{
  loom_color_set_source (paint->cr, color);
  cairo_rectangle (paint->cr, box.x, box.y, box.width, box.height);
  if (!paint->theme->contrast) {
    cairo_fill (paint->cr);
    return;
  }
  cairo_fill_preserve (paint->cr);
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_ROLE_TEXT]);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
}

static double
put (const Paint *paint, LoomTextStyle style, const char *text, double x, double middle_y, double room, LoomRole role)
{
  return loom_text_paint (paint->text, paint->cr, style, text, x, middle_y, room, paint->theme->role[role]);
}

static double
put_short (const Paint *paint, LoomTextStyle style, const char *label, double x, double middle_y, double room, LoomRole role)
{
  g_autofree char *shown = loom_chart_shorten (label, room, style, paint->text);
  return put (paint, style, shown, x, middle_y, room, role);
}

static void
put_right (const Paint *paint, LoomTextStyle style, const char *text, double right, double middle_y, LoomRole role)
{
  put (paint, style, text, right - loom_text_width (paint->text, style, text), middle_y, -1, role);
}

/* A line that falls on pixels. */
static void
rule (const Paint *paint, double x0, double y0, double x1, double y1, LoomColor color, double width)
{
  loom_color_set_source (paint->cr, color);
  cairo_set_line_width (paint->cr, width);
  cairo_move_to (paint->cr, x0 == x1 ? floor (x0) + 0.5 : x0, y0 == y1 ? floor (y0) + 0.5 : y0);
  cairo_line_to (paint->cr, x0 == x1 ? floor (x1) + 0.5 : x1, y0 == y1 ? floor (y1) + 0.5 : y1);
  cairo_stroke (paint->cr);
}

static void
outline_box (const Paint *paint, LoomChartBox box, gboolean focused)
{
  double width = focused ? 2 : 1;
  loom_color_set_source (paint->cr, paint->theme->role[focused ? LOOM_ROLE_SELECTED_OUTLINE : LOOM_ROLE_HOVER_OUTLINE]);
  cairo_set_line_width (paint->cr, width);
  cairo_rectangle (paint->cr, box.x + width / 2, box.y + width / 2, MAX (box.width - width, 1), MAX (box.height - width, 1));
  cairo_stroke (paint->cr);
}

/* --- axes, legend, lines across -------------------------------------------------------------------------------------- */

static void
paint_y_axis (const Paint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  for (guint i = 0; i < paint->layout->y_ticks->len; i++) {
    const LoomChartTick *tick = &g_array_index (paint->layout->y_ticks, LoomChartTick, i);
    double y = plot->y + plot->height - tick->at;
    rule (paint, plot->x, y, plot->x + plot->width, y, paint->theme->role[tick->at == 0 ? LOOM_ROLE_BORDER : LOOM_ROLE_SEPARATOR], 1);
    put (paint, LOOM_TEXT_SMALL, tick->label, 0, y, -1, LOOM_ROLE_TEXT_DIM);
  }
}

static void
paint_x_axis (const Paint *paint, gboolean guides)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double bottom = plot->y + plot->height, taken_to = -G_MAXDOUBLE;
  for (guint i = 0; i < paint->layout->x_ticks->len; i++) {
    const LoomChartTick *tick = &g_array_index (paint->layout->x_ticks, LoomChartTick, i);
    double x = plot->x + tick->at, left = CLAMP (x - tick->width / 2, 0, MAX (paint->layout->width - tick->width, 0));
    rule (paint, x, guides ? plot->y : bottom, x, bottom + 3, paint->theme->role[guides ? LOOM_ROLE_SEPARATOR : LOOM_ROLE_BORDER], 1);
    if (left < taken_to + 6)
      continue;
    put (paint, LOOM_TEXT_SMALL, tick->label, left, bottom + 11, -1, LOOM_ROLE_TEXT_DIM);
    taken_to = left + tick->width;
  }
  if (paint->chart->x_name[0] != '\0')
    put_right (paint, LOOM_TEXT_SMALL, paint->chart->x_name, plot->x + plot->width, bottom + 25, LOOM_ROLE_TEXT_FAINT);
}

static const LoomChartLine *
line_of (const Paint *paint, guint line)
{
  return &g_array_index (paint->chart->lines.lines, LoomChartLine, line);
}

static void
paint_swatch (const Paint *paint, const LoomChartKey *key, guint number)
{
  LoomChartBox box = { key->x, floor (key->middle_y - LOOM_CHART_SWATCH_PX / 2), LOOM_CHART_SWATCH_PX, LOOM_CHART_SWATCH_PX };
  if (paint->chart->kind != LOOM_CHART_LINES || !paint->chart->lines.dots) {
    fill_box (paint, box, color_of (paint, key->color));
    return;
  }
  gboolean flagged = loom_chart_is_flagged (paint->chart, line_of (paint, number)->first);
  loom_chart_paint_dot (paint->cr, box.x + box.width / 2, box.y + box.height / 2, flagged, color_of (paint, key->color), paint->theme->contrast);
}

static void
paint_keys (const Paint *paint)
{
  for (guint i = 0; i < paint->layout->keys->len; i++) {
    const LoomChartKey *key = &g_array_index (paint->layout->keys, LoomChartKey, i);
    paint_swatch (paint, key, i);
    put_short (paint, LOOM_TEXT_SPAN, key->label, key->x + LOOM_CHART_SWATCH_PX + 5, key->middle_y, key->room, LOOM_ROLE_TEXT);
  }
}

static void
dash (const Paint *paint, gboolean limit)
{
  const double dashes[] = { 4, 3 };
  cairo_set_dash (paint->cr, dashes, limit ? 2 : 0, 0);
}

static gboolean
is_across (const Paint *paint, double value)
{
  return isfinite (value) && value >= paint->layout->x_low && value <= paint->layout->x_high;
}

/* Where the label of a line begins that is centred on it as far as there is room from `from` to `to`. */
static double
place_label (const Paint *paint, double value, double width, double from, double to)
{
  return MAX (MIN (loom_chart_layout_x (paint->layout, value) - width / 2, to - width), from);
}

/* Median and limit of a histogram stand upright; their labels give way to one another. */
static void
paint_upright_marks (const Paint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double values[] = { paint->chart->median, paint->chart->limit }, from = plot->x;
  gboolean both = is_across (paint, values[0]) && is_across (paint, values[1]), swapped = both && values[1] < values[0];
  for (int i = 0; i < 2; i++) {
    gboolean limit = (i == 1) != swapped, above = both && limit && paint->layout->mark_rows > 1;
    if (!is_across (paint, values[limit]))
      continue;
    g_autofree char *label = loom_chart_dup_mark (paint->chart, limit), *other = loom_chart_dup_mark (paint->chart, !limit);
    double width = loom_text_width (paint->text, LOOM_TEXT_SMALL, label), x = loom_chart_layout_x (paint->layout, values[limit]);
    double behind = both && i == 0 && paint->layout->mark_rows == 1 ? loom_text_width (paint->text, LOOM_TEXT_SMALL, other) + LABEL_GAP_PX : 0;
    double left = place_label (paint, values[limit], width, from, paint->layout->width - behind);
    dash (paint, limit);
    rule (paint, x, plot->y - 2 - (above ? LOOM_CHART_MARK_PX : 0), x, plot->y + plot->height, paint->theme->role[limit ? LOOM_ROLE_WARNING : LOOM_ROLE_TEXT], 1.5);
    dash (paint, FALSE);
    put (paint, LOOM_TEXT_SMALL, label, left, plot->y - LOOM_CHART_MARK_PX * (above ? 1.5 : 0.5) - 1, -1, LOOM_ROLE_TEXT_DIM);
    from = paint->layout->mark_rows == 1 ? left + width + LABEL_GAP_PX : plot->x;
  }
}

/* Those of lines lie; their labels stand above the plot, with a stroke as in a legend. */
static void
paint_level_marks (const Paint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double label_x = plot->x, label_y = plot->y - LOOM_CHART_MARK_PX * (paint->layout->mark_rows - 0.5) - 1;
  for (int limit = 0; limit <= 1; limit++) {
    double value = limit ? paint->chart->limit : paint->chart->median;
    if (!isfinite (value))
      continue;
    LoomColor color = paint->theme->role[limit ? LOOM_ROLE_WARNING : LOOM_ROLE_TEXT];
    g_autofree char *label = loom_chart_dup_mark (paint->chart, limit);
    double y = loom_chart_layout_y (paint->layout, value);
    dash (paint, limit);
    if (y >= plot->y && y <= plot->y + plot->height)
      rule (paint, plot->x, y, plot->x + plot->width, y, color, 1.5);
    rule (paint, label_x, label_y, label_x + 16, label_y, color, 1.5);
    dash (paint, FALSE);
    label_x += 21 + put (paint, LOOM_TEXT_SMALL, label, label_x + 21, label_y, MAX (paint->layout->width - label_x - 21, 0), LOOM_ROLE_TEXT_DIM) + 14;
    if (paint->layout->mark_rows > 1) {
      label_x = plot->x;
      label_y += LOOM_CHART_MARK_PX;
    }
  }
}

/* --- pie ------------------------------------------------------------------------------------------------------------- */

static void
trace_slice (const Paint *paint, guint i)
{
  const LoomChartLayout *layout = paint->layout;
  double from = g_array_index (layout->angles, double, i), to = g_array_index (layout->angles, double, i + 1);
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, layout->center_x, layout->center_y, layout->radius, from, to);
  cairo_arc_negative (paint->cr, layout->center_x, layout->center_y, layout->hole, to, from);
  cairo_close_path (paint->cr);
}

static void
paint_ring (const Paint *paint)
{
  cairo_t *cr = paint->cr;
  double total = loom_chart_get_total (paint->chart);
  for (guint i = 0; total > 0 && i < paint->chart->pie.slices->len; i++) {
    const LoomChartSlice *slice = &g_array_index (paint->chart->pie.slices, LoomChartSlice, i);
    if (!(slice->value > 0))
      continue;
    trace_slice (paint, i);
    loom_color_set_source (cr, color_of (paint, slice->color));
    cairo_fill_preserve (cr);
    loom_color_set_source (cr, paint->theme->role[paint->theme->contrast ? LOOM_ROLE_TEXT : LOOM_ROLE_BACKGROUND]);
    cairo_set_line_width (cr, slice->value < total ? 1 : 0.01);
    cairo_stroke (cr);
  }
  if (total > 0)
    return;
  cairo_new_sub_path (cr);
  cairo_arc (cr, paint->layout->center_x, paint->layout->center_y, paint->layout->radius - 0.5, 0, 2 * G_PI);
  loom_color_set_source (cr, paint->theme->role[LOOM_ROLE_BORDER]);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
paint_slice_outline (const Paint *paint, guint i, gboolean focused)
{
  LoomChartBox box;
  if (i >= paint->chart->pie.slices->len || !loom_chart_layout_get_box (paint->layout, i, &box))
    return;
  box.x -= 3;
  box.width += 3;
  outline_box (paint, box, focused);
  if (paint->layout->radius <= 0 || !(g_array_index (paint->chart->pie.slices, LoomChartSlice, i).value > 0))
    return;
  trace_slice (paint, i);
  loom_color_set_source (paint->cr, paint->theme->role[focused ? LOOM_ROLE_SELECTED_OUTLINE : LOOM_ROLE_HOVER_OUTLINE]);
  cairo_set_line_width (paint->cr, focused ? 2 : 1);
  cairo_stroke (paint->cr);
}

static void
paint_pie (const Paint *paint)
{
  if (paint->layout->radius > 0)
    paint_ring (paint);
  for (guint i = 0; i < paint->layout->keys->len; i++) {
    const LoomChartKey *key = &g_array_index (paint->layout->keys, LoomChartKey, i);
    g_autofree char *value = loom_chart_dup_share (paint->chart, i);
    double figures = loom_text_width (paint->text, LOOM_TEXT_SMALL, value), right = key->x + LOOM_CHART_SWATCH_PX + 5 + key->room - 4;
    fill_box (paint, (LoomChartBox) { key->x, floor (key->middle_y - LOOM_CHART_SWATCH_PX / 2), LOOM_CHART_SWATCH_PX, LOOM_CHART_SWATCH_PX },
              color_of (paint, key->color));
    double room = right - figures - 10 - key->x - LOOM_CHART_SWATCH_PX - 5;
    put_short (paint, LOOM_TEXT_SPAN, key->label, key->x + LOOM_CHART_SWATCH_PX + 5, key->middle_y, MAX (room, 0), LOOM_ROLE_TEXT);
    put_right (paint, LOOM_TEXT_SMALL, value, right, key->middle_y, LOOM_ROLE_TEXT_DIM);
  }
  if (paint->hover != paint->focused)
    paint_slice_outline (paint, paint->hover, FALSE);
  paint_slice_outline (paint, paint->focused, TRUE);
}

/* --- histogram, bars, lines ------------------------------------------------------------------------------------------ */

static void
paint_histogram (const Paint *paint)
{
  LoomChartBox box;
  paint_y_axis (paint);
  for (guint i = 0; i < paint->chart->histogram.counts->len; i++) {
    if (!(g_array_index (paint->chart->histogram.counts, double, i) > 0) || !loom_chart_layout_get_box (paint->layout, i, &box))
      continue;
    double left = floor (box.x), right = floor (box.x + box.width), gap = right - left > 3 ? 1 : 0;
    gboolean beyond = isfinite (paint->chart->limit) && paint->layout->x_low + (i + 0.5) * (paint->layout->x_high - paint->layout->x_low) / paint->chart->histogram.counts->len > paint->chart->limit;
    double height = MAX (box.height, 1.5);
    fill_box (paint, (LoomChartBox) { left, box.y + box.height - height, MAX (right - left - gap, 1), height }, color_of (paint, beyond ? LOOM_CHART_ALARM : 0));
  }
  paint_x_axis (paint, FALSE);
  paint_upright_marks (paint);
}

static void
paint_group_labels (const Paint *paint, const GArray *rows)
{
  if (paint->layout->row_px < 9)
    return;
  for (guint i = 0; i < rows->len; i++)
    put_short (paint, LOOM_TEXT_SPAN, g_array_index (rows, const char *, i), 0, paint->layout->plot.y + (i + 0.5) * paint->layout->row_px,
         paint->layout->label_px - LOOM_CHART_GAP_PX, LOOM_ROLE_TEXT);
}

static void
paint_bars (const Paint *paint)
{
  const LoomChartBars *bars = &paint->chart->bars;
  LoomChartBox box;
  paint_group_labels (paint, bars->groups);
  if (bars->stacked)
    paint_x_axis (paint, TRUE);
  for (guint i = 0; i < bars->values->len; i++) {
    if (!loom_chart_layout_get_box (paint->layout, i, &box))
      continue;
    double right = box.x + box.width;
    if (bars->stacked && g_array_index (bars->values, double, i) > 0)
      box.width = MAX (box.width - 1, 1);
    if (g_array_index (bars->values, double, i) > 0 || !bars->stacked)
      fill_box (paint, (LoomChartBox) { box.x, box.y, box.width, MAX (box.height - 1, 1) },
                color_of (paint, g_array_index (bars->series, LoomChartBarSeries, i % bars->series->len).color));
    if (bars->stacked || paint->layout->bar_px < 9)
      continue;
    g_autofree char *value = loom_chart_format (g_array_index (bars->values, double, i), paint->chart->unit);
    put (paint, LOOM_TEXT_SMALL, value, right + 5, box.y + box.height / 2 - 0.5, -1, LOOM_ROLE_TEXT_DIM);
  }
  paint_keys (paint);
}

static void
paint_flags (const Paint *paint)
{
  double last_x = -G_MAXDOUBLE;
  for (guint i = 0; i < paint->layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (paint->layout->path, LoomChartVertex, i);
    if (!loom_chart_is_flagged (paint->chart, vertex->point) || fabs (vertex->x - last_x) < 1)
      continue;
    cairo_new_sub_path (paint->cr);
    cairo_arc (paint->cr, vertex->x, vertex->y, 3.5, 0, 2 * G_PI);
    loom_color_set_source (paint->cr, color_of (paint, LOOM_CHART_ALARM));
    cairo_fill_preserve (paint->cr);
    loom_color_set_source (paint->cr, paint->theme->role[LOOM_ROLE_BACKGROUND]);
    cairo_set_line_width (paint->cr, 1);
    cairo_stroke (paint->cr);
    last_x = vertex->x;
  }
}

static void
trace_line (const Paint *paint, guint first, guint end)
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

static void
paint_dots (const Paint *paint)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double zero_y = loom_chart_layout_y (paint->layout, 0);
  paint_y_axis (paint);
  paint_x_axis (paint, FALSE);
  rule (paint, plot->x - 4, zero_y, plot->x + plot->width + 4, zero_y, paint->theme->role[LOOM_ROLE_TEXT_DIM], 1);
  for (guint i = 0; i < paint->chart->lines.lines->len; i++)
    loom_chart_paint_dots (paint->cr, paint->layout, i, color_of (paint, line_of (paint, i)->color), paint->theme->contrast);
  paint_keys (paint);
}

static void
paint_lines (const Paint *paint)
{
  if (paint->chart->lines.dots) {
    paint_dots (paint);
    return;
  }
  const LoomChartLines *lines = &paint->chart->lines;
  const LoomChartVertex *path = (const LoomChartVertex *) (gpointer) paint->layout->path->data;
  guint at = 0;
  paint_y_axis (paint);
  paint_x_axis (paint, FALSE);
  cairo_set_line_join (paint->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (paint->cr, CAIRO_LINE_CAP_ROUND); /* a point alone is a dot */
  for (guint i = 0; i < lines->lines->len; i++) {
    const LoomChartLine *line = &g_array_index (lines->lines, LoomChartLine, i);
    guint first = at;
    while (at < paint->layout->path->len && path[at].point < line->first + line->n)
      at++;
    trace_line (paint, first, at);
    loom_color_set_source (paint->cr, color_of (paint, line->color));
    cairo_set_line_width (paint->cr, paint->theme->contrast ? 2 : 1.5);
    cairo_stroke (paint->cr);
  }
  cairo_set_line_cap (paint->cr, CAIRO_LINE_CAP_BUTT);
  paint_level_marks (paint);
  paint_flags (paint);
  paint_keys (paint);
}

/* --- heat map and matrix --------------------------------------------------------------------------------------------- */

static int
level_of (const Paint *paint, double value)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  if (!isfinite (value))
    return -1;
  return (int) (CLAMP ((value - heat->low) / (heat->high > heat->low ? heat->high - heat->low : 1), 0, 1) * (LEVELS - 1) + 0.5);
}

static void
fill_levels (const Paint *paint, LoomColor *colors)
{
  for (int i = 0; i < LEVELS; i++)
    colors[i] = loom_color_heat ((double) i / (LEVELS - 1), paint->theme->dark);
}

/* Neighbours of one colour are one rectangle. */
static void
paint_row (const Paint *paint, guint row, const LoomColor *colors, double gap)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  const LoomChartBox *plot = &paint->layout->plot;
  double width = plot->width / heat->n_columns, top = floor (plot->y + row * paint->layout->row_px);
  double height = floor (plot->y + (row + 1) * paint->layout->row_px) - top - (paint->layout->row_px > 5 ? 1 : 0);
  for (guint column = 0, end; column < heat->n_columns; column = end) {
    int level = level_of (paint, g_array_index (heat->values, double, row * heat->n_columns + column));
    for (end = column + 1; gap == 0 && end < heat->n_columns; end++)
      if (level_of (paint, g_array_index (heat->values, double, row * heat->n_columns + end)) != level)
        break;
    double left = floor (plot->x + column * width), right = floor (plot->x + end * width) - gap;
    loom_color_set_source (paint->cr, level < 0 ? paint->theme->role[LOOM_ROLE_BACKGROUND_GROUP] : colors[level]);
    cairo_rectangle (paint->cr, left, top, MAX (right - left, 1), MAX (height, 1));
    cairo_fill (paint->cr);
  }
}

static gboolean
has_gaps (const LoomChartHeat *heat)
{
  for (guint i = 0; i < heat->values->len; i++)
    if (!isfinite (g_array_index (heat->values, double, i)))
      return TRUE;
  return FALSE;
}

static void
outline (const Paint *paint, LoomChartBox box)
{
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_ROLE_BORDER]);
  cairo_set_line_width (paint->cr, 1);
  cairo_rectangle (paint->cr, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
  cairo_stroke (paint->cr);
}

static void
paint_scale (const Paint *paint, const LoomColor *colors)
{
  const LoomChartBox *plot = &paint->layout->plot;
  double y = plot->y + plot->height + (paint->chart->kind == LOOM_CHART_MATRIX ? 0 : LOOM_CHART_AXIS_PX) + 8, x = plot->x, length = MIN (160, plot->width - 90);
  g_autofree char *low = loom_chart_format (paint->chart->heat.low, paint->chart->unit);
  g_autofree char *high = loom_chart_format (paint->chart->heat.high, paint->chart->unit);
  if (length < 40)
    return;
  x += put (paint, LOOM_TEXT_SMALL, low, x, y + 5, -1, LOOM_ROLE_TEXT_DIM) + 6;
  for (int i = 0; i < LEVELS; i++) {
    loom_color_set_source (paint->cr, colors[i]);
    cairo_rectangle (paint->cr, floor (x + length * i / LEVELS), y, ceil (length / LEVELS) + 1, 10);
    cairo_fill (paint->cr);
  }
  x += length + 8 + put (paint, LOOM_TEXT_SMALL, high, x + length + 8, y + 5, -1, LOOM_ROLE_TEXT_DIM) + 20;
  const char *words = paint->chart->kind == LOOM_CHART_MATRIX ? _ ("not compared") : _ ("no data");
  if (!has_gaps (&paint->chart->heat) || x + 16 + loom_text_width (paint->text, LOOM_TEXT_SMALL, words) > paint->layout->width)
    return;
  fill_box (paint, (LoomChartBox) { floor (x), y, 10, 10 }, paint->theme->role[LOOM_ROLE_BACKGROUND_GROUP]);
  outline (paint, (LoomChartBox) { floor (x), y, 10, 10 });
  put (paint, LOOM_TEXT_SMALL, words, floor (x) + 16, y + 5, -1, LOOM_ROLE_TEXT_DIM);
}

/* Figures in the cells, as far as they fit; what is beyond the limit is framed as well. */
static void
paint_cells (const Paint *paint, const LoomColor *colors)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  LoomChartBox box;
  for (guint i = 0; i < heat->values->len; i++) {
    double value = g_array_index (heat->values, double, i);
    if (!loom_chart_layout_get_box (paint->layout, i, &box))
      continue;
    g_autofree char *label = loom_chart_format (value, paint->chart->unit);
    double width = loom_text_width (paint->text, LOOM_TEXT_SMALL, label);
    LoomColor ink = loom_theme_text_on (paint->theme, colors[level_of (paint, value)]);
    if (width + 6 <= box.width && box.height >= 13)
      loom_text_paint (paint->text, paint->cr, LOOM_TEXT_SMALL, label, box.x + (box.width - 1 - width) / 2, box.y + (box.height - 1) / 2, -1, ink);
    if (!isfinite (paint->chart->limit) || value <= paint->chart->limit)
      continue;
    loom_color_set_source (paint->cr, paint->theme->role[LOOM_ROLE_ERROR]);
    cairo_set_line_width (paint->cr, 2);
    cairo_rectangle (paint->cr, floor (box.x) + 1, floor (box.y) + 1, floor (box.width) - 3, floor (box.height) - 3);
    cairo_stroke (paint->cr);
  }
}

static void
paint_column_labels (const Paint *paint)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  double width = paint->layout->plot.width / heat->n_columns;
  for (guint i = 0; i < heat->n_columns && i < heat->rows->len; i++) {
    g_autofree char *label = loom_chart_shorten (g_array_index (heat->rows, const char *, i), width - 4, LOOM_TEXT_SMALL, paint->text);
    double length = MIN (loom_text_width (paint->text, LOOM_TEXT_SMALL, label), width - 4);
    put (paint, LOOM_TEXT_SMALL, label, paint->layout->plot.x + i * width + (width - length) / 2, paint->layout->plot.y - 8, width - 4,
         LOOM_ROLE_TEXT_DIM);
  }
}

static void
paint_heat (const Paint *paint)
{
  LoomColor colors[LEVELS];
  gboolean matrix = paint->chart->kind == LOOM_CHART_MATRIX;
  fill_levels (paint, colors);
  paint_group_labels (paint, paint->chart->heat.rows);
  for (guint row = 0; row < paint->chart->heat.rows->len; row++)
    paint_row (paint, row, colors, matrix ? 1 : 0);
  if (matrix) {
    paint_column_labels (paint);
    paint_cells (paint, colors);
  } else
    paint_x_axis (paint, FALSE);
  paint_scale (paint, colors);
}

/* --- all of it ------------------------------------------------------------------------------------------------------- */

typedef void (*PaintFunc) (const Paint *paint);

static const PaintFunc painters[LOOM_N_CHARTS] = {
  [LOOM_CHART_PIE] = paint_pie,     [LOOM_CHART_HISTOGRAM] = paint_histogram, [LOOM_CHART_BARS] = paint_bars,
  [LOOM_CHART_LINES] = paint_lines, [LOOM_CHART_HEAT] = paint_heat,           [LOOM_CHART_MATRIX] = paint_heat,
};

static void
paint_outlines (const Paint *paint)
{
  const guint elements[] = { paint->hover, paint->focused };
  LoomChartBox box;
  for (guint i = 0; i < 2; i++)
    if (loom_chart_layout_get_box (paint->layout, elements[i], &box))
      outline_box (paint, (LoomChartBox) { floor (box.x) - 1, floor (box.y) - 1, ceil (box.width) + 2, ceil (box.height) + 2 }, i == 1);
}

/* What is counted stands over the scale of counts, where the title leaves room. */
static void
paint_title (const Paint *paint)
{
  double width = put_short (paint, LOOM_TEXT_HEADER_BOLD, paint->chart->title, 0, 9, paint->layout->width, LOOM_ROLE_TEXT);
  double left = paint->layout->width - loom_text_width (paint->text, LOOM_TEXT_SMALL, paint->chart->what) - 2;
  if (paint->chart->kind == LOOM_CHART_HISTOGRAM && left > width + 12)
    put (paint, LOOM_TEXT_SMALL, paint->chart->what, left, 9, -1, LOOM_ROLE_TEXT_FAINT);
}

void
loom_chart_paint (cairo_t *cr, const LoomChartLayout *layout, const LoomChartOptions *options)
{
  g_return_if_fail (cr != NULL && layout != NULL && options != NULL && options->theme != NULL && options->text != NULL);
  Paint paint = { cr, layout, layout->chart, options->theme, options->text, options->hover, options->focused };
  gboolean pie = layout->chart->kind == LOOM_CHART_PIE;
  cairo_save (cr);
  paint_title (&paint);
  if (pie || layout->plot.width > 0)
    painters[layout->chart->kind](&paint);
  if (!pie)
    paint_outlines (&paint);
  cairo_restore (cr);
}
