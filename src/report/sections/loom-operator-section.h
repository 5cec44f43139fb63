/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: the operators of a report as JSON and as text. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-operators.h"

/* Adds {"kernels","kernels_ns","unlinked","unlinked_ns","outside_ns","names":[…],"shapes":{…},"modules":{…}} as the
 * member "operators". Parts without rows have the reason as "missing". */
void loom_operator_section_build (const LoomOperators *operators, JsonBuilder *builder);
/* Appends readable text: the operators that take longest. */
void loom_operator_section_write (const LoomOperators *operators, GString *out);
