/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts and a table that show into which parts the recorded time of each rank's devices is divided. The parts are:
 * computing; transferring while nothing is computed; waiting for other ranks while nothing is computed; copying; idle.
 * The names and colours are those of the parts of steps (loom-step-parts.h), but the whole recorded time is divided
 * here, not only the time in steps. Texts are translated and owned by the caller. The functions may be called on any
 * thread.
 */
#pragma once

#include "loom-idle-time.h"
#include "loom-page.h"
#include "loom-rank-breakdown.h"
#include "loom-step-breakdown.h"

/* Number of parts. They are the parts of steps (loom-step-parts.h) without the waits for data, which count as idle
 * time. */
#define LOOM_DEVICE_PARTS_N 5

/* Divides the time in the range of the page into parts, for each rank or, if only one rank has device work, for each
 * GPU. The recorded time of a GPU in a file is the same for all GPUs of a rank: the time from their first to their last
 * work, including the wait for the first work in a step (loom-idle-start.h). A GPU that has no work while other GPUs of
 * its rank work is idle then. The recorded time of a rank is the sum over its GPUs and files. The pages Summary,
 * Utilization, Load Balance, Work and Idle state shares of this time. Owned by the caller. NULL only when cancelled.
 * O(device spans · log rows + collectives · ranks). */
LoomRankBreakdown *loom_device_parts_new (const LoomPageInput *input, GCancellable *cancellable);

/* Like loom_device_parts_new(), but always has one element for each GPU. */
LoomRankBreakdown *loom_device_parts_new_of_devices (const LoomPageInput *input, GCancellable *cancellable);

/* Returns TRUE if the device of `row` belongs to `rank`, an element of a breakdown of ranks or of GPUs. O(sources of the
 * rank). */
gboolean loom_device_parts_has_row (const LoomRankTime *rank, const LoomIdleRow *row);

/* Returns the waits for other ranks in the range of the page, see loom-span-waits.h. Owned by the caller. NULL only
 * when cancelled. O(collectives · ranks). */
GArray *loom_device_parts_list_waits (const LoomPageInput *input, GCancellable *cancellable);

/* Returns the title of a chart, based on `title`. If the chart shows sums over several ranks or GPUs, their number
 * follows: "…, sum of 4 ranks". If the rank of a file is unknown, the title contains no number of ranks, because the
 * file may belong to one of the known ranks. Owned by the caller. O(ranks). */
char *loom_device_parts_dup_sum_title (const LoomRankBreakdown *breakdown, const char *title);

/* These functions return sums over all ranks, in ns. loom_device_parts_sum(): the time in `part`, which must not be
 * LOOM_STEP_BREAKDOWN_DATA_WAIT. loom_device_parts_sum_recorded(): the recorded time. */
double loom_device_parts_sum (const LoomRankBreakdown *breakdown, LoomStepBreakdownPart part);
double loom_device_parts_sum_recorded (const LoomRankBreakdown *breakdown);

/* Adds a chart with a bar for each of the first LOOM_DEVICE_PARTS_MOST ranks or GPUs. Each bar is divided into the
 * parts. If `times` is TRUE, the parts are in ns; otherwise, in percent of the recorded time. Activating a bar shows
 * the rank on the timeline. */
#define LOOM_DEVICE_PARTS_MOST 64
void loom_device_parts_add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown,
                                 gboolean times, gboolean wide);
/* Adds a pie whose slices are the parts, summed over all ranks. Activating a slice shows the range of the page on the
 * timeline. */
void loom_device_parts_add_pie (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown);
/* Adds a table with the parts of all ranks or GPUs, as shares of their recorded time. Omits parts that are 0 in all
 * rows. */
void loom_device_parts_add_table (LoomPageContent *sheet, const LoomPageInput *input,
                                  const LoomRankBreakdown *breakdown);

/* Returns the name of a rank or, if the breakdown is of GPUs, a name such as "rank 3 · GPU 0". Owned by the caller.
 * O(LoomDataFrame.n_workers). */
char *loom_device_parts_dup_name (const LoomPageInput *input, const LoomRankTime *rank);
/* Returns the share of a rank's recorded time in which its devices compute, in percent. */
double loom_device_parts_get_share (const LoomRankTime *rank);
/* Returns the share of a rank's recorded time in which its devices compute, communicate or copy, in percent. */
double loom_device_parts_get_busy_share (const LoomRankTime *rank);
/* Returns the median of loom_device_parts_get_share() over all ranks. O(ranks · log ranks). */
double loom_device_parts_get_median_share (const LoomRankBreakdown *breakdown);
/* Returns TRUE if the rank is an outlier. If `more` is TRUE, outliers are ranks whose computing share is greater than
 * `median` by more than 10 % of `median`. If `more` is FALSE, outliers are ranks whose computing share is less than
 * `median` by more than 10 % of `median`. */
gboolean loom_device_parts_is_outlier (const LoomRankTime *rank, double median, gboolean more);
/* Returns TRUE if there are outliers (loom_device_parts_is_outlier()), and few enough to be called exceptions.
 * O(ranks). */
gboolean loom_device_parts_has_outliers (const LoomRankBreakdown *breakdown, double median, gboolean more);
/* Returns TRUE if the elements of a breakdown are GPUs, and FALSE if they are ranks. The breakdown must not be
 * empty. */
gboolean loom_device_parts_is_of_devices (const LoomRankBreakdown *breakdown);
/* Returns the word for the devices of a breakdown: "TPUs" if all elements are TPUs, otherwise "GPUs". Translated,
 * static. */
const char *loom_device_parts_get_word (const LoomRankBreakdown *breakdown);
/* Returns a sentence that names the ranks or GPUs that compute more or less than the median, or says that all compute
 * about equally long. The breakdown must not be empty. */
char *loom_device_parts_dup_answer (const LoomPageInput *input, const LoomRankBreakdown *breakdown);
