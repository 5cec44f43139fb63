/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-contrast.h"

#include <math.h>

#include "loom-conditions.h"

/* Takes the windows. */
static void
init (LoomContrast *contrast, const LoomFrame *frame, LoomWindows *during, LoomWindows *otherwise, LoomRowChoice choice)
{
  contrast->frame = frame;
  loom_root_cause_init (&contrast->during, frame, during, choice);
  loom_root_cause_init (&contrast->otherwise, frame, otherwise, choice);
  loom_windows_free (during);
  loom_windows_free (otherwise);
}

void
loom_contrast_init_bottlenecks (LoomContrast *contrast, const LoomFrame *frame, const LoomBottlenecks *bottlenecks)
{
  init (contrast, frame, loom_conditions_at_bottlenecks (frame, bottlenecks), loom_conditions_at_busy_gpus (frame, LOOM_SELECT_DIMENSION), LOOM_ROWS_ALL);
}

void
loom_contrast_init_outliers (LoomContrast *contrast, const LoomFrame *frame, const LoomStepDurations *steps)
{
  init (contrast, frame, loom_conditions_in_steps (frame, steps->outliers, steps->n_outliers),
        loom_conditions_in_steps (frame, steps->normal, steps->n_normal), LOOM_ROWS_NO_STEPS);
}

void
loom_contrast_clear (LoomContrast *contrast)
{
  loom_root_cause_clear (&contrast->during);
  loom_root_cause_clear (&contrast->otherwise);
}

double
loom_contrast_mean (const LoomRootCauseMetric *metric)
{
  return metric != NULL && metric->count > 0 ? (double) metric->total_ns / (double) metric->count : NAN;
}

double
loom_contrast_mean_otherwise (const LoomContrast *contrast, const LoomRootCauseMetric *metric)
{
  return loom_contrast_mean (loom_root_cause_find (&contrast->otherwise, metric->metric));
}

double
loom_contrast_ratio (const LoomContrast *contrast, const LoomRootCauseMetric *metric)
{
  double other = loom_contrast_mean_otherwise (contrast, metric);
  return other > 0 ? loom_contrast_mean (metric) / other : NAN;
}

double
loom_contrast_difference (const LoomContrast *contrast, const LoomRootCauseMetric *metric)
{
  return loom_contrast_mean (metric) - loom_contrast_mean_otherwise (contrast, metric);
}

gboolean
loom_contrast_is_suspect (const LoomContrast *contrast, const LoomRootCauseMetric *metric)
{
  return loom_contrast_ratio (contrast, metric) >= LOOM_CONTRAST_SUSPECT;
}
