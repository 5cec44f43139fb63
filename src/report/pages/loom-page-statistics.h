/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds tables of statistics to pages: durations of steps by training phase, metric (kind of span) and process;
 * utilization of resources by node and phase; shares of samples in ranges of utilization; and the sequence of phases. A
 * function that finds no data adds nothing. Private to src/report.
 */
#pragma once

#include "loom-page-private.h"

/* Adds the statistics of steps by training phase, metric and process. Adds fewer tables when cancelled. */
void loom_page_statistics_add_step_statistics (LoomPageContent *sheet, const LoomPageInput *input,
                                               GCancellable *cancellable);
void loom_page_statistics_add_resources (LoomPageContent *sheet, const LoomPageInput *input);
void loom_page_statistics_add_usage_ranges (LoomPageContent *sheet, const LoomPageInput *input);
void loom_page_statistics_add_intervals (LoomPageContent *sheet, const LoomPageInput *input);
