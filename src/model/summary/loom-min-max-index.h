/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the minimum and maximum of a counter's samples in any range of samples, in O(log samples). It does so for the
 * values, for the differences between neighbouring samples, and for rates (LoomQuantity). Differences have a separate
 * index, because the difference across the border of two blocks cannot be computed from the minimum and maximum of
 * these blocks. An index takes one byte per sample. It is built when the trace is made (loom_trace_builder_freeze()),
 * and may be used on any thread.
 */
#pragma once

#include "loom-counter-quantity.h"

/* Minima and maxima of blocks of samples and, on higher levels, of blocks of such blocks. */
typedef struct _LoomMinMaxIndex LoomMinMaxIndex;

/* Builds the index of a series. The series must outlive the index. O(samples). */
LoomMinMaxIndex *loom_min_max_index_new (const LoomSeries *series, LoomQuantity quantity);
void loom_min_max_index_free (LoomMinMaxIndex *extremes);

/* Returns the number of bytes that the index takes; 0 for NULL. */
gsize loom_min_max_index_get_memory (const LoomMinMaxIndex *extremes);

/* Sets `low` and `high` to the minimum and maximum of the samples with the indices `first` to `end` − 1. Uses the index
 * series->extremes; short series have no index, so all of these samples are read. Returns FALSE if none of the samples
 * has the quantity; `low` is then above `high`. */
gboolean loom_min_max_index_find (const LoomSeries *series, LoomQuantity quantity, guint32 first, guint32 end,
                                  double *low, double *high);

/* Returns the smallest absolute value above 0 in the whole series; infinity if there is none. O(1); O(samples) for
 * short series. */
double loom_min_max_index_find_least (const LoomSeries *series, LoomQuantity quantity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMinMaxIndex, loom_min_max_index_free)
