/* SPDX-License-Identifier: Apache-2.0
 *
 * What drawing asks of a counter's samples: where a time lies among them when it is near a guess, and the lowest and
 * highest value of a stretch, in O(log samples) however many it has.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

/* The first sample from `from` on that is not before `time_ns`; all before `from` are. O(log) of how far the answer is
 * from `from` + `guess`. */
guint32 loom_samples_seek (const LoomSeries *series, guint32 from, guint32 guess, gint64 time_ns);

/* Extremes of blocks of samples, of blocks of blocks, and so on. */
typedef struct _LoomExtremes LoomExtremes;

/* O(samples). The series must outlive it. */
LoomExtremes *loom_extremes_new (const LoomSeries *series);
void loom_extremes_free (LoomExtremes *extremes);

/* Of the samples first … end − 1, which must not be none. `extremes` may be NULL: then they are walked. */
void loom_extremes_find (const LoomExtremes *extremes, const LoomSeries *series, guint32 first, guint32 end,
                         double *low, double *high);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExtremes, loom_extremes_free)

G_END_DECLS
