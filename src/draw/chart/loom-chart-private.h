/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the charts: the members of a chart's layout, sizes in px, and functions that several files use.
 */
#pragma once

#include "loom-chart-layout.h"

#define LOOM_CHART_TITLE_PX 24.0
#define LOOM_CHART_LEGEND_ROW_PX 18.0
#define LOOM_CHART_AXIS_PX 18.0 /* height of the labels of ticks */
#define LOOM_CHART_SWATCH_PX 10.0
#define LOOM_CHART_SWATCH_GAP_PX 5.0
#define LOOM_CHART_GAP_PX 6.0
#define LOOM_CHART_LABEL_PX 28.0     /* height of a label next to a slice, which has two lines */
#define LOOM_CHART_LEADER_PX 9.0     /* half of the distance between a slice and its label */
#define LOOM_CHART_REST_BAR_PX 24.0  /* width of the bar for the values beyond the bins of a histogram */
#define LOOM_CHART_DOT_PX 5.0        /* diameter of the dot of a point */
#define LOOM_CHART_LARGE_DOT_PX 28.0 /* diameter of the largest dot of a chart whose dots have areas */
#define LOOM_CHART_HOVER_DOT_PX 7.0  /* diameter of a point under the pointer */
/* height of one row of labels for the median and limit lines; these rows are above the plot */
#define LOOM_CHART_MARK_PX 16.0

typedef struct {
  double at; /* position of the tick along the axis, in px */
  char label[40];
  double width; /* width of the label in px */
} LoomChartTick;

typedef struct {
  const char *label;
  guint color;
  /* `x`: left end of the entry of the legend; in mirrored layouts, its right end. The colour swatch is at `x`. */
  double x, middle_y;
  double room;     /* width available for the label, in px */
  gboolean framed; /* TRUE: entry for flagged columns (outliers); its swatch is a frame like that of the columns */
} LoomChartKey;

/* A point of the path of a line, as it is drawn; x and y in px. */
typedef struct {
  double x, y;
  guint point;
  guint line;
  gboolean moves; /* TRUE: the point begins the line, or continues it after a gap */
  double base;    /* y of the lower edge of a part of a stacked column; unused for other points */
} LoomChartVertex;

struct _LoomChartLayout {
  LoomChart *chart;
  double width, height;
  LoomChartBox plot; /* the area between the axes; empty if there is not enough space for it */
  /* values at the left, right, lower and upper edge of the plot; in a logarithmic chart their decimal logarithms */
  double x_low, x_high, y_low, y_high;
  GArray *x_ticks, *y_ticks; /* LoomChartTick: the ticks of both axes */
  GArray *keys;              /* LoomChartKey: entries of the legend; for a pie, one entry per slice */
  /* number of rows of labels above the plot: 2 if the labels of median and limit don't fit side by side */
  guint mark_rows;
  double label_px;       /* width of the names of rows, left of the plot */
  double row_px, bar_px; /* `row_px`: height of a group of bars or of a row of a heat map; `bar_px`: height of a bar */
  double center_x, center_y, radius, hole; /* center of a pie, radius of its ring and of the ring's hole, in px */
  GArray *angles; /* double: angle at which each slice starts; the last element is the end of the last slice */
  /* TRUE: the labels of a pie are next to its slices, in two lines and without colour swatch; a label whose `room` is 0
   * is not shown. FALSE: the pie has a legend */
  gboolean direct;
  /* index of the only slice of a pie, which is shown as a line of text; LOOM_CHART_NONE: the pie has several slices or
   * none */
  guint single;
  /* LoomChartVertex: points of lines; in a chart of columns, the middle of each column's upper edge */
  GArray *path;
  double column_px; /* width of a column in px */
  /* `rest_px`: width of the bar for values beyond the bins of a histogram, next to the plot, with the gap before it;
   * `rest_gap_px`: width of this gap; both 0: there is no such bar */
  double rest_px, rest_gap_px;
  gboolean title_is_cut;
  gboolean mirrored; /* TRUE: the layout is mirrored for text from right to left */
};

