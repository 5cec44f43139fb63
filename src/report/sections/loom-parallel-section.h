/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the report about parallelism: how a job is split over its ranks, the load of its experts and the bubbles
 * (idle times) of its pipelines, as JSON and as text. Private to src/report. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-expert-load.h"
#include "loom-pipeline-bubbles.h"

/* Adds {"grid","axes":[…],"groups":[…],"ranks":[…],"experts":[…],"bubbles":{…}} as the member "parallel". Times are ns,
 * fractions 0 … 1. */
void loom_parallel_section_build (const LoomParallelAxes *axes, const LoomBubbles *bubbles,
                                  const LoomExpertLoad *experts, JsonBuilder *builder);
/* Appends readable text: the axes, the experts, then the pipelines' bubbles. Appends nothing for a job with fewer than
 * two ranks. */
void loom_parallel_section_write (const LoomParallelAxes *axes, const LoomBubbles *bubbles,
                                  const LoomExpertLoad *experts, GString *out);
