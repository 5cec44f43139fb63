/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the state's overview, steps and collectives up to date: a worker computes them for each new timeline, one at a
 * time; results for a timeline that was replaced by another run's are dropped. Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct _LoomTimelineSummaries LoomTimelineSummaries;

LoomTimelineSummaries *loom_timeline_summaries_new (LoomTimelineState *state);
void loom_timeline_summaries_free (LoomTimelineSummaries *self);

/* Returns TRUE if there is a timeline and the summaries of the state were computed for it, not for an earlier, shorter
 * timeline of the run. */
gboolean loom_timeline_summaries_are_whole (LoomTimelineSummaries *self);
