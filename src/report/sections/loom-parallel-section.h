/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about parallelism: how a job is split over its ranks, the load of its experts and the
 * bubbles (idle times) of its pipelines, as JSON and as text. Private to src/report. The functions may be called on any
 * thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-expert-load.h"
#include "loom-pipeline-bubbles.h"

/* Adds {"grid","axes":[…],"groups":[…],"ranks":[…],"experts":[…],"bubbles":{…}} as the member "parallel". Times are in
 * ns, and shares are fractions from 0 to 1. */
void loom_parallel_section_build (const LoomParallelAxes *axes, const LoomBubbles *bubbles,
                                  const LoomExpertLoad *experts, JsonBuilder *builder);
/* Appends the results as text for a terminal: the axes, the experts, then the bubbles (idle times) of the pipelines.
 * Appends nothing for a job with fewer than two ranks. */
void loom_parallel_section_write (const LoomParallelAxes *axes, const LoomBubbles *bubbles,
                                  const LoomExpertLoad *experts, GString *out);
