/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives across ranks and who is late to them, as a member of the report's JSON and as lines for people. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-stragglers.h"

/* Number of collectives listed one by one: those in which a rank waited longest. */
#define LOOM_HELD_UP_TOLD 100

/* "collectives": {"missing"?, "count", "wait_ns", "transfer_ns", "ranks":[…], "held_up":[…]}; times timeline ns. "others_wait_ns" of
 * the ranks adds up to "wait_ns" of all, but for rounding. */
void loom_straggler_section_build (const LoomStragglers *stragglers, JsonBuilder *builder);
void loom_straggler_section_write (const LoomStragglers *stragglers, GString *out);
