/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts a chart to text: the names and values of its elements, and a table of all elements.
 */
#include "loom-chart-private.h"
#include "loom-chart.h"

#include "loom-si-format.h"
#include "loom-time.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

static gboolean
is_duration (const char *unit)
{
  return strcmp (unit, "ns") == 0;
}

char *
loom_chart_format (double value, const char *unit)
{
  if (isfinite (value) && is_duration (unit))
    return loom_time_format_duration ((gint64) llround (value));
  if (unit[0] == '\0' && value >= 0 && value < 1e6 && value == floor (value))
    /* a whole number without a unit is a count; counts below 1e6 are shown exactly */
    return g_strdup_printf ("%.0f", value);
  return loom_si_format_value (value, unit);
}

/* Returns TRUE if the value is 0, or is at least 1 in the last decimal place that `unit` shows. A smaller value would
 * be rounded to 0 or to 1 in this place. */
static gboolean
fits_unit (const LoomTimeColumn *unit, double value)
{
  return value == 0 || fabs (value) * pow (10, unit->digits) >= (double) unit->unit_ns;
}

char *
loom_chart_format_bar (const LoomChart *chart, double value)
{
  const LoomTimeColumn *unit = &chart->bars.unit;
  return unit->unit_ns > 0 && isfinite (value) && fits_unit (unit, value)
           ? loom_time_column_format (unit, (gint64) llround (value))
           : loom_chart_format (value, chart->unit);
}

/* Returns the value with its unit. The number has as few digits as possible, but a parser reads exactly this value from
 * it. Returns "" if the value is not finite. */
char *
loom_chart_format_exact (double value, const char *unit)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isfinite (value))
    return g_strdup ("");
  if (is_duration (unit))
    return loom_time_format_exact ((gint64) llround (value));
  /* whole numbers below 1e15 are written as 600, not as 6e+02 */
  gboolean whole = fabs (value) < 1e15 && value == floor (value);
  if (whole)
    g_snprintf (digits, sizeof digits, "%.0f", value);
  for (int precision = 1; !whole && precision <= 17; precision++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", precision);
    g_ascii_formatd (digits, sizeof digits, format, value);
    if (g_ascii_strtod (digits, NULL) == value)
      break;
  }
  return unit[0] != '\0' ? g_strdup_printf ("%s %s", digits, unit) : g_strdup (digits);
}

/* Returns a copy of a text that begins with a whole number. The digits of this number are divided into groups of three,
 * with the separator that loom_time_format_exact() uses. Owned by the caller. */
static char *
dup_grouped (const char *text)
{
  gsize n_digits = strspn (text, "-0123456789");
  GString *grouped = g_string_new (text);
  for (gsize at = n_digits; at > 3 && g_ascii_isdigit (text[at - 4]); at -= 3)
    g_string_insert (grouped, (gssize) (at - 3), "\u202f");
  return g_string_free (grouped, FALSE);
}

char *
loom_chart_format_precise (double value, const char *unit)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (strcmp (unit, "B") == 0 && fabs (value) >= 1024) {
    g_autofree char *rounded = loom_chart_format (value, unit), *exact = loom_chart_format_exact (value, unit),
                    *grouped = dup_grouped (exact);
    return g_strdup_printf ("%s (%s)", rounded, grouped);
  }
  /* rates are rounded as for display, because they are measured with fewer than six exact digits */
  if (isfinite (value) && (strcmp (unit, "B/s") == 0 || strcmp (unit, "FLOP/s") == 0))
    return loom_chart_format (value, unit);
  if (!isfinite (value) || is_duration (unit) || value == floor (value))
    return loom_chart_format_exact (value, unit);
  if (strcmp (unit, "%") == 0)
    return loom_chart_format (value, unit);
  g_ascii_formatd (digits, sizeof digits, fabs (value) < 1e6 ? "%.6g" : "%.0f", value);
  return unit[0] != '\0' ? g_strdup_printf ("%s %s", digits, unit) : g_strdup (digits);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static char *
bin_name (const LoomChart *chart, guint bin, gboolean exact)
{
  const LoomChartHistogram *histogram = &chart->histogram;
  guint n = loom_chart_get_n_bins (chart);
  double width = (histogram->end - histogram->begin) / n, from = histogram->begin + bin * width;
  char *(*format) (double, const char *) = exact ? loom_chart_format_exact : loom_chart_format;
  g_autofree char *begin = format (bin < n ? from : histogram->rest_begin, chart->x_unit);
  g_autofree char *end =
    format (bin == n ? histogram->rest_end : (bin + 1 == n ? histogram->end : from + width), chart->x_unit);
  if (bin == n && g_str_equal (begin, end))
    return g_steal_pointer (&begin);
  return g_strdup_printf ("%s – %s", begin, end);
}

static char *
bar_name (const LoomChart *chart, guint element)
{
  const LoomChartBars *bars = &chart->bars;
  const char *group = g_array_index (bars->groups, const char *, element / bars->series->len);
  const char *series = g_array_index (bars->series, LoomChartBarSeries, element % bars->series->len).label;
  return series[0] != '\0' ? g_strdup_printf ("%s · %s", group, series) : g_strdup (group);
}

