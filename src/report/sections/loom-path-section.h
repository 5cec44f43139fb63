/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: the critical path of a report as JSON and as text. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-critical-path.h"

/* Adds {"length_ns":…,"kinds":[…],"ranks":[…],"steps":[…],"names":[…],…} as the member "critical_path". Without a path it has
 * the reason as "missing". Times are timeline ns. */
void loom_path_section_build (const LoomCriticalPath *path, JsonBuilder *builder);
/* Appends readable text: the kinds of work on the critical path, and the time that faster work of each kind would
 * save. */
void loom_path_section_write (const LoomCriticalPath *path, GString *out);
