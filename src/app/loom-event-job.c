/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-job.h"

typedef struct {
  LoomTimeline *timeline;
  GArray *events; /* NULL until they are known */
  LoomRange range;
  GArray *tracks; /* NULL: all */
  LoomEventFormat format;
  char *path;
  LoomProgress *progress;
} Job;

static void
job_free (Job *job)
{
  loom_timeline_unref (job->timeline);
  g_clear_pointer (&job->events, g_array_unref);
  g_clear_pointer (&job->tracks, g_array_unref);
  g_free (job->path);
  loom_progress_unref (job->progress);
  g_free (job);
}

/* FALSE when cancelled. */
static gboolean
find_events (Job *job, GError **error)
{
  const LoomEventQuery query = { .range = job->range, .tracks = job->tracks };
  g_autoptr (LoomEventList) list = loom_event_list_new (job->timeline, &query, loom_progress_get_cancellable (job->progress));
  if (list == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    return FALSE;
  }
  job->events = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint i = 0; i < loom_event_list_get_n (list); i++) {
    LoomSpanId id = loom_event_list_get (list, i);
    g_array_append_val (job->events, id);
  }
  return TRUE;
}

static void
save_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  if ((job->events != NULL || find_events (job, &error)) &&
      loom_event_file_write (job->timeline, (const LoomSpanId *) (gpointer) job->events->data, job->events->len, job->format, job->path,
                             job->progress, &error))
    g_task_return_int (task, job->events->len);
  else
    g_task_return_error (task, error);
}

void
loom_event_save_async (LoomTimeline *timeline, GArray *events, LoomRange range, GArray *tracks, LoomEventFormat format, const char *path,
                       LoomProgress *progress, GAsyncReadyCallback ready, gpointer user_data)
{
  g_return_if_fail (timeline != NULL && path != NULL && progress != NULL);
  Job *job = g_new (Job, 1);
  *job = (Job) { loom_timeline_ref (timeline), events != NULL ? g_array_ref (events) : NULL, range, tracks != NULL ? g_array_ref (tracks) : NULL,
                 format, g_strdup (path), loom_progress_ref (progress) };
  g_autoptr (GTask) task = g_task_new (NULL, NULL, ready, user_data);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, save_in_thread);
}

gint64
loom_event_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

const char *
loom_event_save_get_path (GAsyncResult *result)
{
  return ((Job *) g_task_get_task_data (G_TASK (result)))->path;
}
