/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one function in a worker thread and gives its result to a callback on the main thread, unless it was cancelled by then.
 * Main thread, except the function itself.
 */
#pragma once

#include <gio/gio.h>

/* In the worker. Returns the result, owned; with `error` set it has failed. NULL without an error is a result, too. */
typedef gpointer (*LoomWorkerFunc) (gpointer input, GCancellable *cancellable, GError **error);
/* Takes `result`; `error` and `input` are borrowed. `error` NULL: it has not failed. Never called once it is cancelled. */
typedef void (*LoomWorkerDone) (gpointer owner, gpointer result, const GError *error, gpointer input);

typedef struct {
  LoomWorkerFunc work;
  GDestroyNotify free_input;  /* NULL: nothing to free; in any thread */
  GDestroyNotify free_result; /* of a result that `done` does not get; NULL: nothing to free */
} LoomWorkerKind;

/* An input of that type on the heap, for g_free(). */
#define LOOM_WORKER_INPUT(Type, ...) ((Type *) g_memdup2 (&(Type) { __VA_ARGS__ }, sizeof (Type)))

/* Takes `input`; copies `kind`. `owner` is borrowed and must outlive the work or cancel it. `cancellable` NULL: `done` is
 * always called. */
void loom_worker_run (GCancellable *cancellable, const LoomWorkerKind *kind, gpointer input, LoomWorkerDone done,
                      gpointer owner);
/* The same with a cancellable of its own in `*running`, a part of the owner: what runs there already is cancelled first.
 * It is NULL again before `done` is called. */
void loom_worker_start (GCancellable **running, const LoomWorkerKind *kind, gpointer input, LoomWorkerDone done,
                        gpointer owner);
/* Cancels what runs, if anything, and clears `*running`; also before the owner goes. */
void loom_worker_cancel (GCancellable **running);
