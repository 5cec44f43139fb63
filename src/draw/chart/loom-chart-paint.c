/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints a chart from its layout. Text and axes are grey, data are coloured. Colour alone never carries information:
 * legends name the colours, limits have labels, and in themes with high contrast every filled shape has an outline.
 */
#include "loom-chart-paint-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* proportion of the background's colour in the colour of waits, which is the colour of communication made lighter */
#define WAIT_LIGHTER 0.6
#define HIDDEN_LIGHTER \
  0.7 /* proportion of the background's colour in the colour of communication that is hidden by
                            * computation */

/* Returns the colour for one of the colour numbers that loom-chart.h defines. Of the colours for series, orange is used
 * last, because it is similar to the colour of warnings. */
LoomColor
loom_chart_paint_color (const LoomChartPaint *paint, guint color)
{
  static const guint8 order[LOOM_N_SERIES_COLORS] = { 0, 2, 3, 4, 5, 6, 7, 1 };
  if (color == LOOM_CHART_GREY)
    return paint->theme->role[LOOM_COLOR_ROLE_NEUTRAL];
  if (color == LOOM_CHART_ALARM)
    return paint->theme->role[LOOM_COLOR_ROLE_WARNING];
  if (color == LOOM_CHART_WAIT)
    return loom_color_mix (loom_theme_work_color (paint->theme, LOOM_WORK_KIND_COMMUNICATION),
                           paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND], WAIT_LIGHTER);
  if (color == LOOM_CHART_HIDDEN)
    return loom_color_mix (loom_theme_work_color (paint->theme, LOOM_WORK_KIND_COMMUNICATION),
                           paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND], HIDDEN_LIGHTER);
  if (color >= LOOM_CHART_WORK)
    return loom_theme_work_color (paint->theme, color - LOOM_CHART_WORK);
  return paint->theme->series[order[color % LOOM_N_SERIES_COLORS]];
}

void
loom_chart_paint_fill_box (const LoomChartPaint *paint, LoomChartBox box, LoomColor color)
{
  loom_color_set_source (paint->cr, color);
  cairo_rectangle (paint->cr, box.x, box.y, box.width, box.height);
  if (!paint->theme->contrast) {
    cairo_fill (paint->cr);
    return;
  }
  cairo_fill_preserve (paint->cr);
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_TEXT]);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
}

#define STRIPE_PX 6.0 /* distance between the stripes of waits, along the x axis */

/* Adds the stripes of a box to the path: lines with a constant sum of x and y, so that the stripes of neighbouring
 * boxes continue each other. The lines are cut to the box by computation, because a clip would make SVG and PDF files
 * three times as large. */
void
loom_chart_paint_trace_stripes (const LoomChartPaint *paint, LoomChartBox box)
{
  double right = box.x + box.width, bottom = box.y + box.height;
  for (double sum = ceil ((box.x + box.y) / STRIPE_PX) * STRIPE_PX; sum < right + bottom; sum += STRIPE_PX) {
    double top_x = fmin (right, sum - box.y), bottom_x = fmax (box.x, sum - bottom);
    if (top_x - bottom_x < 0.5)
      continue;
    cairo_move_to (paint->cr, top_x, sum - top_x);
    cairo_line_to (paint->cr, bottom_x, sum - bottom_x);
  }
}

void
loom_chart_paint_stroke_stripes (const LoomChartPaint *paint)
{
  loom_color_set_source (paint->cr, loom_theme_work_color (paint->theme, LOOM_WORK_KIND_COMMUNICATION));
  cairo_set_line_width (paint->cr, 1.5);
  cairo_stroke (paint->cr);
}

void
loom_chart_paint_fill (const LoomChartPaint *paint, LoomChartBox box, guint color)
{
  loom_chart_paint_fill_box (paint, box, loom_chart_paint_color (paint, color));
  if (color != LOOM_CHART_WAIT)
    return;
  loom_chart_paint_trace_stripes (paint, box);
  loom_chart_paint_stroke_stripes (paint);
}

/* if the box is at least this wide, a line in the colour of the background separates its frame from its fill */
#define FLAG_LINES_PX 9.0

