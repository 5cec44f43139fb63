/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: compares the kernels of stragglers with those of other ranks.
 */
#pragma once

#include "loom-slowdown-model.h"

/* Returns LoomSlowdown.causes. Empty if the operations are not kernels; NULL when cancelled. Owned by the caller.
 * O(operations + names · ranks) for each cause. */
GArray *loom_slowdown_comparison_run (const LoomSlowdownModel *model, const LoomSlowdown *slowdown,
                                      GCancellable *cancellable);
