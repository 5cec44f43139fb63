/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes small text files in a worker, and checks their size and encoding (loom-text-file-io.h).
 */
#include "loom-text-file-io.h"

#include "loom-error.h"
#include "loom-limits.h"
#include "loom-output-file.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  char *path, *text;
  LoomInputFilesKind kind; /* kind of file that is written */
} Input;

static void
input_free (Input *input)
{
  g_free (input->path);
  g_free (input->text);
  g_free (input);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static char *
read_text (Input *input, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (input->path);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = g_malloc (LOOM_LIMIT_CONFIG_BYTES + 2), *shown = g_filename_display_basename (input->path);
  gsize length = 0;
  stream = g_file_read (file, cancellable, &problem);
  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), text, LOOM_LIMIT_CONFIG_BYTES + 1, &length,
                                                  cancellable, &problem))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "%s: %s", shown, problem->message);
  else if (length > LOOM_LIMIT_CONFIG_BYTES)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("%s is too large to edit here"), shown);
  else if (!g_utf8_validate_len (text, length, NULL))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("%s is not UTF-8 text"), shown);
  if (error != NULL && *error != NULL)
    return NULL;
  text[length] = '\0';
  return g_steal_pointer (&text);
}

void
loom_text_file_io_read (GCancellable **running, const char *path, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_text, (GDestroyNotify) input_free, g_free };
  loom_worker_start (running, &kind, LOOM_WORKER_INPUT (Input, g_strdup (path)), done, owner);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static gpointer
write_text (Input *input, GCancellable *cancellable, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (input->path);
  g_autoptr (GBytes) bytes = g_bytes_new_static (input->text, strlen (input->text));
  /* the result is not checked: if this fails, writing the file fails too and sets the error */
  g_mkdir_with_parents (folder, 0700);
  loom_output_file_write_of_kind (input->path, bytes, input->kind, error);
  return NULL;
}

void
loom_text_file_io_write (const char *path, const char *text, LoomInputFilesKind kind, LoomWorkerDone done,
                         gpointer owner)
{
  static const LoomWorkerKind writing = { (LoomWorkerFunc) write_text, (GDestroyNotify) input_free, NULL };
  loom_worker_run (NULL, &writing, LOOM_WORKER_INPUT (Input, g_strdup (path), g_strdup (text), kind), done, owner);
}
