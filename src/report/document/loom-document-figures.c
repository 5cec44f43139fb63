/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions for the tables of report documents. They make a table of the values of a chart, for readers who cannot see
 * the chart; return the initial order of the rows of a table; and return the note about rows that are not shown.
 */
#include "loom-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

static LoomResultTable *
new_heat_figures (const LoomChart *chart)
{
  const LoomChartHeat *heat = &chart->heat;
  LoomResultTable *table = loom_result_table_new (chart->title);
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Mean"), chart->unit, NULL);
  loom_result_table_add_column (table, C_ ("column", "Lowest"), chart->unit, NULL);
  loom_result_table_add_column (table, C_ ("column", "Highest"), chart->unit, NULL);
  for (guint row = 0; row < heat->rows->len; row++) {
    double sum = 0, low = INFINITY, high = -INFINITY;
    guint n = 0;
    for (guint i = 0; i < heat->n_columns; i++) {
      double value = g_array_index (heat->values, double, (gsize) row * heat->n_columns + i);
      if (isnan (value))
        continue;
      double peak = loom_chart_get_peak (chart, row * heat->n_columns + i);
      sum += value;
      low = MIN (low, value);
      high = MAX (high, isfinite (peak) ? peak : value);
      n++;
    }
    loom_result_table_add_row (table, g_array_index (heat->rows, const char *, row));
    loom_result_table_set_number (table, 1, n > 0 ? sum / n : NAN);
    loom_result_table_set_number (table, 2, n > 0 ? low : NAN);
    loom_result_table_set_number (table, 3, n > 0 ? high : NAN);
  }
  return table;
}

LoomResultTable *
loom_document_new_figures (const LoomChart *chart)
{
  if (chart->kind == LOOM_CHART_HEAT)
    return new_heat_figures (chart);
  LoomResultTable *table = loom_result_table_new (chart->title);
  double total = chart->kind == LOOM_CHART_PIE ? loom_chart_get_total (chart) : 0;
  loom_result_table_add_column (table, chart->x_name[0] != '\0' ? chart->x_name : C_ ("column", "Name"), NULL, NULL);
  loom_result_table_add_column (table, chart->what[0] != '\0' ? chart->what : C_ ("column", "Value"), chart->unit,
                                NULL);
  if (chart->kind == LOOM_CHART_HISTOGRAM && chart->histogram.total > 0)
    total = chart->histogram.total;
  if (chart->kind == LOOM_CHART_PIE || total > 0)
    loom_result_table_add_share_column (table, C_ ("column", "Share"), NULL);
  for (guint i = 0; i < loom_chart_get_n_elements (chart); i++) {
    double value = loom_chart_get_value (chart, i);
    if (chart->kind == LOOM_CHART_HISTOGRAM && !(value > 0))
      continue;
    g_autofree char *name = loom_chart_dup_name (chart, i);
    loom_result_table_add_row (table, name);
    loom_result_table_set_number (table, 1, value);
    if (chart->kind == LOOM_CHART_PIE || total > 0)
      loom_result_table_set_number (table, 2, total > 0 ? 100 * value / total : NAN);
  }
  return table;
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomResultTable *table = user_data;
  gboolean descending;
  guint x = *(const guint *) a, y = *(const guint *) b, column = loom_result_table_get_order (table, &descending);
  int order = loom_result_table_compare (table, x, y, column);
  if (order == 0)
    return x < y ? -1 : x > y;
  return descending ? -order : order;
}

guint *
loom_document_dup_order (const LoomResultTable *table)
{
  guint n = table->n_rows;
  gboolean descending;
  guint *rows = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    rows[i] = i;
  if (loom_result_table_get_order (table, &descending) != G_MAXUINT)
    g_qsort_with_data (rows, (int) n, sizeof *rows, compare_rows, (gpointer) table);
  return rows;
}

char *
loom_document_dup_rest (const LoomResultTable *table, guint n_shown)
{
  guint n = table->n_rows;
  if (n <= n_shown)
    return NULL;
  return g_strdup_printf (ngettext ("%u more row is not shown; the report in JSON contains it.",
                                    "%u more rows are not shown; the report in JSON contains them.", n - n_shown),
                          n - n_shown);
}
