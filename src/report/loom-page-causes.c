/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-causes.h"

#include "loom-list-separator.h"
#include "loom-time.h"

#include <glib/gi18n.h>

#define MAX_SLICES 7 /* metrics in a pie; what is left is one slice more */
#define MAX_BARS 8
#define MAX_SUSPECTS 3

typedef struct {
  LoomSheet *sheet;
  const LoomPageInput *input;
  const LoomContrast *contrast;
  const LoomCauseWords *words;
} Causes;

static const char *
name_of (const Causes *causes, const LoomRootCauseMetric *metric)
{
  return loom_frame_get_text (causes->contrast->frame, metric->metric);
}

/* An element that speaks of a metric leads to the longest of its rows that are meant. */
static void
set_longest (const Causes *causes, guint element, const LoomRootCauseMetric *metric)
{
  const LoomFrameRows *rows = loom_frame_get_rows (causes->contrast->frame);
  if (metric != NULL)
    loom_sheet_set_place (causes->sheet, element, loom_page_row_range (causes->input, metric->longest), &rows->span[metric->longest], 1);
}

static void
add_pie (const Causes *causes, const char *title, gboolean phases)
{
  const LoomRootCause *during = &causes->contrast->during;
  const LoomRootCauseMetric *shown[MAX_SLICES + 1] = { NULL }; /* for the others the first of them, which takes most */
  LoomChart *chart = loom_chart_new_pie (title, "ns", NULL);
  double rest = 0;
  guint n = 0;
  for (guint i = 0; i < during->n_metrics; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i];
    if (metric->is_phase != phases)
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
    loom_sheet_take_chart (causes->sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i <= n && n > 0; i++)
    set_longest (causes, i, shown[i]);
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
    const double means[] = { loom_contrast_mean (metric), loom_contrast_mean_otherwise (causes->contrast, metric) };
    if (metric->is_phase)
      continue;
    loom_chart_add_bar_group (chart, name_of (causes, metric), means);
    shown[n++] = metric;
  }
  if (n > 0)
    loom_sheet_take_chart (causes->sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i < n; i++) {
    set_longest (causes, 2 * i, shown[i]);
    set_longest (causes, 2 * i + 1, loom_root_cause_find (&causes->contrast->otherwise, shown[i]->metric));
  }
}

static LoomTable *
new_table (const LoomCauseWords *words)
{
  LoomTable *table = loom_table_new (words->table);
  loom_table_add_column (table, C_ ("column", "Metric"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Total"), "ns", _ ("Of the rows that ran then"));
  loom_table_add_column (table, C_ ("column", "Mean"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Mean otherwise"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Ratio"), "", _ ("Mean by mean otherwise; from 2 on it is worth a look"));
  loom_table_set_order (table, loom_table_add_column (table, C_ ("column", "Mean difference"), "ns", _ ("Mean, less mean otherwise")), TRUE);
  return table;
}

static void
add_differences (const Causes *causes)
{
  const LoomContrast *contrast = causes->contrast;
  LoomTable *table = new_table (causes->words);
  for (guint i = 0; i < contrast->during.n_metrics; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    const double figures[] = { (double) metric->count, (double) metric->in_range_ns, loom_contrast_mean (metric), loom_contrast_mean_otherwise (contrast, metric),
                               loom_contrast_ratio (contrast, metric), loom_contrast_difference (contrast, metric) };
    loom_table_add_row (table);
    loom_table_set_text (table, 0, name_of (causes, metric));
    for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
      loom_table_set_number (table, k + 1, figures[k]);
  }
  loom_sheet_take_table (causes->sheet, table);
  for (guint i = 0; i < contrast->during.n_metrics; i++)
    set_longest (causes, i, &contrast->during.metrics[i]);
}

/* What ran only then comes first, with its count and mean, as there is nothing to compare it with. Returns how many there are. */
static guint
add_only_then (const Causes *causes)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < causes->contrast->during.n_metrics && n < MAX_SUSPECTS; i++) {
    const LoomRootCauseMetric *metric = &causes->contrast->during.metrics[i];
    if (!loom_contrast_is_named_first (causes->contrast, metric))
      continue;
    g_autofree char *mean = loom_time_format_duration ((gint64) loom_contrast_mean (metric));
    g_string_append_printf (names, "%s%s (%" G_GUINT64_FORMAT " × %s)", n > 0 ? loom_list_separator () : "",
                            name_of (causes, metric), metric->count, mean);
    n++;
  }
  g_autofree char *text = n > 0 ? causes->words->dup_only_then (names->str) : NULL;
  if (text != NULL)
    loom_sheet_add_note (causes->sheet, text);
  return n;
}

/* The longest in total come first: what is slow but rare is in the table. */
static void
add_suspects (const Causes *causes)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0, n_only_then = add_only_then (causes);
  for (guint i = 0; i < causes->contrast->during.n_metrics && n < MAX_SUSPECTS; i++) {
    const LoomRootCauseMetric *metric = &causes->contrast->during.metrics[i];
    if (!loom_contrast_is_suspect (causes->contrast, metric))
      continue;
    g_string_append_printf (names, "%s%s (× %.1f)", n > 0 ? loom_list_separator () : "", name_of (causes, metric), loom_contrast_ratio (causes->contrast, metric));
    n++;
  }
  if (n == 0 && n_only_then > 0)
    return;
  g_autofree char *text = n > 0 ? g_strdup_printf (_ ("Twice as long as otherwise, or more: %s."), names->str) : g_strdup (_ ("Nothing takes twice as long as otherwise."));
  loom_sheet_add_note (causes->sheet, text);
}

void
loom_page_add_causes (LoomSheet *sheet, const LoomPageInput *input, const LoomContrast *contrast, const LoomCauseWords *words)
{
  const Causes causes = { sheet, input, contrast, words };
  add_suspects (&causes);
  add_pie (&causes, words->functions, FALSE);
  add_pie (&causes, words->phases, TRUE);
  add_bars (&causes);
  add_differences (&causes);
}
