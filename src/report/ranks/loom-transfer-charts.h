/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes two parts of the page "Collectives": a sentence about the share of waiting in the time of collectives, and
 * charts of the waits, transfers and bandwidths of all collectives. Texts are translated. The functions may be called
 * on any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-page.h"
#include "loom-transfers.h"

/* Returns a sentence that states which share of the time of all ranks in collectives and messages is waiting for other
 * ranks, and the duration of these waits. The times are those of loom-collective-times.h: if a rank waits in several
 * collectives at once, this time counts only once. (The page "Stragglers" adds up the waits of all collectives.) NULL
 * if the range has neither collectives nor messages. Owned by the caller. O(members · log members). */
char *loom_transfer_charts_dup_waits (const LoomCollectives *collectives);

/* Adds a note if ranks exchange messages, but their clocks are not aligned with each other, because their groups have
 * no collective in common. The note explains how the waits in these messages are computed. O(1). */
void loom_transfer_charts_add_clock_doubt (LoomPageContent *sheet, const LoomCollectives *collectives);

/* Adds a chart with a column for each collective, in order of time: the wait (mean over its ranks) and the transfer.
 * Activating a column shows the collective on the timeline. If there are too many collectives, or if ranks also
 * exchange messages, each column is a part of the time range instead, and shows the share of the ranks' time that is
 * spent in collectives and messages. If a rank takes part in several collectives at once, this time counts only once.
 * O(members · log members). */
void loom_transfer_charts_add_collectives (LoomPageContent *sheet, const LoomPageInput *input,
                                           const LoomCollectives *collectives);
/* Adds a chart of bus bandwidths by transfer size, with a point for each group of ranks. Adds nothing if bandwidths of
 * fewer than four sizes are known. */
void loom_transfer_charts_add_bandwidths (LoomPageContent *sheet, const LoomTransfers *transfers);
/* Adds a histogram of the durations of the transfers in all collectives and messages. Adds nothing if all durations are
 * equal. */
void loom_transfer_charts_add_durations (LoomPageContent *sheet, const LoomCollectives *collectives);
