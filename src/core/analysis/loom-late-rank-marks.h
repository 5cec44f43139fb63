/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks the ranks for which the other ranks wait on the timeline: in their rows and, if there are no findings, in the
 * overview. They are those that the page "Stragglers" names for the whole run. A worker computes them after the rules
 * have been evaluated, because most of the computation is shared with the rules; so a large run is not marked before the
 * user requests its findings. Main thread only.
 */
#pragma once

#include "loom-findings-state.h"

typedef struct _LoomLateRankMarks LoomLateRankMarks;

LoomLateRankMarks *loom_late_rank_marks_new (LoomAnalysisContext *analysis, LoomFindingsState *findings);
void loom_late_rank_marks_free (LoomLateRankMarks *self);
