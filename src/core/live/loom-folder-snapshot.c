/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-folder-snapshot.h: walks the opened folders in a worker.
 */
#include "loom-folder-snapshot.h"

#include "loom-archive.h"
#include "loom-file-discovery.h"

#include <string.h>

void
loom_folder_snapshot_free (LoomFolderSnapshot *look)
{
  if (look == NULL)
    return;
  g_hash_table_unref (look->files);
  g_ptr_array_unref (look->folders);
  g_free (look);
}

static void
add_folder (LoomFolderSnapshot *look, GHashTable *seen, const char *path)
{
  if (!g_hash_table_add (seen, g_strdup (path)))
    return;
  g_ptr_array_add (look->folders, g_strdup (path));
}

/* Returns TRUE if the path is on a network file system, which reports changes by other machines late or never. */
static gboolean
is_remote (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_filesystem_info (
    file, G_FILE_ATTRIBUTE_FILESYSTEM_REMOTE "," G_FILE_ATTRIBUTE_FILESYSTEM_TYPE, NULL, NULL);
  const char *type = info != NULL ? g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_FILESYSTEM_TYPE) : NULL;
  return info != NULL && (g_file_info_get_attribute_boolean (info, G_FILE_ATTRIBUTE_FILESYSTEM_REMOTE) ||
                          (type != NULL && (strstr (type, "fuse") != NULL || strcmp (type, "9p") == 0)));
}

static LoomFolderSnapshot *
look_new (const char *const *paths, GCancellable *cancellable)
{
  LoomFolderSnapshot *look = g_new0 (LoomFolderSnapshot, 1);
  look->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  look->folders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LoomFileDiscovery) found = loom_file_discovery_run (paths, NULL, cancellable);
  g_autoptr (GPtrArray) folders = loom_file_discovery_list_folders (found);
  for (guint i = 0; i < folders->len; i++)
    add_folder (look, seen, folders->pdata[i]);
  for (guint i = 0; i < found->files->len; i++) {
    const LoomFoundFile *file = found->files->pdata[i];
    g_autofree char *folder = g_path_get_dirname (file->path);
    add_folder (look, seen, folder);
    g_hash_table_insert (look->files, g_strdup (file->path),
                         g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT ".%06u %u:%" G_GUINT64_FORMAT,
                                          file->n_bytes, file->modified_s, file->modified_us, file->device,
                                          file->inode));
  }
  for (guint i = 0; paths[i] != NULL && !look->is_remote; i++)
    look->is_remote = is_remote (paths[i]);
  return look;
}

static LoomFolderSnapshot *
look_in_thread (char **paths, GCancellable *cancellable, GError **error)
{
  return look_new ((const char *const *) paths, cancellable);
}

void
loom_folder_snapshot_async (GCancellable **running, const char *const *paths, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) look_in_thread, (GDestroyNotify) g_strfreev,
                                       (GDestroyNotify) loom_folder_snapshot_free };
  loom_worker_start (running, &kind, g_strdupv ((GStrv) paths), done, owner);
}

static gboolean
is_within (const LoomFolderSnapshot *a, const LoomFolderSnapshot *b)
{
  GHashTableIter iter;
  gpointer path, what;
  g_hash_table_iter_init (&iter, a->files);
  while (g_hash_table_iter_next (&iter, &path, &what))
    if (g_strcmp0 (what, g_hash_table_lookup (b->files, path)) != 0)
      return FALSE;
  return TRUE;
}

gboolean
loom_folder_snapshot_equal (const LoomFolderSnapshot *a, const LoomFolderSnapshot *b)
{
  return g_hash_table_size (a->files) == g_hash_table_size (b->files) && is_within (a, b);
}

/* Returns a table of the files of the run. Key: path of a source; value: its LoomSource. The table also contains the
 * ignored files; their value is NULL. Keys and values are borrowed. */
static GHashTable *
list_known (const LoomRun *run)
{
  GHashTable *known = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++)
    g_hash_table_insert (known, loom_run_get_ignored (run, i)->path, NULL);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    g_hash_table_insert (known, loom_run_get_source (run, i)->path, (gpointer) loom_run_get_source (run, i));
  return known;
}

gboolean
loom_folder_snapshot_differs (const LoomFolderSnapshot *look, const LoomRun *run)
{
  g_autoptr (GHashTable) known = list_known (run);
  GHashTableIter iter;
  gpointer path, what, source;
  g_hash_table_iter_init (&iter, look->files);
  while (g_hash_table_iter_next (&iter, &path, &what)) {
    if (loom_archive_is_name (path))
      continue;
    if (!g_hash_table_lookup_extended (known, path, NULL, &source))
      return TRUE;
    if (source != NULL && ((const LoomSource *) source)->n_bytes != g_ascii_strtoull (what, NULL, 10))
      return TRUE;
  }
  return FALSE;
}
