/* SPDX-License-Identifier: Apache-2.0
 *
 * The main results at the top of the page "Summary": the median step, how busy the devices are, how much communication
 * is exposed, and how long ranks wait. Private to src/report.
 */
#pragma once

#include "loom-device-parts.h"
#include "loom-steps.h"

/* Times of devices, in ns, summed over the devices of all ranks. `parts`: sums for the parts of the bars in the chart of
 * ranks: computation, exposed communication, exposed copies, idle time. */
typedef struct {
  double recorded;
  double communication; /* time of all communication, including that during computation */
  double parts[4];
  const char *devices; /* the word for the devices: "GPUs"; translated, static */
} LoomSummarySums;

/* Returns the sums of `breakdown`. O(ranks). */
LoomSummarySums loom_summary_figures_sum (const LoomRankBreakdown *breakdown);

/* Adds the main results at the top of the page, which are displayed as large numbers. Adds none if the range has neither
 * steps, nor work of devices, nor memory. Returns FALSE when cancelled. O(device spans in the range · log rows +
 * collectives · ranks + steps · log steps). */
gboolean loom_summary_figures_add (LoomPageContent *sheet, const LoomPageInput *input, LoomSteps *found,
                                   const LoomSummarySums *sums, GCancellable *cancellable);

/* Sets the headline of the page: what the devices do with their time. */
void loom_summary_figures_set_headline (LoomPageContent *sheet, const LoomSummarySums *sums);
