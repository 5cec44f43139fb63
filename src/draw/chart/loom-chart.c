/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes charts, and adds their elements; sets axes that several charts share.
 */
#include "loom-chart.h"

#include <math.h>

/* Copies a text into the chart. Tabs and line breaks, which names of files and kernels may contain, are replaced by
 * blanks, because the text is shown in one line and in one cell of a table. */
static const char *
keep (LoomChart *chart, const char *text)
{
  return g_strdelimit (g_string_chunk_insert (chart->texts, text != NULL ? text : ""), "\t\n\r\v\f", ' ');
}

static LoomChart *
chart_new (LoomChartKind kind, const char *title, const char *unit)
{
  LoomChart *chart = g_new0 (LoomChart, 1);
  g_atomic_ref_count_init (&chart->ref_count);
  chart->kind = kind;
  chart->texts = g_string_chunk_new (256);
  chart->title = keep (chart, title);
  chart->unit = keep (chart, unit);
  chart->x_name = chart->x_unit = chart->what = chart->median_label = chart->limit_label = "";
  chart->median = chart->limit = NAN;
  return chart;
}

LoomChart *
loom_chart_ref (LoomChart *chart)
{
  g_atomic_ref_count_inc (&chart->ref_count);
  return chart;
}

static void
clear_kind (LoomChart *chart)
{
  switch (chart->kind) {
  case LOOM_CHART_PIE: g_array_unref (chart->pie.slices); break;
  case LOOM_CHART_HISTOGRAM: g_array_unref (chart->histogram.counts); break;
  case LOOM_CHART_BARS:
    g_array_unref (chart->bars.series);
    g_array_unref (chart->bars.groups);
    g_array_unref (chart->bars.values);
    break;
  case LOOM_CHART_LINES:
    g_array_unref (chart->lines.lines);
    g_array_unref (chart->lines.points);
    break;
  case LOOM_CHART_WAITS: g_array_unref (chart->waits); break;
  default:
    g_array_unref (chart->heat.rows);
    g_array_unref (chart->heat.values);
    g_array_unref (chart->heat.peaks);
    g_array_unref (chart->heat.columns);
    g_array_unref (chart->heat.texts);
    g_array_unref (chart->heat.framed);
  }
}

void
loom_chart_unref (LoomChart *chart)
{
  if (chart == NULL || !g_atomic_ref_count_dec (&chart->ref_count))
    return;
  clear_kind (chart);
  g_string_chunk_free (chart->texts);
  g_free (chart);
}

/* --- filling ------------------------------------------------------------------------------------------------------ */

guint
loom_chart_work_color (LoomWorkKind work)
{
  return LOOM_CHART_WORK + work;
}

LoomChart *
loom_chart_new_pie (const char *title, const char *unit, const char *what)
{
  LoomChart *chart = chart_new (LOOM_CHART_PIE, title, unit);
  chart->what = keep (chart, what);
  chart->pie.slices = g_array_new (FALSE, FALSE, sizeof (LoomChartSlice));
  return chart;
}

void
loom_chart_add_slice (LoomChart *chart, const char *label, double value, guint color)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_PIE);
  LoomChartSlice slice = { keep (chart, label), isfinite (value) ? MAX (value, 0) : 0, color };
  g_array_append_val (chart->pie.slices, slice);
}

LoomChart *
loom_chart_new_histogram (const char *title, const char *x_name, const char *x_unit, const char *what, double begin,
                          double end)
{
  LoomChart *chart = chart_new (LOOM_CHART_HISTOGRAM, title, "");
  chart->x_name = keep (chart, x_name);
  chart->x_unit = keep (chart, x_unit);
  chart->what = keep (chart, what);
  chart->histogram =
    (LoomChartHistogram) { .begin = begin, .end = end, .counts = g_array_new (FALSE, FALSE, sizeof (double)) };
  return chart;
}

void
loom_chart_set_bin_color (LoomChart *chart, guint color)
{
  chart->histogram.color = color;
}

void
loom_chart_add_bin (LoomChart *chart, double count)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_HISTOGRAM);
  g_array_append_val (chart->histogram.counts, count);
}

void
loom_chart_add_rest (LoomChart *chart, double count, double begin, double end)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_HISTOGRAM && !chart->histogram.has_rest);
  loom_chart_add_bin (chart, count);
  chart->histogram.has_rest = TRUE;
  chart->histogram.rest_begin = begin;
  chart->histogram.rest_end = end;
}

