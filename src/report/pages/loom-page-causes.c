/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-causes.h"

#include "loom-list-separator.h"
#include "loom-time.h"

#include <glib/gi18n.h>

#define MAX_SLICES 7 /* number of metrics in a pie; all others share one more slice */
#define MAX_BARS 8
#define MAX_SUSPECTS 3

typedef struct {
  LoomPageContent *sheet;
  const LoomPageInput *input;
  const LoomCauseComparison *contrast;
  const LoomCauseWords *words;
} Causes;

static const char *
name_of (const Causes *causes, const LoomRootCauseMetric *metric)
{
  return loom_data_frame_get_text (causes->contrast->frame, metric->metric);
}

/* Sets the target of an element to the longest row of the metric. */
static void
set_longest (const Causes *causes, guint element, const LoomRootCauseMetric *metric)
{
  if (metric != NULL)
    loom_page_content_set_place (causes->sheet, element, loom_page_row_range (causes->input, metric->longest),
                                 &causes->contrast->frame->rows.span[metric->longest], 1);
}

/* Returns whether charts omit the metric. With smdebug's numbers, charts omit none. */
static gboolean
is_left_out (const Causes *causes, const LoomRootCauseMetric *metric)
{
  return metric->is_worker && causes->contrast->frame->numbers != LOOM_NUMBER_CONVENTION_SMDEBUG;
}

/* The metrics that charts omit, such as "DataLoaderWorker (4 × 1.66 min)". NULL: none. Owned by the caller. */
static char *
dup_left_out (const Causes *causes)
{
  const LoomRootCause *during = &causes->contrast->during;
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < during->n_metrics; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i];
    if (!is_left_out (causes, metric))
      continue;
    g_autofree char *mean = loom_time_format_duration ((gint64) loom_cause_comparison_mean (metric));
    g_string_append_printf (names, "%s%s (%" G_GUINT64_FORMAT " × %s)", names->len > 0 ? loom_list_separator () : "",
                            name_of (causes, metric), metric->count, mean);
  }
  return names->len > 0 ? g_strdup (names->str) : NULL;
}

static void
add_pie (const Causes *causes, const char *title, gboolean phases)
{
  const LoomRootCause *during = &causes->contrast->during;
  const LoomRootCauseMetric *shown[MAX_SLICES + 1] = { NULL }; /* by slice; the last is the longest of the others */
  LoomChart *chart = loom_chart_new_pie (title, "ns", NULL);
  double rest = 0;
  guint n = 0;
  for (guint i = 0; i < during->n_metrics; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i];
    if (metric->is_phase != phases || is_left_out (causes, metric))
      continue;
    if (shown[n] == NULL)
      shown[n] = metric;
    if (n == MAX_SLICES) {
      rest += (double) metric->in_range_ns;
      continue;
    }
    loom_chart_add_slice (chart, name_of (causes, metric), (double) metric->in_range_ns, n);
    n++;
  }
  if (rest > 0)
    loom_chart_add_slice (chart, C_ ("chart", "others"), rest, LOOM_CHART_GREY);
  if (n > 0)
    loom_page_content_take_chart (causes->sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i <= n && n > 0; i++)
    set_longest (causes, i, shown[i]);
}

/* Omits worker processes: they run all the time, and beside them the functions of the training processes would be
 * too small to see. */
static void
add_functions (const Causes *causes)
{
  g_autofree char *left_out = dup_left_out (causes);
  if (left_out == NULL) {
    add_pie (causes, causes->words->functions, FALSE);
    return;
  }
  g_autofree char *note =
    g_strdup_printf (_ ("Processes of data loaders run all the time, so they are in the table only: %s."), left_out);
  g_autofree char *title = g_strdup_printf (
    /* Translators: Functions at bottlenecks, … */ _ ("%s, without data loader processes"), causes->words->functions);
  loom_page_content_add_note (causes->sheet, note);
  add_pie (causes, title, FALSE);
}

