/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Finds when the recording of a source ended: at the latest time of its events.
 */
#pragma once

#include "loom-freeze-private.h"

/* Returns an array with one element per source, owned by the caller. For a source for which
 * loom_trace_builder_source_extend_open() was called, the element is the latest time of its events, but at least the
 * time `until_ns` that was passed to that function. For other sources, the element is LOOM_TIME_NONE. Implausible times
 * do not count. Returns NULL if the sources for which that function was called have no spans without an end.
 * O(events). */
gint64 *loom_recording_ends_find (const LoomFreeze *freeze);
