/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of a chart without its appearance: titles, labels, values, units. There is one plain struct per kind of
 * chart; a chart has one of them and its titles. A chart consists of elements (slices, bins, bars, points, cells),
 * numbered from 0, which can be under the pointer, have the keyboard focus, and are lines of the copied text.
 *
 * Values are doubles; NaN is a missing value. The unit determines their format: "ns" for durations, "%", "B/s" …, ""
 * for plain numbers. Filled by one thread, then immutable; ref-counted atomically. Texts are copied.
 */
#pragma once

#include <glib.h>

#include "loom-work-kind.h"

typedef enum {
  LOOM_CHART_PIE,
  LOOM_CHART_HISTOGRAM,
  LOOM_CHART_BARS,
  LOOM_CHART_LINES,
  LOOM_CHART_HEAT,
  LOOM_CHART_MATRIX,
  LOOM_N_CHARTS
} LoomChartKind;

/* Numbers of colours: 0 … LOOM_N_SERIES_COLORS − 1 are the theme's colours for series (larger numbers wrap around),
 * LOOM_CHART_GREY is for neutral shapes, LOOM_CHART_ALARM for outliers and warnings. Further numbers are for kinds of
 * work, in the colours that their spans have on the timeline. */
#define LOOM_CHART_GREY 1000u
#define LOOM_CHART_ALARM 1001u
#define LOOM_CHART_WORK 1100u
guint loom_chart_work_color (LoomWorkKind work);

/* Represents "no element". */
#define LOOM_CHART_NONE G_MAXUINT

typedef struct {
  const char *label;
  double value; /* ≥ 0 */
  guint color;
} LoomChartSlice;

/* A pie: shares of a whole. */
typedef struct {
  GArray *slices; /* LoomChartSlice */
} LoomChartPie;

/* A histogram: counts in bins of equal width. */
typedef struct {
  double begin, end; /* range of the bins of equal width, in the chart's x unit */
  GArray *counts;    /* double */
  /* the last count is that of values far beyond the bins, from rest_begin to rest_end; it is drawn as a separate bar
   * after a gap */
  gboolean has_rest;
  double rest_begin, rest_end;
  double total; /* if not 0, the vertical axis shows percent of this total; 0: it shows counts */
  double high;  /* the vertical axis extends at least to this value */
} LoomChartHistogram;

typedef struct {
  const char *label;
  guint color;
} LoomChartBarSeries;

/* Each group has one bar per series: side by side, or stacked. */
typedef struct {
  GArray *series; /* LoomChartBarSeries */
  GArray *groups; /* const char * */
  GArray *values; /* double, sorted by group */
  gboolean stacked;
} LoomChartBars;

typedef struct {
  const char *label;
  guint color;
  guint first, n; /* range in `points` */
} LoomChartLine;

typedef struct {
  double x, y;
  gboolean flagged; /* an outlier */
} LoomChartPoint;

/* A line chart, e.g. durations over step numbers; x ascends within a line. */
typedef struct {
  GArray *lines;  /* LoomChartLine */
  GArray *points; /* LoomChartPoint, sorted by line */
  gboolean steps; /* step function: a value holds until the next point */
  /* one bar for each point; bars of several lines at one x are side by side, or drawn over one another if there is no
   * room */
  gboolean columns;
  /* unconnected points around a line at 0; flagged points don't extend the scale, beyond it they are drawn at its
   * edge */
  gboolean dots;
} LoomChartLines;

/* Rows of cells: devices over time, or as a matrix devices against each other. */
typedef struct {
  GArray *rows;   /* const char * */
  GArray *values; /* double, sorted by row */
  /* double for each value that is a mean: the highest of the averaged values; empty if values are not means */
  GArray *peaks;
  guint n_columns;
  double begin, end; /* range of all columns, in the chart's x unit; unused for a matrix */
  double low, high;  /* values at the ends of the colour scale */
} LoomChartHeat;

typedef struct {
  gatomicrefcount ref_count;
  LoomChartKind kind;
  const char *title;
  const char *unit;   /* unit of the values */
  const char *x_name; /* name of the horizontal axis, "": none */
  const char *x_unit;
  /* one of several similar charts that are compared: less high, and less wide if several fit side by side */
  gboolean small;
  const char *what; /* the counted things: "samples"; "": none */
  double median;    /* a line across histograms and line charts; NaN: none */
  /* values beyond it are emphasised; a line across histograms and line charts, frames around cells of a matrix; NaN:
   * none */
  double limit;
  const char *median_label, *limit_label;
  union {
    LoomChartPie pie;
    LoomChartHistogram histogram;
    LoomChartBars bars;
    LoomChartLines lines;
    LoomChartHeat heat; /* heat maps and matrices */
  };
  GStringChunk *texts;
} LoomChart;

