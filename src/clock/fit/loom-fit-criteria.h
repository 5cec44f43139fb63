/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a fitted line may be believed. The reasons to refuse it, in the order they are looked at: too few pairs; a drift no
 * clock has; a step in the middle; most pairs contradict it; what is left is as large as the distance between the
 * occasions, so that they need not be the same ones; another count of them agrees far better; what is left wanders, as sums of unrelated delays do; somebody left
 * before others came.
 *
 * A step: medians of up to 16 stretches of the differences, their common slope removed, jump between two neighbours by most
 * of what the two sides differ by. Wandering: the ratio of von Neumann (1941), the mean squared difference of successive
 * residuals over twice their variance, near 1 for independent errors and near 0 for a random walk.
 */
#pragma once

#include "loom-evidence.h"
#include "loom-fit-quality.h"

typedef struct {
  LoomEvidenceKind kind;
  guint n;               /* pairs, in order of time */
  const double *time_ns; /* since the first */
  const double *residual_ns;
  const gboolean *rejected;
  guint n_rejected;
  double scale_ns; /* of the residuals that were not rejected, robust */
  double unit_ns;  /* the least uncertainty of the evidence */
  double drift;
  gboolean is_one_off;                /* the pairs agree far better when each is moved by some places */
  guint n_ordered, n_early;           /* meetings and messages looked at; those the line turns round */
  guint n_launches, n_early_launches; /* likewise, of kernels */
} LoomFitCandidate;

/* The verdict and a sentence, owned. Cost O(n). */
LoomFitQuality loom_fit_criteria (const LoomFitCandidate *judged, char **why);