static double
find_highest (const GArray *counts)
{
  double highest = 0;
  for (guint i = 0; i < counts->len; i++)
    highest = MAX (highest, g_array_index (counts, double, i));
  return highest;
}

void
loom_chart_share_axes (LoomChart *const *charts, guint n)
{
  double high = 0;
  for (guint i = 0; i < n; i++) {
    if (charts[i] == NULL)
      continue;
    LoomChartHistogram *histogram = &charts[i]->histogram;
    g_return_if_fail (charts[i]->kind == LOOM_CHART_HISTOGRAM);
    histogram->total = 0;
    for (guint k = 0; k < histogram->counts->len; k++)
      histogram->total += g_array_index (histogram->counts, double, k);
    if (histogram->total > 0)
      high = MAX (high, 100 * find_highest (histogram->counts) / histogram->total);
  }
  for (guint i = 0; i < n; i++)
    if (charts[i] != NULL)
      charts[i]->histogram.high = high;
}

LoomChart *
loom_chart_new_bars (const char *title, const char *unit, gboolean stacked)
{
  LoomChart *chart = chart_new (LOOM_CHART_BARS, title, unit);
  chart->bars = (LoomChartBars) { g_array_new (FALSE, FALSE, sizeof (LoomChartBarSeries)),
                                  g_array_new (FALSE, FALSE, sizeof (char *)),
                                  g_array_new (FALSE, FALSE, sizeof (double)), stacked };
  return chart;
}

void
loom_chart_show_bar_sums (LoomChart *chart)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_BARS);
  chart->bars.shows_sums = TRUE;
}

void
loom_chart_set_bar_unit (LoomChart *chart, gint64 least_ns, gint64 greatest_ns)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_BARS && strcmp (chart->unit, "ns") == 0);
  if (!loom_time_column_init (&chart->bars.unit, least_ns, greatest_ns))
    chart->bars.unit = (LoomTimeColumn) { 0 };
}

static double
find_highest_bar (const LoomChartBars *bars)
{
  double high = 0, sum = 0;
  for (guint i = 0; i < bars->values->len; i++) {
    double value = g_array_index (bars->values, double, i);
    sum = i % bars->series->len == 0 || !bars->stacked ? 0 : sum;
    sum += isfinite (value) ? MAX (value, 0) : 0;
    high = MAX (high, sum);
  }
  return high;
}

/* Minimum length of the longest bar of a chart, as a share of the axis that several charts share. If the longest bar is
 * shorter, the chart has its own axis instead of the shared one. */
#define LEAST_SHARED 0.25

void
loom_chart_share_bar_axis (LoomChart *const *charts, guint n)
{
  double high = 0;
  for (guint i = 0; i < n; i++)
    high = charts[i] != NULL ? MAX (high, find_highest_bar (&charts[i]->bars)) : high;
  for (guint i = 0; i < n; i++)
    if (charts[i] != NULL && find_highest_bar (&charts[i]->bars) >= LEAST_SHARED * high)
      charts[i]->bars.least_high = high;
}

void
loom_chart_add_bar_series (LoomChart *chart, const char *label, guint color)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_BARS && chart->bars.groups->len == 0);
  LoomChartBarSeries series = { keep (chart, label), color };
  g_array_append_val (chart->bars.series, series);
}

void
loom_chart_add_bar_group (LoomChart *chart, const char *label, const double *values)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_BARS);
  const char *kept = keep (chart, label);
  g_array_append_val (chart->bars.groups, kept);
  g_array_append_vals (chart->bars.values, values, chart->bars.series->len);
}

LoomChart *
loom_chart_new_lines (const char *title, const char *x_name, const char *x_unit, const char *unit, gboolean steps)
{
  LoomChart *chart = chart_new (LOOM_CHART_LINES, title, unit);
  chart->x_name = keep (chart, x_name);
  chart->x_unit = keep (chart, x_unit);
  chart->lines =
    (LoomChartLines) { g_array_new (FALSE, FALSE, sizeof (LoomChartLine)),
                       g_array_new (FALSE, FALSE, sizeof (LoomChartPoint)), .steps = steps, .flagged_label = "" };
  return chart;
}

LoomChart *
loom_chart_new_columns (const char *title, const char *x_name, const char *unit)
{
  LoomChart *chart = loom_chart_new_lines (title, x_name, "", unit, FALSE);
  chart->lines.columns = TRUE;
  return chart;
}

LoomChart *
loom_chart_new_stacks (const char *title, const char *x_name, const char *x_unit, const char *unit)
{
  LoomChart *chart = loom_chart_new_lines (title, x_name, x_unit, unit, FALSE);
  chart->lines.columns = chart->lines.stacked = TRUE;
  return chart;
}

