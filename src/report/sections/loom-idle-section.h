/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about the idle time of devices and the delays of kernel launches (loom-idle-time.h), as
 * JSON and as text. Private to src/report. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-idle-time.h"

/* Adds the member "idle": {"devices":[…],"streams":[…],"launches":[…]}. If the causes of the idle times are unknown,
 * also adds "missing", a sentence with the reason. Times are in ns; sources are indices into the sources of the run. */
void loom_idle_section_build (const LoomIdleTime *idle, JsonBuilder *builder);
/* Appends the idle time of each device and its causes as text for a terminal. */
void loom_idle_section_write (const LoomIdleTime *idle, GString *out);
