/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. Caches, for each block of a row's spans, the time that they take within the spans of the row
 * above, by joined name of the upper span. This time doesn't depend on the queried range, so it is kept between
 * queries: at most two bytes per span. All functions may be called from any thread; if two threads compute the same
 * block, one result is kept.
 */
#pragma once

#include "loom-run.h"

#define LOOM_BELOW_BLOCK 2048 /* spans in a block; the last block of a row has fewer */

typedef struct {
  guint32 id; /* joined name of the upper spans */
  guint64 below_ns;
} LoomChildTimeSum;

typedef struct _LoomChildTimeCache LoomChildTimeCache;
typedef gpointer LoomChildTimeSlot; /* one slot per block */

/* Borrows the run. Allocates a pointer for each block of the run. */
LoomChildTimeCache *loom_child_time_cache_new (LoomRun *run);
void loom_child_time_cache_free (LoomChildTimeCache *blocks);

/* The slots of a row's blocks, in order; `row` is its number in the trace. */
LoomChildTimeSlot *loom_child_time_cache_get (LoomChildTimeCache *blocks, guint trace, guint row);

/* NULL if the block is not cached yet; borrowed. */
const LoomChildTimeSum *loom_child_time_cache_get_slot (LoomChildTimeSlot *slot, guint *n);
/* Copies `sums`. Blocks with too many sums are not cached. */
void loom_child_time_cache_set_slot (LoomChildTimeSlot *slot, const LoomChildTimeSum *sums, guint n);
