/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the main thread of a rank, which runs the training loop. Any thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns TRUE if the name is that of a step, such as "ProfilerStep#12". */
gboolean loom_main_thread_is_step (const char *name);

/* Returns TRUE if the track has spans, belongs to the rank (−1: to any rank), is not derived from another track, and is
 * a track of the host or, if `on_host` is FALSE, of a device. */
gboolean loom_main_thread_is_own (const LoomTrack *track, gint rank, gboolean on_host);

/* Returns TRUE if the track has spans of steps, which enclose all other spans of its thread. */
gboolean loom_main_thread_has_steps (const LoomTrace *trace, const LoomTrack *track);

/* Returns the main thread of a rank: the thread with the spans of steps; without steps, the thread with most events.
 * Steps decide because a separate thread for backward passes often has more events. NULL if the rank has no threads.
 * O(tracks). */
const LoomTrack *loom_main_thread_find (const LoomTrace *trace, gint rank);
