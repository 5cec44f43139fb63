/* SPDX-License-Identifier: Apache-2.0
 *
 * One load, run in a worker thread and told about on the main thread. Traces that become ready are put together with what
 * was there before, also in a thread; however many arrive at once, one batch is under way.
 *
 * Signals, on the main thread: "arrived" when there is more to show; "finished" once, last.
 * The job keeps itself alive until "finished". Main thread only.
 */
#pragma once

#include "loom-load.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_LOAD_TASK (loom_load_task_get_type ())
G_DECLARE_FINAL_TYPE (LoomLoadTask, loom_load_task, LOOM, LOAD_TASK, GObject)

/* `base`, or NULL, is what is open already: its traces come first. */
LoomLoadTask *loom_load_task_new (const char *const *paths, LoomRun *base);
/* Before it starts. Traces of `run` whose files did not change are taken over (LoomLoadOptions.known). */
void loom_load_task_set_known (LoomLoadTask *self, LoomRun *run);
/* Before it starts: but not those of these sources (LoomLoadOptions.anew). Copied; NULL: none. */
void loom_load_task_set_anew (LoomLoadTask *self, const char *const *paths);
/* Before it starts: what a person removed or placed; copied. */
void loom_load_task_set_edits (LoomLoadTask *self, const LoomSourceOverrides *edits);
void loom_load_task_start (LoomLoadTask *self);
void loom_load_task_cancel (LoomLoadTask *self);

LoomProgress *loom_load_task_get_progress (LoomLoadTask *self);

/* When the first trace was ready, in µs of g_get_monotonic_time(); 0 before. */
gint64 loom_load_task_get_ready_time (LoomLoadTask *self);

/* The base and what has arrived; after "finished" everything in its final order, or, with an error, what had arrived.
 * Borrowed until the next signal; NULL while nothing has arrived, and the timeline also when there is nothing to draw. */
LoomRun *loom_load_task_get_run (LoomLoadTask *self);
LoomTimeline *loom_load_task_get_timeline (LoomLoadTask *self);

/* After "finished": why it failed or was stopped, or NULL. Borrowed. */
const GError *loom_load_task_get_error (LoomLoadTask *self);
