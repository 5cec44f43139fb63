/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Sixty-four durations of one group measured at once, by the widest vectors the processor has.
 */
#pragma once

#include "loom-duration-bands.h"

G_BEGIN_DECLS

#define LOOM_BATCH 64

typedef struct {
  guint64 above[2 * LOOM_N_BANDS]; /* by edge: bit k is set when duration k is longer */
  gint64 total_ns;                 /* G_MAXINT64 when it is more than that */
  gint64 min_ns, max_ns;
} LoomBatchMeasures;

/* `dur_ns`: LOOM_BATCH of them, none negative. */
typedef void (*LoomBatchMeasure) (const gint64 *dur_ns, const gint64 *edge_ns, LoomBatchMeasures *out);

/* The best one of this processor; LOOM_VECTOR=plain or avx2 in the environment asks for a lesser one, for tests. */
extern LoomBatchMeasure loom_batch_measure;

void loom_batch_measure_plain (const gint64 *dur_ns, const gint64 *edge_ns, LoomBatchMeasures *out);

G_END_DECLS
