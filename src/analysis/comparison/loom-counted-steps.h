/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the step in which a call on the host begins, among the steps of the rank that makes
 * the call. Also states whether this step counts (LoomModuleTreeQuery.breakdown). The steps of all ranks are numbered
 * consecutively, from 0. Immutable when made, any thread.
 */
#pragma once

#include "loom-step-breakdown.h"

#define LOOM_COUNTED_STEPS_NONE G_MAXUINT32

typedef struct {
  /* borrowed; NULL: there are no steps, and all time inside `range` counts as step 0 */
  const LoomStepBreakdown *breakdown;
  LoomRange range;
  guint32 *first;    /* [index of the rank in `breakdown`] number of the rank's first step */
  gboolean *is_used; /* [number of a step] TRUE if the step counts */
  guint32 n;         /* number of steps of all ranks */
  guint64 n_used;
} LoomCountedSteps;

/* Chooses the steps that count. The caller must keep `breakdown` alive. If `breakdown` is NULL or has no steps, all
 * time inside `range` counts. O(steps). */
void loom_counted_steps_init (LoomCountedSteps *steps, const LoomStepBreakdown *breakdown, LoomRange range);
void loom_counted_steps_clear (LoomCountedSteps *steps);

/* Returns the index of a track's rank in `breakdown`; LOOM_COUNTED_STEPS_NONE if the track belongs to no rank with
 * steps. `trace`: index of the track's trace in the run. O(ranks). */
guint32 loom_counted_steps_find_rank (const LoomCountedSteps *steps, guint trace, const LoomTrack *track);

/* Returns the number of the step of `rank` that contains `time_ns`, a time on the timeline. LOOM_COUNTED_STEPS_NONE: no
 * step contains it, or the step does not count. `rank`: result of loom_counted_steps_find_rank(). O(log steps). */
guint32 loom_counted_steps_find (const LoomCountedSteps *steps, guint32 rank, gint64 time_ns);
