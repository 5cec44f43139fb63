/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  LoomTimeline *timeline;
  LoomMergeOptions options;
  LoomSourceEdits *edits;
  char *path;
  LoomProgress *progress;
} Job;

static void
job_free (Job *job)
{
  loom_timeline_unref (job->timeline);
  loom_source_edits_free (job->edits);
  g_free (job->path);
  loom_progress_unref (job->progress);
  g_free (job);
}

static void
result_free (LoomMergeResult *result)
{
  loom_merge_result_clear (result);
  g_free (result);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  LoomMergeResult *result = g_new0 (LoomMergeResult, 1);
  if (loom_merge_write (job->timeline, &job->options, job->path, job->progress, result, &error)) {
    g_task_return_pointer (task, result, (GDestroyNotify) result_free);
    return;
  }
  result_free (result);
  g_task_return_error (task, error);
}

void
loom_export_async (LoomTimeline *timeline, const LoomMergeOptions *options, const char *path, LoomProgress *progress,
                   GAsyncReadyCallback ready, gpointer user_data)
{
  g_return_if_fail (timeline != NULL && options->sources == NULL && path != NULL && progress != NULL);
  Job *job = g_new0 (Job, 1);
  job->timeline = loom_timeline_ref (timeline);
  job->options = *options;
  job->options.edits = job->edits = options->edits != NULL ? loom_source_edits_copy (options->edits) : NULL;
  job->path = g_strdup (path);
  job->progress = loom_progress_ref (progress);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, ready, user_data);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, write_in_thread);
}

gboolean
loom_export_finish (GAsyncResult *async_result, LoomMergeResult *result, GError **error)
{
  LoomMergeResult *written = g_task_propagate_pointer (G_TASK (async_result), error);
  if (written == NULL)
    return FALSE;
  *result = *written;
  g_free (written); /* its members went to `result` */
  return TRUE;
}

const char *
loom_export_get_path (GAsyncResult *async_result)
{
  Job *job = g_task_get_task_data (G_TASK (async_result));
  return job->path;
}

LoomMergeLayout
loom_export_get_layout (GAsyncResult *async_result)
{
  Job *job = g_task_get_task_data (G_TASK (async_result));
  return job->options.layout;
}

char *
loom_export_dup_name (const char *run_name, LoomMergeLayout layout, gboolean compress)
{
  const char *kind = layout == LOOM_MERGE_RANKS ? "merged" : loom_merge_layout_to_string (layout);
  return g_strdup_printf ("%s-%s.json%s", run_name, kind, compress ? ".gz" : "");
}

/* As a name says what is written in it. */
static const char *const endings[] = { ".json", ".trace", ".gz" };

static gboolean
has_ending (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;
  return FALSE;
}

gboolean
loom_export_is_compressed (const char *name)
{
  return g_str_has_suffix (name, ".gz");
}

char *
loom_export_dup_compressed (const char *name, gboolean compress)
{
  if (loom_export_is_compressed (name) == compress || !has_ending (name))
    return g_strdup (name);
  return compress ? g_strconcat (name, ".gz", NULL) : g_strndup (name, strlen (name) - strlen (".gz"));
}

char *
loom_export_dup_path (const char *path, gboolean compress)
{
  return has_ending (path) ? g_strdup (path) : g_strconcat (path, compress ? ".json.gz" : ".json", NULL);
}
