/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about the critical path (loom-critical-path.h), as JSON and as text. Private to
 * src/report. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-critical-path.h"

/* Adds {"length_ns":…,"kinds":[…],"ranks":[…],"steps":[…],"names":[…],…} as the member "critical_path". If no path was
 * found, the member "missing" contains the reason. Times are timeline ns. */
void loom_path_section_build (const LoomCriticalPath *path, JsonBuilder *builder);
/* Appends the results as text for a terminal: the kinds of work on the critical path, and the time that faster work of
 * each kind would save. */
void loom_path_section_write (const LoomCriticalPath *path, GString *out);
