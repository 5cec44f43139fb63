/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Finds when the recording of a source ended: at the latest time of its events.
 */
#pragma once

#include "loom-freeze-private.h"

/* Returns an array with one element per source. For a source for which loom_trace_builder_source_extend_open() was
 * called: the latest time of its events, but at least the time `until_ns` that was passed to that function. For other
 * sources: LOOM_TIME_NONE. Times that are not credible do not count. Owned by the caller; NULL if no source of the
 * first kind has spans without an end. O(events). */
gint64 *loom_recording_ends_find (const LoomFreeze *freeze);