LoomChart *loom_chart_ref (LoomChart *chart);
void loom_chart_unref (LoomChart *chart); /* accepts NULL */

LoomChart *loom_chart_new_pie (const char *title, const char *unit, const char *what);
void loom_chart_add_slice (LoomChart *chart, const char *label, double value, guint color);

LoomChart *loom_chart_new_histogram (const char *title, const char *x_name, const char *x_unit, const char *what,
                                     double begin, double end);
void loom_chart_add_bin (LoomChart *chart, double count);
/* Adds the count of the values far beyond the bins as a last element after all bins. A scale that includes these values
 * would have nearly all others in a few bins. */
void loom_chart_add_rest (LoomChart *chart, double count, double begin, double end);
/* Gives histograms with the same bins a common vertical axis for comparison: percent of each one's total, because
 * totals may differ much. Call it after the bins were added. NULL charts are skipped. */
void loom_chart_share_axes (LoomChart *const *charts, guint n);

LoomChart *loom_chart_new_bars (const char *title, const char *unit, gboolean stacked);
/* all series must be added before the first group */
void loom_chart_add_bar_series (LoomChart *chart, const char *label, guint color);
void loom_chart_add_bar_group (LoomChart *chart, const char *label, const double *values);

LoomChart *loom_chart_new_lines (const char *title, const char *x_name, const char *x_unit, const char *unit,
                                 gboolean steps);
LoomChart *loom_chart_new_columns (const char *title, const char *x_name, const char *unit);
LoomChart *loom_chart_new_dots (const char *title, const char *x_name, const char *x_unit, const char *unit);
void loom_chart_add_line (LoomChart *chart, const char *label, guint color);
void loom_chart_add_point (LoomChart *chart, double x, double y, gboolean flagged); /* adds to the last line */

LoomChart *loom_chart_new_heat (const char *title, const char *unit, const char *x_name, const char *x_unit,
                                guint n_columns, double begin, double end);
/* A square matrix: needs as many rows as columns; the labels of the rows also name the columns. */
LoomChart *loom_chart_new_matrix (const char *title, const char *unit, guint n);
void loom_chart_add_heat_row (LoomChart *chart, const char *label, const double *values);
/* Sets, for the row added last, the highest of the values that each mean was computed from; they show bursts that a
 * mean hides. Either all rows have such values or none. */
void loom_chart_add_heat_peaks (LoomChart *chart, const double *peaks);
/* Sets the values at the ends of the colour scale of a heat map; the default is 0 and 100. */
void loom_chart_set_scale (LoomChart *chart, double low, double high);

/* These functions mark a value in the chart: the median in histograms and lines, the limit also in matrices. The value
 * is appended to `label`. */
void loom_chart_set_median (LoomChart *chart, double median, const char *label);
void loom_chart_set_limit (LoomChart *chart, double limit, const char *label);

guint loom_chart_get_n_elements (const LoomChart *chart);
/* Value of an element; NaN if there is none. */
double loom_chart_get_value (const LoomChart *chart, guint element);
/* Returns, for a cell whose value is a mean, the highest of the averaged values; NaN if unknown. */
double loom_chart_get_peak (const LoomChart *chart, guint element);
/* Sum of the slices. */
double loom_chart_get_total (const LoomChart *chart);

/* The full name of an element: "high GPU usage", "10 % – 12 %", "gemm · during", "41", "gpu0 · +1.2 s". Owned by the
 * caller. */
char *loom_chart_dup_name (const LoomChart *chart, guint element);
/* The value with unit, rounded; for a slice with its share. Owned by the caller. */
char *loom_chart_dup_value (const LoomChart *chart, guint element);
/* Returns the value with unit and share, without the name of the counted things, as in the legend of a pie: "600 · 60.0
 * %". Owned by the caller. */
char *loom_chart_dup_share (const LoomChart *chart, guint element);
/* A header line, then one line per element with exact values, tab-separated. Owned by the caller. */
char *loom_chart_dup_tsv (const LoomChart *chart);

/* A value as text: rounded for display; precise for a tooltip, exact if it is whole or a duration, else six digits; or exact.
 * Owned by the caller. */
char *loom_chart_format (double value, const char *unit);
char *loom_chart_format_precise (double value, const char *unit);
char *loom_chart_format_exact (double value, const char *unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChart, loom_chart_unref)
