/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a frame, told apart by rank, phase and number, and which of them are one step of the run.
 *
 * Ranks take the same step together: the steps of two ranks are one when phase (training, evaluation...), number, and how
 * often that number came before in that phase on its rank are equal. Numbers come again when a job resumes from a
 * checkpoint, or when each epoch counts from 0. Any thread; O(rows + steps · log steps).
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

/* A step of one rank. */
typedef struct {
  guint32 row;        /* of the frame: its span */
  guint32 worker;     /* of the row */
  gint32 number;      /* of the row, −1 not stated */
  guint32 step;       /* of the run, below n_steps */
  guint32 phase;      /* text id of the frame */
  guint32 occurrence; /* how often its number came before */
  gint64 begin_ns, end_ns;
} LoomRankStep;

typedef struct {
  LoomRankStep *items; /* by worker, number, begin */
  guint32 n;
  guint32 *first;  /* by worker of the frame: its first item; one more holds n */
  guint32 n_steps; /* of the run */
  guint n_ranks;   /* workers that have steps */
} LoomStepIndex;

/* Of the rows that have one of the flags: LOOM_ROW_STEP or LOOM_ROW_TRAIN. */
void loom_step_index_init (LoomStepIndex *index, const LoomDataFrame *frame, LoomRowFlags flags);
void loom_step_index_clear (LoomStepIndex *index);

/* Of the worker's steps with that number, the last one that begins before begin_ns or the next one: the one that holds more of
 * [begin_ns, end_ns], or is nearer to it. Index into the items; G_MAXUINT32 when no step has the number. O(log steps). */
guint32 loom_step_index_find (const LoomStepIndex *index, guint32 worker, gint32 number, gint64 begin_ns,
                              gint64 end_ns);

G_END_DECLS
