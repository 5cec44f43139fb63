/* SPDX-License-Identifier: Apache-2.0
 *
 * What a chart says, without how it looks: titles, labels, values, units. One plain struct per kind of chart; a chart is
 * one of them with its titles. A chart consists of elements (slices, bins, bars, points, cells), numbered from 0: what
 * is under the pointer, has the keyboard's focus, stands in a line of the copied text.
 *
 * Values are doubles; NaN is a value that is not there. The unit says how they are written: "ns" for durations, "%",
 * "B/s" …, "" for plain numbers. Filled by one thread, then immutable; ref-counted atomically. Texts are copied.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_CHART_PIE,
  LOOM_CHART_HISTOGRAM,
  LOOM_CHART_BARS,
  LOOM_CHART_LINES,
  LOOM_CHART_HEAT,
  LOOM_CHART_MATRIX,
  LOOM_N_CHARTS
} LoomChartKind;

/* Colours by number: 0 … LOOM_N_SERIES_COLORS − 1 of the theme's series (others wrap around), or the program's grey, or
 * the colour of what deserves a look. */
#define LOOM_CHART_GREY 1000u
#define LOOM_CHART_ALARM 1001u

/* No element. */
#define LOOM_CHART_NONE G_MAXUINT

typedef struct {
  const char *label;
  double value; /* ≥ 0 */
  guint color;
} LoomChartSlice;

/* Shares of a whole. */
typedef struct {
  GArray *slices; /* LoomChartSlice */
} LoomChartPie;

/* Counts in bins of equal width. */
typedef struct {
  double begin, end; /* of all bins, in the chart's x unit */
  GArray *counts;    /* double */
  double total;      /* the vertical axis shows percent of so many; 0: it shows counts */
  double high;       /* the vertical axis reaches at least so far, in its unit */
} LoomChartHistogram;

typedef struct {
  const char *label;
  guint color;
} LoomChartBarSeries;

/* For each group one bar per series: side by side, or stacked. */
typedef struct {
  GArray *series; /* LoomChartBarSeries */
  GArray *groups; /* const char * */
  GArray *values; /* double, group after group */
  gboolean stacked;
} LoomChartBars;

typedef struct {
  const char *label;
  guint color;
  guint first, n; /* points */
} LoomChartLine;

typedef struct {
  double x, y;
  gboolean flagged; /* an outlier */
} LoomChartPoint;

/* Values over a number that grows: durations over step numbers. x ascends within a line. */
typedef struct {
  GArray *lines;  /* LoomChartLine */
  GArray *points; /* LoomChartPoint, line after line */
  gboolean steps; /* a value holds until the next point */
  gboolean dots;  /* points that are not joined, around a line at 0; those flagged do not stretch the scale: what is
                     beyond it stands at its edge */
} LoomChartLines;

/* Rows of cells: devices over time, or (as a matrix) one against another. */
typedef struct {
  GArray *rows;   /* const char * */
  GArray *values; /* double, row after row */
  GArray *peaks;  /* double, as many: the highest of what each value is the mean of; empty where values are no means */
  guint n_columns;
  double begin, end; /* of all columns, in the chart's x unit; not of a matrix */
  double low, high;  /* ends of the colours */
} LoomChartHeat;

typedef struct {
  gatomicrefcount ref_count;
  LoomChartKind kind;
  const char *title;
  const char *unit;   /* of values */
  const char *x_name; /* of the horizontal axis, "" for none */
  const char *x_unit;
  const char *what; /* what counts count: "samples"; "" */
  double median;    /* a line across histograms and lines; NaN: none */
  double limit;     /* what is beyond it stands out: a line across histograms and lines, cells of a matrix; NaN: none */
  const char *median_label, *limit_label;
  union {
    LoomChartPie pie;
    LoomChartHistogram histogram;
    LoomChartBars bars;
    LoomChartLines lines;
    LoomChartHeat heat; /* and matrix */
  };
  GStringChunk *texts;
} LoomChart;

LoomChart *loom_chart_ref (LoomChart *chart);
void loom_chart_unref (LoomChart *chart); /* NULL: nothing */

LoomChart *loom_chart_new_pie (const char *title, const char *unit, const char *what);
void loom_chart_add_slice (LoomChart *chart, const char *label, double value, guint color);

LoomChart *loom_chart_new_histogram (const char *title, const char *x_name, const char *x_unit, const char *what,
                                     double begin, double end);
void loom_chart_add_bin (LoomChart *chart, double count);
/* Histograms with the same bins, that are to be compared, get the same vertical axis: percent of what each counts, because one
 * may count much more than another. After their bins were added. NULL charts are skipped. */
void loom_chart_share_axes (LoomChart *const *charts, guint n);

LoomChart *loom_chart_new_bars (const char *title, const char *unit, gboolean stacked);
void loom_chart_add_bar_series (LoomChart *chart, const char *label, guint color); /* all before the first group */
void loom_chart_add_bar_group (LoomChart *chart, const char *label, const double *values);

LoomChart *loom_chart_new_lines (const char *title, const char *x_name, const char *x_unit, const char *unit,
                                 gboolean steps);
LoomChart *loom_chart_new_dots (const char *title, const char *x_name, const char *x_unit, const char *unit);
void loom_chart_add_line (LoomChart *chart, const char *label, guint color);
void loom_chart_add_point (LoomChart *chart, double x, double y, gboolean flagged); /* to the last line */

LoomChart *loom_chart_new_heat (const char *title, const char *unit, const char *x_name, const char *x_unit,
                                guint n_columns, double begin, double end);
/* Square: as many rows come as there are columns, and their labels name the columns. */
LoomChart *loom_chart_new_matrix (const char *title, const char *unit, guint n);
void loom_chart_add_heat_row (LoomChart *chart, const char *label, const double *values);
/* Of the row added last, whose values are means; all rows or none. A burst that a mean hides is seen in them. */
void loom_chart_add_heat_peaks (LoomChart *chart, const double *peaks);
void loom_chart_set_scale (LoomChart *chart, double low, double high); /* of a heat map; 0 and 100 else */

/* Of histograms, lines and (the limit) matrices; `label` is followed by the value. */
void loom_chart_set_median (LoomChart *chart, double median, const char *label);
void loom_chart_set_limit (LoomChart *chart, double limit, const char *label);

guint loom_chart_get_n_elements (const LoomChart *chart);
/* Of an element; NaN where there is none. */
double loom_chart_get_value (const LoomChart *chart, guint element);
/* Of a cell, the highest of what its value is the mean of; NaN where that is not known. */
double loom_chart_get_peak (const LoomChart *chart, guint element);
/* Sum of the slices. */
double loom_chart_get_total (const LoomChart *chart);

/* Everything of the element with its name: "high GPU usage", "10 % – 12 %", "gemm · during", "41", "gpu0 · +1.2 s".
 * Owned. */
char *loom_chart_dup_name (const LoomChart *chart, guint element);
/* Its value with unit, rounded; of a slice with its share. Owned. */
char *loom_chart_dup_value (const LoomChart *chart, guint element);
/* The same without what was counted, as the legend of a pie has it: "600 · 60.0 %". Owned. */
char *loom_chart_dup_share (const LoomChart *chart, guint element);
/* A line of names, then one line per element with exact figures, tab-separated. Owned. */
char *loom_chart_dup_tsv (const LoomChart *chart);

/* A value as the chart writes it: rounded for people, or exact. Owned. */
char *loom_chart_format (double value, const char *unit);
char *loom_chart_format_exact (double value, const char *unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChart, loom_chart_unref)

G_END_DECLS
