/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-input.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "loom-error.h"
#include "loom-path.h"

struct _LoomInput {
  char *path;
};

static GMutex lock;
static GHashTable *inputs; /* LoomInput *, a set; guarded by `lock` */

LoomInput *
loom_input_new (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);
  LoomInput *input = g_new (LoomInput, 1);
  input->path = g_strdup (path);
  g_mutex_lock (&lock);
  if (inputs == NULL)
    inputs = g_hash_table_new (NULL, NULL);
  g_hash_table_add (inputs, input);
  g_mutex_unlock (&lock);
  return input;
}

void
loom_input_free (LoomInput *input)
{
  if (input == NULL)
    return;
  g_mutex_lock (&lock);
  g_hash_table_remove (inputs, input);
  if (g_hash_table_size (inputs) == 0)
    g_clear_pointer (&inputs, g_hash_table_unref);
  g_mutex_unlock (&lock);
  g_free (input->path);
  g_free (input);
}

/* Copies, so that no other thread waits while the file system answers. */
static GPtrArray *
copy_paths (void)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer input;
  g_mutex_lock (&lock);
  if (inputs != NULL) {
    g_hash_table_iter_init (&iter, inputs);
    while (g_hash_table_iter_next (&iter, &input, NULL))
      g_ptr_array_add (paths, g_strdup (((LoomInput *) input)->path));
  }
  g_mutex_unlock (&lock);
  return paths;
}

static gboolean
is_file (const char *path, const struct stat *file)
{
  struct stat other;
  return stat (path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

static gboolean
is_input (const struct stat *file)
{
  if (!S_ISREG (file->st_mode)) /* devices and pipes keep what they have */
    return FALSE;
  g_autoptr (GPtrArray) paths = copy_paths ();
  for (guint i = 0; i < paths->len; i++) {
    const char *path = paths->pdata[i];
    g_autofree char *archive = loom_path_dup_archive (path);
    if (is_file (path, file) || (archive != NULL && is_file (archive, file)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
check (const struct stat *file, const char *shown, GError **error)
{
  if (!is_input (file))
    return TRUE;
  g_autofree char *printable = loom_path_dup_printable (shown);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, _ ("“%s” is one of the files that are read and would be replaced; write to another file"),
               printable);
  return FALSE;
}

gboolean
loom_input_check_target (const char *target, GError **error)
{
  struct stat file;
  return stat (target, &file) != 0 || check (&file, target, error);
}

gboolean
loom_input_check_fd (int fd, const char *shown, GError **error)
{
  struct stat file;
  return fstat (fd, &file) != 0 || check (&file, shown, error);
}
