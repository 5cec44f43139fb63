/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowest and highest value, difference or rate of any stretch of a counter's samples, in O(log samples) however many
 * it has. Differences are taken from sample to sample before they are summed up, for those of two blocks do not follow
 * from what is lowest and highest in each. One byte per sample and quantity, made when a trace is frozen; any thread may
 * ask.
 */
#pragma once

#include "loom-quantity.h"

G_BEGIN_DECLS

/* Extremes of blocks of samples, of blocks of blocks, and so on. */
typedef struct _LoomExtremes LoomExtremes;

/* O(samples). The series must outlive it. */
LoomExtremes *loom_extremes_new (const LoomSeries *series, LoomQuantity quantity);
void loom_extremes_free (LoomExtremes *extremes);

/* Bytes it holds; 0 for NULL. */
gsize loom_extremes_get_memory (const LoomExtremes *extremes);

/* Of the samples first … end − 1, from series->extremes; where there are few samples they are walked. FALSE when none of
 * them has the quantity: low is above high then. */
gboolean loom_extremes_find (const LoomSeries *series, LoomQuantity quantity, guint32 first, guint32 end, double *low,
                             double *high);

/* Of the whole series the magnitude nearest to zero that is not zero; infinite when there is none. O(1), or O(samples)
 * where they are few. */
double loom_extremes_find_least (const LoomSeries *series, LoomQuantity quantity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExtremes, loom_extremes_free)

G_END_DECLS
