/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of a chart without its appearance: titles, labels, values, units. There is one struct for each kind of
 * chart. A chart consists of elements (slices, bins, bars, points, cells), which are numbered from 0. An element can be
 * under the pointer, can have the keyboard focus, and is one line of the table that the user copies.
 *
 * Values are doubles; NaN is a missing value. The unit determines their format: "ns" for durations, "%", "B/s" …, ""
 * for plain numbers. A chart is filled by one thread, then immutable; ref-counted atomically. Texts are copied.
 */
#pragma once

#include <glib.h>

#include "loom-time.h"
#include "loom-work-kind.h"

typedef enum {
  LOOM_CHART_PIE,
  LOOM_CHART_HISTOGRAM,
  LOOM_CHART_BARS,
  LOOM_CHART_LINES,
  LOOM_CHART_HEAT,
  LOOM_CHART_MATRIX,
  LOOM_CHART_WAITS,
  LOOM_N_CHARTS
} LoomChartKind;

/* Numbers of the colours in charts. 0 … LOOM_N_SERIES_COLORS − 1 are the theme's colours for series; the numbers after
 * these repeat them. LOOM_CHART_GREY is for neutral shapes, LOOM_CHART_ALARM for outliers and warnings. The numbers
 * from LOOM_CHART_WORK on are for kinds of work: each is the colour that spans of this kind have on the timeline.
 * LOOM_CHART_WAIT is for waits for other ranks: a light shade of the colour of communication, with stripes.
 * LOOM_CHART_HIDDEN is for communication that costs no time, because computation runs simultaneously: an even lighter
 * shade of the colour of communication. */
#define LOOM_CHART_GREY 1000u
#define LOOM_CHART_ALARM 1001u
#define LOOM_CHART_WAIT 1002u
#define LOOM_CHART_HIDDEN 1003u
#define LOOM_CHART_WORK 1100u
guint loom_chart_work_color (LoomWorkKind work);

/* The element number that means "no element". */
#define LOOM_CHART_NONE G_MAXUINT

typedef struct {
  const char *label;
  double value; /* value of the slice, ≥ 0 */
  guint color;
} LoomChartSlice;

/* A pie: shares of a whole. */
typedef struct {
  GArray *slices; /* LoomChartSlice: slices, clockwise from the top */
} LoomChartPie;

/* A histogram: counts in bins of equal width. */
typedef struct {
  double begin, end; /* range that the bins cover, in the chart's x unit */
  GArray *counts;    /* double: the number of values in each bin */
  /* TRUE: the last element of `counts` is not a bin, but the number of outlying values between rest_begin and rest_end,
   * far beyond the bins. This number is drawn as a separate bar after a gap. */
  gboolean has_rest;
  double rest_begin, rest_end;
  double total; /* if not 0, the vertical axis shows percent of this total; if 0, the axis shows counts */
  double high;  /* the vertical axis extends at least up to this value */
  guint color;  /* colour of the bars; 0 by default */
} LoomChartHistogram;

typedef struct {
  const char *label;
  guint color;
} LoomChartBarSeries;

/* Bars in groups, for example one group per step. Each group has one bar for each series. The bars of a group are side
 * by side or, if `stacked` is TRUE, one on top of the other. */
typedef struct {
  GArray *series; /* LoomChartBarSeries: name and colour of each series */
  GArray *groups; /* const char *: the label of each group */
  GArray *values; /* double: the value of each bar, group after group, in the order of `series` within a group */
  gboolean stacked;
  gboolean shows_sums; /* TRUE: the sum of each stack is written at its end */
  double least_high;   /* the axis extends at least to this value; 0: the axis ends at the highest bar */
  LoomTimeColumn unit; /* common format of all durations; unit_ns is 0: each duration has its own unit */
} LoomChartBars;

typedef struct {
  const char *label;
  guint color;
  guint first, n;  /* the points of the line are the elements `first` … `first` + `n` − 1 of `points` */
  gboolean joined; /* only in a chart of dots; TRUE: the points are joined by a line and not drawn as dots */
} LoomChartLine;

