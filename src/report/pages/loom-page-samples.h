/* SPDX-License-Identifier: Apache-2.0
 *
 * From what is told of samples back to the samples: the stretches of time in which they hold, for elements of pages.
 * Private to src/report. Pure, any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-statistics.h"

/* Places of the bins of the last block, a histogram: from each the samples of the device that were counted in it, `within`
 * both ends. Of the histogram only the range and the number of bins are read. `host` and `name` NULL: of all devices of the kind. O(samples · log). */
void loom_page_samples_set_bin_places (LoomPageContent *sheet, const LoomPageInput *input, LoomDevice device,
                                       const char *host, const char *name, LoomRange within,
                                       const LoomHistogram *histogram);

/* Place of an element that speaks of two devices: where one is busier than the other by 50 points or more, else where they
 * differ most. Nowhere when they were never sampled together. O(samples). */
void loom_page_samples_set_pair_place (LoomPageContent *sheet, guint element, const LoomSampleSeries *a,
                                       const LoomSampleSeries *b);

/* The utilization series of a device; NULL: none. */
const LoomSampleSeries *loom_page_samples_find_series (const LoomPageInput *input, LoomDevice device, const char *host,
                                                       const char *name);
