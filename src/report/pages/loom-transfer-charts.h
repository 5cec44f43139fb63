/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the page "Collectives": how much of the time in collectives is waiting, and charts of all collectives. Texts
 * are translated. Any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-page.h"
#include "loom-transfers.h"

/* Returns a sentence that says which share of the time of all ranks in collectives is waiting for the last rank, and how
 * long that is. Times are those of loom-collective-times.h: a rank that waits in several collectives at once counts
 * once, while the page "Stragglers" adds the waits of all collectives. NULL without collectives. Owned by the caller.
 * O(members · log members). */
char *loom_transfer_charts_dup_waits (const LoomCollectives *collectives);

/* Adds a chart with a column for each collective, in order of time: the wait, as the mean of its ranks, and the transfer.
 * Activating a column shows the collective. If there are too many collectives, the columns are parts of the range of
 * time, and show the share of the ranks' time; a time at which a rank takes part in several collectives counts once.
 * O(members · log members). */
void loom_transfer_charts_add_collectives (LoomPageContent *sheet, const LoomPageInput *input,
                                           const LoomCollectives *collectives);
/* Adds a chart of bus bandwidths by size, with a point for each group of ranks; nothing if fewer than two sizes are
 * known. */
void loom_transfer_charts_add_bandwidths (LoomPageContent *sheet, const LoomTransfers *transfers);
/* Adds a histogram of the transfer times of all collectives; nothing if they are all equal. */
void loom_transfer_charts_add_durations (LoomPageContent *sheet, const LoomCollectives *collectives);
