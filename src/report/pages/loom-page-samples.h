/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the targets of chart elements that are computed from samples of system metrics. A target consists of the time
 * ranges in which the samples of the element are valid. Private to src/report. The functions have no side effects, and
 * may be called on any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-statistics.h"

/* Sets the targets of the elements of the last block, which are the bins of a histogram. The target of a bin is the
 * time in which the samples that it counts are valid: samples of the device in the range `within`, both ends included.
 * Of `histogram`, only the range of values and the number of bins are used. `host` and `name` NULL: all devices of the
 * kind. O(samples · log samples). */
void loom_page_samples_set_bin_places (LoomPageContent *sheet, const LoomPageInput *input, LoomDevice device,
                                       const char *host, const char *name, LoomRange within,
                                       const LoomHistogram *histogram);

/* Sets the target of an element that compares two devices. The target is the times at which the samples of the two
 * differ by at least 50 percentage points or, if there are no such times, the time of the greatest difference. Sets no
 * target if the two devices were never sampled at the same time. O(samples). */
void loom_page_samples_set_pair_place (LoomPageContent *sheet, guint element, const LoomSampleSeries *a,
                                       const LoomSampleSeries *b);
