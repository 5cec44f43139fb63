/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the effect of a profiler configuration (loom-profiler-config-effect.h): as JSON for programs, and as text for
 * users. The functions may be called on any thread.
 */
#pragma once

#include "loom-profiler-config-effect.h"

/* Returns the effect and all notes as a JSON object:
 * {"layer","system":{"on","interval_ms"},"framework":{"on","reason","local_path",…},"metrics":{"DetailedProfilingConfig":
 * {"state","start_step","num_steps","start_s","duration_s","regex","profiler","timer","means"},…},"notes":[{"severity",
 * "code","where","message"}]}. Values that don't apply are null. The caller owns the node. */
JsonNode *loom_profiler_config_report_to_json (const LoomProfilerConfig *config,
                                               const LoomProfilerConfigEffect *effect);

/* Adds the member "notes", an array with the notes (LoomProfilerConfigNote) of `first` and then of `second`. */
void loom_profiler_config_report_add_notes (JsonBuilder *builder, GPtrArray *first, GPtrArray *second);

/* Returns the effect and all notes as text for a terminal. Owned by the caller. */
char *loom_profiler_config_report_to_text (const LoomProfilerConfig *config, const LoomProfilerConfigEffect *effect);

/* Appends notes (LoomProfilerConfigNote) to the text `out`, one note per line. */
void loom_profiler_config_report_append_notes (GString *out, GPtrArray *notes);
