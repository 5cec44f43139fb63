/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What a name's self time lacks: the spans that run within its own, one depth below, as the pass over names
 * counts them. As loom-name-accumulate.h otherwise.
 */
#pragma once

#include "loom-child-time-cache.h"
#include "loom-name-accumulate.h"

G_BEGIN_DECLS

/* A thread's own, for a block at a time. */
typedef struct {
  guint64 *below_ns;      /* by joined id; all 0 between blocks */
  LoomChildTimeSum *sums; /* LOOM_BELOW_BLOCK + 1 of them */
  guint n_sums;
} LoomNameChildTime;

void loom_name_child_time_init (LoomNameChildTime *below, guint32 n_names);
void loom_name_child_time_clear (LoomNameChildTime *below);

/* Spans `first` to `end` of a row that begins at `row_first` and ends before `row_end`, at least one, and the row one depth up:
 * from `above` to before `above_end`, at least one. */
typedef struct {
  guint32 first, end;
  guint32 row_first, row_end;
  guint32 above, above_end;
  LoomChildTimeSlot *slots; /* of the row's blocks */
} LoomNameChildTimeRow;

/* Takes each span from the self time of the one it runs in. Blocks that are known are not looked at. */
void loom_name_child_time_inside (const LoomNameColumns *at, LoomNameChildTimeRow row, LoomNameChildTime *below);

/* The same for spans outside a range, of others that reach into it. */
void loom_name_child_time_outside (const LoomNameColumns *at, LoomNameChildTimeRow row);

G_END_DECLS
