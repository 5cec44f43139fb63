/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether a fitted line is credible. Reasons to refuse it, in the order of the checks: too few pairs; a drift
 * that no clock has; a step; most pairs contradict the line; the residuals are as large as the distance between events,
 * so the events need not be the same; the pairs agree far better if counted differently; the residuals wander like sums
 * of unrelated delays; a participant left before others arrived.
 *
 * A step is found in the medians of up to 16 consecutive segments of the differences, without their common slope: it is
 * a jump between two neighbours by most of the difference of both sides. Wandering is measured by the ratio of von
 * Neumann (1941): the mean squared difference of successive residuals over twice their variance. It is near 1 for
 * independent errors and near 0 for a random walk.
 */
#pragma once

#include "loom-evidence.h"
#include "loom-fit-quality.h"

typedef struct {
  LoomEvidenceKind kind;
  guint n;               /* number of pairs; the arrays below are in order of time */
  const double *time_ns; /* [pair] time in ns since the first pair */
  const double *residual_ns;
  const gboolean *rejected;
  guint n_rejected;
  double scale_ns; /* robust standard deviation of the residuals, see loom_robust_line_scale() */
  double unit_ns;  /* least uncertainty of the pairs */
  double drift;
  /* TRUE if the pairs agree far better when the readings of one clock are shifted by a few events */
  gboolean is_one_off;
  /* `n_ordered`: number of examined collectives and messages; `n_early`: number of those in which the line puts an
   * event before its cause */
  guint n_ordered, n_early;
  /* `n_launches`: number of examined launches of kernels; `n_early_launches`: number of those in which the line puts
   * the kernel before its launch */
  guint n_launches, n_early_launches;
} LoomFitCandidate;

/* Returns the verdict on a line. `why` receives a sentence with the reason, owned by the caller. O(n). */
LoomFitQuality loom_fit_refusal_check (const LoomFitCandidate *judged, char **why);
