/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the ticks of axes, at round values, and the entries of legends. Labels never overlap.
 */
#include "loom-chart-private.h"

#include "loom-ruler.h"
#include "loom-si-format.h"
#include "loom-time.h"

#include <math.h>
#include <string.h>

#define LABEL_APART_PX 12.0
#define MAX_TICKS 200

/* Returns the distance between two ticks, in the unit of the values: the smallest round number that is at least
 * `at_least`. `whole`: only whole numbers are allowed. */
static double
step_of (double at_least, const char *unit, gboolean whole)
{
  if (strcmp (unit, "ns") == 0)
    return (double) loom_ruler_nice_step ((gint64) MAX (ceil (at_least), 1));
  if (strcmp (unit, "B") == 0) /* labels are in KiB, MiB or GiB, so round numbers of bytes are powers of two */
    return exp2 (ceil (log2 (MAX (at_least, 1)) - 1e-9));
  double step = loom_si_format_nice_above (at_least);
  if (whole && step < 1)
    return 1;
  /* ticks must be whole numbers, so a step such as 2.5 becomes 5 */
  return whole && step < 10 && step != floor (step) ? 5 : step;
}

/* Returns the label of a tick. A duration has no trailing zeros, which would suggest a precision that ticks do not
 * have. */
static char *
label_of (double value, const char *unit)
{
  if (value == 0 && strcmp (unit, "ns") == 0)
    return g_strdup ("0");
  return strcmp (unit, "ns") == 0 ? loom_time_format_exact ((gint64) llround (value)) : loom_chart_format (value, unit);
}

static double
widest_label (double low, double high, double step, const char *unit, LoomTextCache *text)
{
  double widest = 0;
  guint n = 0;
  for (double at = ceil (low / step) * step; at <= high + step * 1e-6 && n < MAX_TICKS; at += step, n++) {
    g_autofree char *label = label_of (at, unit);
    widest = MAX (widest, loom_text_cache_width (text, LOOM_TEXT_SMALL, label));
  }
  return widest;
}

void
loom_chart_add_ticks (GArray *ticks, double low, double high, double length, double apart, const char *unit,
                      gboolean whole, LoomTextCache *text)
{
  if (!(high > low) || !(length > 0))
    return;
  double per_px = (high - low) / length, step = step_of (apart * per_px, unit, whole);
  for (guint i = 0; text != NULL && i < 4; i++) {
    double room = widest_label (low, high, step, unit, text) + LABEL_APART_PX;
    if (step / per_px >= room)
      break;
    step = step_of (MAX (room * per_px, step * 1.01), unit, whole);
  }
  for (double k = ceil (low / step - 1e-6); k * step <= high + step * 1e-6 && ticks->len < MAX_TICKS; k++) {
    LoomChartTick tick = { .at = (k * step - low) / per_px };
    g_autofree char *label = label_of (k == 0 ? 0 : k * step, unit);
    g_strlcpy (tick.label, label, sizeof tick.label);
    tick.width = text != NULL ? loom_text_cache_width (text, LOOM_TEXT_SMALL, tick.label) : 0;
    g_array_append_val (ticks, tick);
  }
}

#define LOG_TICK_PX 60.0 /* minimum distance between two ticks of a logarithmic axis, in px */

void
loom_chart_add_log_ticks (GArray *ticks, double low, double high, double length, const char *unit, LoomTextCache *text)
{
  if (!(high > low) || !(length > 0))
    return;
  double per_px = (high - low) / length, step = MAX (ceil (LOG_TICK_PX * per_px), 1);
  for (double k = ceil (low / step - 1e-6); k * step <= high + 1e-6 && ticks->len < MAX_TICKS; k++) {
    LoomChartTick tick = { .at = (k * step - low) / per_px };
    g_autofree char *label = loom_chart_format (exp2 (k * step), unit);
    g_strlcpy (tick.label, label, sizeof tick.label);
    tick.width = loom_text_cache_width (text, LOOM_TEXT_SMALL, tick.label);
    g_array_append_val (ticks, tick);
  }
}

static void
add_decade_tick (GArray *ticks, double at, double value, const char *unit, LoomTextCache *text)
{
  LoomChartTick tick = { .at = at };
  g_autofree char *label = loom_chart_format (value, unit);
  g_strlcpy (tick.label, label, sizeof tick.label);
  tick.width = loom_text_cache_width (text, LOOM_TEXT_SMALL, tick.label);
  g_array_append_val (ticks, tick);
}

/* An axis that covers fewer powers of ten than this also has ticks at 2 and 5 times a power of ten, if they fit. */
#define FEW_DECADES 3

void
loom_chart_add_decade_ticks (GArray *ticks, double low, double high, double length, double apart, const char *unit,
                             LoomTextCache *text)
{
  static const double factors[] = { 1, 2, 5 };
  double per_px = (high - low) / length, step = MAX (ceil (apart * per_px), 1);
  gboolean few = high - low < FEW_DECADES && log10 (2) >= apart * per_px;
  for (double k = few ? floor (low) : ceil (low - 1e-9); k <= high + 1e-9 && ticks->len < MAX_TICKS; k += step)
    for (guint i = 0; i < (few ? G_N_ELEMENTS (factors) : 1); i++) {
      double value = k + log10 (factors[i]);
      if (value >= low - 1e-9 && value <= high + 1e-9)
        add_decade_tick (ticks, (value - low) / per_px, factors[i] * pow (10, k), unit, text);
    }
}

