/* SPDX-License-Identifier: Apache-2.0
 *
 * The members of a chart's layout. Private to the charts.
 */
#pragma once

#include "loom-chart-layout.h"

#define LOOM_CHART_TITLE_PX 24.0
#define LOOM_CHART_LEGEND_ROW_PX 18.0
#define LOOM_CHART_AXIS_PX 18.0 /* height of the tick labels */
#define LOOM_CHART_SWATCH_PX 10.0
#define LOOM_CHART_SWATCH_GAP_PX 5.0
#define LOOM_CHART_GAP_PX 6.0
#define LOOM_CHART_MARK_PX 16.0 /* height of a label above the plot for a median or limit line */

typedef struct {
  double at; /* pixels along the axis */
  char label[40];
  double width; /* width of the label */
} LoomChartTick;

typedef struct {
  const char *label;
  guint color;
  double x, middle_y; /* x: the left end of the entry; in mirrored layouts its right end, where the swatch is */
  double room;        /* width of the label's box */
} LoomChartKey;

/* A point of a line's path, in pixels. */
typedef struct {
  double x, y;
  guint point;
  gboolean moves; /* begins a line, or continues it after a gap */
} LoomChartVertex;

struct _LoomChartLayout {
  LoomChart *chart;
  double width, height;
  LoomChartBox plot;                   /* empty if there is no room */
  double x_low, x_high, y_low, y_high; /* values at the edges of the plot */
  GArray *x_ticks, *y_ticks;           /* LoomChartTick */
  GArray *keys;                        /* LoomChartKey: the legend; for a pie one per slice */
  /* rows of labels above the plot: 2 if the labels of median and limit don't fit side by side */
  guint mark_rows;
  double label_px;                         /* width of the row names, left of the plot */
  double row_px, bar_px;                   /* bars, heat maps: height of a group or row, and of a bar */
  double center_x, center_y, radius, hole; /* for a pie: its ring in pixels */
  GArray *angles;                          /* double: begin of each slice, and end of the last */
  GArray *path;                            /* LoomChartVertex: the points of lines */
  gboolean mirrored;                       /* reads from right to left */
};

/* Adds ticks over [low, high] along `length` pixels; labels keep the distance `apart` (plus their widths if `text` is
 * not NULL). */
void loom_chart_add_ticks (GArray *ticks, double low, double high, double length, double apart, const char *unit,
                           gboolean whole, LoomTextCache *text);

double loom_chart_layout_x (const LoomChartLayout *layout, double value);
double loom_chart_layout_y (const LoomChartLayout *layout, double value);

/* Width of swatch and label. */
static inline double
loom_chart_key_width (const LoomChartKey *key)
{
  return LOOM_CHART_SWATCH_PX + LOOM_CHART_SWATCH_GAP_PX + key->room;
}

/* The count of a bin in the unit of the axis. */
static inline double
loom_chart_bin_value (const LoomChart *chart, guint bin)
{
  double count = g_array_index (chart->histogram.counts, double, bin);
  return chart->histogram.total > 0 ? 100 * count / chart->histogram.total : count;
}

/* The values [from, to] between which a bar is drawn. */
void loom_chart_bar_extent (const LoomChartLayout *layout, guint element, double *from, double *to);

/* loom-chart-dots.c: a single point, and all points of a line. */
gboolean loom_chart_is_flagged (const LoomChart *chart, guint point);
void loom_chart_paint_dot (cairo_t *cr, double x, double y, gboolean flagged, LoomColor color, gboolean contrast);
void loom_chart_paint_dots (cairo_t *cr, const LoomChartLayout *layout, guint line, LoomColor color, gboolean contrast);

/* loom-chart-layout-kinds.c: the parts of a layout by kind of chart. */
void loom_chart_layout_pie (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_histogram (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_bars (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_lines (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_heat (LoomChartLayout *layout, LoomTextCache *text);

/* The label, shortened in the middle with an ellipsis to fit into the room (at least three characters are kept). Owned
 * by the caller. */
char *loom_chart_shorten (const char *label, double room, LoomTextStyle style, LoomTextCache *text);

/* The label of a median or limit line: "median 1.05 s". Owned by the caller. */
char *loom_chart_dup_mark (const LoomChart *chart, gboolean limit);

/* Height of the legend at that width, 0 if there is none; adds its keys to `keys` (may be NULL), from y on. */
double loom_chart_legend (const LoomChart *chart, double width, double y, GArray *keys, LoomTextCache *text);
