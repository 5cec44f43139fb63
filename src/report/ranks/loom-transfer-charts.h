/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes two parts of the page "Collectives": a sentence that says how much of the time in collectives is waiting, and
 * charts of the waits, transfers and bandwidths of all collectives. Texts are translated. The functions may be called
 * on any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-page.h"
#include "loom-transfers.h"

/* Returns a sentence that says which share of the time of all ranks in collectives and messages is waiting for other
 * ranks, and how long this wait is. Times are those of loom-collective-times.h: time in which a rank waits in several
 * collectives at once counts once, while the page "Stragglers" adds up the waits of all collectives. NULL if the range
 * has neither collectives nor messages. Owned by the caller. O(members · log members). */
char *loom_transfer_charts_dup_waits (const LoomCollectives *collectives);

/* Adds a note if ranks exchange messages although their clocks are not aligned with each other, because no collective
 * connects their groups. The note says how the waits in these messages are computed. O(1). */
void loom_transfer_charts_add_clock_doubt (LoomPageContent *sheet, const LoomCollectives *collectives);

/* Adds a chart with a column for each collective, in order of time: the wait (mean over its ranks) and the transfer.
 * Activating a column shows the collective on the timeline. If there are too many collectives, or if ranks also
 * exchange messages, each column is a part of the time range instead, and shows the share of the ranks' time that is
 * spent in collectives and messages. Time in which a rank takes part in several collectives counts once. O(members ·
 * log members). */
void loom_transfer_charts_add_collectives (LoomPageContent *sheet, const LoomPageInput *input,
                                           const LoomCollectives *collectives);
/* Adds a chart of bus bandwidths by transfer size, with a point for each group of ranks. Adds nothing if bandwidths of
 * fewer than four sizes are known. */
void loom_transfer_charts_add_bandwidths (LoomPageContent *sheet, const LoomTransfers *transfers);
/* Adds a histogram of the transfer times of all collectives and messages. Adds nothing if all these times are equal. */
void loom_transfer_charts_add_durations (LoomPageContent *sheet, const LoomCollectives *collectives);
