/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: how long each operation took, and how long it would take if no rank were slow. All times in
 * ns.
 */
#pragma once

#include "loom-slowdown-model.h"

enum {
  LOOM_SLOWDOWN_MEASURED,
  LOOM_SLOWDOWN_IDEAL, /* mean duration of the comparable operations; for transfers the median (Lin et al.) */
  /* median duration of the comparable operations: for computation only those of the same stage, for transfers all */
  LOOM_SLOWDOWN_TYPICAL,
  LOOM_N_SLOWDOWN_DURATIONS,
};

typedef struct {
  gint64 *of[LOOM_N_SLOWDOWN_DURATIONS]; /* [type of duration][operation] in ns */
} LoomSlowdownDurations;

/* Computes the durations of all operations of the model. O(n log n) for n operations. */
void loom_slowdown_durations_init (LoomSlowdownDurations *durations, const LoomSlowdownModel *model);
void loom_slowdown_durations_clear (LoomSlowdownDurations *durations);
