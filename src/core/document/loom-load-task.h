/* SPDX-License-Identifier: Apache-2.0
 *
 * A load in a worker thread, with signals on the main thread. Traces that are ready are combined with the base into a run while
 * others are still being read, in another thread and one batch at a time.
 *
 * Signals, on the main thread: "arrived" when the run has grown; "finished" once, at the end.
 * The task holds a reference to itself until "finished". Main thread only.
 */
#pragma once

#include "loom-load.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_LOAD_TASK (loom_load_task_get_type ())
G_DECLARE_FINAL_TYPE (LoomLoadTask, loom_load_task, LOOM, LOAD_TASK, GObject)

/* Makes a task that loads `paths`. `base`: the run that is open already, whose traces come first; NULL: none. `known`:
 * a run whose traces are reused if their files did not change, see LoomLoadOptions.known; NULL: none. `anew`: paths of
 * sources whose traces are not reused, see LoomLoadOptions.anew; copied; NULL: none. `edits`: the user's changes to
 * sources: removed ones are not read, others get their rank and node; copied; NULL: none. */
LoomLoadTask *loom_load_task_new (const char *const *paths, LoomRun *base, LoomRun *known, const char *const *anew,
                                  const LoomSourceOverrides *edits);
void loom_load_task_start (LoomLoadTask *self);
void loom_load_task_cancel (LoomLoadTask *self);

LoomProgress *loom_load_task_get_progress (LoomLoadTask *self);

/* The time at which the first trace was ready, in µs of g_get_monotonic_time(); 0: none is ready. */
gint64 loom_load_task_get_ready_time (LoomLoadTask *self);

/* Return the run and its timeline. During the load, they have the traces of the base and those that were read so far.
 * After "finished" they have all traces in their final order or, after an error, those that were read. Borrowed until
 * the next signal. Both are NULL while no trace was read; the timeline is also NULL if there is nothing to draw. */
LoomRun *loom_load_task_get_run (LoomLoadTask *self);
LoomTimeline *loom_load_task_get_timeline (LoomLoadTask *self);

/* After "finished": the error, which may be a cancellation; NULL: success. Borrowed. */
const GError *loom_load_task_get_error (LoomLoadTask *self);
