/* SPDX-License-Identifier: Apache-2.0
 *
 * Protects input files (traces, session files, rule files, files of rule parameters) from being overwritten. The
 * interface is described in loom-input-files.h.
 */
#include "loom-input-files.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "loom-archive-path.h"
#include "loom-error.h"

struct _LoomInputFiles {
  char *path;
  LoomInputFilesKind kind;
};

static GMutex lock;
static GHashTable *inputs; /* LoomInputFiles *: set of all registered files; protected by `lock` */

LoomInputFiles *
loom_input_files_new (const char *path)
{
  return loom_input_files_new_of_kind (path, LOOM_INPUT_FILES_FIXED);
}

LoomInputFiles *
loom_input_files_new_of_kind (const char *path, LoomInputFilesKind kind)
{
  g_return_val_if_fail (path != NULL, NULL);
  LoomInputFiles *input = g_new (LoomInputFiles, 1);
  *input = (LoomInputFiles) { g_strdup (path), kind };
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  if (inputs == NULL)
    inputs = g_hash_table_new (NULL, NULL);
  g_hash_table_add (inputs, input);
  return input;
}

void
loom_input_files_free (LoomInputFiles *input)
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

/* Returns the paths of all registered files that `writer` may not replace. The paths are copied, so that the lock is
 * not held while the file system is accessed. */
static GPtrArray *
copy_paths (LoomInputFilesKind writer)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer input;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  if (inputs != NULL) {
    g_hash_table_iter_init (&iter, inputs);
    while (g_hash_table_iter_next (&iter, &input, NULL)) {
      const LoomInputFiles *one = input;
      if (one->kind == LOOM_INPUT_FILES_FIXED || one->kind != writer)
        g_ptr_array_add (paths, g_strdup (one->path));
    }
  }
  return paths;
}

static gboolean
is_file (const char *path, const struct stat *file)
{
  struct stat other;
  return stat (path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

static gboolean
is_input (const struct stat *file, LoomInputFilesKind writer)
{
  if (!S_ISREG (file->st_mode)) /* devices and pipes are not checked, because writing to them replaces nothing */
    return FALSE;
  g_autoptr (GPtrArray) paths = copy_paths (writer);
  for (guint i = 0; i < paths->len; i++) {
    const char *path = paths->pdata[i];
    g_autofree char *archive = loom_archive_path_dup_archive (path);
    if (is_file (path, file) || (archive != NULL && is_file (archive, file)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
check (const struct stat *file, LoomInputFilesKind writer, const char *shown, GError **error)
{
  if (!is_input (file, writer))
    return TRUE;
  g_autofree char *printable = loom_archive_path_dup_printable (shown);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE,
               _ ("“%s” is one of the input files and would be overwritten; write to another file"), printable);
  return FALSE;
}

gboolean
loom_input_files_check_target (const char *target, GError **error)
{
  return loom_input_files_check_target_of_kind (target, LOOM_INPUT_FILES_FIXED, error);
}

gboolean
loom_input_files_check_target_of_kind (const char *target, LoomInputFilesKind writer, GError **error)
{
  struct stat file;
  return stat (target, &file) != 0 || check (&file, writer, target, error);
}

gboolean
loom_input_files_check_fd (int fd, const char *shown, GError **error)
{
  struct stat file;
  return fstat (fd, &file) != 0 || check (&file, LOOM_INPUT_FILES_FIXED, shown, error);
}
