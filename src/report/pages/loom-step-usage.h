/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the pages: the utilization of GPUs and CPUs in outlier steps and in normal steps. The functions may be
 * called on any thread.
 */
#pragma once

#include "loom-page-private.h"

/* Adds histograms of utilization in outlier steps and in normal steps, side by side. If they cannot be made, adds a
 * sentence with the reason. O(samples · log steps). */
void loom_step_usage_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepDurations *durations);
