/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the chapter of the report about the alignment of clocks: it states which clocks were aligned with others, with
 * which events and how precisely, and which sources are connected by aligned clocks. The functions may be called on any
 * thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-source-overrides.h"
#include "loom-timeline.h"

/* Returns {"sources":[…],"components":[[0,1],…]}. Sources are written as by loom_run_info_build_source(). A component
 * is a list of numbers of sources: those whose clocks were compared with each other, directly or through other clocks.
 * The caller owns the node. */
JsonNode *loom_alignment_section_to_json (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Returns the alignment as text. For each source: the offset, the drift, the number of pairs of events, the residuals,
 * and the quality of the alignment with the reason. Then the groups of sources whose clocks were compared. If a
 * source's file declares a clock, but an alignment was used instead, the residuals of the declared clock come first.
 * Owned by the caller. */
char *loom_alignment_section_to_text (LoomTimeline *timeline, const LoomSourceOverrides *names);
