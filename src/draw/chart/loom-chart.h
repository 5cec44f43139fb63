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

/* Numbers of colours. 0 … LOOM_N_SERIES_COLORS − 1: the theme's colours for series, and larger numbers repeat them;
 * LOOM_CHART_GREY: for neutral shapes; LOOM_CHART_ALARM: for outliers and warnings. Numbers from LOOM_CHART_WORK on:
 * kinds of work, in the colours of their spans on the timeline. */
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
  double begin, end; /* range of the bins, in the chart's x unit; all bins have equal width */
  GArray *counts;    /* double */
  /* TRUE: the last count is that of values far beyond the bins, from rest_begin to rest_end; it is drawn as a separate
   * bar after a gap */
  gboolean has_rest;
  double rest_begin, rest_end;
  double total; /* if not 0, the vertical axis shows percent of this total; if 0, it shows counts */
  double high;  /* minimum value to which the vertical axis extends */
} LoomChartHistogram;

typedef struct {
  const char *label;
  guint color;
} LoomChartBarSeries;

/* Bars in groups. Each group has one bar of each series; they are side by side or stacked. */
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

/* A line chart, for example of durations by step number; x ascends within a line. */
typedef struct {
  GArray *lines;  /* LoomChartLine */
  GArray *points; /* LoomChartPoint, sorted by line */
  gboolean steps; /* step function: a value holds until the next point */
  /* TRUE: a column for each point. Columns of several lines at one x are side by side, or drawn over one another if
   * there is no room */
  gboolean columns;
  /* TRUE: unconnected points around a line at 0. Flagged points don't extend the scale; beyond it, they are drawn at
   * its edge */
  gboolean dots;
} LoomChartLines;

/* Rows of cells: devices over time (heat map), or devices against devices (matrix). */
typedef struct {
  GArray *rows;   /* const char * */
  GArray *values; /* double, sorted by row */
  /* double: for each value that is a mean, the highest of the averaged values; empty: values are not means */
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
  /* TRUE: one of several similar charts to compare; it is less high, and narrower if several fit side by side */
  gboolean small;
  const char *what; /* name of the counted things, for example "samples"; "": none */
  double median;    /* drawn as a line across histograms and line charts; NaN: none */
  /* values beyond it are emphasised. It is drawn as a line across histograms and line charts, and as frames around
   * cells of a matrix; NaN: none */
  double limit;
  const char *median_label, *limit_label;
  union {
    LoomChartPie pie;
    LoomChartHistogram histogram;
    LoomChartBars bars;
    LoomChartLines lines;
    LoomChartHeat heat; /* for heat maps and matrices */
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
/* Adds a last element after all bins: the count of the values far beyond them, which range from `begin` to `end`.
 * Without it, nearly all other values would be in a few bins. */
void loom_chart_add_rest (LoomChart *chart, double count, double begin, double end);
/* Gives histograms with the same bins a common vertical axis, so that they can be compared. It shows percent of each
 * histogram's own total, because totals may differ much. Call it after the bins were added. NULL charts are skipped. */
void loom_chart_share_axes (LoomChart *const *charts, guint n);

LoomChart *loom_chart_new_bars (const char *title, const char *unit, gboolean stacked);
/* call it for all series before the first group is added */
void loom_chart_add_bar_series (LoomChart *chart, const char *label, guint color);
void loom_chart_add_bar_group (LoomChart *chart, const char *label, const double *values);

LoomChart *loom_chart_new_lines (const char *title, const char *x_name, const char *x_unit, const char *unit,
                                 gboolean steps);
LoomChart *loom_chart_new_columns (const char *title, const char *x_name, const char *unit);
LoomChart *loom_chart_new_dots (const char *title, const char *x_name, const char *x_unit, const char *unit);
void loom_chart_add_line (LoomChart *chart, const char *label, guint color);
void loom_chart_add_point (LoomChart *chart, double x, double y, gboolean flagged); /* adds a point to the last line */

LoomChart *loom_chart_new_heat (const char *title, const char *unit, const char *x_name, const char *x_unit,
                                guint n_columns, double begin, double end);
/* Makes a square matrix. It needs as many rows as columns; the labels of the rows also name the columns. */
LoomChart *loom_chart_new_matrix (const char *title, const char *unit, guint n);
void loom_chart_add_heat_row (LoomChart *chart, const char *label, const double *values);
/* Sets the peaks of the row added last: for each mean, the highest of the averaged values, which shows bursts that the
 * mean hides. All rows must have peaks, or none. */
void loom_chart_add_heat_peaks (LoomChart *chart, const double *peaks);
/* Sets the values at the ends of the colour scale of a heat map; the default is 0 and 100. */
void loom_chart_set_scale (LoomChart *chart, double low, double high);

/* Mark a value in the chart: the median in histograms and line charts, the limit also in matrices. The text is `label`
 * followed by the value. */
void loom_chart_set_median (LoomChart *chart, double median, const char *label);
void loom_chart_set_limit (LoomChart *chart, double limit, const char *label);

guint loom_chart_get_n_elements (const LoomChart *chart);
/* Returns the value of an element; NaN if there is none. */
double loom_chart_get_value (const LoomChart *chart, guint element);
/* Returns the highest of the averaged values for a cell whose value is a mean; NaN if unknown. */
double loom_chart_get_peak (const LoomChart *chart, guint element);
/* Returns the sum of all slices of a pie. */
double loom_chart_get_total (const LoomChart *chart);

/* Returns the full name of an element, for example "high GPU usage", "10 % – 12 %", "gemm · during", "41", "gpu0 ·
 * +1.2 s". Owned by the caller. */
char *loom_chart_dup_name (const LoomChart *chart, guint element);
/* Returns the rounded value with its unit; for a slice also its share. Owned by the caller. */
char *loom_chart_dup_value (const LoomChart *chart, guint element);
/* Returns the value with unit and share, but without the name of the counted things, as the legend of a pie shows it:
 * "600 · 60.0 %". Owned by the caller. */
char *loom_chart_dup_share (const LoomChart *chart, guint element);
/* Returns a header line, then one line per element with exact values, tab-separated. Owned by the caller. */
char *loom_chart_dup_tsv (const LoomChart *chart);

/* Return a value as text with its unit: rounded for display; precise for a tooltip, that is exact for whole numbers
 * and durations, else six digits; or exact. Owned by the caller. */
char *loom_chart_format (double value, const char *unit);
char *loom_chart_format_precise (double value, const char *unit);
char *loom_chart_format_exact (double value, const char *unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChart, loom_chart_unref)
