/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-contrast.h"

#include <math.h>

#include "loom-conditions.h"

/* `except`: what touches it is not counted otherwise. `beyond`: see loom_contrast_is_only_then(). All are taken. */
typedef struct {
  LoomWindows *during, *otherwise, *except, *beyond;
} Conditions;

static gboolean
is_as_written (const LoomFrame *frame)
{
  return loom_frame_get_numbers (frame) == LOOM_NUMBERS_SMDEBUG;
}

static void
init (LoomContrast *contrast, const LoomFrame *frame, Conditions when, LoomRowChoice choice)
{
  contrast->frame = frame;
  loom_root_cause_init (&contrast->during, frame, when.during, choice);
  loom_root_cause_init_without (&contrast->otherwise, frame, when.otherwise, is_as_written (frame) ? NULL : when.except,
                                choice);
  loom_root_cause_init (&contrast->beyond, frame, when.beyond, choice);
  loom_windows_free (when.during);
  loom_windows_free (when.otherwise);
  loom_windows_free (when.except);
  loom_windows_free (when.beyond);
}

void
loom_contrast_init_bottlenecks (LoomContrast *contrast, const LoomFrame *frame, const LoomBottlenecks *bottlenecks)
{
  Conditions when = { .during = loom_conditions_at_bottlenecks (frame, bottlenecks) };
  when.otherwise = is_as_written (frame) ? loom_conditions_at_busy_gpus (frame, LOOM_SELECT_DIMENSION)
                                         : loom_conditions_while_sampled (frame, LOOM_SELECT_DIMENSION);
  when.except = loom_conditions_at_bottlenecks_of_any_host (bottlenecks);
  when.beyond = loom_conditions_clear_of_bottlenecks (frame, when.during, LOOM_SELECT_DIMENSION);
  init (contrast, frame, when, LOOM_ROWS_ALL);
}

void
loom_contrast_init_outliers (LoomContrast *contrast, const LoomFrame *frame, const LoomStepDurations *steps)
{
  const Conditions when = { .during = loom_conditions_in_steps (frame, steps->outliers, steps->n_outliers),
                            .otherwise = loom_conditions_in_steps (frame, steps->normal, steps->n_normal),
                            .except = loom_conditions_in_steps (frame, steps->outliers, steps->n_outliers),
                            .beyond = loom_conditions_in_steps (frame, steps->normal, steps->n_normal) };
  init (contrast, frame, when, LOOM_ROWS_NO_STEPS);
}

void
loom_contrast_clear (LoomContrast *contrast)
{
  loom_root_cause_clear (&contrast->during);
  loom_root_cause_clear (&contrast->otherwise);
  loom_root_cause_clear (&contrast->beyond);
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
  double other = loom_contrast_is_only_then (contrast, metric) ? 0 : loom_contrast_mean_otherwise (contrast, metric);
  return loom_contrast_mean (metric) - other;
}

gboolean
loom_contrast_is_only_then (const LoomContrast *contrast, const LoomRootCauseMetric *metric)
{
  if (is_as_written (contrast->frame))
    return FALSE; /* otherwise is not the rest of the time */
  if (metric->in_range_ns < metric->total_ns / 2)
    return FALSE; /* most of it lies outside of the range, where bottlenecks are not looked for */
  return loom_root_cause_find (&contrast->otherwise, metric->metric) == NULL &&
         loom_root_cause_find (&contrast->beyond, metric->metric) == NULL;
}

gboolean
loom_contrast_is_named_first (const LoomContrast *contrast, const LoomRootCauseMetric *metric)
{
  double most_ns = (double) contrast->during.metrics[0].in_range_ns;
  return (double) metric->in_range_ns >= LOOM_CONTRAST_NAMED * most_ns && loom_contrast_is_only_then (contrast, metric);
}

gboolean
loom_contrast_is_suspect (const LoomContrast *contrast, const LoomRootCauseMetric *metric)
{
  return loom_contrast_ratio (contrast, metric) >= LOOM_CONTRAST_SUSPECT;
}
