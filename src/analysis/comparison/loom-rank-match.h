/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rank of one run that does the same work as a rank of another run.
 */
#pragma once

#include "loom-step-breakdown.h"

/* Returns the rank of `second` that matches first->ranks[i]; NULL: there is none. Ranks match by node and number or, if
 * only one rank of `second` has the number, by number alone. Ids of processes differ in every run: if both runs have
 * equally many processes on the node, they match by their order on it; if the runs have no node in common and equally
 * many processes, by their order in the run; otherwise like ranks. Ranks of unknown number match only if each run has a
 * single rank. O(ranks), any thread. */
const LoomRankSteps *loom_rank_match_find (const LoomStepBreakdown *first, guint i, const LoomStepBreakdown *second);
