/* SPDX-License-Identifier: Apache-2.0
 *
 * The step each row belongs to. formats/analysis.md §11. Any thread; O((rows + steps) · log steps).
 *
 * A row that states a number belongs to the step of its rank with that number which holds it or is nearest to it, since
 * training and evaluation may both count from 0. A row without a number belongs to the step of its rank that strictly
 * encloses it in time; where several do, to the one with the lowest number. As written a step is a number, whatever
 * phase, node and rank, from the earliest begin to the latest end.
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

#define LOOM_NO_STEP G_MAXUINT32

typedef struct {
  guint32 *on_rank; /* by row: which step of its rank; LOOM_NO_STEP. As written the number */
  guint32
    *of_run; /* by step of a rank: which step of the run, equal for ranks that take it together. NULL as written */
  guint32 n_of_run;
  guint32 n_without; /* rows in no step */
} LoomStepOfRow;

void loom_step_of_row_init (LoomStepOfRow *steps, const LoomDataFrame *frame);
void loom_step_of_row_clear (LoomStepOfRow *steps);

G_END_DECLS
