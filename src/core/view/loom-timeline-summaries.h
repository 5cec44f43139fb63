/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the state's overview and steps up to date: both are computed in a worker for each new timeline, one at a time;
 * what was computed for a timeline that is gone is dropped. Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

typedef struct _LoomTimelineSummaries LoomTimelineSummaries;

LoomTimelineSummaries *loom_timeline_summaries_new (LoomTimelineState *state);
void loom_timeline_summaries_free (LoomTimelineSummaries *facts);

/* Whether the state's are those of its timeline, not of a part of it that came before, and of one. */
gboolean loom_timeline_summaries_are_whole (LoomTimelineSummaries *facts);

G_END_DECLS