static const LoomChartLine *
line_of (const LoomChartLines *lines, guint point)
{
  guint i = 0;
  while (i + 1 < lines->lines->len && g_array_index (lines->lines, LoomChartLine, i + 1).first <= point)
    i++;
  return &g_array_index (lines->lines, LoomChartLine, i);
}

static double
get_x (const LoomChartLines *lines, guint point)
{
  double x = g_array_index (lines->points, LoomChartPoint, point).x;
  return lines->x_log ? exp2 (x) : x;
}

static char *
point_name (const LoomChart *chart, guint element)
{
  const LoomChartLine *line = line_of (&chart->lines, element);
  const char *name = g_array_index (chart->lines.points, LoomChartPoint, element).name;
  if (name != NULL)
    return g_strdup (name);
  g_autofree char *x = loom_chart_format (get_x (&chart->lines, element), chart->x_unit);
  g_autofree char *place = chart->x_name[0] != '\0' ? g_strdup_printf ("%s %s", chart->x_name, x) : g_strdup (x);
  return line->label[0] != '\0' ? g_strdup_printf ("%s · %s", line->label, place) : g_steal_pointer (&place);
}

static char *
cell_name (const LoomChart *chart, guint element)
{
  const LoomChartHeat *heat = &chart->heat;
  guint column = element % heat->n_columns;
  const char *row = g_array_index (heat->rows, const char *, element / heat->n_columns);
  if (element < heat->texts->len) {
    const char *name = g_array_index (heat->columns, const char *, column),
               *text = g_array_index (heat->texts, const char *, element);
    return name[0] != '\0' ? g_strdup_printf ("%s · %s · %s", row, name, text) : g_strdup (text);
  }
  if (chart->kind == LOOM_CHART_MATRIX)
    return g_strdup_printf ("%s · %s", row,
                            column < heat->rows->len ? g_array_index (heat->rows, const char *, column) : "");
  g_autofree char *x =
    loom_chart_format (heat->begin + (heat->end - heat->begin) * column / heat->n_columns, chart->x_unit);
  /* if the number has no unit, write the name of the axis before the number, to show what the number means */
  if (chart->x_unit[0] == '\0' && chart->x_name[0] != '\0')
    return g_strdup_printf ("%s · %s %s", row, chart->x_name, x);
  return g_strdup_printf ("%s · %s", row, x);
}

/* Returns the name of a box of a diagram of waits. It consists of three parts: the label of the box (its ranks), what
 * these ranks do, and the label of the box with the ranks for which they wait. */
static char *
wait_name (const LoomChart *chart, guint element)
{
  const LoomChartWait *wait = &g_array_index (chart->waits, LoomChartWait, element);
  const char *awaited =
    wait->awaited != LOOM_CHART_NONE ? g_array_index (chart->waits, LoomChartWait, wait->awaited).label : NULL;
  g_autofree char *target =
    awaited != NULL
      ? g_strdup_printf (/* Translators: text of a box in a diagram of waits; %s is a rank */ _ ("waits for %s"),
                         awaited)
      : NULL;
  const char *parts[] = { wait->label, wait->detail[0] != '\0' ? wait->detail : target,
                          wait->detail[0] != '\0' ? target : NULL, NULL };
  return g_strjoinv (" · ", (char **) parts);
}

char *
loom_chart_dup_name (const LoomChart *chart, guint element)
{
  g_return_val_if_fail (chart != NULL && element < loom_chart_get_n_elements (chart), NULL);
  switch (chart->kind) {
  case LOOM_CHART_PIE: return g_strdup (g_array_index (chart->pie.slices, LoomChartSlice, element).label);
  case LOOM_CHART_HISTOGRAM: return bin_name (chart, element, FALSE);
  case LOOM_CHART_BARS: return bar_name (chart, element);
  case LOOM_CHART_LINES: return point_name (chart, element);
  case LOOM_CHART_WAITS: return wait_name (chart, element);
  default: return cell_name (chart, element);
  }
}

char *
loom_chart_dup_share (const LoomChart *chart, guint element)
{
  double value = loom_chart_get_value (chart, element), total = loom_chart_get_total (chart);
  g_autofree char *text = loom_chart_format (value, chart->unit);
  if (strcmp (chart->unit, "%") == 0)
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s · %.1f %%", text, total > 0 ? value / total * 100 : 0.0);
}

