/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-remote-paths.h"

#include "loom-archive-path.h"
#include "loom-error.h"
#include "loom-remote-folder.h"

#include <glib/gi18n.h>
#include <string.h>

static void
place_free (LoomFetchedFolder *place)
{
  g_free (place->folder);
  g_free (place->shown);
  g_hash_table_unref (place->wanted);
  g_ptr_array_unref (place->problems);
  g_free (place);
}

void
loom_remote_paths_free (LoomRemotePaths *places)
{
  if (places == NULL)
    return;
  for (guint i = 0; places->places != NULL && places->places[i] != NULL; i++)
    place_free (places->places[i]);
  g_free (places->places);
  g_strfreev (places->paths);
  g_free (places);
}

/* Makes the LoomFetchedFolder of a location; its list of files is empty. Takes ownership of `folder` and `shown`. */
static LoomFetchedFolder *
place_new (char *folder, char *shown)
{
  LoomFetchedFolder *place = g_new0 (LoomFetchedFolder, 1);
  place->folder = folder;
  place->shown = shown;
  place->wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  place->problems = g_ptr_array_new_with_free_func (g_free);
  return place;
}

/* Makes the LoomFetchedFolder of a location, with the listed files and the problems of the listing. The folder that the
 * user sees (`shown`) is the location; if the location is a single file, it is the parent folder of this file. */
static LoomFetchedFolder *
fetched_place_new (const LoomRemoteListing *listing, const char *folder)
{
  const char *uri = listing->location->uri;
  LoomFetchedFolder *place =
    place_new (loom_archive_path_dup_plain (folder), listing->is_single ? g_path_get_dirname (uri) : g_strdup (uri));
  for (guint i = 0; i < listing->files->len; i++) {
    const LoomRemoteFile *file = g_ptr_array_index (listing->files, i);
    if (!g_hash_table_contains (listing->unasked, file->name))
      g_hash_table_add (place->wanted, g_strdup (file->name));
  }
  for (guint i = 0; i + 1 < listing->left->len; i += 2) {
    const char *name = g_ptr_array_index (listing->left, i);
    /* The file could not be fetched. The folder may still contain an earlier version of it, which must not be
     * loaded. */
    g_hash_table_remove (place->wanted, name);
    g_ptr_array_add (place->problems, g_strconcat (place->shown, name[0] != '\0' ? "/" : "", name, NULL));
    g_ptr_array_add (place->problems, g_strdup (g_ptr_array_index (listing->left, i + 1)));
  }
  return place;
}

static LoomFetchedFolder *
fetch (const char *text, const char *const *suffixes, LoomProgress *progress, GError **error)
{
  loom_progress_set_label (progress, text);
  g_autoptr (LoomRemoteListing) listing =
    loom_remote_folder_list (text, loom_progress_get_cancellable (progress), error);
  if (listing == NULL)
    return NULL;
  if (listing->files->len == 0) {
    g_set_error (
      error, LOOM_ERROR, LOOM_ERROR_EMPTY,
      listing->others->len > 0 ? _ ("“%s” contains none of the requested files") : _ ("“%s” contains no files"), text);
    return NULL;
  }
  g_autofree char *folder = loom_remote_folder_fetch (listing, suffixes, progress, error);
  return folder != NULL ? fetched_place_new (listing, folder) : NULL;
}

/* Returns TRUE for a mistyped location such as "s3:/bucket", unless a file with this path exists. */
static gboolean
is_mistyped (const char *path)
{
  return g_ascii_strncasecmp (path, "s3:", 3) == 0 && !loom_remote_location_is_remote (path) &&
         !g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
check_typed (const char *path, GError **error)
{
  if (!is_mistyped (path))
    return TRUE;
  const char *rest = path + strlen ("s3:");
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
               _ ("“%s” is neither a file nor a location; perhaps “s3://%s” is meant"), path,
               rest + strspn (rest, "/"));
  return FALSE;
}

/* Makes the LoomFetchedFolder of a location that could not be fetched, with a problem and without files. There is no
 * folder on this machine, so the member `folder` is set to the text of the location. No local path begins like such a
 * text, so it cannot be mistaken for a path. */
static LoomFetchedFolder *
failed_place_new (const char *text, const char *reason)
{
  LoomFetchedFolder *place = place_new (g_strdup (text), g_strdup (text));
  g_ptr_array_add (place->problems, g_strdup (text));
  g_ptr_array_add (place->problems, g_strdup (reason));
  place->failed = TRUE;
  return place;
}

LoomRemotePaths *
loom_remote_paths_new (const char *const *paths, const char *const *suffixes, LoomProgress *progress, GError **error)
{
  g_autoptr (LoomRemotePaths) places = g_new0 (LoomRemotePaths, 1);
  guint n_places = 0, n_paths = 0, n_given = g_strv_length ((char **) paths);
  places->paths = g_new0 (char *, n_given + 1);
  places->places = g_new0 (LoomFetchedFolder *, n_given + 1);
  for (guint i = 0; i < n_given; i++) {
    g_autoptr (GError) problem = NULL;
    gboolean remote = loom_remote_location_is_remote (paths[i]);
    LoomFetchedFolder *place =
      check_typed (paths[i], &problem) && remote ? fetch (paths[i], suffixes, progress, &problem) : NULL;
    if (problem != NULL && (n_given == 1 || loom_progress_is_cancelled (progress))) {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
    if (problem != NULL)
      place = failed_place_new (paths[i], problem->message);
    else
      places->paths[n_paths++] = g_strdup (place != NULL ? place->folder : paths[i]);
    if (place != NULL)
      places->places[n_places++] = place;
  }
  return g_steal_pointer (&places);
}
