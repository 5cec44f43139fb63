/* SPDX-License-Identifier: Apache-2.0
 *
 * The alignment of the clocks of a timeline: which clocks were fitted, by what evidence and how well, and which
 * sources are connected. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-source-overrides.h"
#include "loom-timeline.h"

/* Returns {"sources":[…],"components":[[0,1],…]}: sources as loom_run_info_build_source() writes them, components as
 * lists of the numbers of sources that evidence connects. The caller owns the node. */
JsonNode *loom_alignment_section_to_json (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Returns the alignment as text: for each source the offset, drift, pairs, residuals, and the verdict with its reason;
 * then the components. If a fit replaced a declared clock, the residuals of the declared clock come before the
 * residuals of the fit. Owned by the caller. */
char *loom_alignment_section_to_text (LoomTimeline *timeline, const LoomSourceOverrides *names);
