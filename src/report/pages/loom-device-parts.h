/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts and a table that show how the devices of each rank spend their recorded time: computing, transferring without
 * computing, waiting for other ranks without computing, copying, idle. Parts, names and colours are those of
 * loom-step-parts.h, but all recorded time counts, not only that in steps. Texts are translated and owned by the caller.
 * Any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-rank-breakdown.h"
#include "loom-step-breakdown.h"

/* The parts are those of steps without waits for data, which are idle time here. */
#define LOOM_DEVICE_PARTS_N 5

/* Returns the times of the ranks in the range of the page; of the GPUs if only one rank has device work. Owned by the
 * caller. NULL only when cancelled. O(device spans · log rows + collectives · ranks). */
LoomRankBreakdown *loom_device_parts_new (const LoomPageInput *input, GCancellable *cancellable);

/* Returns the waits for other ranks in the range of the page, see loom-span-waits.h. Owned by the caller. NULL only when
 * cancelled. O(collectives · ranks). */
GArray *loom_device_parts_list_waits (const LoomPageInput *input, GCancellable *cancellable);

/* Returns `title` or, if there are several ranks or GPUs, a title that says that figures are sums over all of them. Owned
 * by the caller. */
char *loom_device_parts_dup_sum_title (const LoomRankBreakdown *breakdown, const char *title);

/* Returns the sum over all ranks, in ns, of one part (not LOOM_STEP_BREAKDOWN_DATA_WAIT), or of the recorded time. */
double loom_device_parts_sum (const LoomRankBreakdown *breakdown, LoomStepBreakdownPart part);
double loom_device_parts_sum_recorded (const LoomRankBreakdown *breakdown);

/* Adds a chart with a bar for each of the first LOOM_DEVICE_PARTS_MOST ranks or GPUs, divided into the parts: in percent
 * of its recorded time or, if `times`, in ns. Activating a bar shows the rank. */
#define LOOM_DEVICE_PARTS_MOST 64
void loom_device_parts_add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown,
                                 gboolean times, gboolean wide);
/* Adds a pie of the sums of the parts. Activating a slice shows the range of the page. */
void loom_device_parts_add_pie (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown);
/* Adds a table with the parts of all ranks or GPUs, as shares of their recorded time. Omits parts that are 0 on all. */
void loom_device_parts_add_table (LoomPageContent *sheet, const LoomPageInput *input,
                                  const LoomRankBreakdown *breakdown);

/* Returns the name of a rank, or "rank 3 GPU 0" for a row of a device. O(workers). */
char *loom_device_parts_dup_name (const LoomPageInput *input, const LoomRankTime *rank);
/* Returns the share of the recorded time of a rank for which its devices compute, in percent. */
double loom_device_parts_get_share (const LoomRankTime *rank);
/* Returns the median of the shares of all ranks, in percent. O(ranks · log ranks). */
double loom_device_parts_get_median_share (const LoomRankBreakdown *breakdown);
/* Returns TRUE if the share of a rank is above the median (`more`), or below it, by more than 10 % of the median. */
gboolean loom_device_parts_is_outlier (const LoomRankTime *rank, double median, gboolean more);
/* Returns TRUE if there are such ranks, but so few that they are exceptions. O(ranks). */
gboolean loom_device_parts_has_outliers (const LoomRankBreakdown *breakdown, double median, gboolean more);
/* Returns TRUE if the elements of a breakdown that is not empty are GPUs and not ranks. */
gboolean loom_device_parts_is_of_devices (const LoomRankBreakdown *breakdown);
/* Returns a sentence that says which ranks or GPUs compute more or less than the median, or that all compute about
 * equally long. The breakdown must not be empty. */
char *loom_device_parts_dup_answer (const LoomPageInput *input, const LoomRankBreakdown *breakdown);