char *
loom_chart_dup_value (const LoomChart *chart, guint element)
{
  double value = loom_chart_get_value (chart, element), total = loom_chart_get_total (chart);
  g_autofree char *text =
    chart->kind == LOOM_CHART_BARS ? loom_chart_format_bar (chart, value) : loom_chart_format (value, chart->unit);
  g_autofree char *counted =
    chart->what[0] != '\0'
      ? g_strdup_printf (
          /* Translators: the first %s is what is counted, the second is how many */ C_ ("chart", "%s: %s"),
          chart->what, text)
      : g_strdup (text);
  if (chart->kind == LOOM_CHART_HEAT && isfinite (loom_chart_get_peak (chart, element))) {
    g_autofree char *peak = loom_chart_format (loom_chart_get_peak (chart, element), chart->unit);
    return g_strdup_printf (/* Translators: the value of a cell of a heat map */ C_ ("chart", "mean %s, highest %s"),
                            text, peak);
  }
  if (chart->kind == LOOM_CHART_HISTOGRAM && chart->histogram.total > 0)
    return g_strdup_printf ("%s · %.1f %%", counted, loom_chart_bin_value (chart, element));
  if (chart->kind != LOOM_CHART_PIE || strcmp (chart->unit, "%") == 0)
    return g_steal_pointer (&counted);
  return g_strdup_printf ("%s · %.1f %%", counted, total > 0 ? value / total * 100 : 0.0);
}

/* --- description of the whole chart ------------------------------------------------------------------------------- */

/* Appends one line per row of a heat map or matrix, with the exact values of the row. `what`, the kind of the values
 * (such as means), is appended to the name of each row; NULL: nothing is appended. */
static void
append_grid (GString *text, const LoomChart *chart, const GArray *rows, const GArray *values, guint n_columns,
             const char *what)
{
  for (guint row = 0; row < rows->len; row++) {
    g_string_append (text, g_array_index (rows, const char *, row));
    if (what != NULL)
      g_string_append_printf (text, " · %s", what);
    for (guint column = 0; column < n_columns; column++) {
      g_autofree char *value =
        loom_chart_format_exact (g_array_index (values, double, row *n_columns + column), chart->unit);
      g_string_append_printf (text, "\t%s", value);
    }
    g_string_append_c (text, '\n');
  }
}

static void
append_heat_head (GString *text, const LoomChart *chart)
{
  const LoomChartHeat *heat = &chart->heat;
  g_string_append (text, chart->title);
  for (guint column = 0; column < heat->n_columns; column++) {
    double at = heat->begin + (heat->end - heat->begin) * column / heat->n_columns;
    g_autofree char *x = chart->kind == LOOM_CHART_HEAT ? loom_chart_format_exact (at, chart->x_unit) : NULL;
    const char *label = column < heat->columns->len ? g_array_index (heat->columns, const char *, column)
                        : x != NULL                 ? x
                        : column < heat->rows->len  ? g_array_index (heat->rows, const char *, column)
                                                    : "";
    g_string_append_printf (text, "\t%s", label);
  }
  g_string_append_c (text, '\n');
}

static void
append_points (GString *text, const LoomChart *chart)
{
  const LoomChartLines *lines = &chart->lines;
  g_string_append_printf (text, "%s\t%s\t%s\n", lines->lines->len > 1 ? chart->title : "", chart->x_name, chart->title);
  for (guint i = 0; i < lines->points->len; i++) {
    const LoomChartPoint *point = &g_array_index (lines->points, LoomChartPoint, i);
    g_autofree char *x = loom_chart_format_exact (get_x (lines, i), chart->x_unit),
                    *y = loom_chart_format_exact (point->y, chart->unit);
    g_string_append_printf (text, "%s\t%s\t%s\n", point->name != NULL ? point->name : line_of (lines, i)->label, x, y);
  }
}

static void
append_elements (GString *text, const LoomChart *chart)
{
  g_string_append_printf (text, "%s\t%s\n", chart->x_name, chart->what[0] != '\0' ? chart->what : chart->title);
  for (guint i = 0; i < loom_chart_get_n_elements (chart); i++) {
    g_autofree char *name =
      chart->kind == LOOM_CHART_HISTOGRAM ? bin_name (chart, i, TRUE) : loom_chart_dup_name (chart, i);
    g_autofree char *value = loom_chart_format_exact (loom_chart_get_value (chart, i), chart->unit);
    g_string_append_printf (text, "%s\t%s\n", name, value);
  }
}

char *
loom_chart_dup_tsv (const LoomChart *chart)
{
  GString *text = g_string_new (NULL);
  g_return_val_if_fail (chart != NULL, g_string_free (text, FALSE));
  if (chart->kind == LOOM_CHART_BARS) {
    g_string_append (text, chart->title);
    for (guint i = 0; i < chart->bars.series->len; i++)
      g_string_append_printf (text, "\t%s", g_array_index (chart->bars.series, LoomChartBarSeries, i).label);
    g_string_append_c (text, '\n');
    append_grid (text, chart, chart->bars.groups, chart->bars.values, chart->bars.series->len, NULL);
  } else if (chart->kind == LOOM_CHART_LINES)
    append_points (text, chart);
  else if (chart->kind == LOOM_CHART_HEAT || chart->kind == LOOM_CHART_MATRIX) {
    append_heat_head (text, chart);
    append_grid (text, chart, chart->heat.rows, chart->heat.values, chart->heat.n_columns, NULL);
    if (chart->heat.peaks->len > 0)
      append_grid (text, chart, chart->heat.rows, chart->heat.peaks, chart->heat.n_columns,
                   /* Translators: after the name of a row of a heat map, in front of the highest values of its cells */
                   C_ ("chart", "highest"));
  } else
    append_elements (text, chart);
  return g_string_free (text, FALSE);
}
