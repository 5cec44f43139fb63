/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What a name's self time lacks: the spans that run within its own, one depth below, as the pass over names
 * counts them. As loom-name-count.h otherwise.
 */
#pragma once

#include "loom-below-blocks.h"
#include "loom-name-count.h"

G_BEGIN_DECLS

/* A thread's own, for a block at a time. */
typedef struct {
  guint64 *below_ns;  /* by joined id; all 0 between blocks */
  LoomBelowSum *sums; /* LOOM_BELOW_BLOCK + 1 of them */
  guint n_sums;
} LoomNameBelow;

void loom_name_below_init (LoomNameBelow *below, guint32 n_names);
void loom_name_below_clear (LoomNameBelow *below);

/* Spans `first` to `end` of a row that begins at `row_first` and ends before `row_end`, at least one, and the row one depth up:
 * from `above` to before `above_end`, at least one. */
typedef struct {
  guint32 first, end;
  guint32 row_first, row_end;
  guint32 above, above_end;
  LoomBelowSlot *slots; /* of the row's blocks */
} LoomNameBelowRow;

/* Takes each span from the self time of the one it runs in. Blocks that are known are not looked at. */
void loom_name_below_inside (const LoomNameColumns *at, LoomNameBelowRow row, LoomNameBelow *below);

/* The same for spans outside a range, of others that reach into it. */
void loom_name_below_outside (const LoomNameColumns *at, LoomNameBelowRow row);

G_END_DECLS
