/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the model of a run from the kernels of its devices and the host's calls.
 */
#pragma once

#include "loom-slowdown-model.h"

/* Fills the model, which is not closed yet. A model with fewer than two workers or steps has no results. FALSE when
 * cancelled. */
gboolean loom_slowdown_kernels_read (LoomSlowdownModel *model, const LoomCollectives *collectives,
                                     GCancellable *cancellable);
