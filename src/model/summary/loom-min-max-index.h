/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowest and highest value, difference or rate of any stretch of a counter's samples, in O(log samples) however many
 * it has. Differences are taken from sample to sample before they are summed up, for those of two blocks do not follow
 * from what is lowest and highest in each. One byte per sample and quantity, made when a trace is frozen; any thread may
 * ask.
 */
#pragma once

#include "loom-counter-quantity.h"

G_BEGIN_DECLS

/* Extremes of blocks of samples, of blocks of blocks, and so on. */
typedef struct _LoomMinMaxIndex LoomMinMaxIndex;

/* O(samples). The series must outlive it. */
LoomMinMaxIndex *loom_min_max_index_new (const LoomSeries *series, LoomQuantity quantity);
void loom_min_max_index_free (LoomMinMaxIndex *extremes);

/* Bytes it holds; 0 for NULL. */
gsize loom_min_max_index_get_memory (const LoomMinMaxIndex *extremes);

/* Of the samples first … end − 1, from series->extremes; where there are few samples they are walked. FALSE when none of
 * them has the quantity: low is above high then. */
gboolean loom_min_max_index_find (const LoomSeries *series, LoomQuantity quantity, guint32 first, guint32 end,
                                  double *low, double *high);

/* Of the whole series the magnitude nearest to zero that is not zero; infinite when there is none. O(1), or O(samples)
 * where they are few. */
double loom_min_max_index_find_least (const LoomSeries *series, LoomQuantity quantity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMinMaxIndex, loom_min_max_index_free)

G_END_DECLS
