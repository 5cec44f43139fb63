/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: how a job is split over its ranks, and the bubbles of its pipelines, as JSON and as text. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-pipeline-bubbles.h"

/* Adds {"grid","axes":[…],"groups":[…],"ranks":[…],"bubbles":{…}} as the member "parallel". Times are ns, fractions 0 … 1. */
void loom_parallel_section_build (const LoomParallelAxes *axes, const LoomBubbles *bubbles, JsonBuilder *builder);
/* Appends lines for people: the axes, then the pipelines' bubbles. Nothing for a job with fewer than two ranks. */
void loom_parallel_section_write (const LoomParallelAxes *axes, const LoomBubbles *bubbles, GString *out);
