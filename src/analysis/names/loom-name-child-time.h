/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/names. Sums the child time of each name: the durations of the direct children of its spans.
 * The self time of the name is its total time without child time. The sums are computed during the pass of
 * loom-name-aggregate.h. The sums of a whole block of spans do not depend on the range, so they are cached for later
 * ranges: at most two bytes per span.
 */
#pragma once

#include "loom-name-aggregate.h"

#define LOOM_CHILD_TIME_BLOCK 2048 /* number of spans in a block; the last block of a row has fewer */

typedef gpointer LoomChildTimeSlot; /* cached sums of one block; NULL: not cached yet */

typedef struct {
  guint32 id; /* id in LoomRunNames of the name that the parents have */
  guint64 below_ns;
} LoomChildTimeSum;

/* Makes an empty cache with a LoomChildTimeSlot for each block of the run. Borrows the run. Any thread. */
LoomChildTimeCache *loom_name_child_time_cache_new (LoomRun *run);
void loom_name_child_time_cache_free (LoomChildTimeCache *cache);
/* Returns the slots of a row, one for each block, in order. `row`: index of the row in the trace. */
LoomChildTimeSlot *loom_name_child_time_cache_get (LoomChildTimeCache *cache, guint trace, guint row);

/* Working memory of a thread, which sums one block at a time. */
typedef struct {
  /* [id in LoomRunNames] total time of the children of spans with this name; all elements are 0 between two blocks */
  guint64 *below_ns;
  LoomChildTimeSum *sums; /* room for LOOM_CHILD_TIME_BLOCK + 1 sums */
  guint n_sums;
} LoomNameChildTime;

void loom_name_child_time_init (LoomNameChildTime *below, guint32 n_names);
void loom_name_child_time_clear (LoomNameChildTime *below);

/* Spans of two neighbouring rows, as indices in the columns. [first, end): the spans of the lower row that count;
 * [row_first, row_end): all spans of the lower row; [above, above_end): spans of the upper row. Ends are exclusive. The
 * functions below need ranges that are not empty. */
typedef struct {
  guint32 first, end;
  guint32 row_first, row_end;
  guint32 above, above_end;
  LoomChildTimeSlot *slots; /* one slot for each block of the lower row */
} LoomNameChildTimeRow;

/* Returns the last span of the upper row that begins at or before a time; if there is none, the first span of the upper
 * row. */
guint32 loom_name_child_time_find_above (const LoomNameChildTimeRow *row, const gint64 *start_ns, gint64 time_ns);

/* Adds the time of each span in [first, end) to the child time of its parent's name. Uses cached sums for blocks that
 * were visited before. Any thread, if no other thread uses the same sums. */
void loom_name_child_time_inside (const LoomNameColumns *columns, LoomNameChildTimeRow row, LoomNameChildTime *below);

/* Like loom_name_child_time_inside(), but for spans outside the analysed time range whose parents reach into the
 * range. */
void loom_name_child_time_outside (const LoomNameColumns *at, LoomNameChildTimeRow row);
