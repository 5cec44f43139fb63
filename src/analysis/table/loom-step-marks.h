/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: decides which rows of a LoomDataFrame are spans of steps, so that each step counts once for
 * each rank that takes it.
 */
#pragma once

#include "loom-steps.h"

/* Mark of a span that is not a row, because it is a further recording of a step: it is neither a step of its own nor
 * work in a step. */
#define LOOM_STEP_MARKS_AGAIN (1 << 7)

/* Sets the marks of the spans of steps of the format with most steps. Steps of other formats are further recordings of
 * the same steps. Of several recordings of a step on one rank, only the longest is marked as a step, because each
 * device of a host can record the step; the others get LOOM_STEP_MARKS_AGAIN. `marks`: [trace] NULL before the call;
 * for a trace with steps, this function stores an array: [span] LoomRowFlags or LOOM_STEP_MARKS_AGAIN. `numbers`:
 * receives, for each step that states a number, loom_data_frame_span_key() of its span → the number, plus 1.
 * O(steps). */
void loom_step_marks_set (const LoomSteps *steps, LoomRun *run, guint8 **marks, GHashTable *numbers);
