/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces the paths of files that were fetched from remote locations (such as S3) into a folder on disk: the loader
 * shows and identifies these files by their remote locations. The interface is described in loom-fetched-folder.h.
 */
#include "loom-fetched-folder.h"

#include <string.h>
#include <sys/stat.h>

/* If the file is in one of `folders`, which contain files downloaded from remote locations, sets the path under which
 * it is shown and its location on disk. Several remote locations may share one folder. Returns FALSE if the file is in
 * such a folder, but was not fetched from one of these locations. */
static gboolean
take_file (LoomFoundFile *file, const LoomFetchedFolder *const *folders)
{
  gboolean inside = FALSE;
  for (; *folders != NULL; folders++) {
    struct stat status;
    gsize n = strlen ((*folders)->folder);
    if (!g_str_has_prefix (file->path, (*folders)->folder) || file->path[n] != '/')
      continue;
    inside = TRUE;
    if (!g_hash_table_contains ((*folders)->wanted, file->path + n + 1) || stat (file->path, &status) != 0)
      continue;
    file->origin = loom_source_location_new (file->path, &status, NULL);
    char *shown = g_strconcat ((*folders)->shown, file->path + n, NULL);
    g_free (file->path);
    file->path = shown;
    return TRUE;
  }
  return !inside;
}

void
loom_fetched_folder_take (LoomFileDiscovery *found, const LoomFetchedFolder *const *folders, LoomRun *notes)
{
  g_autoptr (GPtrArray) files = g_steal_pointer (&found->files);
  g_ptr_array_set_free_func (files, NULL);
  found->files = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_file_discovery_free_file);
  for (guint i = 0; i < files->len; i++) {
    LoomFoundFile *file = g_ptr_array_index (files, i);
    if (take_file (file, folders))
      g_ptr_array_add (found->files, file);
    else
      loom_file_discovery_free_file (file);
  }
  for (guint k = 0; folders[k] != NULL; k++)
    for (guint i = 0; i + 1 < folders[k]->problems->len; i += 2)
      loom_run_add_ignored (notes, g_ptr_array_index (folders[k]->problems, i),
                            g_ptr_array_index (folders[k]->problems, i + 1), TRUE);
}

char *
loom_fetched_folder_dup_shown (const char *path, const LoomFetchedFolder *const *folders)
{
  for (; folders != NULL && *folders != NULL; folders++) {
    gsize n = strlen ((*folders)->folder);
    if (g_str_has_prefix (path, (*folders)->folder) && (path[n] == '/' || path[n] == '\0'))
      return g_strconcat ((*folders)->shown, path + n, NULL);
  }
  return g_strdup (path);
}
