/* SPDX-License-Identifier: Apache-2.0
 *
 * Assigns each row to a step. Any thread; O((rows + steps) · log steps).
 *
 * If a row states a step number, the row belongs to a step of its rank with this number. There may be several such
 * steps, because training and evaluation may both count from 0. In this case, the row belongs to the step that contains
 * the time of the row; if no step contains it, to the nearest step.
 *
 * A row without a number belongs to the step of its rank that strictly encloses the time of the row; if several steps
 * do, to the step with the lowest number.
 *
 * With LOOM_NUMBER_CONVENTION_SMDEBUG, all steps with the same number are one step, whatever their phases, nodes and
 * ranks are. This step lasts from the earliest start to the latest end of these steps.
 */
#pragma once

#include "loom-data-frame.h"

#define LOOM_NO_STEP G_MAXUINT32

typedef struct {
  /* For each row of the LoomDataFrame, the index of its step in the list of all steps of all ranks; LOOM_NO_STEP if the
   * row is outside of steps. With LOOM_NUMBER_CONVENTION_SMDEBUG: the step number that the file states. */
  guint32 *on_rank;
  /* array indexed by a value of `on_rank`: the index of the step of the run to which this step of a rank belongs. A
   * step of the run consists of the steps that several ranks take at the same time. NULL if numbers are computed as
   * smdebug does. */
  guint32 *of_run;
  guint32 n_of_run;
  guint32 n_without; /* number of rows outside of steps */
} LoomStepOfRow;

void loom_step_of_row_init (LoomStepOfRow *steps, const LoomDataFrame *frame);
void loom_step_of_row_clear (LoomStepOfRow *steps);
