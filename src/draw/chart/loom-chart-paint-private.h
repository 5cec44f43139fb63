/* SPDX-License-Identifier: Apache-2.0
 *
 * Declares the painters of the single kinds of charts, and the helpers that all these painters use: for text, boxes,
 * axes and legends. Private to src/draw/chart.
 */
#pragma once

#include "loom-chart-private.h"

typedef struct {
  cairo_t *cr;
  const LoomChartLayout *layout;
  const LoomChart *chart;
  const LoomTheme *theme;
  LoomTextCache *text;
  guint hover, focused;
} LoomChartPaint;

/* Functions of loom-chart-paint.c. The functions that paint text centre it vertically at `middle_y`, and shorten it to
 * `room` pixels (negative: no limit). loom_chart_paint_put() returns the width of the text. */
LoomColor loom_chart_paint_color (const LoomChartPaint *paint, guint color);
void loom_chart_paint_fill_box (const LoomChartPaint *paint, LoomChartBox box, LoomColor color);
/* Fills a box with the colour of this number, and with stripes if it is LOOM_CHART_WAIT. */
void loom_chart_paint_fill (const LoomChartPaint *paint, LoomChartBox box, guint color);
/* loom_chart_paint_trace_stripes() adds the stripes of a box to the path, and loom_chart_paint_stroke_stripes() draws
 * the stripes of all boxes that were added. */
void loom_chart_paint_trace_stripes (const LoomChartPaint *paint, LoomChartBox box);
void loom_chart_paint_stroke_stripes (const LoomChartPaint *paint);
/* Paints the frame that marks a flagged column or its colour swatch in the legend. */
void loom_chart_paint_flag_box (const LoomChartPaint *paint, LoomChartBox box);
void loom_chart_paint_outline_box (const LoomChartPaint *paint, LoomChartBox box, gboolean focused);
void loom_chart_paint_rule (const LoomChartPaint *paint, double x0, double y0, double x1, double y1, LoomColor color,
                            double width);
double loom_chart_paint_put (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double x,
                             double middle_y, double room, LoomColorRole role);
void loom_chart_paint_put_right (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double right,
                                 double middle_y, LoomColorRole role);
/* In the next three functions, `from` is the distance in px of the text from the side of the chart where reading begins
 * (…_put_first…) or ends (…_put_last). Reading begins at the right side in right-to-left languages. */
void loom_chart_paint_put_first (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double from,
                                 double middle_y, LoomColorRole role);
double loom_chart_paint_put_first_short (const LoomChartPaint *paint, LoomTextStyle style, const char *label,
                                         double from, double middle_y, double room, LoomColorRole role);
void loom_chart_paint_put_last (const LoomChartPaint *paint, LoomTextStyle style, const char *text, double from,
                                double middle_y, LoomColorRole role);

/* Functions of loom-chart-frame.c: axes, legend, and the lines of median and limit. */
void loom_chart_paint_y_axis (const LoomChartPaint *paint);
/* `guides`: the chart paints a line from the top of the plot to each tick of the axis, so the axis paints no lines */
void loom_chart_paint_x_axis (const LoomChartPaint *paint, gboolean guides);
LoomChartBox loom_chart_paint_swatch_box (const LoomChartPaint *paint, const LoomChartKey *key);
void loom_chart_paint_put_key (const LoomChartPaint *paint, const LoomChartKey *key, double room);
void loom_chart_paint_keys (const LoomChartPaint *paint);
void loom_chart_paint_row_labels (const LoomChartPaint *paint, const GArray *rows);
void loom_chart_paint_upright_marks (const LoomChartPaint *paint);
void loom_chart_paint_level_marks (const LoomChartPaint *paint);
const LoomChartLine *loom_chart_paint_get_line (const LoomChartPaint *paint, guint line);

/* Function of loom-chart-dot-labels.c: paints the labels beside the dots of a chart of dots. */
void loom_chart_paint_dot_labels (const LoomChartPaint *paint);

/* The next functions each paint charts of one kind. */
void loom_chart_paint_pie (const LoomChartPaint *paint);
void loom_chart_paint_histogram (const LoomChartPaint *paint);
void loom_chart_paint_bars (const LoomChartPaint *paint);
void loom_chart_paint_lines (const LoomChartPaint *paint);
void loom_chart_paint_heat (const LoomChartPaint *paint);
void loom_chart_paint_waits (const LoomChartPaint *paint);
