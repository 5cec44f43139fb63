/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads files in a worker thread, and emits signals on the main thread. While files are still being read, another
 * thread combines the traces that are ready with the run that was open before (the base), one batch of traces at a
 * time.
 *
 * Signals, on the main thread: "arrived" when the run has grown; "finished" once, at the end. The task holds a
 * reference to itself until "finished". Main thread only.
 */
#pragma once

#include "loom-load.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_LOAD_TASK (loom_load_task_get_type ())
G_DECLARE_FINAL_TYPE (LoomLoadTask, loom_load_task, LOOM, LOAD_TASK, GObject)

/* Makes a task that loads `paths`. `base`: the run that is open already, whose traces come first; NULL: no run is open.
 * `known`: a run whose traces are reused if their files did not change, see LoomLoadOptions.known; NULL: none are
 * reused. `anew`: paths of sources whose traces are not reused, see LoomLoadOptions.anew; copied; may be NULL. `edits`:
 * the user's changes to sources: removed sources are not read, others get the rank and node of the edit; copied; may be
 * NULL. */
LoomLoadTask *loom_load_task_new (const char *const *paths, LoomRun *base, LoomRun *known, const char *const *anew,
                                  const LoomSourceOverrides *edits);
void loom_load_task_start (LoomLoadTask *self);
void loom_load_task_cancel (LoomLoadTask *self);

LoomProgress *loom_load_task_get_progress (LoomLoadTask *self);

/* Returns the time at which the first trace was ready, in µs of g_get_monotonic_time(); 0: none is ready yet. */
gint64 loom_load_task_get_ready_time (LoomLoadTask *self);

/* The next two functions return the run and its timeline. During the load, the run contains the traces of the base (the
 * run that was open before) and the new traces that have been combined with them so far. After "finished", it contains
 * all traces in their final order or, after an error, the traces that could be read. Borrowed until the next signal.
 * The run and the timeline are NULL before the first signal, and after an error before any trace was read; the timeline
 * is also NULL if there is nothing to draw. */
LoomRun *loom_load_task_get_run (LoomLoadTask *self);
LoomTimeline *loom_load_task_get_timeline (LoomLoadTask *self);

/* Must not be called before "finished". Returns the error, which may be a cancellation; NULL: the load succeeded.
 * Borrowed. */
const GError *loom_load_task_get_error (LoomLoadTask *self);
