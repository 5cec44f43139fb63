/* SPDX-License-Identifier: Apache-2.0
 *
 * Why devices wait for other ranks: late ranks (loom-late-ranks.h), slow links, or bubbles of a pipeline. Any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-step-breakdown.h"

typedef struct {
  char *phrase;    /* translated words for a sentence: "mostly for rank 5"; NULL: the cause is unknown */
  const char *see; /* translated sentence that names the page about the cause; NULL: the cause is unknown; static */
} LoomWaitCause;

/* Finds the main cause of the waits in the range of `collectives`, or a late rank that causes a noticeable part of them.
 * `waits_percent`: share of the devices' time that they wait for other ranks and compute nothing. The phrase is owned by
 * the caller. The cause is unknown when cancelled. */
LoomWaitCause loom_wait_cause_find (const LoomPageInput *input, LoomCollectives *collectives,
                                    const LoomStepBreakdown *breakdown, double waits_percent,
                                    GCancellable *cancellable);
