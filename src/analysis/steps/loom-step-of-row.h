/* SPDX-License-Identifier: Apache-2.0
 *
 * Assigns each row to a step. Any thread; O((rows + steps) · log steps).
 *
 * If a row states a step number, it belongs to a step of its rank with this number. There may be several, because
 * training and evaluation may both count from 0: the row belongs to the one that contains it or is nearest to it. A
 * row without a number belongs to the step of its rank that strictly encloses it in time; of several such steps, to
 * the one with the lowest number. With LOOM_NUMBER_CONVENTION_SMDEBUG, the steps of all phases, nodes and ranks that
 * have the same number are one step, from their earliest start to their latest end.
 */
#pragma once

#include "loom-data-frame.h"

#define LOOM_NO_STEP G_MAXUINT32

typedef struct {
  /* [row] index of the step to which the row belongs, among the steps of single ranks; LOOM_NO_STEP: the row is
   * outside of steps. If numbers are computed as smdebug does, the number of the step in the file. */
  guint32 *on_rank;
  /* [index of a step of a rank] index of the step of the run; equal for the ranks that take the step together; NULL if
   * numbers are computed as smdebug does */
  guint32 *of_run;
  guint32 n_of_run;
  guint32 n_without; /* number of rows outside of steps */
} LoomStepOfRow;

void loom_step_of_row_init (LoomStepOfRow *steps, const LoomDataFrame *frame);
void loom_step_of_row_clear (LoomStepOfRow *steps);
