/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: how long the spans of a row take together in those of the row above, by joined name of the latter, for each
 * block of a row. That does not depend on the range somebody asks for, so it is kept from one question to the next: at most
 * two bytes per span. All functions from any thread; of two that find a block at the same time one is kept.
 */
#pragma once

#include "loom-run.h"

G_BEGIN_DECLS

#define LOOM_BELOW_BLOCK 2048 /* spans; the last of a row has fewer */

typedef struct {
  guint32 id; /* joined */
  guint64 below_ns;
} LoomChildTimeSum;

typedef struct _LoomChildTimeCache LoomChildTimeCache;
typedef gpointer LoomChildTimeSlot; /* of a block */

/* Does not keep the run. A pointer for each block of it. */
LoomChildTimeCache *loom_child_time_cache_new (LoomRun *run);
void loom_child_time_cache_free (LoomChildTimeCache *blocks);

/* Those of a row, by its number in the trace: one after the other. */
LoomChildTimeSlot *loom_child_time_cache_get (LoomChildTimeCache *blocks, guint trace, guint row);

/* NULL while it is not known; borrowed. */
const LoomChildTimeSum *loom_child_time_cache_get_slot (LoomChildTimeSlot *slot, guint *n);
/* Copied; what would take too much room is not kept. */
void loom_child_time_cache_set_slot (LoomChildTimeSlot *slot, const LoomChildTimeSum *sums, guint n);

G_END_DECLS
