/* SPDX-License-Identifier: Apache-2.0 */
#include "sample-charts.h"

#include <math.h>

LoomChart *
sample_charts_new_pie (void)
{
  LoomChart *chart = loom_chart_new_pie ("GPU usage", "", "samples");
  loom_chart_add_slice (chart, "high usage", 600, 0);
  loom_chart_add_slice (chart, "suboptimal usage", 250, 1);
  loom_chart_add_slice (chart, "low usage", 100, 2);
  loom_chart_add_slice (chart, "CPU bottleneck", 49, LOOM_CHART_ALARM);
  loom_chart_add_slice (chart, "finalization", 1, LOOM_CHART_GREY);
  loom_chart_add_slice (chart, "initialization", 0, LOOM_CHART_GREY);
  return chart;
}

LoomChart *
sample_charts_new_histogram (void)
{
  static const double counts[] = { 1, 4, 12, 30, 22, 9, 3, 1, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1 };
  LoomChart *chart = loom_chart_new_histogram ("Step durations", "duration", "ns", "steps", 10e6, 50e6);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    loom_chart_add_bin (chart, counts[i]);
  loom_chart_set_median (chart, 17.2e6, "median");
  loom_chart_set_limit (chart, 34.4e6, "outliers above");
  return chart;
}

/* Returns a histogram of the durations of steps: most are similar, a few are very much longer. */
static LoomChart *
sample_charts_new_histogram_with_rest (void)
{
  static const double counts[] = { 2, 9, 17, 8, 3, 1, 0, 1, 0, 1 };
  LoomChart *chart = loom_chart_new_histogram ("Waits", "duration", "ns", "waits", 18e6, 23e6);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    loom_chart_add_bin (chart, counts[i]);
  loom_chart_add_rest (chart, 4, 2.89e9, 2.903e9);
  loom_chart_set_median (chart, 19.3e6, "median");
  loom_chart_set_limit (chart, 38.6e6, "outliers above");
  return chart;
}

static LoomChart *
sample_charts_new_single (void)
{
  LoomChart *chart = loom_chart_new_pie ("Training phases", "ns", NULL);
  loom_chart_add_slice (chart, "Step:ModeKeys.EVAL", 0, 1);
  loom_chart_add_slice (chart, "Step:ModeKeys.TRAIN", 7.86e9, 0);
  return chart;
}

static LoomChart *
sample_charts_new_few_slices (void)
{
  LoomChart *chart = loom_chart_new_pie ("Device time by kind of work", "ns", NULL);
  loom_chart_add_slice (chart, "compute", 9.36e9, 0);
  loom_chart_add_slice (chart, "communication", 4.9e9, LOOM_CHART_ALARM);
  loom_chart_add_slice (chart, "memcpy", 2.24e9, 2);
  loom_chart_add_slice (chart, "memset", 0, 3);
  return chart;
}

LoomChart *
sample_charts_new_columns (guint n_ranks, guint n)
{
  LoomChart *chart = loom_chart_new_columns ("Duration of each step", "step", "ns");
  for (guint rank = 0; rank < n_ranks; rank++) {
    g_autofree char *name = g_strdup_printf ("rank %u", rank);
    loom_chart_add_line (chart, name, rank);
    for (guint i = 0; i < n; i++) {
      double value = i == 4 ? 31e6 : 12e6 + 1e6 * sin (i * 0.7 + rank);
      loom_chart_add_point (chart, 100 + 10 * i, i == 2 && rank == 1 ? NAN : value, i == 4);
    }
  }
  loom_chart_set_median (chart, 12.5e6, "median");
  loom_chart_set_flagged_label (chart, "outlier");
  return chart;
}

