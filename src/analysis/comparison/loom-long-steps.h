/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the steps of a run that take much longer than its other steps, such as one stalled step among many of equal
 * length. For each long step, also finds which rank and which part of the step (loom-step-breakdown.h) cause the
 * excess. The length of a step is the mean over the ranks that have the step.
 */
#pragma once

#include "loom-step-breakdown.h"

/* A step is long if two conditions hold: its length exceeds the limit that loom_statistics_get_robust_limit() computes
 * from the lengths of all steps; and its length exceeds the median length by at least a share of the median, which is
 * usually this share. */
#define LOOM_LONG_STEPS_LEAST 0.2

typedef struct {
  gint64 step;         /* number of the step or, if steps are matched by position, its position in the run, from 1 */
  double length_ns;    /* mean length of the step over the ranks that have it */
  double typical_ns;   /* median of the lengths of all steps */
  gint rank;           /* the rank that alone causes the excess over typical_ns; −1: there is no such rank */
  gboolean is_process; /* TRUE if `rank` is the id of a process: loom-track-rank.h */
  const char *node;    /* node of `rank`, borrowed from the run; NULL: unknown, or `rank` is −1 */
  /* `part`: the part of the step that exceeds its own median most, on the rank `rank` or, if `rank` is −1, in the mean
   * of all ranks. LOOM_STEP_BREAKDOWN_N_PARTS: unknown, because no part exceeds its median, for example if no devices
   * are recorded in the step. `part_ns`: by how many ns this part exceeds its median. */
  LoomStepBreakdownPart part;
  double part_ns;
} LoomLongStep;

/* Returns the long steps (LoomLongStep), longest first; empty if there are none. `least`: the share of the median by
 * which the length of a long step exceeds the median at least. If `by_position` is FALSE, steps of
 * different ranks are matched by number, and steps without a number are omitted. If it is TRUE, steps are matched by
 * position. Owned by the caller. O(steps of all ranks), and O(ranks) for each long step; any thread. */
GArray *loom_long_steps_find (const LoomStepBreakdown *breakdown, gboolean by_position, double least);

/* Returns the sum over the array (LoomLongStep) of the time by which a long step exceeds the typical step, in ns. */
double loom_long_steps_sum_excess (const GArray *steps);

/* Sets `length_ns` to the mean length of a step over the ranks that have it. Returns FALSE if no rank has it.
 * O(ranks · steps). */
gboolean loom_long_steps_measure (const LoomStepBreakdown *breakdown, gboolean by_position, gint64 step,
                                  double *length_ns);
