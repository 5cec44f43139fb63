/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about the idle time of devices and the delays of kernel launches (loom-idle-time.h), as
 * JSON and as text. Private to src/report. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-idle-time.h"

/* Adds the member "idle": {"devices":[…],"streams":[…],"launches":[…]}. If the causes of the idle times are unknown,
 * also adds "missing", a sentence with the reason. Times are in ns; sources are indices into the sources of the run. As in
 * Holistic Trace Analysis, idle times begin with the first work of a device; its wait for this work is a member of its
 * own. `counted`: result of loom_idle_start_get(). */
void loom_idle_section_build (const LoomIdleTime *idle, const LoomIdleTime *counted, JsonBuilder *builder);
/* Appends the idle time of each device and its causes as text for a terminal. Like the page “Idle Time”, counts
 * the waits of devices for their first work, too. */
void loom_idle_section_write (const LoomIdleTime *counted, GString *out);
