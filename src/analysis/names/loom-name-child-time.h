/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/names. Adds up the child time of each name: the durations of the direct children of its
 * spans. The self time of a name is its total time minus its child time. loom-name-aggregate.c calls this file when it
 * goes through the spans. The sums of a whole block of spans do not depend on the range, so they are cached for later
 * ranges. The cache needs at most two bytes per span.
 */
#pragma once

#include "loom-name-aggregate.h"

#define LOOM_CHILD_TIME_BLOCK 2048 /* number of spans in a block; the last block of a row has fewer */

typedef gpointer LoomChildTimeSlot; /* cached sums of one block; NULL: not cached yet */

typedef struct {
  guint32 id; /* id in LoomRunNames of the name of the parents */
  guint64 below_ns;
} LoomChildTimeSum;

/* Makes an empty cache with a LoomChildTimeSlot for each block of the run. Borrows the run. Any thread. */
LoomChildTimeCache *loom_name_child_time_cache_new (LoomRun *run);
void loom_name_child_time_cache_free (LoomChildTimeCache *cache);
/* Returns the slots of a row, one for each block, in the order of the blocks. `row`: index of the row in the trace. */
LoomChildTimeSlot *loom_name_child_time_cache_get (LoomChildTimeCache *cache, guint trace, guint row);

/* Working memory of a thread, which sums one block at a time. */
typedef struct {
  /* [id in LoomRunNames] total time of the children of spans with this name; all elements are 0 when a block begins */
  guint64 *below_ns;
  LoomChildTimeSum *sums; /* array with space for LOOM_CHILD_TIME_BLOCK + 1 elements */
  guint n_sums;
} LoomNameChildTime;

void loom_name_child_time_init (LoomNameChildTime *below, guint32 n_names);
void loom_name_child_time_clear (LoomNameChildTime *below);

/* Spans of two rows of neighbouring depths: the child row, and the parent row, which contains the parents. All members
 * are indices in the columns; ends are exclusive. [first, end): the spans of the child row that count; [row_first,
 * row_end): all spans of the child row; [above, above_end): all spans of the parent row. The functions below need
 * ranges that are not empty. */
typedef struct {
  guint32 first, end;
  guint32 row_first, row_end;
  guint32 above, above_end;
  LoomChildTimeSlot *slots; /* one slot for each block (LOOM_CHILD_TIME_BLOCK spans) of the child row */
} LoomNameChildTimeRow;

/* Returns the last span of the parent row that begins at or before `time_ns`; if there is none, the first span of the
 * parent row. */
guint32 loom_name_child_time_find_above (const LoomNameChildTimeRow *row, const gint64 *start_ns, gint64 time_ns);

/* Adds the time of each span of `row` to the child time of its parent's name. For blocks that were processed before,
 * uses the sums cached in row.slots. `below`: working memory. Any thread, if no other thread uses the same `below`. */
void loom_name_child_time_inside (const LoomNameColumns *columns, LoomNameChildTimeRow row, LoomNameChildTime *below);

/* Like loom_name_child_time_inside(), but for spans outside the analysed range whose parents are partly inside the
 * range. */
void loom_name_child_time_outside (const LoomNameColumns *at, LoomNameChildTimeRow row);
