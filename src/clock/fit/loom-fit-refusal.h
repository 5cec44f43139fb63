/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether a fitted line is credible. Reasons to refuse it, in the order of the checks: too few pairs; a drift that
 * no clock has; a step; most pairs contradict the line; the residuals are as large as the distance between occasions, so the
 * occasions need not be the same; the pairs agree far better if counted differently; the residuals wander like sums of
 * unrelated delays; a participant left before others arrived.
 *
 * A step is found in the medians of up to 16 stretches of the differences, without their common slope: it is a jump between
 * two neighbours by most of the difference of both sides. Wandering is measured by the ratio of von Neumann (1941): the mean
 * squared difference of successive residuals over twice their variance. It is near 1 for independent errors and near 0 for
 * a random walk.
 */
#pragma once

#include "loom-evidence.h"
#include "loom-fit-quality.h"

typedef struct {
  LoomEvidenceKind kind;
  guint n;               /* pairs, in order of time */
  const double *time_ns; /* times since the first pair */
  const double *residual_ns;
  const gboolean *rejected;
  guint n_rejected;
  double scale_ns; /* robust scale of the residuals that were not rejected */
  double unit_ns;  /* the least uncertainty of the evidence */
  double drift;
  gboolean is_one_off;                /* the pairs agree far better if each is compared with a neighbour's moment */
  guint n_ordered, n_early;           /* meetings and messages examined, and those that the line reverses */
  guint n_launches, n_early_launches; /* kernel launches examined, and those that the line reverses */
} LoomFitCandidate;

/* Returns the verdict; `why` is set to a sentence owned by the caller. Cost O(n). */
LoomFitQuality loom_fit_refusal_check (const LoomFitCandidate *judged, char **why);
