/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-worker.h with GTask.
 */
#include "loom-worker.h"

typedef struct {
  LoomWorkerKind kind;
  gpointer input, owner;
  LoomWorkerDone done;
  /* address of the member of the owner that contains the cancellable; the member is set to NULL when the work ends. If
   * `running` is NULL, the owner has no such member */
  GCancellable **running;
} Job;

static gint n_running; /* number of workers whose function has not returned; changed atomically */

static void
job_free (gpointer data)
{
  Job *job = data;
  g_atomic_int_add (&n_running, -1);
  if (job->kind.free_input != NULL)
    job->kind.free_input (job->input);
  g_free (job);
}

static void
work_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  gpointer result = job->kind.work (job->input, cancellable, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, job->kind.free_result);
}

/* Calls `done` when the work has ended. If the work was cancelled, `done` is not called, because the owner may have
 * been freed; GTask then frees the result. */
static void
ended (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  GTask *task = G_TASK (async_result);
  const Job *job = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    return;
  gpointer result = g_task_propagate_pointer (task, &error);
  if (job->running != NULL)
    g_clear_object (job->running);
  job->done (job->owner, result, error, job->input);
}

static void
run (GCancellable *cancellable, const Job *job)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, ended, NULL);
  g_atomic_int_inc (&n_running);
  g_task_set_task_data (task, g_memdup2 (job, sizeof *job), job_free);
  g_task_run_in_thread (task, work_in_thread);
}

void
loom_worker_run (GCancellable *cancellable, const LoomWorkerKind *kind, gpointer input, LoomWorkerDone done,
                 gpointer owner)
{
  g_return_if_fail (kind != NULL && done != NULL);
  run (cancellable, &(Job) { *kind, input, owner, done, NULL });
}

void
loom_worker_start (GCancellable **running, const LoomWorkerKind *kind, gpointer input, LoomWorkerDone done,
                   gpointer owner)
{
  g_return_if_fail (running != NULL && kind != NULL && done != NULL);
  loom_worker_cancel (running);
  *running = g_cancellable_new ();
  run (*running, &(Job) { *kind, input, owner, done, running });
}

gboolean
loom_worker_is_idle (void)
{
  return g_atomic_int_get (&n_running) == 0;
}

void
loom_worker_cancel (GCancellable **running)
{
  g_cancellable_cancel (*running);
  g_clear_object (running);
}