LoomChart *
sample_charts_new_bars (gboolean stacked)
{
  static const double values[][3] = { { 12e6, 4e6, 1e6 }, { 9e6, 11e6, NAN }, { 0, 2e6, 6e6 } };
  LoomChart *chart = loom_chart_new_bars (stacked ? "Time per rank" : "Mean duration", "ns", stacked);
  loom_chart_add_bar_series (chart, "computing", 0);
  loom_chart_add_bar_series (chart, "communication", 1);
  loom_chart_add_bar_series (chart, "idle", LOOM_CHART_GREY);
  loom_chart_add_bar_group (chart, "rank 0", values[0]);
  loom_chart_add_bar_group (chart, "rank 1", values[1]);
  loom_chart_add_bar_group (chart, "a rank with a name longer than its place", values[2]);
  return chart;
}

LoomChart *
sample_charts_new_lines (guint n)
{
  LoomChart *chart = loom_chart_new_lines ("Step duration", "step", "", "ns", TRUE);
  for (guint rank = 0; rank < 2; rank++) {
    loom_chart_add_line (chart, rank == 0 ? "rank 0" : "rank 1", rank);
    for (guint i = 0; i < n; i++) {
      double value = 12e6 + 2e6 * sin (i * 0.7 + rank) + (i % 17 == 16 ? 20e6 : 0);
      loom_chart_add_point (chart, 100 + i, i == 10 ? NAN : value, value > 25e6);
    }
  }
  loom_chart_set_median (chart, 12.5e6, "median");
  loom_chart_set_limit (chart, 25e6, "outliers above");
  return chart;
}

LoomChart *
sample_charts_new_heat (void)
{
  LoomChart *chart = loom_chart_new_heat ("GPU utilization", "%", "", "ns", 48, 0, 4.8e9);
  for (guint row = 0; row < 4; row++) {
    double values[48];
    g_autofree char *label = g_strdup_printf ("algo-%u gpu%u", row / 2 + 1, row % 2);
    for (guint i = 0; i < 48; i++)
      values[i] = i < 4 ? NAN : 50 + 50 * sin (i * 0.2 + row);
    loom_chart_add_heat_row (chart, label, values);
    for (guint i = 4; i < 48; i++) /* a short burst every few samples, which the mean does not show */
      values[i] = i % 7 == row ? 100 : MIN (values[i] + 3, 100);
    loom_chart_add_heat_peaks (chart, values);
  }
  return chart;
}

LoomChart *
sample_charts_new_matrix (void)
{
  static const double values[] = { 0, 0.12, 0.674132, 0.12, 0, 0.41, 0.674132, 0.41, 0 };
  LoomChart *chart = loom_chart_new_matrix ("Distance of workloads", "", 3);
  loom_chart_add_heat_row (chart, "gpu0", values);
  loom_chart_add_heat_row (chart, "gpu1", values + 3);
  loom_chart_add_heat_row (chart, "gpu2", values + 6);
  loom_chart_set_scale (chart, 0, 0.832555);
  loom_chart_set_limit (chart, 0.5, "imbalance beyond");
  return chart;
}

LoomChart *
sample_charts_new_dots (void)
{
  LoomChart *chart = loom_chart_new_dots ("Residuals", "", "ns", "ns");
  loom_chart_add_line (chart, "used", 0);
  for (guint i = 0; i < 120; i++)
    loom_chart_add_point (chart, i * 5e8, 1600 * sin (i * 12.9898) * cos (i * 78.233), FALSE);
  loom_chart_add_line (chart, "rejected", LOOM_CHART_ALARM);
  loom_chart_add_point (chart, 7e9, 1900, TRUE);
  loom_chart_add_point (chart, 31e9, 9e6, TRUE);
  loom_chart_add_point (chart, 44e9, -5e5, TRUE);
  return chart;
}