void
loom_chart_paint_flag_box (const LoomChartPaint *paint, LoomChartBox box)
{
  const LoomColorRole roles[] = { LOOM_COLOR_ROLE_WARNING, LOOM_COLOR_ROLE_BACKGROUND };
  const double insets[] = { 1, 2.5 }, widths[] = { 2, 1 };
  for (guint i = 0; i < G_N_ELEMENTS (roles) && (i == 0 || box.width >= FLAG_LINES_PX); i++) {
    loom_color_set_source (paint->cr, paint->theme->role[roles[i]]);
    cairo_set_line_width (paint->cr, widths[i]);
    cairo_rectangle (paint->cr, box.x + insets[i], box.y + insets[i], MAX (box.width - 2 * insets[i], 0.5),
                     MAX (box.height - 2 * insets[i], 0.5));
    cairo_stroke (paint->cr);
  }
}

double
loom_chart_paint_put (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double x, double middle_y,
                      double room, LoomColorRole role)
{
  return loom_text_cache_paint (paint->text, paint->cr, style, text, x, middle_y, room, paint->theme->role[role]);
}

void
loom_chart_paint_put_right (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double right,
                            double middle_y, LoomColorRole role)
{
  loom_chart_paint_put (paint, style, text, right - loom_text_cache_width (paint->text, style, text), middle_y, -1,
                        role);
}

void
loom_chart_paint_put_first (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double from,
                            double middle_y, LoomColorRole role)
{
  if (paint->layout->mirrored)
    loom_chart_paint_put_right (paint, style, text, paint->layout->width - from, middle_y, role);
  else
    loom_chart_paint_put (paint, style, text, from, middle_y, -1, role);
}

double
loom_chart_paint_put_first_short (const LoomChartPaint *paint, LoomTextStyle style, const char *label, double from,
                                  double middle_y, double room, LoomColorRole role)
{
  g_autofree char *shown = loom_chart_shorten (label, room, style, paint->text);
  double width = MIN (loom_text_cache_width (paint->text, style, shown), room);
  return loom_chart_paint_put (
    paint, style, shown, paint->layout->mirrored ? paint->layout->width - from - width : from, middle_y, room, role);
}

void
loom_chart_paint_put_last (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double from,
                           double middle_y, LoomColorRole role)
{
  if (paint->layout->mirrored)
    loom_chart_paint_put (paint, style, text, from, middle_y, -1, role);
  else
    loom_chart_paint_put_right (paint, style, text, paint->layout->width - from, middle_y, role);
}

/* Paints a line; a horizontal or vertical line is aligned to pixels. */
void
loom_chart_paint_rule (const LoomChartPaint *paint, double x0, double y0, double x1, double y1, LoomColor color,
                       double width)
{
  loom_color_set_source (paint->cr, color);
  cairo_set_line_width (paint->cr, width);
  cairo_move_to (paint->cr, x0 == x1 ? floor (x0) + 0.5 : x0, y0 == y1 ? floor (y0) + 0.5 : y0);
  cairo_line_to (paint->cr, x0 == x1 ? floor (x1) + 0.5 : x1, y0 == y1 ? floor (y1) + 0.5 : y1);
  cairo_stroke (paint->cr);
}

static void
stroke_inside (const LoomChartPaint *paint, LoomChartBox box, double width, guint role)
{
  loom_color_set_source (paint->cr, paint->theme->role[role]);
  cairo_set_line_width (paint->cr, width);
  cairo_rectangle (paint->cr, box.x + width / 2, box.y + width / 2, MAX (box.width - width, 1),
                   MAX (box.height - width, 1));
  cairo_stroke (paint->cr);
}

/* The outline of the box under the pointer has a second line in the colour of the background, because its own colour is
 * hardly visible on some colours of heat maps. */
void
loom_chart_paint_outline_box (const LoomChartPaint *paint, LoomChartBox box, gboolean focused)
{
  if (focused) {
    stroke_inside (paint, box, 2, LOOM_COLOR_ROLE_SELECTED_OUTLINE);
    return;
  }
  stroke_inside (paint, box, 1, LOOM_COLOR_ROLE_HOVER_OUTLINE);
  stroke_inside (paint, (LoomChartBox) { box.x + 1, box.y + 1, MAX (box.width - 2, 1), MAX (box.height - 2, 1) }, 1,
                 LOOM_COLOR_ROLE_BACKGROUND);
}

/* --- painting of the whole chart ---------------------------------------------------------------------------------- */

typedef void (*PaintFunc) (const LoomChartPaint *paint);

