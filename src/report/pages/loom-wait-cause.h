/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the reason why devices wait for other ranks: late ranks (loom-late-ranks.h), slow links, or bubbles of a
 * pipeline (stages that wait for messages). The functions may be called on any thread.
 */
#pragma once

#include "loom-page.h"
#include "loom-step-breakdown.h"

typedef struct {
  char *phrase; /* translated words for a sentence: "mostly for rank 5"; NULL: the cause is unknown */
  /* translated sentence that refers to the page about the cause; NULL: the cause is unknown; static */
  const char *see;
} LoomWaitCause;

/* Finds the main cause of the waits in the range of `collectives`. If there is no main cause, finds a late rank that
 * causes a noticeable part of the waits. `waits_percent`: share of the devices' time in which they wait for other ranks
 * and compute nothing, in percent. The phrase is owned by the caller. The cause is unknown when cancelled. */
LoomWaitCause loom_wait_cause_find (const LoomPageInput *input, LoomCollectives *collectives,
                                    const LoomStepBreakdown *breakdown, double waits_percent,
                                    GCancellable *cancellable);
