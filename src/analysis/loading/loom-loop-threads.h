/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the threads of a trace whose waits hold up training. A thread that fetches batches ahead waits too,
 * but nobody waits for it: it launches no kernel and has no steps, while another thread of its rank in the same file launches
 * kernels. All threads count if no launch is recorded. Immutable when made; any thread.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  guint8 *held_up; /* [track] TRUE if the training waits for this thread */
  guint n_tracks;
} LoomLoopThreads;

/* Finds the threads for which the training waits. O(names + spans of threads that do not launch kernels). */
LoomLoopThreads *loom_loop_threads_new (const LoomTrace *trace);
void loom_loop_threads_free (LoomLoopThreads *threads);

/* Returns TRUE if the training waits for the thread. O(1). */
gboolean loom_loop_threads_has (const LoomLoopThreads *threads, guint track);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoopThreads, loom_loop_threads_free)
