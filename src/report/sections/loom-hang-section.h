/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: what a job that hangs waits for, in a report as JSON and as text. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-hang.h"

/* Adds the member "hang" with suspects, missing ranks, waits, groups and mismatches; adds nothing for a run without
 * dumps of flight recorders. */
void loom_hang_section_build (const LoomHang *hang, JsonBuilder *builder);
/* Appends readable text: for which ranks others wait, and how many wait. */
void loom_hang_section_write (const LoomHang *hang, GString *out);
