/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the waits for other ranks in collectives and messages together with the spans that wait, so that the waits of
 * each device can be counted (loom-rank-breakdown.h). Any thread.
 */
#pragma once

#include "loom-collectives.h"

/* Returns the waits as an array of LoomSpanWait, in no particular order. Waits are defined as in loom-rank-waits.h,
 * but those in collectives of all kinds are included. Owned by the caller. O(collectives · ranks + messages). NULL
 * only when cancelled. */
GArray *loom_span_waits_new (LoomCollectives *collectives, GCancellable *cancellable);
