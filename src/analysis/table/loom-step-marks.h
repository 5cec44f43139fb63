/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: which rows of a LoomDataFrame are spans of steps, so that each step counts once for each rank
 * that takes it.
 */
#pragma once

#include "loom-steps.h"

/* Sets the marks of the spans of steps of the format with most steps. Steps of other formats are ignored, because they
 * are further recordings of the same steps; so are all but the longest recording of a step on a rank, because each
 * device of a host can record it. `marks`: [trace][span] LoomRowFlags; arrays are made for traces with steps, all are
 * NULL at first. `numbers`: gets the number of each step that states one, plus 1, by loom_data_frame_span_key().
 * O(steps). */
void loom_step_marks_set (const LoomSteps *steps, LoomRun *run, guint8 **marks, GHashTable *numbers);
