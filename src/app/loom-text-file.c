/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-text-file.h"

#include "loom-error.h"
#include "loom-limits.h"
#include "loom-output.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  char *path, *text;
} Job;

static void
job_free (Job *job)
{
  g_free (job->path);
  g_free (job->text);
  g_free (job);
}

static GTask *
new_task (const char *path, const char *text, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data)
{
  Job job = { g_strdup (path), g_strdup (text) };
  GTask *task = g_task_new (NULL, cancellable, ready, user_data);
  g_task_set_task_data (task, g_memdup2 (&job, sizeof job), (GDestroyNotify) job_free);
  return task;
}

/* --- reading --------------------------------------------------------------------------------------------------------- */

static char *
read_text (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = g_malloc (LOOM_LIMIT_CONFIG_BYTES + 2), *shown = g_filename_display_basename (path);
  gsize length = 0;
  stream = g_file_read (file, cancellable, &problem);
  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), text, LOOM_LIMIT_CONFIG_BYTES + 1, &length, cancellable, &problem))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "%s: %s", shown, problem->message);
  else if (length > LOOM_LIMIT_CONFIG_BYTES)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("%s: too large to be edited here"), shown);
  else if (!g_utf8_validate_len (text, length, NULL))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("%s: this is no text in UTF-8"), shown);
  if (error != NULL && *error != NULL)
    return NULL;
  text[length] = '\0';
  return g_steal_pointer (&text);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  char *text = read_text (job->path, cancellable, &error);
  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

void
loom_text_file_read_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data)
{
  g_autoptr (GTask) task = new_task (path, NULL, cancellable, ready, user_data);
  g_task_run_in_thread (task, read_in_thread);
}

char *
loom_text_file_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- writing --------------------------------------------------------------------------------------------------------- */

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  g_autofree char *folder = g_path_get_dirname (job->path);
  g_autoptr (GBytes) bytes = g_bytes_new_static (job->text, strlen (job->text));
  g_mkdir_with_parents (folder, 0700); /* what fails here fails below, with a message */
  if (loom_output_write (job->path, bytes, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
loom_text_file_write_async (const char *path, const char *text, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data)
{
  g_autoptr (GTask) task = new_task (path, text, cancellable, ready, user_data);
  g_task_run_in_thread (task, write_in_thread);
}

gboolean
loom_text_file_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
