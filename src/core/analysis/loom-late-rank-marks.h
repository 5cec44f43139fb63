/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks, on the timeline, the ranks for which the other ranks wait. They are marked in their rows and, if there are no
 * findings, in the overview. They are the ranks that the page "Stragglers" names for the whole run.
 *
 * A worker thread finds these ranks after the rules have been evaluated, because most of the computation is shared with
 * the rules. For this reason, no ranks are marked in a large run until the user requests its findings. Main thread
 * only.
 */
#pragma once

#include "loom-findings-state.h"

typedef struct _LoomLateRankMarks LoomLateRankMarks;

LoomLateRankMarks *loom_late_rank_marks_new (LoomAnalysisContext *analysis, LoomFindingsState *findings);
void loom_late_rank_marks_free (LoomLateRankMarks *self);