/* Adds ticks for values from `low` to `high` on an axis that is `length` px long. Ticks are at least `apart` px apart
 * and, if `text` is not NULL, so far apart that their labels fit. `whole`: only whole numbers get ticks. */
void loom_chart_add_ticks (GArray *ticks, double low, double high, double length, double apart, const char *unit,
                           gboolean whole, LoomTextCache *text);

/* Adds ticks at powers of two, for an axis from 2^low to 2^high. The labels show the powers with their unit. */
void loom_chart_add_log_ticks (GArray *ticks, double low, double high, double length, const char *unit,
                               LoomTextCache *text);
/* Adds ticks at powers of ten to a logarithmic axis from 10^low to 10^high, at least `apart` px apart. If the axis
 * contains only few powers of ten, adds ticks at 2 and 5 times a power of ten too. */
void loom_chart_add_decade_ticks (GArray *ticks, double low, double high, double length, double apart, const char *unit,
                                  LoomTextCache *text);

double loom_chart_layout_x (const LoomChartLayout *layout, double value);
double loom_chart_layout_y (const LoomChartLayout *layout, double value);

/* Returns the width of an entry of the legend: of its colour swatch and its label. */
static inline double
loom_chart_key_width (const LoomChartKey *key)
{
  return LOOM_CHART_SWATCH_PX + LOOM_CHART_SWATCH_GAP_PX + key->room;
}

/* Returns the box of the label next to a slice; its width is 0 if the label is not shown. */
LoomChartBox loom_chart_layout_slice_label (const LoomChartLayout *layout, guint slice);

/* Returns the number of bins of a histogram, without the bar for the values beyond the bins. */
static inline guint
loom_chart_get_n_bins (const LoomChart *chart)
{
  return chart->histogram.counts->len - (chart->histogram.has_rest ? 1 : 0);
}

/* Returns TRUE for a matrix or a map: a heat map whose cells contain texts and whose columns have names. */
static inline gboolean
loom_chart_has_cells (const LoomChart *chart)
{
  return chart->kind == LOOM_CHART_MATRIX || (chart->kind == LOOM_CHART_HEAT && chart->heat.columns->len > 0);
}

/* Returns TRUE if each line has its own colour and an entry in the legend. Returns FALSE if the lines are drawn as
 * columns and there are more lines than colours; all columns then have the same colour. */
static inline gboolean
loom_chart_has_line_colors (const LoomChart *chart)
{
  return !chart->lines.columns || chart->lines.lines->len <= LOOM_N_SERIES_COLORS;
}

/* Returns the count of a bin; if the axis shows percent, the count as percent of the total. */
static inline double
loom_chart_bin_value (const LoomChart *chart, guint bin)
{
  double count = g_array_index (chart->histogram.counts, double, bin);
  return chart->histogram.total > 0 ? 100 * count / chart->histogram.total : count;
}

/* Returns TRUE if a value is written beside each bar: if bars are not stacked, or each stack has at most one part above
 * 0. Stacks with one part occur in a chart that uses a second colour to mark some of the bars. O(bars). */
gboolean loom_chart_has_bar_values (const LoomChart *chart);
/* Sets `value` to the number that is written after a bar. For the last part of a stack, this is the sum of the stack.
 * Returns FALSE if no number is written after the bar. */
gboolean loom_chart_get_bar_value (const LoomChart *chart, guint element, double *value);
/* Returns a value of a chart of bars as text, in the common unit of the bars if they have one. Owned by the caller. */
char *loom_chart_format_bar (const LoomChart *chart, double value);
/* Sets `from` and `to` to the values on the axis at which a bar begins and ends. */
void loom_chart_bar_extent (const LoomChartLayout *layout, guint element, double *from, double *to);

