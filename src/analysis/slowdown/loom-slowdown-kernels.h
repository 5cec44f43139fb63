/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: makes the model of a run (loom-slowdown-model.h) from the kernels of its devices and the
 * calls of its hosts.
 */
#pragma once

#include "loom-slowdown-model.h"

/* Fills the model; the caller must call loom_slowdown_replay_close(). If the model has fewer than two workers or steps
 * afterwards, nothing can be replayed. Returns FALSE when cancelled. */
gboolean loom_slowdown_kernels_read (LoomSlowdownModel *model, const LoomCollectives *collectives,
                                     GCancellable *cancellable);
