/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowest and highest value of any stretch of a counter's samples, in O(log samples) however many it has. One byte
 * per sample, made when a trace is frozen; any thread may ask.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

/* Extremes of blocks of samples, of blocks of blocks, and so on. */
typedef struct _LoomExtremes LoomExtremes;

/* O(samples). The series must outlive it. */
LoomExtremes *loom_extremes_new (const LoomSeries *series);
void loom_extremes_free (LoomExtremes *extremes);

/* Bytes it holds; 0 for NULL. */
gsize loom_extremes_get_memory (const LoomExtremes *extremes);

/* Of the samples first … end − 1, which must not be none. `extremes` may be NULL: then they are walked. */
void loom_extremes_find (const LoomExtremes *extremes, const LoomSeries *series, guint32 first, guint32 end,
                         double *low, double *high);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExtremes, loom_extremes_free)

G_END_DECLS
