/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-task.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  LoomTimeline *timeline;
  LoomExportOptions options;
  LoomSourceOverrides *edits;
  char *path;
  LoomProgress *progress;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_source_overrides_free (input->edits);
  g_free (input->path);
  loom_progress_unref (input->progress);
  g_free (input);
}

static gpointer
write_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  g_autofree LoomExportResult *result = g_new0 (LoomExportResult, 1);
  if (loom_trace_export_write (input->timeline, &input->options, input->path, input->progress, result, error))
    return g_steal_pointer (&result);
  loom_trace_export_result_clear (result);
  return NULL;
}

void
loom_export_task_async (LoomTimeline *timeline, const LoomExportOptions *options, const char *path,
                        LoomProgress *progress, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) write_in_thread, (GDestroyNotify) input_free, NULL };
  g_return_if_fail (timeline != NULL && options->sources == NULL && path != NULL && progress != NULL);
  Input *input = LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), *options, NULL, g_strdup (path),
                                    loom_progress_ref (progress));
  input->options.edits = input->edits = options->edits != NULL ? loom_source_overrides_copy (options->edits) : NULL;
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

char *
loom_export_task_dup_name (const char *run_name, LoomExportLayout layout, gboolean compress)
{
  const char *kind = layout == LOOM_TRACE_EXPORT_RANKS ? "merged" : loom_trace_export_layout_to_string (layout);
  return g_strdup_printf ("%s-%s.json%s", run_name, kind, compress ? ".gz" : "");
}

/* File name endings that tell what is written. */
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
loom_export_task_is_compressed (const char *name)
{
  return g_str_has_suffix (name, ".gz");
}

char *
loom_export_task_dup_compressed (const char *name, gboolean compress)
{
  if (loom_export_task_is_compressed (name) == compress || !has_ending (name))
    return g_strdup (name);
  return compress ? g_strconcat (name, ".gz", NULL) : g_strndup (name, strlen (name) - strlen (".gz"));
}

char *
loom_export_task_dup_path (const char *path, gboolean compress)
{
  return has_ending (path) ? g_strdup (path) : g_strconcat (path, compress ? ".json.gz" : ".json", NULL);
}
