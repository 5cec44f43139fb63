/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts and a table that show into which parts the recorded time of each rank's devices is divided. The parts are:
 * computing; transferring while nothing is computed; waiting for other ranks while nothing is computed; copying; idle.
 * They have the names and colours of the parts of steps (loom-step-parts.h), but the whole recorded time is divided,
 * not only the time in steps. Texts are translated and owned by the caller. The functions may be called on any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-rank-breakdown.h"
#include "loom-step-breakdown.h"

/* Number of parts. They are the parts of steps (loom-step-parts.h) without the waits for data, which count as idle
 * time. */
#define LOOM_DEVICE_PARTS_N 5

/* Divides the time in the range of the page into parts, for each rank; for each GPU if only one rank has device work. As
 * on the page of idle time, the recorded time includes the wait for the first work in a step (loom-idle-start.h).
 * Owned by the caller. NULL only when cancelled. O(device spans · log rows + collectives · ranks). */
LoomRankBreakdown *loom_device_parts_new (const LoomPageInput *input, GCancellable *cancellable);

/* Returns the waits for other ranks in the range of the page, see loom-span-waits.h. Owned by the caller. NULL only
 * when cancelled. O(collectives · ranks). */
GArray *loom_device_parts_list_waits (const LoomPageInput *input, GCancellable *cancellable);

/* Returns `title` or, if there are several ranks or GPUs, a title that says that the chart shows sums over all of them:
 * "…, sum of 4 ranks". If files of unknown rank take part, the title does not count the ranks, because such a file may
 * belong to one of the counted ranks. Owned by the caller. O(ranks). */
char *loom_device_parts_dup_sum_title (const LoomRankBreakdown *breakdown, const char *title);

/* Returns the sum over all ranks, in ns, of one part (not LOOM_STEP_BREAKDOWN_DATA_WAIT), or of the recorded time. */
double loom_device_parts_sum (const LoomRankBreakdown *breakdown, LoomStepBreakdownPart part);
double loom_device_parts_sum_recorded (const LoomRankBreakdown *breakdown);

/* Adds a chart with a bar for each of the first LOOM_DEVICE_PARTS_MOST ranks or GPUs, divided into the parts: in
 * percent of the recorded time or, if `times` is TRUE, in ns. Activating a bar shows the rank on the timeline. */
#define LOOM_DEVICE_PARTS_MOST 64
void loom_device_parts_add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown,
                                 gboolean times, gboolean wide);
/* Adds a pie whose slices are the parts, summed over all ranks. Activating a slice shows the range of the page on the
 * timeline. */
void loom_device_parts_add_pie (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown);
/* Adds a table with the parts of all ranks or GPUs, as shares of their recorded time. Omits parts that are always 0. */
void loom_device_parts_add_table (LoomPageContent *sheet, const LoomPageInput *input,
                                  const LoomRankBreakdown *breakdown);

/* Returns the name of a rank; for a breakdown of GPUs, a name such as "rank 3 GPU 0". Owned by the caller.
 * O(workers). */
char *loom_device_parts_dup_name (const LoomPageInput *input, const LoomRankTime *rank);
/* Returns for which share of a rank's recorded time its devices compute, in percent. */
double loom_device_parts_get_share (const LoomRankTime *rank);
/* Returns the median over all ranks of loom_device_parts_get_share(). O(ranks · log ranks). */
double loom_device_parts_get_median_share (const LoomRankBreakdown *breakdown);
/* Returns TRUE if the computing share of a rank differs from the median by more than 10 % of the median: upwards if
 * `more` is TRUE, else downwards. */
gboolean loom_device_parts_is_outlier (const LoomRankTime *rank, double median, gboolean more);
/* Returns TRUE if there are outliers (loom_device_parts_is_outlier()), and so few that they are exceptions. O(ranks). */
gboolean loom_device_parts_has_outliers (const LoomRankBreakdown *breakdown, double median, gboolean more);
/* Returns TRUE if the elements of a breakdown that is not empty are GPUs and not ranks. */
gboolean loom_device_parts_is_of_devices (const LoomRankBreakdown *breakdown);
/* Returns the word for the devices of a breakdown: "GPUs"; "TPUs" if all elements are TPUs. Translated, static. */
const char *loom_device_parts_get_word (const LoomRankBreakdown *breakdown);
/* Returns a sentence that says which ranks or GPUs compute more or less than the median, or that all compute about
 * equally long. The breakdown must not be empty. */
char *loom_device_parts_dup_answer (const LoomPageInput *input, const LoomRankBreakdown *breakdown);
