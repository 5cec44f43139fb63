/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether a fitted line is credible. Reasons to refuse a line, in the order of the checks: too few pairs; a
 * drift that no clock has; a jump of the clock; most pairs contradict the line; the residuals are as large as the time
 * between events, so the paired events may be different ones; the pairs agree far better if the events are counted
 * differently; successive residuals depend on one another, as sums of unrelated delays do; a rank left a collective
 * before other ranks arrived.
 *
 * To find a jump, the residuals are divided into up to 16 consecutive stretches, and their common slope is removed.
 * The clock has jumped if the medians of two neighbouring stretches differ by most of the difference between the
 * residuals before and after. The dependence of successive residuals is measured by the ratio of von Neumann (1941):
 * the mean squared difference of successive residuals divided by twice their variance. It is near 1 for independent
 * errors and near 0 for a random walk.
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
