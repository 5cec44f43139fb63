/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a function in a worker thread and passes its result to a callback on the main thread, unless the work was
 * cancelled. The functions below must be called on the main thread; only the LoomWorkerFunc runs in the worker.
 */
#pragma once

#include <gio/gio.h>

/* Does the work, in another thread. Returns the result, owned by the caller; NULL may be a valid result. If the
 * function sets `error`, the work has failed. */
typedef gpointer (*LoomWorkerFunc) (gpointer input, GCancellable *cancellable, GError **error);
/* Called on the main thread when the work has ended, but not after a cancellation. Takes ownership of `result`; `error`
 * and `input` are borrowed. `error` is NULL if the work succeeded. */
typedef void (*LoomWorkerDone) (gpointer owner, gpointer result, const GError *error, gpointer input);

typedef struct {
  LoomWorkerFunc work;
  GDestroyNotify free_input;  /* frees the input; called in any thread; NULL: nothing to free */
  GDestroyNotify free_result; /* frees results that are not passed to `done`; NULL: nothing to free */
} LoomWorkerKind;

/* Allocates an input for loom_worker_run(): a struct of type Type, initialised with the other arguments. Owned by the
 * caller, freed with g_free(). */
#define LOOM_WORKER_INPUT(Type, ...) ((Type *) g_memdup2 (&(Type) { __VA_ARGS__ }, sizeof (Type)))

/* Runs the work in a worker. Takes ownership of `input`; copies `kind`. `owner` is borrowed and must stay valid until
 * the work has ended or is cancelled. If `cancellable` is NULL, `done` is always called. */
void loom_worker_run (GCancellable *cancellable, const LoomWorkerKind *kind, gpointer input, LoomWorkerDone done,
                      gpointer owner);
/* Like loom_worker_run(), but makes a new cancellable and stores it in `*running`, a member of the owner. If `*running`
 * contains a cancellable already, first cancels its work. `*running` is set to NULL before `done` is called. */
void loom_worker_start (GCancellable **running, const LoomWorkerKind *kind, gpointer input, LoomWorkerDone done,
                        gpointer owner);
/* Returns TRUE if no worker is running. A worker whose work was cancelled counts until its function returns. */
gboolean loom_worker_is_idle (void);
/* Cancels the work that is running, if there is any, and sets `*running` to NULL. Must also be called before the owner
 * is freed. */
void loom_worker_cancel (GCancellable **running);