typedef struct {
  double x, y;
  gboolean flagged; /* TRUE: the point is an outlier */
  const char *name; /* name of the point; NULL: the name consists of the line and the x of the point */
  /* only in a chart of dots: area of the dot as a share (0 … 1) of the largest dot's area; 0: all dots are small and
   * equal */
  double area;
  const char *label; /* short text beside the dot; NULL: the dot has no text */
} LoomChartPoint;

/* Lines, for example of durations by step number; x ascends within each line. */
typedef struct {
  GArray *lines;  /* LoomChartLine: the lines, each a range of `points` */
  GArray *points; /* LoomChartPoint: the points of all lines, line after line */
  gboolean steps; /* TRUE: each line is drawn as a step function: a value holds until the next point */
  /* TRUE: each point is drawn as a column, and no lines are drawn. Columns of several lines at the same x are side by
   * side; if there is no room, they are painted over one another. */
  gboolean columns;
  /* TRUE: `columns` is TRUE too, and the columns of several lines at the same x are one on top of the other. Each line
   * has a point at each x, and no value is negative. */
  gboolean stacked;
  /* TRUE: points are drawn without lines between them, and there is a line at 0. Flagged points do not extend the scale
   * of the y axis; flagged points beyond the scale are drawn at the edge of the plot. */
  gboolean dots;
  /* TRUE: x is the logarithm to base 2 of a value in x_unit: names and labels of ticks show the value */
  gboolean x_log;
  /* in a chart of columns: name of the columns of flagged points in the legend; "": the legend doesn't mention them */
  const char *flagged_label;
  gboolean logarithmic; /* TRUE: both axes are logarithmic; only points with positive x and y are drawn */
} LoomChartLines;

/* Rows of cells: devices over time (heat map), or devices against devices (matrix). */
typedef struct {
  GArray *rows;   /* const char *: the label of each row */
  GArray *values; /* double: the value of each cell, row after row */
  /* double: the peak of each cell, which is the highest of the values whose mean is the value of the cell; empty if the
   * elements of `values` are not means */
  GArray *peaks;
  /* const char *: names of the columns and texts in the cells of a map, see loom_chart_new_map(); empty if the chart is
   * a heat map */
  GArray *columns, *texts;
  GArray *framed; /* guint: cells of a map with a frame in the colour of warnings */
  guint n_columns;
  double begin, end; /* range of x from the first to the last column, in the chart's x unit; unused for a matrix */
  double low, high;  /* values at the ends of the colour scale */
} LoomChartHeat;

/* A box of a diagram that shows who waits for whom. It represents a group of ranks that all wait for the ranks of one
 * other box, or that all wait for nobody. */
typedef struct {
  const char *label, *detail; /* `label`: the ranks; `detail`: what they do while others wait, "" if that is not
                               * known */
  double n;                   /* number of ranks in the box */
  /* index of an earlier box: the ranks of this box wait for the ranks of that box; LOOM_CHART_NONE: the ranks of this
   * box wait for nobody */
  guint awaited;
  /* TRUE: the ranks of this box are at the end of the chain of waits, so they delay the other ranks; the box has a
   * frame */
  gboolean is_cause;
} LoomChartWait;

typedef struct {
  gatomicrefcount ref_count;
  LoomChartKind kind;
  const char *title;
  const char *unit;   /* unit of the values in the chart */
  const char *x_name; /* name of the horizontal axis; "": the axis has no name */
  const char *x_unit;
  /* TRUE: the chart is one of several that the user compares. It is less high than other charts and, if several fit
   * side by side, also less wide. */
  gboolean small;
  /* name of the things that the chart counts, for example "samples"; "": these things have no name */
  const char *what;
  double median; /* median, which is drawn as a line across histograms and line charts; NaN: no median is drawn */
  /* Values beyond the limit are emphasised. The limit is drawn as a line across histograms and line charts; in a
   * matrix, cells beyond it have a frame. NaN: there is no limit. */
  double limit;
  const char *median_label, *limit_label;
  union {
    LoomChartPie pie;
    LoomChartHistogram histogram;
    LoomChartBars bars;
    LoomChartLines lines;
    LoomChartHeat heat; /* used for heat maps and matrices */
    GArray *waits;      /* LoomChartWait: boxes of a diagram of waits */
  };
  GStringChunk *texts;
} LoomChart;