static const PaintFunc painters[LOOM_N_CHARTS] = {
  [LOOM_CHART_PIE] = loom_chart_paint_pie,     [LOOM_CHART_HISTOGRAM] = loom_chart_paint_histogram,
  [LOOM_CHART_BARS] = loom_chart_paint_bars,   [LOOM_CHART_LINES] = loom_chart_paint_lines,
  [LOOM_CHART_HEAT] = loom_chart_paint_heat,   [LOOM_CHART_MATRIX] = loom_chart_paint_heat,
  [LOOM_CHART_WAITS] = loom_chart_paint_waits,
};

/* Paints a point that is under the pointer or has the focus. It is larger than other points; if it has the focus, it
 * also has a ring. */
static void
paint_point (const LoomChartPaint *paint, LoomChartBox box, gboolean focused)
{
  double x = box.x + box.width / 2, y = box.y + box.height / 2;
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, x, y, LOOM_CHART_HOVER_DOT_PX / 2, 0, 2 * G_PI);
  loom_color_set_source (
    paint->cr, paint->theme->role[focused ? LOOM_COLOR_ROLE_SELECTED_OUTLINE : LOOM_COLOR_ROLE_HOVER_OUTLINE]);
  cairo_fill (paint->cr);
  if (!focused)
    return;
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, x, y, LOOM_CHART_HOVER_DOT_PX, 0, 2 * G_PI);
  cairo_set_line_width (paint->cr, 2);
  cairo_stroke (paint->cr);
}

static void
paint_outlines (const LoomChartPaint *paint)
{
  const guint elements[] = { paint->hover, paint->focused };
  LoomChartBox box;
  gboolean points = paint->chart->kind == LOOM_CHART_LINES && !paint->chart->lines.columns;
  for (guint i = 0; i < 2; i++)
    if (!loom_chart_layout_get_box (paint->layout, elements[i], &box))
      continue;
    else if (points)
      paint_point (paint, box, i == 1);
    else
      loom_chart_paint_outline_box (
        paint, (LoomChartBox) { floor (box.x) - 1, floor (box.y) - 1, ceil (box.width) + 2, ceil (box.height) + 2 },
        i == 1);
}

/* Returns the text next to the title, or NULL. For a histogram, this text names what is counted, with the total number
 * if the axis shows percent; for a heat map with two values per cell, it explains the two values; for a diagram of
 * waits, it explains the arrows. */
static char *
dup_aside (const LoomChart *chart)
{
  if (chart->kind == LOOM_CHART_HEAT && chart->heat.peaks->len > 0)
    return g_strdup (
      /* Translators: explains the two colors of each cell: the upper one is the highest value, the lower one the
       * mean */
      C_ ("heat map", "top: highest, bottom: mean"));
  if (chart->kind == LOOM_CHART_WAITS)
    return g_strdup (/* Translators: explains the arrows of a diagram of waits */
                     C_ ("chart", "an arrow leads to what is waited for"));
  if (chart->kind != LOOM_CHART_HISTOGRAM)
    return NULL;
  g_autofree char *total = loom_chart_format (chart->histogram.total, "");
  return chart->histogram.total > 0 ? g_strdup_printf (C_ ("chart", "%s: %s"), chart->what, total)
                                    : g_strdup (chart->what);
}

static void
paint_title (const LoomChartPaint *paint)
{
  double width = loom_chart_paint_put_first_short (paint, LOOM_TEXT_HEADER_BOLD, paint->chart->title, 0, 9,
                                                   paint->layout->width, LOOM_COLOR_ROLE_TEXT);
  g_autofree char *aside = dup_aside (paint->chart);
  /* the text about the bins of a histogram ends where their axis ends, before the bar for values beyond the bins */
  double from = paint->layout->rest_px + 2;
  if (aside != NULL &&
      paint->layout->width - loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, aside) - from > width + 12)
    loom_chart_paint_put_last (paint, LOOM_TEXT_SMALL, aside, from, 9, LOOM_COLOR_ROLE_TEXT_FAINT);
}

void
loom_chart_layout_paint (cairo_t *cr, const LoomChartLayout *layout, const LoomChartOptions *options)
{
  g_return_if_fail (cr != NULL && layout != NULL && options != NULL && options->theme != NULL && options->text != NULL);
  LoomChartPaint paint = { cr, layout, layout->chart, options->theme, options->text, options->hover, options->focused };
  gboolean pie = layout->chart->kind == LOOM_CHART_PIE;
  cairo_save (cr);
  paint_title (&paint);
  if (pie || layout->plot.width > 0)
    painters[layout->chart->kind](&paint);
  if (!pie)
    paint_outlines (&paint);
  cairo_restore (cr);
}
