/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts a time range to a range of training steps for the next profile (loom-next-profile.h).
 */
#include "loom-next-profile.h"

LoomProfilerPlanRange
loom_next_profile_range (LoomSteps *steps, LoomRange range)
{
  gint64 first = -1, last = -1;
  for (guint i = 0; steps != NULL && i < steps->n_reference; i++) {
    const LoomStep *step = &steps->reference[i];
    if (step->number < 0 || step->end_ns <= range.begin_ns || step->begin_ns >= range.end_ns)
      continue;
    first = first < 0 ? step->number : MIN (first, step->number);
    last = MAX (last, step->number);
  }
  if (first >= 0)
    return (LoomProfilerPlanRange) {
      .has_start_step = TRUE, .has_n_steps = TRUE, .start_step = first, .n_steps = last - first + 1
    };
  return (LoomProfilerPlanRange) {
    .has_start_s = TRUE,
    .has_duration = TRUE,
    .start_s = range.begin_ns / LOOM_NS_PER_S,
    .duration_s = (double) MAX (loom_time_sub (range.end_ns, range.begin_ns), LOOM_NS_PER_MS) / LOOM_NS_PER_S
  };
}
