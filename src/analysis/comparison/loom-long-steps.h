/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds steps of a run that take much longer than its other steps, such as one stalled step among many of equal length,
 * and the rank and the part of its step that cause it. The length of a step is the mean over the ranks that take it.
 */
#pragma once

#include "loom-step-breakdown.h"

/* A long step takes longer than the limit of loom_statistics_get_robust_limit() of all steps, and than the median of all
 * steps by at least this share of it. */
#define LOOM_LONG_STEPS_LEAST 0.2

typedef struct {
  gint64 step;       /* its number, or its position in the run, counted from 1 */
  double length_ns;  /* mean over its ranks */
  double typical_ns; /* median of the lengths of all steps */
  gint rank;         /* the rank that the others wait for; −1: none, or unknown */
  /* Of this rank, or the mean over all ranks: the part that exceeds its median most, and by how much;
   * LOOM_STEP_BREAKDOWN_N_PARTS: not known, as no devices are recorded in the step. */
  LoomStepBreakdownPart part;
  double part_ns;
} LoomLongStep;

/* Returns LoomLongStep, the longest first, owned by the caller; empty if there are none. With `by_position`, step n of each
 * rank is its n-th, else steps without a number are omitted. O(steps of all ranks), for each long step O(ranks); any
 * thread. */
GArray *loom_long_steps_find (const LoomStepBreakdown *breakdown, gboolean by_position);

/* Returns how much longer the steps of the array are than typical ones, in all, ns. */
double loom_long_steps_sum_excess (const GArray *steps);

/* Gets the mean length of a step over its ranks, ns; FALSE: no rank has the step. O(ranks · steps). */
gboolean loom_long_steps_measure (const LoomStepBreakdown *breakdown, gboolean by_position, gint64 step,
                                  double *length_ns);
