/* SPDX-License-Identifier: Apache-2.0
 *
 * The alignment of the clocks of a timeline: which clocks were fitted, by what evidence and how well, and which
 * sources are connected. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-source-overrides.h"
#include "loom-timeline.h"

/* Returns {"sources":[…],"components":[[0,1],…]}. Sources are written as by loom_run_info_build_source(). A component
 * lists the numbers of sources whose clocks were compared, directly or through other clocks. The caller owns the
 * node. */
JsonNode *loom_alignment_section_to_json (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Returns the alignment as text: for each source the offset, drift, pairs of events, residuals, and the verdict with
 * its reason; then the groups of sources whose clocks were compared. If a fit replaced a declared clock, the residuals
 * of the declared clock come before the residuals of the fit. Owned by the caller. */
char *loom_alignment_section_to_text (LoomTimeline *timeline, const LoomSourceOverrides *names);
