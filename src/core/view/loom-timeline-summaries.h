/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the overview, steps and collectives in LoomTimelineState up to date: a worker computes them for each new
 * timeline, one timeline at a time. If a timeline of another run is set, the results for the old run are dropped. Main
 * thread only.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct _LoomTimelineSummaries LoomTimelineSummaries;

LoomTimelineSummaries *loom_timeline_summaries_new (LoomTimelineState *state);
void loom_timeline_summaries_free (LoomTimelineSummaries *self);

/* Returns TRUE if there is a timeline, and the summaries in the state were computed for this timeline. FALSE if they
 * were computed for an earlier timeline of the run, which covered less of the run. */
gboolean loom_timeline_summaries_are_whole (LoomTimelineSummaries *self);
