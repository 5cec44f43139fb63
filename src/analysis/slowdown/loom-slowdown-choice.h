/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: chooses the kinds of operations, workers, rows and stages for which the slowdown is
 * computed. A large run has too many of them for a trial each. Any thread.
 */
#pragma once

#include "loom-slowdown-durations.h"
#include "loom-slowdown-model.h"

typedef struct {
  guint number;  /* index of the kind, worker, row or stage */
  double weight; /* those with the largest weights are chosen; usually ns */
} LoomSlowdownCandidate;

/* Sorts candidates (LoomSlowdownCandidate) by weight, largest first; those with equal weights by number. */
void loom_slowdown_choice_sort (GArray *candidates);

/* The functions below return an array of LoomSlowdownCandidate, owned by the caller. LoomSlowdownWorker.excess_ns of
 * the model's workers must be set, but for loom_slowdown_choice_list_kinds(). */

/* The kinds of operations whose measured durations differ most from the ideal durations, at most
 * LOOM_SLOWDOWN_MOST_KINDS. Skips kinds without operations. O(operations). */
GArray *loom_slowdown_choice_list_kinds (const LoomSlowdownModel *model, const LoomSlowdownDurations *durations);
/* All workers, in order of their numbers, with their excess_ns as weight. */
GArray *loom_slowdown_choice_list_excess (const LoomSlowdownModel *model);
/* The workers for which S (the slowdown) and the savings are computed, sorted by excess_ns, largest first. */
GArray *loom_slowdown_choice_list_workers (const LoomSlowdownModel *model);
/* The rows for which S is computed, sorted by number. They are chosen by the sum of the excess_ns of their workers.
 * `of_stages`: stages instead of rows. */
GArray *loom_slowdown_choice_list_parts (const LoomSlowdownModel *model, gboolean of_stages);
