/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the main thread of a rank, which is the thread that runs the training loop. Callable
 * from any thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns TRUE if the name is that of a step, such as "ProfilerStep#12". */
gboolean loom_main_thread_is_step (const char *name);

/* Returns TRUE if the track belongs to the rank, and its spans were recorded, not derived from another track. `rank`:
 * −1 for any rank. `on_host`: TRUE for tracks of the host, FALSE for tracks of devices. */
gboolean loom_main_thread_is_own (const LoomTrack *track, gint rank, gboolean on_host);

/* Returns TRUE if the track has spans of steps, which enclose all other spans of its thread. */
gboolean loom_main_thread_has_steps (const LoomTrace *trace, const LoomTrack *track);

/* Returns the main thread of a rank. This is the thread with the spans of steps; if no thread has them, it is the
 * thread with most events. This second choice is less reliable, because a separate thread for backward passes often has
 * more events than the main thread. NULL if the rank has no threads. O(tracks). */
const LoomTrack *loom_main_thread_find (const LoomTrace *trace, gint rank);
