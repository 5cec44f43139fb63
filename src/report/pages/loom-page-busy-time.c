/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page of busy time: it shows which share of the time the devices of each rank compute, communicate and copy.
 * The page has two measures of busy time, which can differ much. The trace shows when any work is on a device,
 * including a collective that waits for other ranks. The counter of the device is sampled by the driver, and shows how
 * often kernels were running.
 */
#include "loom-page-private.h"

#include "loom-rank-breakdown.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_BARS 64

double
loom_page_get_counted_usage (const LoomPageInput *input)
{
  const LoomSampleSeries *series = input->frame->series;
  double sum = 0;
  gsize n = 0;
  for (guint i = 0; i < input->frame->n_series; i++) {
    if (!loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION))
      continue;
    for (gsize k = 0; k < series[i].n; k++)
      sum += series[i].value[k];
    n += series[i].n;
  }
  return n > 0 ? sum / (double) n : NAN;
}

static double
get_percent (gint64 part_ns, const LoomRankTime *rank)
{
  return loom_statistics_percent ((double) part_ns, (double) rank->recorded_ns);
}

static void
set_places (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankTime *ranks, guint n, guint n_each)
{
  for (guint i = 0; i < n * n_each; i++) {
    const LoomRankTime *rank = &ranks[i / n_each];
    loom_page_content_set_place (sheet, i, (LoomRange) { rank->begin_ns, rank->end_ns }, NULL, 0);
    loom_page_set_rank (sheet, input, i, rank->rank, rank->sources);
  }
}

static void
add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  LoomChart *chart = loom_chart_new_bars (_ ("Busy time by rank, according to the trace"), "%", TRUE);
  guint n = MIN (breakdown->n_ranks, MAX_BARS);
  loom_chart_add_bar_series (chart, C_ ("chart", "computing"), loom_chart_work_color (LOOM_WORK_KIND_COMPUTE));
  loom_chart_add_bar_series (chart, _ ("communication only"), loom_chart_work_color (LOOM_WORK_KIND_COMMUNICATION));
  loom_chart_add_bar_series (chart, _ ("copies only"), loom_chart_work_color (LOOM_WORK_KIND_MEMCPY));
  for (guint i = 0; i < n; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i];
    g_autofree char *name = loom_page_rank_name (input, rank->node, rank->rank, rank->sources);
    const double values[] = { get_percent (rank->compute_ns, rank), get_percent (rank->exposed_communication_ns, rank),
                              get_percent (rank->exposed_copy_ns, rank) };
    loom_chart_add_bar_group (chart, name, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  set_places (sheet, input, breakdown->ranks, n, 3);
}

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Busy time by rank, according to the trace"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Recorded"), "ns",
    _ ("Time from the first to the last work of each device of the rank, summed over its devices and files"));
  loom_result_table_add_share_column (table, C_ ("column", "Busy"),
                                      _ ("Share of the recorded time with a kernel or a copy"));
  loom_result_table_add_column (table, C_ ("column", "Computing"), "%", _ ("Share of the recorded time"));
  loom_result_table_add_column (
    table, C_ ("column", "Communication"), "%",
    _ (
      "Share of the recorded time in which communication runs, also while something is computed; waits for other ranks are included"));
  loom_result_table_add_column (table, C_ ("column", "Communication Only"), "%",
                                _ ("Share of the recorded time with communication but no computation"));
  loom_result_table_add_column (table, C_ ("column", "Copies Only"), "%",
                                _ ("Share of the recorded time with copies but no computation or communication"));
  return table;
}

static void
add_table (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  LoomResultTable *table = new_table ();
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i];
    g_autofree char *name = loom_page_rank_name (input, rank->node, rank->rank, rank->sources);
    const double figures[] = { (double) rank->recorded_ns,
                               get_percent (rank->recorded_ns - rank->idle_ns, rank),
                               get_percent (rank->compute_ns, rank),
                               get_percent (rank->communication_ns, rank),
                               get_percent (rank->exposed_communication_ns, rank),
                               get_percent (rank->exposed_copy_ns, rank) };
    loom_result_table_add_row (table, name);
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (sheet, table);
  set_places (sheet, input, breakdown->ranks, breakdown->n_ranks, 1);
}

/* Adds a note that explains why utilization differs between the trace and the GPUs’ own counters. */
static void
add_difference (LoomPageContent *sheet, const LoomRankBreakdown *breakdown)
{
  double busy_ns = 0, recorded_ns = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    recorded_ns += (double) breakdown->ranks[i].recorded_ns;
    busy_ns += (double) loom_time_sub (breakdown->ranks[i].recorded_ns, breakdown->ranks[i].idle_ns);
  }
  g_autofree char *busy = loom_chart_format (loom_statistics_percent (busy_ns, recorded_ns), "%");
  g_autofree char *text = g_strdup_printf (
    _ (
      "According to the trace, GPUs are %s busy: for this share of the recorded time, a kernel or a copy ran on them, even if it only waited for other ranks. The GPUs’ own counters can differ, because they sample the whole job."),
    busy);
  loom_page_content_add_note (sheet, text);
}

gboolean
loom_page_add_busy_time (LoomPageContent *sheet, const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomRankBreakdown) breakdown =
    loom_rank_breakdown_new_summed (input->frame->timeline, input->range, cancellable);
  if (breakdown == NULL)
    return FALSE;
  if (breakdown->n_ranks == 0)
    return TRUE;
  if (isfinite (loom_page_get_counted_usage (input)))
    add_difference (sheet, breakdown);
  add_bars (sheet, input, breakdown);
  add_table (sheet, input, breakdown);
  return TRUE;
}
