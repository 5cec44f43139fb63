/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts that show what fills the steps of a run: computation, communication that no computation hides, waits, copies
 * and idle time (loom-step-breakdown.h), by step and by rank. Texts are translated. The functions may be called on any
 * thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-step-breakdown.h"

/* Returns the translated name of a part of a step, for legends and for the main results of a page: "Waiting for other
 * ranks". Static. */
const char *loom_step_parts_get_name (LoomStepBreakdownPart part);
/* Returns the number of the colour of a part of a step in charts, see loom-chart.h. */
guint loom_step_parts_get_color (LoomStepBreakdownPart part);

/* Returns TRUE if devices are recorded in the steps; otherwise the parts are unknown, and there are no charts. */
gboolean loom_step_parts_are_known (const LoomStepBreakdown *breakdown);

/* Sets `exposed_ns` to the time in the steps of a rank in which the rank waits for data and its devices do nothing, and
 * `steps_ns` to the time of these steps. Sets both to 0 if the rank has no steps, or if several ranks of the node
 * match, because their numbers are unknown. `is_process`: see loom-track-rank.h. O(ranks + steps of the rank). */
void loom_step_parts_sum_rank (const LoomStepBreakdown *breakdown, const char *node, gint rank, gboolean is_process,
                               gint64 *exposed_ns, gint64 *steps_ns);

/* Adds a note about the largest loss of the mean step, which is a kind of wait or the idle time. Adds nothing if the
 * loss is less than a tenth of the step, or if the parts of steps are unknown. */
void loom_step_parts_add_loss (LoomPageContent *sheet, const LoomStepBreakdown *breakdown);
/* Returns sentences about the longest outlier step that has a number: which part of this step is longer than in the mean
 * step of the rank, and on which ranks. Causes come before waits for other ranks. NULL if there is no such outlier or
 * the parts of steps are unknown. Owned by the caller. O(steps + ranks). */
char *loom_step_parts_dup_outlier (const LoomPageInput *input, const LoomStepBreakdown *breakdown);
/* Adds the share of each part in the mean step to the main results at the top of the page. Omits parts below 1 %. */
void loom_step_parts_add_figures (LoomPageContent *sheet, const LoomStepBreakdown *breakdown);
/* Adds a chart with a column for each step of the run. The parts of a column are means over the ranks that recorded the
 * step. Activating a column shows the step on the timeline. `all`: TRUE if the axis also includes steps of the
 * framework whose kernels were not recorded, so that it agrees with that of another chart. O(steps of all ranks · log
 * steps). */
void loom_step_parts_add_steps (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepBreakdown *breakdown,
                                gboolean all);
/* Adds a chart with a bar for each rank. If there are recorded outlier steps with step numbers, the bars show how each
 * rank spent one step: the one with the number of the longest outlier. Otherwise they show the mean step of each rank.
 * Adds nothing if there is one rank, or more than LOOM_STEP_PARTS_MOST_RANKS. Activating a bar shows the rank on the
 * timeline. */
#define LOOM_STEP_PARTS_MOST_RANKS 64
void loom_step_parts_add_ranks (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepBreakdown *breakdown);
