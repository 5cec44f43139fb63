/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Sorts the arrows of a trace (LoomArrow: a link from one span to another) by the span at which
 * they start, and by the span at which they end.
 */
#pragma once

#include "loom-trace-private.h"

/* Arrows that one thread has found; owned by the code that made the array. */
typedef struct {
  LoomArrow *arrows;
  guint32 n;
} LoomArrows;

/* Frees `found` (an array of LoomArrows) with all arrows. */
void loom_flow_arrows_free (GArray *found);

/* Stores two arrays in the trace. The first one contains the arrows, sorted by the span at which they start, then by
 * the span at which they end, then by name. The second one contains the indices of these arrows, sorted by the span at
 * which they end. `found`: array of LoomArrows. The result does not depend on the order of arrows in `found`, or on the
 * number of threads. */
void loom_flow_arrows_keep (LoomTrace *trace, const GArray *found, guint n_threads);
