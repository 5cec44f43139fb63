/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The time of child spans, one level deeper, which a name's self time excludes; computed during the pass over
 * the names. The sums of a whole block of a row's spans don't depend on the queried range, so a cache keeps them between
 * queries: at most two bytes per span.
 */
#pragma once

#include "loom-name-aggregate.h"

#define LOOM_CHILD_TIME_BLOCK 2048 /* spans in a block; the last block of a row has fewer */

typedef gpointer LoomChildTimeSlot; /* one slot per block; NULL: not cached yet */

typedef struct {
  guint32 id; /* joined name of the upper spans */
  guint64 below_ns;
} LoomChildTimeSum;

/* Borrows the run. Allocates a pointer for each block of the run. Any thread. */
LoomChildTimeCache *loom_name_child_time_cache_new (LoomRun *run);
void loom_name_child_time_cache_free (LoomChildTimeCache *cache);
/* The slots of a row's blocks, in order; `row` is its number in the trace. */
LoomChildTimeSlot *loom_name_child_time_cache_get (LoomChildTimeCache *cache, guint trace, guint row);

/* Working memory of a thread for one block at a time. */
typedef struct {
  guint64 *below_ns;      /* index: joined id; all 0 between blocks */
  LoomChildTimeSum *sums; /* room for LOOM_CHILD_TIME_BLOCK + 1 sums */
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

/* The last span of the upper row that begins at or before the time, or else the first span of that row. */
guint32 loom_name_child_time_find_above (const LoomNameChildTimeRow *row, const gint64 *start_ns, gint64 time_ns);

/* Adds each span's time to the child time of its parent's name. Blocks in the cache are not visited again. Any thread,
 * if no other uses the same sums. */
void loom_name_child_time_inside (const LoomNameColumns *columns, LoomNameChildTimeRow row, LoomNameChildTime *below);

/* Like loom_name_child_time_inside(), for spans outside the range whose parents extend into it. */
void loom_name_child_time_outside (const LoomNameColumns *at, LoomNameChildTimeRow row);
