/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-next-profile.h"

LoomProfilerPlanRange
loom_next_profile_range (LoomSteps *steps, LoomRange range)
{
  guint n = 0;
  const LoomStep *all = steps != NULL ? loom_steps_get_reference (steps, &n) : NULL;
  gint64 first = -1, last = -1;
  for (guint i = 0; i < n; i++) {
    if (all[i].number < 0 || all[i].end_ns <= range.begin_ns || all[i].begin_ns >= range.end_ns)
      continue;
    first = first < 0 ? all[i].number : MIN (first, all[i].number);
    last = MAX (last, all[i].number);
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
