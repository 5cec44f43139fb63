/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a LoomDataFrame by rank, phase and number. Also finds which steps of several ranks are one step of the
 * run.
 *
 * Ranks take a step of the run together. Steps of two ranks are joined to one step of the run if they have the same
 * phase (training, evaluation...), the same number and the same occurrence. The occurrence of a step is the number of
 * earlier steps with the same phase and number on the same rank. Numbers repeat if a job resumes from a checkpoint, or
 * if each epoch counts from 0. Any thread; O(rows + steps · log steps).
 */
#pragma once

#include "loom-data-frame.h"

/* A step of one rank; several ranks may take a step of the run together. */
typedef struct {
  guint32 row;    /* the row of the LoomDataFrame that is the span of the step */
  guint32 worker; /* index of the row's worker in the LoomDataFrame */
  gint32 number;  /* the number that the row states for the step; −1 if it states no number */
  /* index of the step of the run to which this step belongs; less than LoomStepIndex.n_steps */
  guint32 step;
  guint32 phase;      /* id of the phase in the texts of the LoomDataFrame */
  guint32 occurrence; /* number of earlier steps of this rank with the same phase and number */
  gint64 begin_ns, end_ns;
} LoomRankStep;

typedef struct {
  LoomRankStep *items; /* sorted by worker, number and start */
  guint32 n;
  guint32 *first;  /* for each worker, the index of its first item; after the last worker, the number of items */
  guint32 n_steps; /* number of steps of the run; a step of several ranks counts once */
  guint n_ranks;   /* number of ranks (workers of the LoomDataFrame) that have steps */
} LoomStepIndex;

/* Lists the steps of all ranks. `flags`: LOOM_ROW_STEP for steps of all modes, LOOM_ROW_TRAIN for training steps. */
void loom_step_index_init (LoomStepIndex *index, const LoomDataFrame *frame, LoomRowFlags flags);
void loom_step_index_clear (LoomStepIndex *index);

/* Finds the step to which the time range [begin_ns, end_ns) belongs, among those of the worker's items that have the
 * number `number`. There are two candidates: the last item that begins before begin_ns, and the next one. Chooses the
 * one that overlaps the range more; if none overlaps it, the one that is nearer. Returns the index of the item;
 * G_MAXUINT32 if no item has the number. O(log steps). */
guint32 loom_step_index_find (const LoomStepIndex *index, guint32 worker, gint32 number, gint64 begin_ns,
                              gint64 end_ns);
