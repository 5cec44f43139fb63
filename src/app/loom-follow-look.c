/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-follow-look.h"

#include "loom-archive.h"
#include "loom-discovery.h"

#include <string.h>

void
loom_look_free (LoomLook *look)
{
  if (look == NULL)
    return;
  g_hash_table_unref (look->files);
  g_ptr_array_unref (look->folders);
  g_free (look);
}

static void
add_folder (LoomLook *look, GHashTable *seen, const char *path)
{
  if (!g_hash_table_add (seen, g_strdup (path)))
    return;
  g_ptr_array_add (look->folders, g_strdup (path));
}

/* What shows changes made on other machines late or never. */
static gboolean
is_remote (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_filesystem_info (file, G_FILE_ATTRIBUTE_FILESYSTEM_REMOTE "," G_FILE_ATTRIBUTE_FILESYSTEM_TYPE, NULL, NULL);
  const char *type = info != NULL ? g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_FILESYSTEM_TYPE) : NULL;
  return info != NULL && (g_file_info_get_attribute_boolean (info, G_FILE_ATTRIBUTE_FILESYSTEM_REMOTE) ||
                          (type != NULL && (strstr (type, "fuse") != NULL || strcmp (type, "9p") == 0)));
}

static LoomLook *
look_new (const char *const *paths, GCancellable *cancellable)
{
  LoomLook *look = g_new0 (LoomLook, 1);
  look->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  look->folders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LoomDiscovery) found = loom_discover (paths, NULL, cancellable);
  g_autoptr (GPtrArray) folders = loom_discovery_list_folders (found);
  for (guint i = 0; i < folders->len; i++)
    add_folder (look, seen, folders->pdata[i]);
  for (guint i = 0; i < found->files->len; i++) {
    const LoomFoundFile *file = found->files->pdata[i];
    g_autofree char *folder = g_path_get_dirname (file->path);
    add_folder (look, seen, folder);
    g_hash_table_insert (look->files, g_strdup (file->path),
                         g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT ".%06u %u:%" G_GUINT64_FORMAT, file->n_bytes,
                                          file->modified_s, file->modified_us, file->device, file->inode));
  }
  for (guint i = 0; paths[i] != NULL && !look->is_remote; i++)
    look->is_remote = is_remote (paths[i]);
  return look;
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LoomLook *look = look_new (data, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    g_clear_pointer (&look, loom_look_free);
  g_task_return_pointer (task, look, (GDestroyNotify) loom_look_free);
}

void
loom_look_async (const char *const *paths, GCancellable *cancellable, GAsyncReadyCallback done, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, done, user_data);
  g_task_set_task_data (task, g_strdupv ((GStrv) paths), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, look_in_thread);
}

static gboolean
is_within (const LoomLook *a, const LoomLook *b)
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
loom_look_equal (const LoomLook *a, const LoomLook *b)
{
  return g_hash_table_size (a->files) == g_hash_table_size (b->files) && is_within (a, b);
}

/* Paths the run knows, with what was read of them; of what was left out only the path. */
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
loom_look_differs (const LoomLook *look, const LoomRun *run)
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
