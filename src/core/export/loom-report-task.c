/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-report-task.h: a worker that makes a report and writes its file.
 */
#include "loom-report-task.h"

#include "loom-output-file.h"

typedef struct {
  LoomTimeline *timeline;
  LoomTimeline *second; /* the second run, with which the first one is compared; NULL: the report is of one run */
  char *run_names[2];
  LoomReportOptions options;
  LoomSourceOverrides *names; /* copy of the names of sources in `options`; NULL: no source was renamed */
  char *path;
  GCancellable *cancellable;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  g_clear_pointer (&input->second, loom_timeline_unref);
  for (guint i = 0; i < 2; i++)
    g_free (input->run_names[i]);
  loom_source_overrides_free (input->names);
  g_free (input->path);
  g_object_unref (input->cancellable);
  g_free (input);
}

/* Makes the report of a comparison. Computes the comparison again. The comparison on the screen cannot be used, because
 * it is freed if the user chooses other runs before the report is complete. */
static GBytes *
make_comparison (Input *input, LoomReportKind kind, GError **error)
{
  g_autoptr (LoomRunComparison) comparison =
    loom_run_comparison_new (input->timeline, input->second, NULL, input->cancellable);
  if (g_cancellable_set_error_if_cancelled (input->cancellable, error))
    return NULL;
  return loom_report_file_make_comparison (comparison, (const char *const *) input->run_names, kind, input->cancellable,
                                           error);
}

/* Writes the report. If the task is cancelled before the first byte is written, no file is written. */
static gpointer
save (Input *input, GCancellable *none, GError **error)
{
  LoomReportKind kind = LOOM_REPORT_HTML;
  loom_report_file_kind_from_path (input->path, &kind);
  g_autoptr (GBytes) report =
    input->second != NULL ? make_comparison (input, kind, error)
                          : loom_report_file_make (input->timeline, &input->options, kind, input->cancellable, error);
  if (report != NULL && !g_cancellable_set_error_if_cancelled (input->cancellable, error))
    loom_output_file_write (input->path, report, error);
  return NULL;
}

static const LoomWorkerKind kind = { (LoomWorkerFunc) save, (GDestroyNotify) input_free, NULL };

static Input *
new_input (LoomTimeline *timeline, const char *path, GCancellable *cancellable)
{
  Input *input = g_new0 (Input, 1);
  input->timeline = loom_timeline_ref (timeline);
  input->path = g_strdup (path);
  input->cancellable = g_object_ref (cancellable);
  return input;
}

void
loom_report_task_run (LoomTimeline *timeline, const LoomReportOptions *options, const char *path,
                      GCancellable *cancellable, LoomWorkerDone done, gpointer owner)
{
  g_return_if_fail (timeline != NULL && options != NULL && path != NULL);
  Input *input = new_input (timeline, path, cancellable);
  input->options = *options;
  input->options.names = input->names = options->names != NULL ? loom_source_overrides_copy (options->names) : NULL;
  /* the worker gets no cancellable: if the user cancels after the file was written, `done` must still report the
   * file */
  loom_worker_run (NULL, &kind, input, done, owner);
}

void
loom_report_task_run_comparison (LoomTimeline *const timelines[2], const char *const names[2], const char *path,
                                 GCancellable *cancellable, LoomWorkerDone done, gpointer owner)
{
  g_return_if_fail (timelines[0] != NULL && timelines[1] != NULL && path != NULL);
  Input *input = new_input (timelines[0], path, cancellable);
  input->second = loom_timeline_ref (timelines[1]);
  for (guint i = 0; i < 2; i++)
    input->run_names[i] = g_strdup (names[i]);
  loom_worker_run (NULL, &kind, input, done, owner);
}

const char *
loom_report_task_get_path (gconstpointer input)
{
  return ((const Input *) input)->path;
}
