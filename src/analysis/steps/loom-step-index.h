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
  guint32 row;        /* row of the frame; has the span */
  guint32 worker;     /* worker of the row */
  gint32 number;      /* number in the row; −1: not stated */
  guint32 step;       /* number of the step of the run, below n_steps */
  guint32 phase;      /* text id of the frame */
  guint32 occurrence; /* how many earlier steps of the rank have the same phase and number */
  gint64 begin_ns, end_ns;
} LoomRankStep;

typedef struct {
  LoomRankStep *items; /* sorted by worker, number, start */
  guint32 n;
  guint32 *first;  /* [worker of the frame] → its first item; the last element is n */
  guint32 n_steps; /* steps of the run */
  guint n_ranks;   /* number of workers that have steps */
} LoomStepIndex;

/* Uses the rows that have one of the flags: LOOM_ROW_STEP or LOOM_ROW_TRAIN. */
void loom_step_index_init (LoomStepIndex *index, const LoomDataFrame *frame, LoomRowFlags flags);
void loom_step_index_clear (LoomStepIndex *index);

/* Finds the step to which [begin_ns, end_ns) belongs, among the worker's steps with this number. There are two
 * candidates: the last such step that begins before begin_ns, and the next one. The candidate that overlaps the range
 * more is chosen; if none overlaps it, the nearer one. Returns its index into the items; G_MAXUINT32 if no step has the
 * number. O(log steps). */
guint32 loom_step_index_find (const LoomStepIndex *index, guint32 worker, gint32 number, gint64 begin_ns,
                              gint64 end_ns);
