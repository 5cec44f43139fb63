/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about trace health: whether the records of each trace contradict each other
 * (loom-trace-health.h), as JSON and as text. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-trace-health.h"

/* Writes the member "health": {"alarms", "args_not_read", "traces":[{"rank","source","checks":[{"check","count","of",
 * "worst_ns"?,"alarm"}]}]}. Checks that examined nothing are omitted. */
void loom_health_section_build (const LoomTraceHealth *health, LoomTimeline *timeline, JsonBuilder *builder);
/* Appends the checks whose results are alarming, as text for a terminal. */
void loom_health_section_write (const LoomTraceHealth *health, LoomTimeline *timeline, GString *out);
