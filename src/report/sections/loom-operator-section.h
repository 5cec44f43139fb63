/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about operators: how long each takes on the host and on devices (loom-operators.h), as
 * JSON and as text. Private to src/report. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-operators.h"

/* Adds {"kernels","kernels_ns","unlinked","unlinked_ns","outside_ns","names":[…],"shapes":{…},"modules":{…}} as the
 * member "operators". A part without rows has a member "missing" with the reason. */
void loom_operator_section_build (const LoomOperators *operators, JsonBuilder *builder);
/* Appends the operators that take longest as text for a terminal. */
void loom_operator_section_write (const LoomOperators *operators, GString *out);
