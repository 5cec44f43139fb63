/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-report-task.h"

#include "loom-output-file.h"

typedef struct {
  LoomTimeline *timeline;
  LoomReportOptions options;
  LoomSourceOverrides *names; /* the names of the options; NULL: none */
  char *path;
  GCancellable *cancellable;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_source_overrides_free (input->names);
  g_free (input->path);
  g_object_unref (input->cancellable);
  g_free (input);
}

/* If the task is cancelled before the first byte is written, nothing is written. */
static gpointer
save (Input *input, GCancellable *none, GError **error)
{
  LoomReportKind kind = LOOM_REPORT_HTML;
  loom_report_file_kind_from_path (input->path, &kind);
  g_autoptr (GBytes) report = loom_report_file_make (input->timeline, &input->options, kind, input->cancellable, error);
  if (report != NULL && !g_cancellable_set_error_if_cancelled (input->cancellable, error))
    loom_output_file_write (input->path, report, error);
  return NULL;
}

void
loom_report_task_run (LoomTimeline *timeline, const LoomReportOptions *options, const char *path,
                      GCancellable *cancellable, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) save, (GDestroyNotify) input_free, NULL };
  g_return_if_fail (timeline != NULL && options != NULL && path != NULL);
  Input *input = LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), *options, NULL, g_strdup (path),
                                    g_object_ref (cancellable));
  input->options.names = input->names = options->names != NULL ? loom_source_overrides_copy (options->names) : NULL;
  /* without a cancellable: once the file is written, the result is reported even if cancelled late */
  loom_worker_run (NULL, &kind, input, done, owner);
}

const char *
loom_report_task_get_path (gconstpointer input)
{
  return ((const Input *) input)->path;
}
