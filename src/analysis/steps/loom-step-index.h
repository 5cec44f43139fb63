/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a frame by rank, phase and number, and which of them are the same step of the run.
 *
 * Ranks take the same step together: steps of two ranks are the same step if they have equal phases (training,
 * evaluation...), equal numbers, and equally many earlier steps of the same number in that phase on their rank. Numbers
 * repeat if a job resumes from a checkpoint, or if each epoch counts from 0. Any thread; O(rows + steps · log steps).
 */
#pragma once

#include "loom-data-frame.h"

/* A step of one rank. */
typedef struct {
  guint32 row;        /* row of the frame, which has the span */
  guint32 worker;     /* worker of the row */
  gint32 number;      /* number in the row; −1: not stated */
  guint32 step;       /* number of the step of the run, below n_steps */
  guint32 phase;      /* text id of the frame */
  guint32 occurrence; /* number of earlier steps of the rank with the same phase and number */
  gint64 begin_ns, end_ns;
} LoomRankStep;

typedef struct {
  LoomRankStep *items; /* sorted by worker, number, start */
  guint32 n;
  guint32 *first;  /* [worker of the frame] index of its first item; the last element is n */
  guint32 n_steps; /* number of steps of the run; a step of several ranks counts once */
  guint n_ranks;   /* number of workers that have steps */
} LoomStepIndex;

/* Lists the steps of all ranks. `flags`: LOOM_ROW_STEP for steps of all modes, LOOM_ROW_TRAIN for training steps. */
void loom_step_index_init (LoomStepIndex *index, const LoomDataFrame *frame, LoomRowFlags flags);
void loom_step_index_clear (LoomStepIndex *index);

/* Returns the index of the item to which [begin_ns, end_ns) belongs, among the worker's items with this number.
 * There are two candidates: the last such item that begins before begin_ns, and the next one. The candidate that
 * overlaps the range more is chosen; if both don't overlap it, the nearer one. G_MAXUINT32: no item has the number.
 * O(log steps). */
guint32 loom_step_index_find (const LoomStepIndex *index, guint32 worker, gint32 number, gint64 begin_ns,
                              gint64 end_ns);