/* Returns the coordinate of a value on its axis. Logarithmic charts use the decimal logarithm as coordinate. */
static double
scale (const LoomChartLayout *layout, double value)
{
  gboolean logarithmic = layout->chart->kind == LOOM_CHART_LINES && layout->chart->lines.logarithmic;
  return logarithmic ? log10 (value) : value;
}

double
loom_chart_layout_x (const LoomChartLayout *layout, double value)
{
  value = scale (layout, value);
  double at = (value - layout->x_low) / (layout->x_high - layout->x_low) * layout->plot.width;
  if (layout->rest_px > 0 && value > layout->x_high)
    at = layout->plot.width + layout->rest_gap_px / 2 +
         (value >= layout->chart->histogram.rest_begin ? (layout->rest_gap_px + LOOM_CHART_REST_BAR_PX) / 2 : 0);
  return layout->plot.x + (layout->mirrored && layout->chart->kind == LOOM_CHART_BARS ? layout->plot.width - at : at);
}

double
loom_chart_layout_y (const LoomChartLayout *layout, double value)
{
  value = scale (layout, value);
  return layout->plot.y + layout->plot.height -
         (value - layout->y_low) / (layout->y_high - layout->y_low) * layout->plot.height;
}

/* --- entries of the legend ---------------------------------------------------------------------------------------- */

static LoomChartKey
key_of (const LoomChart *chart, guint i)
{
  if (chart->kind == LOOM_CHART_BARS) {
    const LoomChartBarSeries *series = &g_array_index (chart->bars.series, LoomChartBarSeries, i);
    return (LoomChartKey) { .label = series->label, .color = series->color };
  }
  const LoomChartLine *line = &g_array_index (chart->lines.lines, LoomChartLine, i);
  return (LoomChartKey) { .label = line->label, .color = line->color };
}

static gboolean
has_one_color (const LoomChart *chart, guint n)
{
  for (guint i = 1; i < n; i++)
    if (key_of (chart, i).color != key_of (chart, 0).color)
      return FALSE;
  return TRUE;
}

/* Returns TRUE if the legend explains the frames of flagged columns. This is the case if the chart has flagged columns
 * and a text for the legend (`flagged_label`). */
static gboolean
has_flag_key (const LoomChart *chart)
{
  if (chart->kind != LOOM_CHART_LINES || !chart->lines.columns || chart->lines.flagged_label[0] == '\0')
    return FALSE;
  for (guint i = 0; i < chart->lines.points->len; i++)
    if (loom_chart_is_flagged (chart, i))
      return TRUE;
  return FALSE;
}

static guint
n_keys (const LoomChart *chart)
{
  guint n = chart->kind == LOOM_CHART_BARS    ? chart->bars.series->len
            : chart->kind == LOOM_CHART_LINES ? chart->lines.lines->len
                                              : 0;
  if (chart->kind == LOOM_CHART_LINES && !loom_chart_has_line_colors (chart))
    return 0;
  /* a single colour needs no legend, because the title of the chart says what it shows */
  return n > 1 && !has_one_color (chart, n) ? n : 0;
}

/* Returns TRUE if the line has a value above 0. If it has none, the colour of the line is not visible in a chart of
 * stacked columns. */
static gboolean
is_line_shown (const LoomChartLines *lines, guint number)
{
  const LoomChartLine *line = &g_array_index (lines->lines, LoomChartLine, number);
  for (guint i = line->first; i < line->first + line->n; i++)
    if (g_array_index (lines->points, LoomChartPoint, i).y > 0)
      return TRUE;
  return FALSE;
}

/* Returns TRUE if the colour of entry i of the legend occurs in the chart. If all values of a series of bars are 0, the
 * colour of this series does not occur. */
static gboolean
is_shown (const LoomChart *chart, guint i)
{
  const LoomChartBars *bars = &chart->bars;
  guint n = chart->kind == LOOM_CHART_BARS ? bars->series->len : 0;
  if (chart->kind == LOOM_CHART_LINES && chart->lines.stacked)
    return is_line_shown (&chart->lines, i);
  for (guint k = i; n > 0 && k < bars->values->len; k += n)
    if (fabs (g_array_index (bars->values, double, k)) > 0)
      return TRUE;
  return n == 0 || bars->values->len == 0;
}

double
loom_chart_legend (const LoomChart *chart, double width, double y, GArray *keys, LoomTextCache *text)
{
  double x = 0, top = y;
  guint n = n_keys (chart), n_shown = 0, n_flags = has_flag_key (chart) ? 1 : 0;
  for (guint i = 0; i < n + n_flags; i++) {
    if (i < n && !is_shown (chart, i))
      continue;
    n_shown++;
    LoomChartKey key =
      i < n ? key_of (chart, i) : (LoomChartKey) { .label = chart->lines.flagged_label, .framed = TRUE };
    double label = MIN (loom_text_cache_width (text, LOOM_TEXT_SPAN, key.label), width - LOOM_CHART_SWATCH_PX - 5);
    if (x > 0 && x + LOOM_CHART_SWATCH_PX + 5 + label > width) {
      x = 0;
      top += LOOM_CHART_LEGEND_ROW_PX;
    }
    key.x = x;
    key.middle_y = top + LOOM_CHART_LEGEND_ROW_PX / 2;
    key.room = label + 0.5;
    if (keys != NULL)
      g_array_append_val (keys, key);
    x += LOOM_CHART_SWATCH_PX + 5 + label + 14;
  }
  return n_shown > 0 ? top + LOOM_CHART_LEGEND_ROW_PX + LOOM_CHART_GAP_PX - y : 0;
}