static void
add_bars (const Causes *causes)
{
  const LoomRootCause *during = &causes->contrast->during;
  const LoomRootCauseMetric *shown[MAX_BARS];
  LoomChart *chart = loom_chart_new_bars (causes->words->bars, "ns", FALSE);
  guint n = 0;
  loom_chart_add_bar_series (chart, causes->words->here, LOOM_CHART_ALARM);
  loom_chart_add_bar_series (chart, causes->words->there, 0);
  for (guint i = 0; i < during->n_metrics && n < MAX_BARS; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i];
    const double means[] = { loom_cause_comparison_mean (metric),
                             loom_cause_comparison_mean_otherwise (causes->contrast, metric) };
    if (metric->is_phase || is_left_out (causes, metric))
      continue;
    loom_chart_add_bar_group (chart, name_of (causes, metric), means);
    shown[n++] = metric;
  }
  if (n > 0)
    loom_page_content_take_chart (causes->sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i < n; i++) {
    set_longest (causes, 2 * i, shown[i]);
    set_longest (causes, 2 * i + 1, loom_root_cause_find (&causes->contrast->otherwise, shown[i]->metric));
  }
}

static LoomResultTable *
new_table (const LoomCauseWords *words)
{
  LoomResultTable *table = loom_result_table_new (words->table);
  loom_result_table_add_column (table, C_ ("column", "Metric"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Total"), "ns", _ ("Of the rows that ran then"));
  loom_result_table_add_column (table, C_ ("column", "Mean"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Mean otherwise"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Ratio"), "",
                                _ ("Mean by mean otherwise; from 2 on it is worth a look"));
  loom_result_table_set_order (
    table,
    loom_result_table_add_column (table, C_ ("column", "Mean difference"), "ns", _ ("Mean, less mean otherwise")),
    TRUE);
  return table;
}

static void
add_differences (const Causes *causes)
{
  const LoomCauseComparison *contrast = causes->contrast;
  LoomResultTable *table = new_table (causes->words);
  for (guint i = 0; i < contrast->during.n_metrics; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    const double figures[] = { (double) metric->count,
                               (double) metric->in_range_ns,
                               loom_cause_comparison_mean (metric),
                               loom_cause_comparison_mean_otherwise (contrast, metric),
                               loom_cause_comparison_ratio (contrast, metric),
                               loom_cause_comparison_difference (contrast, metric) };
    loom_result_table_add_row (table, name_of (causes, metric));
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (causes->sheet, table);
  for (guint i = 0; i < contrast->during.n_metrics; i++)
    set_longest (causes, i, &contrast->during.metrics[i]);
}

/* Adds the metrics that ran only then, with count and mean; they have nothing to be compared with. Returns their
 * number. */
static guint
add_only_then (const Causes *causes)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < causes->contrast->during.n_metrics && n < MAX_SUSPECTS; i++) {
    const LoomRootCauseMetric *metric = &causes->contrast->during.metrics[i];
    if (!loom_cause_comparison_is_named_first (causes->contrast, metric))
      continue;
    g_autofree char *mean = loom_time_format_duration ((gint64) loom_cause_comparison_mean (metric));
    g_string_append_printf (names, "%s%s (%" G_GUINT64_FORMAT " × %s)", n > 0 ? loom_list_separator () : "",
                            name_of (causes, metric), metric->count, mean);
    n++;
  }
  g_autofree char *text = n > 0 ? causes->words->dup_only_then (names->str) : NULL;
  if (text != NULL)
    loom_page_content_add_note (causes->sheet, text);
  return n;
}

/* Lists the metrics with the longest total first; slow but rare metrics are in the table only. */
static void
add_suspects (const Causes *causes)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0, n_only_then = add_only_then (causes);
  for (guint i = 0; i < causes->contrast->during.n_metrics && n < MAX_SUSPECTS; i++) {
    const LoomRootCauseMetric *metric = &causes->contrast->during.metrics[i];
    if (!loom_cause_comparison_is_suspect (causes->contrast, metric))
      continue;
    g_string_append_printf (names, "%s%s (× %.1f)", n > 0 ? loom_list_separator () : "", name_of (causes, metric),
                            loom_cause_comparison_ratio (causes->contrast, metric));
    n++;
  }
  if (n == 0 && n_only_then > 0)
    return;
  g_autofree char *text = n > 0 ? g_strdup_printf (_ ("Twice as long as otherwise, or more: %s."), names->str)
                                : g_strdup (_ ("Nothing takes twice as long as otherwise."));
  loom_page_content_add_note (causes->sheet, text);
}

void
loom_page_causes_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomCauseComparison *contrast,
                      const LoomCauseWords *words)
{
  const Causes causes = { sheet, input, contrast, words };
  add_suspects (&causes);
  add_functions (&causes);
  add_pie (&causes, words->phases, TRUE);
  add_bars (&causes);
  add_differences (&causes);
}
