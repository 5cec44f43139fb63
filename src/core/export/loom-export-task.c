/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-export-task.h: a worker that writes the exported file.
 */
#include "loom-export-task.h"

#include "loom-query-export.h"

typedef struct {
  LoomTimeline *timeline;
  LoomExportOptions options;
  LoomSourceOverrides *edits;
  guint *sources; /* indices of the exported sources; NULL: all sources */
  char *path;
  LoomProgress *progress;
  gboolean is_database;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_source_overrides_free (input->edits);
  g_free (input->sources);
  g_free (input->path);
  loom_progress_unref (input->progress);
  g_free (input);
}

static gboolean
write_database (Input *input, LoomExportResult *result, GError **error)
{
  g_autoptr (LoomQueryRun) run = loom_query_run_new (input->timeline);
  return loom_query_export_write (run, input->path, input->progress, &result->path, &result->n_events, error);
}

static gpointer
write_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  g_autofree LoomExportResult *result = g_new0 (LoomExportResult, 1);
  if (input->is_database
        ? write_database (input, result, error)
        : loom_trace_export_write (input->timeline, &input->options, input->path, input->progress, result, error))
    return g_steal_pointer (&result);
  loom_trace_export_result_clear (result);
  return NULL;
}

/* Returns the timeline to export. Some layouts imitate the files of tools that do not align clocks; for such a layout,
 * returns a timeline whose clocks are placed only as the files declare. */
static LoomTimeline *
new_timeline (LoomDocument *document, LoomExportLayout layout)
{
  LoomTimeline *timeline = loom_document_get_timeline (document);
  if (loom_trace_export_layout_is_aligned (layout))
    return loom_timeline_ref (timeline);
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (LoomAlignment) declared = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  return loom_timeline_new (run, declared);
}

static const LoomWorkerKind kind = { (LoomWorkerFunc) write_in_thread, (GDestroyNotify) input_free, NULL };

void
loom_export_task_run (LoomDocument *document, const LoomExportOptions *options, const char *path,
                      LoomProgress *progress, LoomWorkerDone done, gpointer owner)
{
  g_return_if_fail (loom_document_get_timeline (document) != NULL && path != NULL && progress != NULL);
  Input *input = LOOM_WORKER_INPUT (Input, new_timeline (document, options->layout), *options,
                                    loom_source_overrides_copy (loom_document_get_source_edits (document)),
                                    g_memdup2 (options->sources, options->n_sources * sizeof *options->sources),
                                    g_strdup (path), loom_progress_ref (progress), FALSE);
  input->options.edits = input->edits;
  input->options.sources = input->sources;
  loom_worker_run (NULL, &kind, input, done, owner);
}

void
loom_export_task_run_database (LoomDocument *document, const char *path, LoomProgress *progress, LoomWorkerDone done,
                               gpointer owner)
{
  g_return_if_fail (loom_document_get_timeline (document) != NULL && path != NULL && progress != NULL);
  Input *input =
    LOOM_WORKER_INPUT (Input, loom_timeline_ref (loom_document_get_timeline (document)), LOOM_EXPORT_OPTIONS_INIT, NULL,
                       NULL, g_strdup (path), loom_progress_ref (progress), TRUE);
  loom_worker_run (NULL, &kind, input, done, owner);
}

const char *
loom_export_task_get_path (gconstpointer input)
{
  return ((const Input *) input)->path;
}

LoomExportLayout
loom_export_task_get_layout (gconstpointer input)
{
  return ((const Input *) input)->options.layout;
}

gboolean
loom_export_task_is_database (gconstpointer input)
{
  return ((const Input *) input)->is_database;
}
