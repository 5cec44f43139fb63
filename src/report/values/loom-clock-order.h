/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: determines for which ranks the order of events is known. Clocks are aligned with events that
 * ranks share, so the order is unknown between ranks whose clocks were not compared. A sentence about all ranks must
 * not be derived only from the ranks that share events. The functions may be called on any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct _LoomClockOrder LoomClockOrder;

/* Determines for each rank whether its clocks agree with the clocks of other ranks. O(sources). Owned by the caller. */
LoomClockOrder *loom_clock_order_new (LoomTimeline *timeline);
void loom_clock_order_free (LoomClockOrder *order);

/* Returns the groups of ranks that share events, for example “rank 0, rank 1 / rank 2, rank 3”. Returns NULL if there
 * is only one group; the order of events is then known between all its ranks. Owned by the caller. */
char *loom_clock_order_dup_groups (const LoomClockOrder *order);

/* Returns the names of the ranks for which the order of events is unknown: their clocks were not compared with other
 * clocks, or contradict other clocks. NULL if there are no such ranks. Owned by the caller. */
char *loom_clock_order_dup_unknown (const LoomClockOrder *order);

/* Returns TRUE if the run contains a merged file with several ranks, whose clocks were aligned when the file was
 * merged. `error_ns`: largest uncertainty of a clock according to the file; 0: the file does not contain it. */
gboolean loom_clock_order_is_merged (LoomTimeline *timeline, gint64 *error_ns);

/* Returns TRUE if the order of events is known for this clock: the alignment compared it with other clocks and found no
 * contradiction, and the user has not set an offset for it. The alignment does not check offsets set by the user. */
gboolean loom_clock_order_is_sure (const LoomClockFit *fit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomClockOrder, loom_clock_order_free)
