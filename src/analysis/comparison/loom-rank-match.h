/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rank of one run that does the same work as a rank of another run.
 */
#pragma once

#include "loom-step-breakdown.h"

/* Returns the rank of `second` that matches first->ranks[i]; NULL: there is none. Ranks match if their nodes and
 * numbers are equal. If only one rank of `second` has the number, the nodes need not be equal.
 *
 * If the number of a rank is only the id of its process (LoomRankSteps.is_process), it differs in every run. Therefore,
 * if both runs have equally many such processes on a node, these are matched by their order on the node. If the runs
 * have no node in common, but equally many processes, these are matched by their order in the run. Otherwise processes
 * match by node and number, like ranks. Ranks of unknown number match only if each run has a single rank. O(ranks), any
 * thread. */
const LoomRankSteps *loom_rank_match_find (const LoomStepBreakdown *first, guint i, const LoomStepBreakdown *second);
