/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts that show how the time in the steps of a run is divided into parts: computation, communication that
 * computation does not hide, waits, copies and idle time (loom-step-breakdown.h). There is one chart by step and one by
 * rank. Texts are translated. The functions may be called on any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-step-breakdown.h"

/* Returns the translated name of a part of a step, for legends and for the main results of a page: "Waiting for other
 * ranks". Static. */
const char *loom_step_parts_get_name (LoomStepBreakdownPart part);
/* Returns the number of the colour of a part of a step in charts, see loom-chart.h. */
guint loom_step_parts_get_color (LoomStepBreakdownPart part);

/* Returns TRUE if work of devices was recorded in the steps. Otherwise, the parts of steps are unknown, and there are
 * no charts. */
gboolean loom_step_parts_are_known (const LoomStepBreakdown *breakdown);

/* Examines the steps of one rank. Sets `exposed_ns` to the time in these steps in which the rank waits for data and its
 * devices do nothing, and `steps_ns` to the total time of the steps. Sets both to 0 if the rank has no steps, or if the
 * number of the rank is unknown and the node has several ranks without a number. `is_process`: see loom-track-rank.h.
 * O(ranks + steps of the rank). */
void loom_step_parts_sum_rank (const LoomStepBreakdown *breakdown, const char *node, gint rank, gboolean is_process,
                               gint64 *exposed_ns, gint64 *steps_ns);

/* Adds a note about the largest loss in the mean step: a kind of wait, or idle time. Adds nothing if the loss is less
 * than a tenth of the step, or if the parts of steps are unknown. */
void loom_step_parts_add_loss (LoomPageContent *sheet, const LoomStepBreakdown *breakdown);
/* Returns sentences about the longest outlier step with a step number: which part of the step is longer than in the
 * mean step of a rank, and on which ranks. A sentence about waits for other ranks comes last, because the other parts
 * can be causes of such waits. NULL if there is no such outlier, or if the parts of steps are unknown. Owned by the
 * caller. O(steps + ranks). */
char *loom_step_parts_dup_outlier (const LoomPageInput *input, const LoomStepBreakdown *breakdown);
/* Adds the share of each part in the mean step to the main results at the top of the page. Omits parts below 1 %. */
void loom_step_parts_add_figures (LoomPageContent *sheet, const LoomStepBreakdown *breakdown);
/* Adds a chart with a column for each step of the run. The parts of a column are means over the ranks that recorded the
 * step. Activating a column shows the step on the timeline. `all`: TRUE if the axis also includes steps of the
 * framework whose kernels were not recorded, so that the axes of two charts agree. O(steps of all ranks · log
 * steps). */
void loom_step_parts_add_steps (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepBreakdown *breakdown,
                                gboolean all);
/* Adds a chart with a bar for each rank. If a recorded step with a step number is an outlier, the bars show how each
 * rank spent the step with the number of the longest such outlier. Otherwise, they show the mean step of each rank.
 * Adds nothing if there is only one rank, or if there are more than LOOM_STEP_PARTS_MOST_RANKS. Activating a bar shows
 * the rank on the timeline. */
#define LOOM_STEP_PARTS_MOST_RANKS 64
void loom_step_parts_add_ranks (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepBreakdown *breakdown);
