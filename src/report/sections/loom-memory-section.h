/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about memory: the allocations and peaks of each device (loom-memory-use.h), as JSON and
 * as text. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-memory-use.h"

/* Writes the member "memory": {"missing"?,"not_read","args_lost","devices":[{"node","rank","source","device",
 * "relative","allocations","frees","breaks","begin_bytes","end_bytes","allocated_bytes","peak_bytes","peak_ns",
 * "before_bytes","reserved_peak_bytes"?,"reserved_at_peak_bytes"?,"step_end_bytes","holders":[{"operator","module",
 * "allocations","allocated_bytes","largest_bytes","held_bytes","left_bytes"}]}]}. "holders" lists all owners of
 * memory. */
void loom_memory_section_build (const LoomMemoryUse *use, JsonBuilder *builder);
/* Appends the peaks, and the largest owners of memory at each peak, as text for a terminal; appends nothing if the run
 * has no allocations. */
void loom_memory_section_write (const LoomMemoryUse *use, GString *out);
