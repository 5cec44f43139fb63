/* SPDX-License-Identifier: Apache-2.0
 *
 * Bottlenecks: instants at which GPUs starve while cores are at their limit, and what ran then against what runs while
 * GPUs are busy.
 */
#include "loom-page-private.h"

#include "loom-bottlenecks.h"
#include "loom-conditions.h"
#include "loom-root-cause.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_SLICES 7 /* metrics in a pie; what is left is one slice more */
#define MAX_BARS 8

/* Figures that are known of nothing else must differ so much to be worth a look: §9. */
#define SUSPECT_RATIO 2.0

typedef struct {
  const LoomPageInput *input;
  LoomRootCause during, otherwise;
} Contrast;

/* Takes the windows. */
static void
contrast_init (Contrast *contrast, const LoomPageInput *input, LoomWindows *during, LoomWindows *otherwise)
{
  contrast->input = input;
  loom_root_cause_init (&contrast->during, input->frame, during, LOOM_ROWS_ALL);
  loom_root_cause_init (&contrast->otherwise, input->frame, otherwise, LOOM_ROWS_ALL);
  loom_windows_free (during);
  loom_windows_free (otherwise);
}

static void
contrast_clear (Contrast *contrast)
{
  loom_root_cause_clear (&contrast->during);
  loom_root_cause_clear (&contrast->otherwise);
}

static double
mean_of (const LoomRootCauseMetric *metric)
{
  return metric != NULL && metric->count > 0 ? (double) metric->total_ns / (double) metric->count : NAN;
}

static const char *
name_of (const Contrast *contrast, const LoomRootCauseMetric *metric)
{
  return loom_frame_get_text (contrast->input->frame, metric->metric);
}

/* An element that speaks of a metric leads to the longest of its rows that are meant. */
static void
set_longest (LoomSheet *sheet, const Contrast *contrast, guint element, const LoomRootCauseMetric *metric)
{
  const LoomFrameRows *rows = loom_frame_get_rows (contrast->input->frame);
  if (metric != NULL)
    loom_sheet_set_place (sheet, element, loom_page_row_range (contrast->input, metric->longest), &rows->span[metric->longest], 1);
}

/* --- instants -------------------------------------------------------------------------------------------------------- */

static void
add_facts (LoomSheet *sheet, const LoomBottlenecks *bottlenecks)
{
  g_autofree char *limits = g_strdup_printf (_ ("cores above %.0f %%, GPUs at or below %.0f %%"), LOOM_BOTTLENECK_LIMITS.high_cpu, LOOM_BOTTLENECK_LIMITS.low_gpu);
  loom_sheet_add_facts (sheet, _ ("CPU bottlenecks"));
  loom_page_add_number (sheet, _ ("Instants"), bottlenecks->n, "");
  loom_page_add_number (sheet, _ ("Starving GPU samples"), (double) bottlenecks->n_rows, "");
  loom_page_add_number (sheet, _ ("of them in the loop"), (double) bottlenecks->n_rows_in_loop, "");
  loom_sheet_add_fact (sheet, _ ("Counted"), limits);
}

static void
add_instants (LoomSheet *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  LoomTable *table = loom_table_new (_ ("Instants"));
  guint time = loom_table_add_column (table, C_ ("column", "Time"), "time", _ ("Since the start of the run"));
  guint node = loom_table_add_column (table, C_ ("column", "Node"), NULL, NULL), cores = loom_table_add_column (table, C_ ("column", "Busy cores"), "", NULL);
  guint gpus = loom_table_add_column (table, C_ ("column", "Starving GPUs"), "", NULL), loop = loom_table_add_column (table, C_ ("column", "In the loop"), NULL, NULL);
  for (guint i = 0; i < bottlenecks->n; i++) {
    const LoomBottleneck *item = &bottlenecks->items[i];
    loom_table_add_row (table);
    loom_table_set_number (table, time, (double) (item->time_ns - loom_frame_get_origin (input->frame)));
    loom_table_set_text (table, node, loom_frame_get_host (input->frame, item->host_id));
    loom_table_set_number (table, cores, item->n_high_cores);
    loom_table_set_number (table, gpus, item->n_low_gpus);
    loom_table_set_text (table, loop, item->in_loop ? _ ("yes") : _ ("no"));
  }
  loom_sheet_take_table (sheet, table);
  for (guint i = 0; i < bottlenecks->n; i++)
    loom_page_set_instant (sheet, i, bottlenecks->items[i].time_ns);
}

/* --- what ran then --------------------------------------------------------------------------------------------------- */

static void
add_pie (LoomSheet *sheet, const Contrast *contrast, const char *title, gboolean phases)
{
  const LoomRootCauseMetric *shown[MAX_SLICES];
  LoomChart *chart = loom_chart_new_pie (title, "ns", NULL);
  double rest = 0;
  guint n = 0;
  for (guint i = 0; i < contrast->during.n_metrics; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    if (metric->is_phase != phases)
      continue;
    if (n < MAX_SLICES) {
      shown[n] = metric;
      loom_chart_add_slice (chart, name_of (contrast, metric), (double) metric->total_ns, n++);
    } else
      rest += (double) metric->total_ns;
  }
  if (rest > 0)
    loom_chart_add_slice (chart, _ ("others"), rest, LOOM_CHART_GREY);
  if (n > 0)
    loom_sheet_take_chart (sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i < n; i++)
    set_longest (sheet, contrast, i, shown[i]);
}

