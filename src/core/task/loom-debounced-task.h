/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs work in a worker, for input that changes frequently, such as a range that the user drags. Each change of the
 * input (loom_debounced_task_ask()) cancels the running work. If the previous work took little time, the next work
 * starts at once. Otherwise it starts after a short delay, and each further change restarts the delay. If the previous
 * work was cancelled, its duration is not known, and the time since the first cancelled work began is used instead;
 * otherwise work would start in every frame while the user pans the view. If work takes long, a function of the owner
 * (LoomDebouncedTaskShow) is called, which can show that the results on screen are outdated. The struct is a member of
 * its owner, which must stop the task before it is freed. Called on the main thread.
 */
#pragma once

#include "loom-worker.h"

typedef struct _LoomDebouncedTask LoomDebouncedTask;

/* Starts the work that loom_debounced_task_ask() requested last. Must call loom_debounced_task_run() with the input of
 * this work. */
typedef void (*LoomDebouncedTaskStart) (LoomDebouncedTask *task, gpointer owner);
/* Called with `working` TRUE when the work takes long, and then repeatedly until the work ends; the results on screen
 * are outdated during this time. Called with `working` FALSE when the work has ended. */
typedef void (*LoomDebouncedTaskShow) (gboolean working, gpointer owner);

struct _LoomDebouncedTask {
  LoomDebouncedTaskStart start;
  LoomWorkerDone done;
  LoomDebouncedTaskShow show;
  gpointer owner;
  GCancellable *running; /* cancels the running work (a LoomProgressCancellable); NULL: no worker is running */
  guint start_id;        /* id of the timer that starts the work; 0: no timer is running */
  guint show_id;         /* id of the timer that calls `show`; 0: no timer is running */
  gint64 started_us;     /* start time of the running work, in µs */
  /* start time, in µs, of the first work since the last result; all work started since then was cancelled by a change
   * of the input or is still running. 0: no work has started since the last result */
  gint64 unanswered_us;
  /* duration of the last work, in µs; if a change of the input cancelled that work, the time from `unanswered_us` to
   * the cancellation */
  gint64 took_us;
};

/* Initialises the task. `done` is not called for work that was cancelled by a change of the input or by
 * loom_debounced_task_stop(). */
void loom_debounced_task_init (LoomDebouncedTask *self, LoomDebouncedTaskStart start, LoomWorkerDone done,
                               LoomDebouncedTaskShow show, gpointer owner);
void loom_debounced_task_ask (LoomDebouncedTask *self);
/* Starts the work with the functions in `kind`, which are copied. Takes ownership of `input`. Must only be called by
 * `start`. */
void loom_debounced_task_run (LoomDebouncedTask *self, const LoomWorkerKind *kind, gpointer input);
/* Cancels running work, and work that is about to start. Must also be called before the owner is freed. */
void loom_debounced_task_stop (LoomDebouncedTask *self);
/* Returns TRUE if work is running or about to start. */
gboolean loom_debounced_task_is_open (const LoomDebouncedTask *self);

/* Returns how much of the work is done, from 0 to 1; −1: not known. */
double loom_debounced_task_get_fraction (const LoomDebouncedTask *self);
