/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: how far the order of events of different ranks is known. A sentence about all pairs of ranks
 * must not be based on those that share events. Any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct _LoomClockOrder LoomClockOrder;

/* Finds for each rank whether its clocks agree with those of other ranks. O(sources). Owned by the caller. */
LoomClockOrder *loom_clock_order_new (LoomTimeline *timeline);
void loom_clock_order_free (LoomClockOrder *order);

/* Returns the ranks of each group of ranks that share events, for example “rank 0, rank 1 / rank 2, rank 3”; NULL if
 * there is only one group, so that the order is known between all ranks of it. Owned by the caller. */
char *loom_clock_order_dup_groups (const LoomClockOrder *order);

/* Returns the ranks whose clock was not compared with others, or contradicts them; NULL: there are none. Owned by the
 * caller. */
char *loom_clock_order_dup_unknown (const LoomClockOrder *order);

/* Returns TRUE if the run contains a merged file with several ranks, whose clocks were aligned when it was merged.
 * `error_ns`: largest uncertainty of a clock that the file states; 0: not stated. */
gboolean loom_clock_order_is_merged (LoomTimeline *timeline, gint64 *error_ns);

/* Returns TRUE if the alignment compares this clock with others, finds no contradiction, and the user has not moved the
 * clock: an offset of the user is not a part of the fit. */
gboolean loom_clock_order_is_sure (const LoomClockFit *fit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomClockOrder, loom_clock_order_free)