static void
add_bars (LoomSheet *sheet, const Contrast *contrast)
{
  LoomChart *chart = loom_chart_new_bars (_ ("Mean duration at bottlenecks and while GPUs are busy"), "ns", FALSE);
  const LoomRootCauseMetric *shown[MAX_BARS];
  guint n = 0;
  loom_chart_add_bar_series (chart, _ ("at bottlenecks"), LOOM_CHART_ALARM);
  loom_chart_add_bar_series (chart, _ ("while GPUs are busy"), 0);
  for (guint i = 0; i < contrast->during.n_metrics && n < MAX_BARS; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    const double means[] = { mean_of (metric), mean_of (loom_root_cause_find (&contrast->otherwise, metric->metric)) };
    if (metric->is_phase)
      continue;
    loom_chart_add_bar_group (chart, name_of (contrast, metric), means);
    shown[n++] = metric;
  }
  if (n > 0)
    loom_sheet_take_chart (sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i < n; i++) {
    set_longest (sheet, contrast, 2 * i, shown[i]);
    set_longest (sheet, contrast, 2 * i + 1, loom_root_cause_find (&contrast->otherwise, shown[i]->metric));
  }
}

static void
add_differences (LoomSheet *sheet, const Contrast *contrast)
{
  LoomTable *table = loom_table_new (_ ("What takes longer at bottlenecks"));
  guint name = loom_table_add_column (table, C_ ("column", "Metric"), NULL, NULL), count = loom_table_add_column (table, C_ ("column", "Count"), "", NULL);
  guint total = loom_table_add_column (table, C_ ("column", "Total"), "ns", _ ("Of all rows that run at a bottleneck, whole")), mean = loom_table_add_column (table, C_ ("column", "Mean"), "ns", NULL);
  guint other = loom_table_add_column (table, C_ ("column", "Mean otherwise"), "ns", _ ("Of the rows that run while a GPU is busy"));
  guint ratio = loom_table_add_column (table, C_ ("column", "Ratio"), "", _ ("Mean by mean otherwise; from 2 on it is worth a look"));
  loom_table_set_order (table, ratio, TRUE);
  for (guint i = 0; i < contrast->during.n_metrics; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    double here = mean_of (metric), there = mean_of (loom_root_cause_find (&contrast->otherwise, metric->metric));
    loom_table_add_row (table);
    loom_table_set_text (table, name, name_of (contrast, metric));
    loom_table_set_number (table, count, (double) metric->count);
    loom_table_set_number (table, total, (double) metric->total_ns);
    loom_table_set_number (table, mean, here);
    loom_table_set_number (table, other, there);
    loom_table_set_number (table, ratio, there > 0 ? here / there : NAN);
  }
  loom_sheet_take_table (sheet, table);
  for (guint i = 0; i < contrast->during.n_metrics; i++)
    set_longest (sheet, contrast, i, &contrast->during.metrics[i]);
}

static void
add_suspects (LoomSheet *sheet, const Contrast *contrast)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < contrast->during.n_metrics && n < 3; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    double here = mean_of (metric), there = mean_of (loom_root_cause_find (&contrast->otherwise, metric->metric));
    if (!(there > 0) || here < SUSPECT_RATIO * there)
      continue;
    g_string_append_printf (names, "%s%s (× %.1f)", n > 0 ? ", " : "", name_of (contrast, metric), here / there);
    n++;
  }
  if (n == 0)
    return;
  g_autofree char *text = g_strdup_printf (_ ("Twice as long as otherwise, or more: %s."), names->str);
  loom_sheet_add_note (sheet, text);
}

static void
add_causes (LoomSheet *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  Contrast contrast;
  contrast_init (&contrast, input, loom_conditions_at_bottlenecks (input->frame, bottlenecks),
                 loom_conditions_at_busy_gpus (input->frame, LOOM_SELECT_DIMENSION));
  if (contrast.during.n_rows == 0)
    loom_sheet_add_missing (sheet, _ ("Nothing of the framework ran at these instants, so their causes cannot be told."));
  else {
    add_suspects (sheet, &contrast);
    add_pie (sheet, &contrast, _ ("Functions at bottlenecks"), FALSE);
    add_pie (sheet, &contrast, _ ("Training phases at bottlenecks"), TRUE);
    add_bars (sheet, &contrast);
    add_differences (sheet, &contrast);
  }
  contrast_clear (&contrast);
}

LoomSheet *
loom_page_bottlenecks (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomSheet *sheet = loom_sheet_new (input->range);
  const char *why = loom_page_no_device (input, LOOM_DEVICE_GPU);
  LoomBottlenecks bottlenecks;
  if (why == NULL)
    why = loom_page_no_device (input, LOOM_DEVICE_CPU);
  if (why != NULL) {
    loom_sheet_add_missing (sheet, why);
    return sheet;
  }
  loom_bottlenecks_init (&bottlenecks, input->frame, &input->phases, LOOM_SELECT_DIMENSION, LOOM_BOTTLENECK_LIMITS);
  loom_sheet_set_sources (sheet, _ ("from system metrics and the framework's spans"));
  if (input->phases.is_loose)
    loom_sheet_add_missing (sheet, loom_page_no_loop (input));
  add_facts (sheet, &bottlenecks);
  if (bottlenecks.n > 0) {
    add_causes (sheet, input, &bottlenecks);
    add_instants (sheet, input, &bottlenecks);
  } else
    loom_sheet_add_note (sheet, _ ("No GPU starved while a core of its node was at its limit."));
  loom_bottlenecks_clear (&bottlenecks);
  return sheet;
}
