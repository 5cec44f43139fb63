/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the threads of a trace for which the training loop waits. Threads that fetch
 * batches in advance also wait for data, but the training loop does not wait for them. The training loop is assumed
 * not to wait for a thread that launches no kernel and has no step spans, if another thread of the same rank in the
 * same file launches kernels. If no launch is recorded, the training loop is assumed to wait for all threads. Immutable
 * when made; any thread.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  guint8 *held_up; /* [track] TRUE if the training loop waits for this thread */
  guint n_tracks;
} LoomLoopThreads;

/* Finds the threads for which the training loop waits. O(names + spans of threads that do not launch kernels). */
LoomLoopThreads *loom_loop_threads_new (const LoomTrace *trace);
void loom_loop_threads_free (LoomLoopThreads *threads);

/* Returns TRUE if the training loop waits for a thread. O(1). */
gboolean loom_loop_threads_has (const LoomLoopThreads *threads, guint track);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoopThreads, loom_loop_threads_free)
