/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-report-job.h"

#include "loom-output.h"

typedef struct {
  LoomTimeline *timeline;
  LoomReportOptions options;
  LoomSourceEdits *names; /* those of the options; NULL: none */
  char *path;
} Job;

static void
job_free (Job *job)
{
  loom_timeline_unref (job->timeline);
  loom_source_edits_free (job->names);
  g_free (job->path);
  g_free (job);
}

/* Cancelled between the last page and the first byte, nothing is written either. */
static gboolean
save (const Job *job, GCancellable *cancellable, GError **error)
{
  LoomReportKind kind = LOOM_REPORT_HTML;
  loom_report_kind_from_path (job->path, &kind);
  g_autoptr (GBytes) report = loom_report_make (job->timeline, &job->options, kind, cancellable, error);
  return report != NULL && !g_cancellable_set_error_if_cancelled (cancellable, error) && loom_output_write (job->path, report, error);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  if (save (task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
loom_report_save_async (LoomTimeline *timeline, const LoomReportOptions *options, const char *path, GCancellable *cancellable,
                        GAsyncReadyCallback ready, gpointer user_data)
{
  g_return_if_fail (timeline != NULL && options != NULL && path != NULL);
  Job *job = g_new0 (Job, 1);
  *job = (Job) { loom_timeline_ref (timeline), *options, NULL, g_strdup (path) };
  job->options.names = job->names = options->names != NULL ? loom_source_edits_copy (options->names) : NULL;
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, ready, user_data);
  g_task_set_check_cancellable (task, FALSE); /* what was written is there, however late it was cancelled */
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, save_in_thread);
}

gboolean
loom_report_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

const char *
loom_report_save_get_path (GAsyncResult *result)
{
  Job *job = g_task_get_task_data (G_TASK (result));
  return job->path;
}
