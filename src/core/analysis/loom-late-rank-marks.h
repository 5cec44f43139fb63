/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks the late ranks on the timeline. A rank is late if other ranks wait for it; the page "Stragglers" names the
 * same ranks if it shows the whole run. The marks are in the rows of the late ranks. If the overview above the rows
 * does not mark any finding, the late ranks are marked in the overview, too.
 *
 * A worker thread finds the late ranks after the rules have been evaluated, because the evaluation computes most of
 * the data that this worker thread uses. Findings are the results of the rules. In a large run, the rules are
 * evaluated only when the user requests the findings; until then, no ranks are marked. All functions must be called
 * on the main thread.
 */
#pragma once

#include "loom-findings-state.h"

typedef struct _LoomLateRankMarks LoomLateRankMarks;

LoomLateRankMarks *loom_late_rank_marks_new (LoomAnalysisContext *analysis, LoomFindingsState *findings);
void loom_late_rank_marks_free (LoomLateRankMarks *self);
