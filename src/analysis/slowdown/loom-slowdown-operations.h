/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: makes the model of a run (loom-slowdown-model.h) from the spans of the phases that Megatron
 * records.
 */
#pragma once

#include "loom-slowdown-model.h"

/* Fills the model; then the caller must call loom_slowdown_replay_close(). If the filled model has fewer than two
 * workers or two steps, nothing can be replayed. Returns FALSE when cancelled. */
gboolean loom_slowdown_operations_read (LoomSlowdownModel *model, LoomTimeline *timeline, LoomRange range,
                                        GCancellable *cancellable);
