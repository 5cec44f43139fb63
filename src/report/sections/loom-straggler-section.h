/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about collectives, and about the ranks that arrive late at them (loom-stragglers.h), as
 * JSON and as text. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-slowdown.h"
#include "loom-stragglers.h"

/* Maximum number of elements of "held_up", the list of the collectives in which ranks waited longest. */
#define LOOM_HELD_UP_TOLD 100

/* Writes the member "collectives": {"missing"?, "count", "wait_ns", "transfer_ns", "ranks":[…], "held_up":[…]}. Times
 * are timeline ns. "others_wait_ns" of a rank is the time that other ranks wait for this rank. The sum of
 * "others_wait_ns" over all ranks is "wait_ns", except for rounding. */
void loom_straggler_section_build (const LoomStragglers *stragglers, JsonBuilder *builder);
/* `slowdown`: of the same collectives or of those of the whole run. If it fits (loom_slowdown_fits()), the work
 * before the arrival of a rank is written only for slow ranks, as on the page “Stragglers”; except if hosts are the
 * reason of the waits. */
void loom_straggler_section_write (const LoomStragglers *stragglers, const LoomSlowdown *slowdown, GString *out);
