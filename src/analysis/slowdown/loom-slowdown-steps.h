/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: the steps of a run that can be replayed. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Returns the numbered steps whose format records devices in their trace, as an array of const LoomStep *. Other steps
 * are omitted: for example, steps of a second profiler that recorded for longer contain no kernels that could be
 * replayed. Owned by the caller. */
GPtrArray *loom_slowdown_steps_list (const LoomSteps *steps, LoomRun *run);

/* Returns TRUE if the range ends when the first rank begins a step: it was probably chosen by the numbers of steps
 * (loom_steps_range()). O(steps). */
gboolean loom_slowdown_steps_end_range (const LoomSteps *steps, LoomRange range);

/* Returns TRUE if a step, from its earliest start to its latest end on any rank, lies almost completely in the range.
 * Otherwise the range cuts the step: some of its kernels are missing, so that a replay would find less lost time than
 * the step has. `is_of_steps`: the result of loom_slowdown_steps_end_range(). If TRUE, only the middle of the step must
 * be in the range, because late ranks may end the step after the end of the range, and other formats may state slightly
 * different times. */
gboolean loom_slowdown_steps_is_whole (LoomRange step, LoomRange range, gboolean is_of_steps);