/* Functions of loom-chart-dots.c. loom_chart_paint_dot() paints one point, loom_chart_paint_dots() all points of a
 * line. */
gboolean loom_chart_is_flagged (const LoomChart *chart, guint point);
void loom_chart_paint_dot (cairo_t *cr, double x, double y, gboolean flagged, LoomColor color, gboolean contrast);
void loom_chart_paint_dots (cairo_t *cr, const LoomChartLayout *layout, guint line, LoomColor color, gboolean contrast);
/* Returns the radius of the dot of a point in px. */
double loom_chart_dot_radius (const LoomChart *chart, guint point);

/* Functions of loom-chart-layout-kinds.c and loom-chart-layout-pie.c. Each lays out charts of one kind. */
void loom_chart_layout_pie (LoomChartLayout *layout, LoomTextCache *text);
double loom_chart_layout_pie_height (const LoomChart *chart, double width, LoomTextCache *text);
void loom_chart_layout_histogram (LoomChartLayout *layout, LoomTextCache *text);
void loom_chart_layout_bars (LoomChartLayout *layout, LoomTextCache *text);
/* Returns the box of the bar for the values beyond the bins of a histogram. */
LoomChartBox loom_chart_layout_rest_box (const LoomChartLayout *layout);
void loom_chart_layout_lines (LoomChartLayout *layout, LoomTextCache *text);

/* Functions of loom-chart-stacks.c, for columns whose parts are one on top of the other. loom_chart_stack_highest()
 * returns the sum of the parts of the highest column. loom_chart_stack_place() adds the parts of all columns to the
 * path; `slot` is the width of a column in units of x. loom_chart_stack_hit() returns the part at a point, or
 * LOOM_CHART_NONE. loom_chart_stack_box() returns the box of a part. */
double loom_chart_stack_highest (const LoomChart *chart);
void loom_chart_stack_place (LoomChartLayout *layout, double slot);
guint loom_chart_stack_hit (const LoomChartLayout *layout, double x, double y);
LoomChartBox loom_chart_stack_box (const LoomChartLayout *layout, guint element);
void loom_chart_layout_heat (LoomChartLayout *layout, LoomTextCache *text);

/* Functions of loom-chart-waits.c, for diagrams of waits. loom_chart_layout_hit_waits() returns the box at a point, or
 * LOOM_CHART_NONE. */
void loom_chart_layout_waits (LoomChartLayout *layout, LoomTextCache *text);
double loom_chart_layout_waits_height (const LoomChart *chart);
LoomChartBox loom_chart_layout_wait_box (const LoomChartLayout *layout, guint element);
guint loom_chart_layout_hit_waits (const LoomChartLayout *layout, double x, double y);

/* Returns the label. If the label is wider than `room` px, an ellipsis replaces characters in its middle; at least
 * three characters are kept. Owned by the caller. */
char *loom_chart_shorten (const char *label, double room, LoomTextStyle style, LoomTextCache *text);
/* Returns `n` labels, shortened like loom_chart_shorten(). A shortened name of a kernel keeps its functor and, if
 * several labels would be equal, a word in which the names differ (loom-kernel-label.h):
 * "elementwise_kernel…MulFunctor, double". Owned by the caller, who frees it with g_strfreev(). O(n²) for few labels,
 * O(n) for many. */
char **loom_chart_shorten_all (const char *const *labels, guint n, double room, LoomTextStyle style,
                               LoomTextCache *text);

/* Returns the label of the median or limit line, for example "median 1.05 s". Owned by the caller. */
char *loom_chart_dup_mark (const LoomChart *chart, gboolean limit);

/* Appends the entries of the legend (LoomChartKey) to `keys`, with the first line at y; `keys` may be NULL. Returns the
 * height of the legend for a chart of this width; 0 if there is no legend. */
double loom_chart_legend (const LoomChart *chart, double width, double y, GArray *keys, LoomTextCache *text);
