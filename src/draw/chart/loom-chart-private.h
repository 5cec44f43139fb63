/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layout of a chart is made of. Private to the charts.
 */
#pragma once

#include "loom-chart-layout.h"

G_BEGIN_DECLS

#define LOOM_CHART_TITLE_PX 24.0
#define LOOM_CHART_LEGEND_ROW_PX 18.0
#define LOOM_CHART_AXIS_PX 18.0 /* tick labels */
#define LOOM_CHART_SWATCH_PX 10.0
#define LOOM_CHART_SWATCH_GAP_PX 5.0
#define LOOM_CHART_GAP_PX 6.0
#define LOOM_CHART_MARK_PX 16.0 /* above a plot: what its lines are called */

typedef struct {
  double at; /* pixels along the axis */
  char label[40];
  double width; /* of the label */
} LoomChartTick;

typedef struct {
  const char *label;
  guint color;
  double x, middle_y; /* x: the left end, also where the swatch stands at the right one */
  double room;        /* for the label */
} LoomChartKey;

/* A stretch of a line: pixels, in the order they are joined. */
typedef struct {
  double x, y;
  guint point;
  gboolean moves; /* starts a line, or stands behind a gap */
} LoomChartVertex;

struct _LoomChartLayout {
  LoomChart *chart;
  double width, height;
  LoomChartBox plot;                       /* empty when there is no room */
  double x_low, x_high, y_low, y_high;     /* values at the edges of the plot */
  GArray *x_ticks, *y_ticks;               /* LoomChartTick */
  GArray *keys;                            /* LoomChartKey: the legend; of a pie one per slice */
  guint mark_rows;                         /* above the plot: 2 where the labels of its lines do not fit side by side */
  double label_px;                         /* left of the plot, for names of rows */
  double row_px, bar_px;                   /* bars, heat maps: height of a group or row, of a bar */
  double center_x, center_y, radius, hole; /* pie */
  GArray *angles;                          /* double: where slices begin, and the end of the last */
  GArray *path;                            /* LoomChartVertex: lines */
  gboolean mirrored;                       /* reads from right to left */
};

/* Ticks over [low, high] along `length` pixels; labels keep a distance of `apart` (their widths are looked at where
 * `text` is not NULL). */
void loom_chart_add_ticks (GArray *ticks, double low, double high, double length, double apart, const char *unit,
                           gboolean whole, LoomTextCache *text);

double loom_chart_layout_x (const LoomChartLayout *layout, double value);
double loom_chart_layout_y (const LoomChartLayout *layout, double value);

/* Swatch and label. */
static inline double
loom_chart_key_width (const LoomChartKey *key)
{
  return LOOM_CHART_SWATCH_PX + LOOM_CHART_SWATCH_GAP_PX + key->room;
}

/* The count of a bin as its axis shows it. */
static inline double
loom_chart_bin_value (const LoomChart *chart, guint bin)
{
  double count = g_array_index (chart->histogram.counts, double, bin);
  return chart->histogram.total > 0 ? 100 * count / chart->histogram.total : count;
}

/* The ends of bars in value: [from, to]. */
void loom_chart_bar_extent (const LoomChartLayout *layout, guint element, double *from, double *to);

/* loom-chart-dots.c: a point by itself, and those of a line. */
gboolean loom_chart_is_flagged (const LoomChart *chart, guint point);
void loom_chart_paint_dot (cairo_t *cr, double x, double y, gboolean flagged, LoomColor color, gboolean contrast);
void loom_chart_paint_dots (cairo_t *cr, const LoomChartLayout *layout, guint line, LoomColor color, gboolean contrast);

/* loom-chart-layout-kinds.c: the parts of a layout by kind of chart. */
void loom_chart_layout_pie (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_histogram (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_bars (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_lines (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_heat (LoomChartLayout *layout, LoomTextCache *text);

/* The label, or its head and tail with an ellipsis between that fit into the room (at least three letters). Owned. */
char *loom_chart_shorten (const char *label, double room, LoomTextStyle style, LoomTextCache *text);

/* "median 1.05 s": what a line across is called. Owned. */
char *loom_chart_dup_mark (const LoomChart *chart, gboolean limit);

/* Height of the legend at that width, 0 without one; fills in keys when `keys` is not NULL, from y. */
double loom_chart_legend (const LoomChart *chart, double width, double y, GArray *keys, LoomTextCache *text);

G_END_DECLS
