/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: compares the kernels of stragglers with those of other ranks.
 */
#pragma once

#include "loom-slowdown-model.h"

/* Returns an array of LoomSlowdownCause: one for each of the first LOOM_SLOWDOWN_CAUSE_MOST stragglers of `slowdown`, in
 * their order. Empty if the operations are not kernels. Owned by the caller. O(operations + names · ranks) for each
 * straggler. */
GArray *loom_slowdown_comparison_run (const LoomSlowdownModel *model, const LoomSlowdown *slowdown);