void
loom_chart_set_flagged_label (LoomChart *chart, const char *label)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_LINES);
  chart->lines.flagged_label = keep (chart, label);
}

void
loom_chart_use_log_x (LoomChart *chart)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_LINES && chart->lines.points->len == 0);
  chart->lines.x_log = TRUE;
}

LoomChart *
loom_chart_new_dots (const char *title, const char *x_name, const char *x_unit, const char *unit)
{
  LoomChart *chart = loom_chart_new_lines (title, x_name, x_unit, unit, FALSE);
  chart->lines.dots = TRUE;
  return chart;
}

LoomChart *
loom_chart_new_log_dots (const char *title, const char *x_name, const char *x_unit, const char *unit)
{
  LoomChart *chart = loom_chart_new_dots (title, x_name, x_unit, unit);
  chart->lines.logarithmic = TRUE;
  return chart;
}

void
loom_chart_add_line (LoomChart *chart, const char *label, guint color)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_LINES);
  LoomChartLine line = { keep (chart, label), color, chart->lines.points->len, 0, FALSE };
  g_array_append_val (chart->lines.lines, line);
}

void
loom_chart_add_curve (LoomChart *chart, const char *label, guint color)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_LINES && chart->lines.dots);
  loom_chart_add_line (chart, label, color);
  g_array_index (chart->lines.lines, LoomChartLine, chart->lines.lines->len - 1).joined = TRUE;
}

void
loom_chart_add_point (LoomChart *chart, double x, double y, gboolean flagged)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_LINES && chart->lines.lines->len > 0);
  LoomChartPoint point = { chart->lines.x_log ? log2 (x) : x, y, flagged, NULL, 0, NULL };
  g_array_append_val (chart->lines.points, point);
  g_array_index (chart->lines.lines, LoomChartLine, chart->lines.lines->len - 1).n++;
}

void
loom_chart_add_named_point (LoomChart *chart, double x, double y, const char *name)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_LINES && chart->lines.lines->len > 0);
  loom_chart_add_point (chart, x, y, FALSE);
  g_array_index (chart->lines.points, LoomChartPoint, chart->lines.points->len - 1).name = keep (chart, name);
}

void
loom_chart_set_dot (LoomChart *chart, double area, const char *label)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_LINES && chart->lines.points->len > 0);
  LoomChartPoint *point = &g_array_index (chart->lines.points, LoomChartPoint, chart->lines.points->len - 1);
  point->area = CLAMP (area, 0, 1);
  point->label = label != NULL ? keep (chart, label) : NULL;
}

LoomChart *
loom_chart_new_heat (const char *title, const char *unit, const char *x_name, const char *x_unit, guint n_columns,
                     double begin, double end)
{
  LoomChart *chart = chart_new (LOOM_CHART_HEAT, title, unit);
  chart->x_name = keep (chart, x_name);
  chart->x_unit = keep (chart, x_unit);
  chart->heat = (LoomChartHeat) { g_array_new (FALSE, FALSE, sizeof (char *)),
                                  g_array_new (FALSE, FALSE, sizeof (double)),
                                  g_array_new (FALSE, FALSE, sizeof (double)),
                                  g_array_new (FALSE, FALSE, sizeof (char *)),
                                  g_array_new (FALSE, FALSE, sizeof (char *)),
                                  g_array_new (FALSE, FALSE, sizeof (guint)),
                                  n_columns,
                                  begin,
                                  end,
                                  0,
                                  100 };
  return chart;
}

LoomChart *
loom_chart_new_matrix (const char *title, const char *unit, guint n)
{
  LoomChart *chart = loom_chart_new_heat (title, unit, NULL, NULL, n, 0, n);
  chart->kind = LOOM_CHART_MATRIX;
  return chart;
}

LoomChart *
loom_chart_new_map (const char *title, const char *unit, const char *const *columns, guint n_columns)
{
  LoomChart *chart = loom_chart_new_heat (title, unit, NULL, NULL, n_columns, 0, n_columns);
  for (guint i = 0; i < n_columns; i++) {
    const char *kept = keep (chart, columns[i]);
    g_array_append_val (chart->heat.columns, kept);
  }
  return chart;
}

void
loom_chart_add_map_row (LoomChart *chart, const char *label, const double *values, char *const *texts)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_HEAT && chart->heat.columns->len > 0);
  loom_chart_add_heat_row (chart, label, values);
  for (guint i = 0; i < chart->heat.n_columns; i++) {
    const char *kept = keep (chart, texts[i]);
    g_array_append_val (chart->heat.texts, kept);
  }
}

