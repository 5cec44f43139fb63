/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads files on a worker thread. While files are being read, another thread combines the traces that are ready with
 * the run that was open before (the base), one batch of traces at a time.
 *
 * Signals, which are emitted on the main thread: "arrived" when the run has grown; "finished" once, at the end. The
 * task keeps a reference to itself until "finished". Main thread only.
 */
#pragma once

#include "loom-load.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_LOAD_TASK (loom_load_task_get_type ())
G_DECLARE_FINAL_TYPE (LoomLoadTask, loom_load_task, LOOM, LOAD_TASK, GObject)

/* Makes a task that loads `paths`.
 *
 * `base`: the run that is open already, whose traces come first; NULL if no run is open. `known`: a run whose traces
 * are used again if their files have not changed, see LoomLoadOptions.known; may be NULL. `anew`: paths of sources
 * whose traces are always read, see LoomLoadOptions.anew; copied; may be NULL. `edits`: the user's changes to
 * sources; copied; may be NULL. Sources that the user removed are not read. Other sources get the rank and node that
 * the user set. */
LoomLoadTask *loom_load_task_new (const char *const *paths, LoomRun *base, LoomRun *known, const char *const *anew,
                                  const LoomSourceOverrides *edits);
void loom_load_task_start (LoomLoadTask *self);
void loom_load_task_cancel (LoomLoadTask *self);

LoomProgress *loom_load_task_get_progress (LoomLoadTask *self);

/* Returns the value of g_get_monotonic_time() when the first trace was ready; 0 if no trace is ready yet. */
gint64 loom_load_task_get_ready_time (LoomLoadTask *self);

/* The next two functions return the run and its timeline; borrowed until the next signal. During the load, the run
 * contains the traces of the base (the run that was open before), and those new traces that have been combined with
 * them. After "finished", it contains all traces in their final order. If there was an error, it contains the traces
 * that could be read.
 *
 * Both functions return NULL before the first signal. They also return NULL if there was an error before any trace was
 * read. The timeline is also NULL if there is nothing to draw. */
LoomRun *loom_load_task_get_run (LoomLoadTask *self);
LoomTimeline *loom_load_task_get_timeline (LoomLoadTask *self);

/* Returns the error, which may be a cancellation; NULL if the load succeeded. Must not be called before "finished".
 * Borrowed. */
const GError *loom_load_task_get_error (LoomLoadTask *self);
