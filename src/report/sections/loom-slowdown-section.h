/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about the time that slow ranks, pipeline stages, operations and steps cost
 * (loom-slowdown.h), as JSON and as text. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-slowdown.h"

/* Writes the member "slowdown": {"missing"?, "computed_from", "slowdown", "fit", "step_ns", "replayed_step_ns",
 * "ideal_step_ns", "typical_step_ns", "worst_workers"?, "worst_workers_count", "last_stage"?, "waits_ns",
 * "stragglers":{…}, "ranks":[…], "rows":[…], "stages":[…], "operations":[…], "steps":[…]}. Members whose names end in
 * "_ns" are in ns; "slowdown", "fit", "worst_workers", "last_stage", and "steps" inside a rank, row or stage, are
 * ratios. */
void loom_slowdown_section_build (const LoomSlowdown *slowdown, JsonBuilder *builder);
/* Appends the results of loom_slowdown_section_build() as readable text. `stragglers`: NULL if the run has no
 * collectives. */
void loom_slowdown_section_write (const LoomSlowdown *slowdown, const LoomStragglers *stragglers, GString *out);
