/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: finds the steps of a run that can be replayed. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Returns an array of const LoomStep *: the steps that have a number and a rank, and whose trace contains spans of
 * devices in the same format as the step. Other steps contain no kernels and cannot be replayed, for example the steps
 * of a second profiler that recorded for longer. Owned by the caller. */
GPtrArray *loom_slowdown_steps_list (const LoomSteps *steps, LoomRun *run);

/* Returns TRUE if the range ends at the time at which the first rank begins a step. Such a range was probably chosen by
 * step numbers (loom_steps_range()). O(steps). */
gboolean loom_slowdown_steps_end_range (const LoomSteps *steps, LoomRange range);

/* Returns TRUE if a step can be replayed because it is (almost) completely in the range. If some of its kernels were
 * outside of the range, a replay would find less lost time than the step has. `step`: range from the earliest start to
 * the latest end of the step on any rank. `is_of_steps`: result of loom_slowdown_steps_end_range(). If `is_of_steps` is
 * FALSE, almost the whole step must be in the range. If it is TRUE, the middle of the step must be in the range; this
 * is enough, because late ranks may end the step after the range, and the times of a step may differ slightly between
 * formats. */
gboolean loom_slowdown_steps_is_whole (LoomRange step, LoomRange range, gboolean is_of_steps);

/* Returns the length of a step in ns; 0 for a step without a start or without an end. */
static inline gint64
loom_slowdown_steps_get_length (LoomRange step)
{
  return step.begin_ns <= step.end_ns ? loom_time_sub (step.end_ns, step.begin_ns) : 0;
}

/* Returns the part of the step `step`, in ns, that is after the ends of all earlier steps. `until_ns`: before the call,
 * the latest end of the earlier steps (G_MININT64 for the first step); after the call, the latest end of these steps
 * and of `step`. */
static inline gint64
loom_slowdown_steps_take_new_time (LoomRange step, gint64 *until_ns)
{
  gint64 new_ns = loom_slowdown_steps_get_length ((LoomRange) { MAX (step.begin_ns, *until_ns), step.end_ns });
  if (step.begin_ns <= step.end_ns)
    *until_ns = MAX (*until_ns, step.end_ns);
  return new_ns;
}
