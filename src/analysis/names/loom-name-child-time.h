/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The time of child spans, one level deeper, which a name's self time excludes; computed during the pass over
 * the names. Otherwise as loom-name-accumulate.h.
 */
#pragma once

#include "loom-child-time-cache.h"
#include "loom-name-accumulate.h"

/* Working memory of a thread for one block at a time. */
typedef struct {
  guint64 *below_ns;      /* by joined id; all 0 between blocks */
  LoomChildTimeSum *sums; /* room for LOOM_BELOW_BLOCK + 1 sums */
  guint n_sums;
} LoomNameChildTime;

void loom_name_child_time_init (LoomNameChildTime *below, guint32 n_names);
void loom_name_child_time_clear (LoomNameChildTime *below);

/* The spans `first` to `end` (at least one) of a row with the columns `row_first` to `row_end`, and the spans `above`
 * to `above_end` (at least one) of the row one level up; ends are exclusive. */
typedef struct {
  guint32 first, end;
  guint32 row_first, row_end;
  guint32 above, above_end;
  LoomChildTimeSlot *slots; /* slots of the row's blocks */
} LoomNameChildTimeRow;

/* Adds each span's time to the child time of its parent's name. Blocks in the cache are not visited again. */
void loom_name_child_time_inside (const LoomNameColumns *columns, LoomNameChildTimeRow row, LoomNameChildTime *below);

/* The same for spans outside the range whose parents extend into it. */
void loom_name_child_time_outside (const LoomNameColumns *at, LoomNameChildTimeRow row);