void
loom_chart_frame_cell (LoomChart *chart, guint cell, const char *what)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_HEAT && cell < chart->heat.values->len);
  g_array_append_val (chart->heat.framed, cell);
  chart->limit_label = keep (chart, what);
}

void
loom_chart_add_heat_row (LoomChart *chart, const char *label, const double *values)
{
  g_return_if_fail (chart != NULL && (chart->kind == LOOM_CHART_HEAT || chart->kind == LOOM_CHART_MATRIX));
  const char *kept = keep (chart, label);
  g_array_append_val (chart->heat.rows, kept);
  g_array_append_vals (chart->heat.values, values, chart->heat.n_columns);
}

void
loom_chart_add_heat_peaks (LoomChart *chart, const double *peaks)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_HEAT &&
                    chart->heat.peaks->len + chart->heat.n_columns == chart->heat.values->len);
  g_array_append_vals (chart->heat.peaks, peaks, chart->heat.n_columns);
}

void
loom_chart_set_scale (LoomChart *chart, double low, double high)
{
  g_return_if_fail (chart != NULL && (chart->kind == LOOM_CHART_HEAT || chart->kind == LOOM_CHART_MATRIX));
  chart->heat.low = low;
  chart->heat.high = high;
}

LoomChart *
loom_chart_new_waits (const char *title, const char *what)
{
  LoomChart *chart = chart_new (LOOM_CHART_WAITS, title, NULL);
  chart->what = keep (chart, what);
  chart->waits = g_array_new (FALSE, FALSE, sizeof (LoomChartWait));
  return chart;
}

void
loom_chart_add_wait (LoomChart *chart, const LoomChartWait *wait)
{
  g_return_if_fail (chart != NULL && chart->kind == LOOM_CHART_WAITS);
  g_return_if_fail (wait->awaited == LOOM_CHART_NONE || wait->awaited < chart->waits->len);
  LoomChartWait own = *wait;
  own.label = keep (chart, wait->label);
  own.detail = keep (chart, wait->detail);
  g_array_append_val (chart->waits, own);
}

void
loom_chart_set_median (LoomChart *chart, double median, const char *label)
{
  g_return_if_fail (chart != NULL);
  chart->median = median;
  chart->median_label = keep (chart, label);
}

void
loom_chart_set_limit (LoomChart *chart, double limit, const char *label)
{
  g_return_if_fail (chart != NULL);
  chart->limit = limit;
  chart->limit_label = keep (chart, label);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

guint
loom_chart_get_n_elements (const LoomChart *chart)
{
  switch (chart->kind) {
  case LOOM_CHART_PIE: return chart->pie.slices->len;
  case LOOM_CHART_HISTOGRAM: return chart->histogram.counts->len;
  case LOOM_CHART_BARS: return chart->bars.values->len;
  case LOOM_CHART_LINES: return chart->lines.points->len;
  case LOOM_CHART_WAITS: return chart->waits->len;
  default: return chart->heat.values->len;
  }
}

double
loom_chart_get_value (const LoomChart *chart, guint element)
{
  g_return_val_if_fail (element < loom_chart_get_n_elements (chart), NAN);
  switch (chart->kind) {
  case LOOM_CHART_PIE: return g_array_index (chart->pie.slices, LoomChartSlice, element).value;
  case LOOM_CHART_HISTOGRAM: return g_array_index (chart->histogram.counts, double, element);
  case LOOM_CHART_BARS: return g_array_index (chart->bars.values, double, element);
  case LOOM_CHART_LINES: return g_array_index (chart->lines.points, LoomChartPoint, element).y;
  case LOOM_CHART_WAITS: return g_array_index (chart->waits, LoomChartWait, element).n;
  default: return g_array_index (chart->heat.values, double, element);
  }
}

double
loom_chart_get_peak (const LoomChart *chart, guint element)
{
  gboolean has_peaks = chart->kind == LOOM_CHART_HEAT && element < chart->heat.peaks->len;
  return has_peaks ? g_array_index (chart->heat.peaks, double, element) : NAN;
}

double
loom_chart_get_total (const LoomChart *chart)
{
  double total = 0;
  for (guint i = 0; chart->kind == LOOM_CHART_PIE && i < chart->pie.slices->len; i++)
    total += g_array_index (chart->pie.slices, LoomChartSlice, i).value;
  return total;
}
