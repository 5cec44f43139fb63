/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a LoomDataFrame by rank, phase and number, and which of them are the same step of the run.
 *
 * Ranks take the same step together: steps of two ranks are the same step if they have equal phases (training,
 * evaluation...), equal numbers, and equally many earlier steps of the same number in that phase on their rank. Numbers
 * repeat if a job resumes from a checkpoint, or if each epoch counts from 0. Any thread; O(rows + steps · log steps).
 */
#pragma once

#include "loom-data-frame.h"

/* A step of one rank. */
typedef struct {
  guint32 row;    /* the row of the LoomDataFrame that is the span of the step */
  guint32 worker; /* index of the row's worker in the LoomDataFrame */
  gint32 number;  /* number that the row states for the step; −1: it states none */
  /* index of the step of the run, which several ranks may take together; below LoomStepIndex.n_steps */
  guint32 step;
  guint32 phase;      /* id of the phase in the texts of the LoomDataFrame */
  guint32 occurrence; /* number of earlier steps of this rank with the same phase and number */
  gint64 begin_ns, end_ns;
} LoomRankStep;

typedef struct {
  LoomRankStep *items; /* sorted by worker, number and start */
  guint32 n;
  guint32 *first;  /* [worker] index of the worker's first item; the last element is the length of `items` */
  guint32 n_steps; /* number of steps of the run; a step of several ranks counts once */
  guint n_ranks;   /* number of workers that have steps */
} LoomStepIndex;

/* Lists the steps of all ranks. `flags`: LOOM_ROW_STEP for steps of all modes, LOOM_ROW_TRAIN for training steps. */
void loom_step_index_init (LoomStepIndex *index, const LoomDataFrame *frame, LoomRowFlags flags);
void loom_step_index_clear (LoomStepIndex *index);

/* Returns the index of the item to which the time range [begin_ns, end_ns) belongs, among the worker's items with the
 * number `number`. There are two candidates among these items: the last one that begins before begin_ns, and the one
 * after it. The candidate that overlaps the range more is chosen; if neither overlaps the range, the candidate that is
 * nearer to it. G_MAXUINT32: no item has the number. O(log steps). */
guint32 loom_step_index_find (const LoomStepIndex *index, guint32 worker, gint32 number, gint64 begin_ns,
                              gint64 end_ns);