LoomChart *loom_chart_ref (LoomChart *chart);
void loom_chart_unref (LoomChart *chart); /* NULL: does nothing */

LoomChart *loom_chart_new_pie (const char *title, const char *unit, const char *what);
void loom_chart_add_slice (LoomChart *chart, const char *label, double value, guint color);

LoomChart *loom_chart_new_histogram (const char *title, const char *x_name, const char *x_unit, const char *what,
                                     double begin, double end);
void loom_chart_add_bin (LoomChart *chart, double count);
/* Adds the number `count` of outlying values from `begin` to `end`, far beyond the bins, as one more element after all
 * bins. If the bins covered these values too, nearly all other values would be in a few bins. */
void loom_chart_add_rest (LoomChart *chart, double count, double begin, double end);
/* Sets the colour of the bars of a histogram, for example the colour of the work whose durations the histogram
 * shows. */
void loom_chart_set_bin_color (LoomChart *chart, guint color);
/* Sets the same scale on the vertical axes of histograms with the same bins, so that they can be compared. Each axis
 * then shows percent of the total of its own histogram, because the totals may differ much. Must be called after the
 * bins were added. NULL charts are skipped. */
void loom_chart_share_axes (LoomChart *const *charts, guint n);

LoomChart *loom_chart_new_bars (const char *title, const char *unit, gboolean stacked);
/* must be called for all series before the first group is added */
void loom_chart_add_bar_series (LoomChart *chart, const char *label, guint color);
void loom_chart_add_bar_group (LoomChart *chart, const char *label, const double *values);
/* Writes the sum of each stack at its end. By default, a stack has a number at its end only if each stack consists of a
 * single part. */
void loom_chart_show_bar_sums (LoomChart *chart);
/* Writes the durations of a chart of bars in the format that a table column of durations from `least_ns` to
 * `greatest_ns` has (loom_time_column_init()), so that a chart and a table that show the same values write them alike.
 * `least_ns`: the shortest duration of the column that is not 0; 0: the column has none. */
void loom_chart_set_bar_unit (LoomChart *chart, gint64 least_ns, gint64 greatest_ns);
/* Gives charts of bars the same axis, which ends at the highest bar of all charts, so that equally long bars mean equal
 * values. A chart whose bars would be shorter than a quarter of this axis keeps its own axis, because such short bars
 * could not be compared. Must be called after the bars were added. NULL charts are skipped. */
void loom_chart_share_bar_axis (LoomChart *const *charts, guint n);

LoomChart *loom_chart_new_lines (const char *title, const char *x_name, const char *x_unit, const char *unit,
                                 gboolean steps);
LoomChart *loom_chart_new_columns (const char *title, const char *x_name, const char *unit);
/* Makes a chart of columns in which the parts of a column, one for each line, are one on top of the other. All lines
 * must get points at the same x, in the same order. */
LoomChart *loom_chart_new_stacks (const char *title, const char *x_name, const char *x_unit, const char *unit);
/* Sets the text that explains the frames of flagged columns in the legend. These frames have the colour of warnings. */
void loom_chart_set_flagged_label (LoomChart *chart, const char *label);
LoomChart *loom_chart_new_dots (const char *title, const char *x_name, const char *x_unit, const char *unit);
/* Gives a chart of dots a logarithmic x axis. Must be called before points are added, whose x must be above 0. */
void loom_chart_use_log_x (LoomChart *chart);
/* Makes a chart of dots with two logarithmic axes. */
LoomChart *loom_chart_new_log_dots (const char *title, const char *x_name, const char *x_unit, const char *unit);
void loom_chart_add_line (LoomChart *chart, const char *label, guint color);
/* Adds a line to a chart of dots. The points of this line are joined, and are not drawn as dots. */
void loom_chart_add_curve (LoomChart *chart, const char *label, guint color);
/* adds a point to the line that was added last; `flagged`: the point is an outlier */
void loom_chart_add_point (LoomChart *chart, double x, double y, gboolean flagged);
void loom_chart_add_named_point (LoomChart *chart, double x, double y, const char *name);
/* Sets the area of the dot that was added last, as a share (0 … 1) of the largest dot's area. `label`: short text
 * beside the dot; NULL: none. A label is omitted if there is no room for it. */
