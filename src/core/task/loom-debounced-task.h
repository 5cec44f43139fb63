/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker for a question that changes while it is answered, as a range does that is dragged: a new question cancels the
 * work under way, a question whose answer came quickly starts at once and another one when it has come to rest, and work
 * that takes long is shown. A part of its owner, which clears it. Main thread.
 */
#pragma once

#include "loom-worker.h"

typedef struct _LoomDebouncedTask LoomDebouncedTask;

/* Calls loom_debounced_task_run() with the question there is now. */
typedef void (*LoomDebouncedTaskStart) (LoomDebouncedTask *task, gpointer owner);
/* `working`: what is shown answers an old question and has done so for a while; called again and again as the work goes on.
 * FALSE when it ended. */
typedef void (*LoomDebouncedTaskShow) (gboolean working, gpointer owner);

struct _LoomDebouncedTask {
  LoomDebouncedTaskStart start;
  LoomWorkerDone done;
  LoomDebouncedTaskShow show;
  gpointer owner;
  GCancellable *running; /* a LoomProgressCancellable; NULL when no worker runs */
  guint start_id;        /* a worker is about to start */
  guint show_id;         /* work is about to be shown, or shown again */
  gint64 asked_us, took_us;
};

/* `done` is not called once a new question was asked, or after loom_debounced_task_stop(). */
void loom_debounced_task_init (LoomDebouncedTask *self, LoomDebouncedTaskStart start, LoomWorkerDone done,
                               LoomDebouncedTaskShow show, gpointer owner);
void loom_debounced_task_ask (LoomDebouncedTask *self);
/* Within `start`. Takes `input`; copies `kind`. */
void loom_debounced_task_run (LoomDebouncedTask *self, const LoomWorkerKind *kind, gpointer input);
/* Nobody needs the answer any more. Also before the owner goes. */
void loom_debounced_task_stop (LoomDebouncedTask *self);
/* Whether an answer is waited for. */
gboolean loom_debounced_task_is_open (const LoomDebouncedTask *self);

/* How far the work is, from 0 to 1; −1 when that is not known. */
double loom_debounced_task_get_fraction (const LoomDebouncedTask *self);