LoomChart *
sample_charts_new_areas (void)
{
  LoomChart *chart = loom_chart_new_log_dots ("Rate", "Operations per byte", "FLOP/B", "FLOP/s");
  loom_chart_add_curve (chart, "limit", LOOM_CHART_GREY);
  loom_chart_add_point (chart, 1, 1e12, FALSE);
  loom_chart_add_point (chart, 1000, 1e15, FALSE);
  loom_chart_add_line (chart, "products", 0);
  loom_chart_add_named_point (chart, 100, 2e13, "mm");
  loom_chart_set_dot (chart, 1, "mm · 40 %");
  loom_chart_add_named_point (chart, 130, 3e13, "bmm");
  loom_chart_set_dot (chart, 0.5, "bmm · 20 %");
  loom_chart_add_named_point (chart, 10, 1e12, "addmm");
  loom_chart_set_dot (chart, 0.001, NULL);
  return chart;
}

LoomChart *
sample_charts_new_stacks (guint n)
{
  static const guint colors[] = { 2, LOOM_CHART_WAIT, LOOM_CHART_GREY };
  static const char *const names[] = { "computing", "waiting", "idle" };
  LoomChart *chart = loom_chart_new_stacks ("Time in each step", "step", "", "ns");
  for (guint line = 0; line < G_N_ELEMENTS (names); line++) {
    loom_chart_add_line (chart, names[line], colors[line]);
    for (guint i = 0; i < n; i++)
      loom_chart_add_point (chart, 100 + i, (line == 0 ? 8e6 : 3e6) * (i == 4 ? 2 : 1), FALSE);
  }
  return chart;
}

LoomChart *
sample_charts_new_map (void)
{
  static const char *const columns[] = { "data 0", "data 1", "data 2", "data 3" };
  static const double values[][4] = { { 17e6, 17e6, 17.2e6, 17e6 }, { 17e6, NAN, 23e6, 17e6 } };
  static const char *const texts[][5] = { { "rank 0", "rank 2", "rank 4", "rank 6" },
                                          { "rank 1", "rank 3", "rank 5", "rank 7" } };
  LoomChart *chart = loom_chart_new_map ("Ranks by axis", "ns", columns, 4);
  loom_chart_add_map_row (chart, "tensor 0", values[0], (char *const *) texts[0]);
  loom_chart_add_map_row (chart, "tensor 1", values[1], (char *const *) texts[1]);
  loom_chart_set_scale (chart, 11e6, 23e6);
  loom_chart_frame_cell (chart, 6, "the others wait for this rank");
  return chart;
}

LoomChart *
sample_charts_new_waits (void)
{
  static const LoomChartWait waits[] = { { "rank 12", "the job waits for this rank", 1, LOOM_CHART_NONE, TRUE },
                                         { "ranks 13, 15", "_reduce_scatter_base", 2, 0, FALSE },
                                         { "rank 3", "", 1, 0, FALSE },
                                         { "ranks 1, 9", "all_reduce", 2, 1, FALSE },
                                         { "ranks 11, 14, 17, 18, 19, 21, 22, 25, …", "all_gather", 10, 1, FALSE },
                                         { "rank 5", "all_gather", 1, 2, FALSE } };
  LoomChart *chart = loom_chart_new_waits ("Who waits for whom", "ranks");
  for (guint i = 0; i < G_N_ELEMENTS (waits); i++)
    loom_chart_add_wait (chart, &waits[i]);
  return chart;
}

LoomChart *
sample_charts_new (guint i)
{
  switch (i) {
  case 0: return sample_charts_new_pie ();
  case 1: return sample_charts_new_histogram ();
  case 2: return sample_charts_new_bars (FALSE);
  case 3: return sample_charts_new_bars (TRUE);
  case 4: return sample_charts_new_lines (60);
  case 5: return sample_charts_new_heat ();
  case 6: return sample_charts_new_matrix ();
  case 7: return sample_charts_new_columns (3, 8);
  case 8: return sample_charts_new_histogram_with_rest ();
  case 9: return sample_charts_new_single ();
  case 10: return sample_charts_new_stacks (8);
  case 11: return sample_charts_new_map ();
  case 12: return sample_charts_new_waits ();
  default: return sample_charts_new_few_slices ();
  }
}
