/* SPDX-License-Identifier: Apache-2.0
 *
 * What the clocks of a timeline say: which were fitted, by what, how well, and who runs together. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-source-overrides.h"
#include "loom-timeline.h"

/* {"sources":[…],"components":[[0,1],…]}: sources as loom_run_info_build_source() builds them, components as lists of
 * source numbers that evidence connects. The caller owns the node. */
JsonNode *loom_alignment_section_to_json (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* For people: a line per source with offset, drift, pairs and residuals, its verdict and why; then the components. Residuals
 * of what is declared stand before those of a fit that replaced it. Owned. */
char *loom_alignment_section_to_text (LoomTimeline *timeline, const LoomSourceOverrides *names);
