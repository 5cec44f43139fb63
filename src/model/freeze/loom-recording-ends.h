/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Finds when the recording of a source ended: at the latest time of its events.
 */
#pragma once

#include "loom-freeze-private.h"

/* Returns an array with one element per source: the latest time of its events, or the time that was given with it, if
 * loom_trace_builder_source_extend_open() was called for it; otherwise LOOM_TIME_NONE. Times that are not credible do
 * not count. Owned by the caller; NULL if no such source has spans without an end. O(events). */
gint64 *loom_recording_ends_find (const LoomFreeze *freeze);
