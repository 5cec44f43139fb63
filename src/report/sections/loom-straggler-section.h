/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives across ranks and the ranks that are late for them, as a member of the report's JSON and as text. Any
 * thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-stragglers.h"

/* Maximum number of collectives in "held_up", the list of the collectives in which a rank waited longest. */
#define LOOM_HELD_UP_TOLD 100

/* Writes the member "collectives": {"missing"?, "count", "wait_ns", "transfer_ns", "ranks":[…], "held_up":[…]}. Times
 * are timeline ns. The values of "others_wait_ns" of all ranks add up to the total "wait_ns", except for rounding. */
void loom_straggler_section_build (const LoomStragglers *stragglers, JsonBuilder *builder);
void loom_straggler_section_write (const LoomStragglers *stragglers, GString *out);
