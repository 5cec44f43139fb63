/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about a job that hangs: for which ranks the other ranks wait (loom-hang.h), as JSON and
 * as text. Private to src/report. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-hang.h"

/* Adds the member "hang" with suspects, missing ranks, waits, groups and mismatches; adds nothing for a run without
 * dumps of flight recorders. */
void loom_hang_section_build (const LoomHang *hang, JsonBuilder *builder);
/* Appends the results of the analysis as readable text: for which ranks other ranks wait, and how many ranks wait. */
void loom_hang_section_write (const LoomHang *hang, GString *out);
