/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the targets of chart elements that are computed from samples of system metrics. A target is the place on the
 * timeline that the element shows when activated; it consists of the time ranges in which the samples of the element
 * are valid. Private to src/report. The functions have no side effects, and may be called on any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-statistics.h"

/* Sets the targets of the elements of the last block, which are the bins of a histogram. The target of a bin is the
 * time in which its samples are valid. Considers only the samples of the device that are in the range `within` (both
 * ends included). `histogram` defines the range of values and the number of bins; its counts are not used. If `host`
 * and `name` are NULL, considers all devices of the kind `device`. O(samples · log samples). */
void loom_page_samples_set_bin_places (LoomPageContent *sheet, const LoomPageInput *input, LoomDevice device,
                                       const char *host, const char *name, LoomRange within,
                                       const LoomHistogram *histogram);

/* Sets the target of an element that compares two devices: the times at which their samples differ by at least 50
 * percentage points. If there are no such times, the target is the time of the greatest difference. If the two devices
 * were never sampled at the same time, sets no target. O(samples). */
void loom_page_samples_set_pair_place (LoomPageContent *sheet, guint element, const LoomSampleSeries *a,
                                       const LoomSampleSeries *b);
