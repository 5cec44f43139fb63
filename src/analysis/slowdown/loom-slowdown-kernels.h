/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: makes the model of a run (loom-slowdown-model.h) from the kernels of the devices and the
 * calls of the hosts.
 */
#pragma once

#include "loom-slowdown-model.h"

/* Fills the model; then the caller must call loom_slowdown_replay_close(). If the filled model has fewer than two
 * workers or two steps, nothing can be replayed. Returns FALSE when cancelled. */
gboolean loom_slowdown_kernels_read (LoomSlowdownModel *model, const LoomCollectives *collectives,
                                     GCancellable *cancellable);
