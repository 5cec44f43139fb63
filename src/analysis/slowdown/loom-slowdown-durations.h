/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the measured duration of each operation, and the duration that it would have if no rank were
 * slow. All times are in ns.
 */
#pragma once

#include "loom-slowdown-model.h"

enum {
  LOOM_SLOWDOWN_MEASURED,
  LOOM_SLOWDOWN_IDEAL, /* mean duration of the comparable operations; for transfers the median (Lin et al.) */
  /* median duration of the comparable operations: for computation, of those in the same stage; for transfers, of those
   * in all stages */
  LOOM_SLOWDOWN_TYPICAL,
  LOOM_N_SLOWDOWN_DURATIONS,
};

typedef struct {
  gint64 *of[LOOM_N_SLOWDOWN_DURATIONS]; /* array: [type of duration][operation] duration in ns */
} LoomSlowdownDurations;

/* Computes the durations of all operations of the model. O(n log n) for n operations. */
void loom_slowdown_durations_init (LoomSlowdownDurations *durations, const LoomSlowdownModel *model);
void loom_slowdown_durations_clear (LoomSlowdownDurations *durations);