void loom_chart_set_dot (LoomChart *chart, double area, const char *label);

LoomChart *loom_chart_new_heat (const char *title, const char *unit, const char *x_name, const char *x_unit,
                                guint n_columns, double begin, double end);
/* Makes a matrix of `n` rows and columns. Exactly `n` rows must be added; the labels of the rows also name the
 * columns. */
LoomChart *loom_chart_new_matrix (const char *title, const char *unit, guint n);
/* Makes a map: a heat map with few cells, each of which contains a text, and with a name for each column. */
LoomChart *loom_chart_new_map (const char *title, const char *unit, const char *const *columns, guint n_columns);
/* Adds a row to a map. `texts`: one text for each cell; "": the cell has no text. */
void loom_chart_add_map_row (LoomChart *chart, const char *label, const double *values, char *const *texts);
/* Frames a cell of a map. `what`: what the framed cells have in common, for the legend. */
void loom_chart_frame_cell (LoomChart *chart, guint cell, const char *what);
void loom_chart_add_heat_row (LoomChart *chart, const char *label, const double *values);
/* Sets the peaks of the row that was added last. Each value of the row is a mean of several values; its peak is the
 * highest of these, and shows bursts that the mean hides. Either all rows must have peaks, or none. */
void loom_chart_add_heat_peaks (LoomChart *chart, const double *peaks);
/* Sets the values at the ends of the colour scale of a heat map; the default is 0 and 100. */
void loom_chart_set_scale (LoomChart *chart, double low, double high);

/* The next two functions set the median and the limit. In histograms and line charts, each is drawn as a line, and the
 * text beside the line is `label`, followed by the value. In matrices, cells beyond the limit get a frame instead. */
void loom_chart_set_median (LoomChart *chart, double median, const char *label);
void loom_chart_set_limit (LoomChart *chart, double limit, const char *label);

/* Makes a diagram that shows who waits for whom: boxes of ranks, with arrows to the boxes of the ranks for which they
 * wait. `what`: what the boxes contain, such as "ranks". */
LoomChart *loom_chart_new_waits (const char *title, const char *what);
/* Adds a box. `wait->awaited` is the number of the box for whose ranks the ranks of this box wait; that box must have
 * been added before. LOOM_CHART_NONE: the ranks of this box do not wait. */
void loom_chart_add_wait (LoomChart *chart, const LoomChartWait *wait);

guint loom_chart_get_n_elements (const LoomChart *chart);
/* Returns the value of an element; NaN if the element has no value. */
double loom_chart_get_value (const LoomChart *chart, guint element);
/* Returns the peak of a cell: if the cell's value is a mean, the highest of the averaged values; NaN if the peak is not
 * known. */
double loom_chart_get_peak (const LoomChart *chart, guint element);
/* Returns the sum of all slices of a pie. */
double loom_chart_get_total (const LoomChart *chart);

/* Returns the full name of an element. Examples: "high GPU usage", "10 % – 12 %", "gemm · during", "41", "gpu0 · +1.2
 * s". Owned by the caller. */
char *loom_chart_dup_name (const LoomChart *chart, guint element);
/* Returns the rounded value of an element with its unit; for a slice of a pie also its share. Owned by the caller. */
char *loom_chart_dup_value (const LoomChart *chart, guint element);
/* Returns the value of an element as the legend of a pie shows it, for example "600 · 60.0 %": with unit and share, but
 * without the name of what the chart counts. Owned by the caller. */
char *loom_chart_dup_share (const LoomChart *chart, guint element);
/* Returns the chart as a tab-separated table: a header line, then one line per element with exact values. Owned by the
 * caller. */
char *loom_chart_dup_tsv (const LoomChart *chart);

/* The next three functions return a value with its unit as text, owned by the caller. loom_chart_format() rounds for
 * display. loom_chart_format_precise(), for tooltips, rounds rates, and shares that are not whole numbers, as for
 * display. It gives other whole numbers and durations exactly, and all other values with six digits.
 * loom_chart_format_exact() always gives the exact value. */
char *loom_chart_format (double value, const char *unit);
char *loom_chart_format_precise (double value, const char *unit);
char *loom_chart_format_exact (double value, const char *unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChart, loom_chart_unref)
