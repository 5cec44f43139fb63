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
} LoomBelowSum;

typedef struct _LoomBelowBlocks LoomBelowBlocks;
typedef gpointer LoomBelowSlot; /* of a block */

/* Does not keep the run. A pointer for each block of it. */
LoomBelowBlocks *loom_below_blocks_new (LoomRun *run);
void loom_below_blocks_free (LoomBelowBlocks *blocks);

/* Those of a row, by its number in the trace: one after the other. */
LoomBelowSlot *loom_below_blocks_get (LoomBelowBlocks *blocks, guint trace, guint row);

/* NULL while it is not known; borrowed. */
const LoomBelowSum *loom_below_slot_get (LoomBelowSlot *slot, guint *n);
/* Copied; what would take too much room is not kept. */
void loom_below_slot_set (LoomBelowSlot *slot, const LoomBelowSum *sums, guint n);

G_END_DECLS
