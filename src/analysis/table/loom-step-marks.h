/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds which rows of a LoomDataFrame are spans of steps, so that each step counts once for
 * each rank that takes the step. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Mark of a span that records a step again. Such a span does not become a row: it is not another step, and it is not
 * work inside a step. */
#define LOOM_STEP_MARKS_AGAIN (1 << 7)

/* Sets the marks of the spans that record steps. Only steps of one format are marked as steps, namely of the format
 * with most steps; steps of other formats count as additional recordings of these steps. If a rank has several
 * recordings of a step, for example one for each device, only the longest is marked as a step; the others get
 * LOOM_STEP_MARKS_AGAIN. `marks`: an array with one element per trace, NULL before the call. For a trace with steps,
 * the function sets the element to an array with one mark per span: LoomRowFlags or LOOM_STEP_MARKS_AGAIN. `numbers`:
 * for each step with a number, receives the key loom_data_frame_span_key() of its span, with the number plus 1 as
 * value. O(steps). */
void loom_step_marks_set (const LoomSteps *steps, LoomRun *run, guint8 **marks, GHashTable *numbers);
