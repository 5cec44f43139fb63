/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: decides in which step of its rank a call on the host begins, and whether this step counts
 * (LoomModuleTreeQuery.breakdown). Immutable when made, any thread.
 */
#pragma once

#include "loom-step-breakdown.h"

#define LOOM_COUNTED_STEPS_NONE G_MAXUINT32

typedef struct {
  const LoomStepBreakdown *breakdown; /* borrowed; NULL: everything inside `range` counts, as step 0 */
  LoomRange range;
  guint32 *first;    /* [rank] number of the rank's first step, counted over all ranks */
  gboolean *is_used; /* [number] TRUE if the step counts */
  guint32 n;         /* number of all steps */
  guint64 n_used;
} LoomCountedSteps;

/* `breakdown`: must be kept alive by the caller; NULL or without steps: the range counts. O(steps). */
void loom_counted_steps_init (LoomCountedSteps *steps, const LoomStepBreakdown *breakdown, LoomRange range);
void loom_counted_steps_clear (LoomCountedSteps *steps);

/* Returns the index of the rank to which a track belongs; LOOM_COUNTED_STEPS_NONE: none with steps. O(ranks). */
guint32 loom_counted_steps_find_rank (const LoomCountedSteps *steps, guint trace, const LoomTrack *track);

/* Returns the number of the step, counted over all ranks, in which a time is; LOOM_COUNTED_STEPS_NONE: in none that
 * counts. `rank`: of loom_counted_steps_find_rank(). `time_ns`: timeline ns. O(log steps). */
guint32 loom_counted_steps_find (const LoomCountedSteps *steps, guint32 rank, gint64 time_ns);
