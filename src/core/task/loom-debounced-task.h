/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs work in a worker whose input changes while it runs, as a range does while it is dragged. A new question cancels the work
 * under way. The next work starts at once if the previous one was quick, else when no question was asked for a while. Work that takes
 * long is reported. A part of its owner, which clears it. Main thread.
 */
#pragma once

#include "loom-worker.h"

typedef struct _LoomDebouncedTask LoomDebouncedTask;

/* Calls loom_debounced_task_run() with the present question. */
typedef void (*LoomDebouncedTaskStart) (LoomDebouncedTask *task, gpointer owner);
/* `working` TRUE: the work takes long, so the result on screen is that of an old question; called repeatedly while the work goes on.
 * FALSE: the work ended. */
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
/* To be called by `start` only. Takes `input`; copies `kind`. */
void loom_debounced_task_run (LoomDebouncedTask *self, const LoomWorkerKind *kind, gpointer input);
/* Cancels the work and forgets the question. Call it also before the owner is freed. */
void loom_debounced_task_stop (LoomDebouncedTask *self);
/* Whether work runs or is about to start. */
gboolean loom_debounced_task_is_open (const LoomDebouncedTask *self);

/* The part of the work that is done, from 0 to 1; −1: not known. */
double loom_debounced_task_get_fraction (const LoomDebouncedTask *self);
