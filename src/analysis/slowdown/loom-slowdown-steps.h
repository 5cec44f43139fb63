/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: finds the steps of a run that can be replayed. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Returns an array of const LoomStep *. It contains the steps that have a number, provided that their trace contains
 * spans of devices in the format of the step. Other steps contain no kernels and cannot be replayed, for example the
 * steps of a second profiler that recorded for longer. Owned by the caller. */
GPtrArray *loom_slowdown_steps_list (const LoomSteps *steps, LoomRun *run);

/* Returns TRUE if the range ends at the time at which the first rank begins a step. Such a range was probably chosen by
 * step numbers (loom_steps_range()). O(steps). */
gboolean loom_slowdown_steps_end_range (const LoomSteps *steps, LoomRange range);

/* Returns TRUE if almost the whole step is in the range. For other steps, some kernels are outside of the range, so
 * that a replay would find less lost time than the step has. `step`: range from the earliest start to the latest end of
 * the step on any rank. `is_of_steps`: result of loom_slowdown_steps_end_range(). If it is TRUE, it is enough that the
 * middle of the step is in the range, because late ranks may end the step after the range, and the times of a step may
 * differ slightly between formats. */
gboolean loom_slowdown_steps_is_whole (LoomRange step, LoomRange range, gboolean is_of_steps);
