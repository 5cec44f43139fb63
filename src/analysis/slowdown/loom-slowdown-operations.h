/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the model of a run of Megatron, from the phases in its files.
 */
#pragma once

#include "loom-slowdown-model.h"

/* Fills the model; the caller must call loom_slowdown_replay_close(). If the model has fewer than two workers or steps
 * afterwards, nothing can be replayed. Returns FALSE when cancelled. */
gboolean loom_slowdown_operations_read (LoomSlowdownModel *model, LoomTimeline *timeline, LoomRange range,
                                        GCancellable *cancellable);
