/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks whether a fitted line is credible.
 *
 * Reasons to refuse a line, in the order of the checks: there are too few pairs of times; the drift is larger than that
 * of any real clock; the clock has jumped; most pairs contradict the line; the residuals are as large as the time
 * between events, so the pairs may consist of different events; the pairs agree far better if each event is paired with
 * a neighbour of its present partner; successive residuals depend on each other, as sums of unrelated delays do; a rank
 * left a collective before other ranks arrived.
 *
 * To find a jump, the residuals are divided into up to 16 consecutive stretches, and their common slope is removed. The
 * clock has jumped if the difference between the medians of two neighbouring stretches is most of the difference
 * between the median of all residuals before them and the median of all residuals after them.
 *
 * How much successive residuals depend on each other is measured by the ratio of von Neumann (1941): the mean squared
 * difference of successive residuals, divided by twice their variance. It is near 1 for independent errors, and near 0
 * for a random walk.
 */
#pragma once

#include "loom-evidence.h"
#include "loom-fit-quality.h"

typedef struct {
  LoomEvidenceKind kind;
  /* number of pairs of times on two clocks; the arrays below have one element per pair, in order of time */
  guint n;
  const double *time_ns; /* time in ns since the first pair */
  const double *residual_ns;
  const gboolean *rejected;
  guint n_rejected;
  double scale_ns; /* robust standard deviation of the residuals in ns, see loom_robust_line_scale() */
  double unit_ns;  /* smallest uncertainty of a pair of times, in ns */
  double drift;
  /* TRUE if the pairs agree far better when the readings of one clock are shifted by a few events, so that the
   * clocks probably count the events differently */
  gboolean is_one_off;
  /* `n_ordered`: number of examined collectives and messages. `n_early`: number of those in which an event precedes
   * its cause according to the line. */
  guint n_ordered, n_early;
  /* `n_launches`: number of examined launches of kernels. `n_early_launches`: number of those in which the kernel
   * starts before its launch according to the line. */
  guint n_launches, n_early_launches;
} LoomFitCandidate;

/* Returns the quality of a line. Sets `why` to a sentence with the reason, owned by the caller. O(n). */
LoomFitQuality loom_fit_refusal_check (const LoomFitCandidate *judged, char **why);
