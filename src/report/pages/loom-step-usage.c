/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the histograms of device usage to the page "Steps". The interface is described in loom-step-usage.h.
 */
#include "loom-step-usage.h"

#include <glib/gi18n.h>

#include "loom-histogram-chart.h"
#include "loom-step-utilization.h"

/* Returns the range from the start of the first step to the end of the last step. */
static LoomRange
range_of_steps (const LoomPageInput *input, const guint32 *rows, guint n)
{
  LoomRange range = { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < n; i++) {
    LoomRange step = loom_page_row_range (input, rows[i]);
    range = (LoomRange) { MIN (range.begin_ns, step.begin_ns), MAX (range.end_ns, step.end_ns) };
  }
  return range;
}

/* Adds a chart of device usage to the page, which takes ownership of the chart; adds nothing if `chart` is NULL. Sets
 * the targets of the chart's elements to `range`. */
static void
take_usage (LoomPageContent *sheet, LoomChart *chart, LoomRange range)
{
  if (chart == NULL)
    return;
  guint n = loom_chart_get_n_elements (chart);
  loom_page_content_take_chart (sheet, chart, FALSE);
  loom_page_content_set_places (sheet, n, range);
}

static LoomChart *
new_usage (const char *title, const LoomHistogram *histogram)
{
  return loom_histogram_chart_new (title, C_ ("chart", "utilization"), "%", C_ ("chart", "samples"), histogram);
}

/* Adds histograms of usage in outlier steps and in normal steps, side by side. */
static void
add_usage_pair (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepDurations *durations,
                const char *title, const LoomHistogram *outliers, const char *title_of_normal,
                const LoomHistogram *normal)
{
  LoomChart *charts[] = { new_usage (title, outliers), new_usage (title_of_normal, normal) };
  loom_chart_share_axes (charts, G_N_ELEMENTS (charts));
  take_usage (sheet, charts[0], range_of_steps (input, durations->outliers, durations->n_outliers));
  take_usage (sheet, charts[1], range_of_steps (input, durations->normal, durations->n_normal));
}

void
loom_step_usage_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepDurations *durations)
{
  const char *why = loom_data_frame_get_n_samples (input->frame) == 0 ? loom_page_no_device (input, LOOM_DEVICE_GPU)
                                                                      : loom_page_no_loop (input);
  LoomStepUtilization outliers, normal;
  if (why != NULL) {
    loom_page_content_add_missing (sheet, why);
    return;
  }
  loom_step_utilization_init_pair (&outliers, &normal, input->frame, durations, LOOM_SELECT_DIMENSION);
  add_usage_pair (sheet, input, durations, _ ("GPU utilization in outlier steps"), &outliers.gpu,
                  _ ("GPU utilization in normal steps"), &normal.gpu);
  add_usage_pair (sheet, input, durations, _ ("CPU utilization in outlier steps"), &outliers.cpu,
                  _ ("CPU utilization in normal steps"), &normal.cpu);
  if (outliers.gpu.n + outliers.cpu.n == 0)
    loom_page_content_add_note (sheet, _ ("No sample of system metrics lies in an outlier step."));
  loom_step_utilization_clear (&outliers);
  loom_step_utilization_clear (&normal);
}
