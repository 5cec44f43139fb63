/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches folders for files to load: finds the files, and records which ones are skipped and why. The interface is
 * described in loom-file-discovery.h.
 */
#include "loom-file-discovery.h"

#include "loom-archive-path.h"
#include "loom-archive.h"
#include "loom-int64-hash.h"
#include "loom-limits.h"
#include "loom-natural-collate.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define MOST_LOOKS 4
/* maximum number of hidden files that are listed by name for each path; the others are only counted */
#define MOST_HIDDEN_NAMED 5

typedef struct {
  char *path;
  GStatBuf status;
} Folder;

typedef struct {
  LoomFileDiscovery *found;
  GArray *folders;   /* Folder elements: the state of each folder that was read */
  GPtrArray *hidden; /* char *: hidden files below the current path */
  GHashTable *seen;  /* "device:inode" of each visited folder and file → path at which it was found */
  const char *const *suffixes;
  GCancellable *cancellable;
  guint most_files, most_depth;
  gboolean said_limit;
} Walk;

LoomFoundFile *
loom_file_discovery_new_file (const char *path, guint64 n_bytes, gint64 modified_s, LoomSourceLocation *origin)
{
  LoomFoundFile *file = g_new0 (LoomFoundFile, 1);
  file->path = g_strdup (path);
  file->n_bytes = n_bytes;
  file->modified_s = modified_s;
  file->origin = origin;
  return file;
}

void
loom_file_discovery_free_file (LoomFoundFile *file)
{
  if (file == NULL)
    return;
  loom_source_location_unref (file->origin);
  g_free (file->path);
  g_free (file);
}

static void
clear_folder (gpointer data)
{
  g_free (((Folder *) data)->path);
}

static void
free_skipped (gpointer data)
{
  LoomSkippedFile *skipped = data;
  g_free (skipped->path);
  g_free (skipped->reason);
  g_free (skipped);
}

static void
skip (Walk *walk, const char *path, const char *reason, gboolean failed)
{
  LoomSkippedFile *skipped = g_new0 (LoomSkippedFile, 1);
  skipped->path = g_strdup (path);
  skipped->reason = g_strdup (reason);
  skipped->failed = failed;
  g_ptr_array_add (walk->found->skipped, skipped);
}

gboolean
loom_file_discovery_matches (const char *path, const char *const *suffixes)
{
  for (guint i = 0; suffixes != NULL && suffixes[i] != NULL; i++)
    if (g_str_has_suffix (path, suffixes[i]))
      return TRUE;
  return suffixes == NULL || suffixes[0] == NULL;
}

/* Returns TRUE at the first visit of a file or folder. Returns FALSE if it was visited before, through a link or
 * because a path was given twice. */
static gboolean
first_time (Walk *walk, const char *path, GFileInfo *info)
{
  char *key =
    g_strdup_printf ("%u:%" G_GUINT64_FORMAT, g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_DEVICE),
                     g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_UNIX_INODE));
  const char *before = g_hash_table_lookup (walk->seen, key);
  if (before == NULL)
    return g_hash_table_insert (walk->seen, key, g_strdup (path));
  g_autofree char *shown = loom_archive_path_dup_shown (before);
  g_autofree char *reason = g_strdup_printf (_ ("the same as “%s”, which was found already"), shown);
  skip (walk, path, reason, FALSE);
  g_free (key);
  return FALSE;
}

static void
skip_rest (Walk *walk, const char *path)
{
  if (walk->said_limit)
    return;
  g_autofree char *reason = g_strdup_printf (
    _ ("more than %u files: this file and later ones are not read; open fewer folders at once"), walk->most_files);
  skip (walk, path, reason, TRUE);
  walk->said_limit = TRUE;
}

static void
add_file (Walk *walk, const char *path, GFileInfo *info, gboolean given)
{
  if (!loom_file_discovery_matches (path, walk->suffixes) && !loom_archive_is_name (path)) {
    skip (walk, path, _ ("skipped, because its name does not have the chosen suffix"), FALSE);
    return;
  }
  if (walk->found->files->len >= walk->most_files) {
    skip_rest (walk, path);
    return;
  }
  gint64 modified_s = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED);
  LoomFoundFile *file = loom_file_discovery_new_file (path, (guint64) g_file_info_get_size (info), modified_s, NULL);
  file->modified_us = g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  file->given = given;
  file->device = g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_DEVICE);
  file->inode = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_UNIX_INODE);
  g_ptr_array_add (walk->found->files, file);
}

static void visit (Walk *walk, const char *path, guint depth);

/* Returns the reason why a file or folder could not be read. The text does not contain the path, because the caller
 * shows the path, too. For the most common reasons, the text also says what the user can do. Owned by the caller. */
static char *
dup_reason (const GError *error)
{
  static const struct {
    int file_code, io_code, number;
  } codes[] = {
    { G_FILE_ERROR_NOENT, G_IO_ERROR_NOT_FOUND, ENOENT },
    { G_FILE_ERROR_NOTDIR, G_IO_ERROR_NOT_DIRECTORY, ENOTDIR },
    { G_FILE_ERROR_ACCES, G_IO_ERROR_PERMISSION_DENIED, EACCES },
    { G_FILE_ERROR_LOOP, G_IO_ERROR_TOO_MANY_LINKS, ELOOP },
    { G_FILE_ERROR_NAMETOOLONG, G_IO_ERROR_FILENAME_TOO_LONG, ENAMETOOLONG },
    { G_FILE_ERROR_MFILE, G_IO_ERROR_TOO_MANY_OPEN_FILES, EMFILE },
  };
  int number = 0;
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, G_FILE_ERROR, codes[i].file_code) ||
        g_error_matches (error, G_IO_ERROR, codes[i].io_code))
      number = codes[i].number;
  if (number == ENOENT)
    return g_strdup (_ ("not found; restore the file or folder, or open it from its new location"));
  if (number == EACCES)
    return g_strdup (_ ("reading is not permitted; change the permissions, or ask the owner to change them"));
  if (number != 0)
    return g_strdup (g_strerror (number));
  return g_strdup (error->message);
}

/* Records the status of a folder. Must be called before the folder is read. */
static void
note_folder (Walk *walk, const char *path)
{
  Folder folder = { .path = g_strdup (path) };
  g_stat (path, &folder.status);
  g_array_append_val (walk->folders, folder);
}

/* Returns TRUE if no file was added, removed or renamed since the folders were read. */
static gboolean
is_settled (const GArray *folders)
{
  for (guint i = 0; i < folders->len; i++) {
    const Folder *folder = &g_array_index (folders, Folder, i);
    GStatBuf now;
    if (g_stat (folder->path, &now) != 0 || now.st_ino != folder->status.st_ino ||
        now.st_mtim.tv_sec != folder->status.st_mtim.tv_sec || now.st_mtim.tv_nsec != folder->status.st_mtim.tv_nsec)
      return FALSE;
  }
  return TRUE;
}

static void
visit_folder (Walk *walk, const char *path, guint depth)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) folder = g_dir_open (path, 0, &error);
  if (folder == NULL) {
    g_autofree char *reason = dup_reason (error);
    skip (walk, path, reason, TRUE);
    return;
  }
  if (depth >= walk->most_depth) {
    g_autofree char *reason = g_strdup_printf (
      _ ("folders nested more than %u deep are not searched; open this one directly"), walk->most_depth);
    skip (walk, path, reason, TRUE);
    return;
  }
  note_folder (walk, path);
  const char *name;
  while ((name = g_dir_read_name (folder)) != NULL && !g_cancellable_is_cancelled (walk->cancellable)) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (name[0] == '.')
      g_ptr_array_add (walk->hidden, g_steal_pointer (&child));
    else
      visit (walk, child, depth + 1);
  }
}

static gboolean
leads_in_circle (const char *path)
{
  GStatBuf status;
  return g_stat (path, &status) != 0 && errno == ELOOP;
}

static void
visit (Walk *walk, const char *path, guint depth)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info (
    file, "standard::type,standard::size,time::modified,time::modified-usec,unix::device,unix::inode",
    G_FILE_QUERY_INFO_NONE, walk->cancellable, &error);
  if (info == NULL) {
    g_autofree char *reason = dup_reason (error);
    skip (walk, path, reason, TRUE);
    return;
  }
  if (!first_time (walk, path, info))
    return;
  switch (g_file_info_get_file_type (info)) {
  case G_FILE_TYPE_DIRECTORY: visit_folder (walk, path, depth); break;
  case G_FILE_TYPE_REGULAR: add_file (walk, path, info, depth == 0); break;
  case G_FILE_TYPE_SYMBOLIC_LINK: /* a broken link: for a working link, `info` describes its target */
    skip (walk, path,
          leads_in_circle (path) ? _ ("a link that leads back to itself") : _ ("a link whose target does not exist"),
          depth == 0);
    break;
  default: skip (walk, path, _ ("not a regular file"), depth == 0);
  }
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return loom_natural_collate_compare (*(const char *const *) a, *(const char *const *) b);
}

/* Reports the hidden files that were found. They are not loaded, because a user who opens a folder does not mean hidden
 * files. */
static void
tell_hidden (Walk *walk, const char *path)
{
  g_ptr_array_sort (walk->hidden, compare_paths);
  for (guint i = 0; i < walk->hidden->len && walk->hidden->len <= MOST_HIDDEN_NAMED; i++)
    skip (walk, g_ptr_array_index (walk->hidden, i), _ ("hidden, because its name begins with a dot; open it directly"),
          FALSE);
  if (walk->hidden->len > MOST_HIDDEN_NAMED) {
    g_autofree char *reason = g_strdup_printf (
      _ ("%u hidden files and folders in this folder are not searched, because their names begin with a dot"),
      walk->hidden->len);
    skip (walk, path, reason, FALSE);
  }
  g_ptr_array_set_size (walk->hidden, 0);
}

static gint
compare_files (gconstpointer a, gconstpointer b)
{
  const LoomFoundFile *const *first = a, *const *second = b;
  return loom_natural_collate_compare ((*first)->path, (*second)->path);
}

/* Searches all paths once. Returns FALSE if a folder has changed during the search, so that the search must be
 * repeated. */
static gboolean
look (LoomFileDiscovery *found, const char *const *suffixes, GCancellable *cancellable)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) hidden = g_ptr_array_new_with_free_func (g_free);
  g_array_set_size (found->folders, 0);
  Walk walk = { .found = found,
                .hidden = hidden,
                .folders = found->folders,
                .seen = seen,
                .suffixes = suffixes,
                .cancellable = cancellable,
                .most_files = (guint) loom_limit (LOOM_LIMIT_FILES),
                .most_depth = (guint) loom_limit (LOOM_LIMIT_FOLDER_DEPTH) };
  for (guint i = 0; found->paths[i] != NULL; i++) {
    g_autofree char *path = loom_archive_path_dup_plain (found->paths[i]);
    guint n_before = found->files->len + found->skipped->len;
    visit (&walk, path, 0);
    tell_hidden (&walk, path);
    if (found->files->len + found->skipped->len == n_before &&
        /* If only one path was given, an empty folder is not reported here, because the caller reports that nothing was
         * found. */
        found->paths[1] != NULL)
      skip (&walk, path, _ ("the folder contains no files"), TRUE);
  }
  return is_settled (found->folders) || g_cancellable_is_cancelled (cancellable);
}

LoomFileDiscovery *
loom_file_discovery_run (const char *const *paths, const char *const *suffixes, GCancellable *cancellable)
{
  LoomFileDiscovery *found = g_new0 (LoomFileDiscovery, 1);
  found->files = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_file_discovery_free_file);
  found->skipped = g_ptr_array_new_with_free_func (free_skipped);
  found->paths = g_strdupv ((GStrv) paths);
  found->folders = g_array_new (FALSE, FALSE, sizeof (Folder));
  g_array_set_clear_func (found->folders, clear_folder);
  g_mutex_init (&found->lock);
  for (guint n = 1; !look (found, suffixes, cancellable) && n < MOST_LOOKS; n++) {
    g_ptr_array_set_size (found->files, 0);
    g_ptr_array_set_size (found->skipped, 0);
  }
  g_ptr_array_sort (found->files, compare_files);
  return found;
}

static gboolean
is_there (const LoomFoundFile *file)
{
  GStatBuf now;
  return file->inode == 0 || file->origin != NULL ||
         (g_stat (file->path, &now) == 0 && (guint32) now.st_dev == file->device && now.st_ino == file->inode);
}

static guint
hash_file (gconstpointer data)
{
  const LoomFoundFile *file = data;
  return loom_int64_hash (&file->inode) ^ file->device;
}

static gboolean
is_same_file (gconstpointer a, gconstpointer b)
{
  const LoomFoundFile *first = a, *second = b;
  return first->inode == second->inode && first->device == second->device;
}

/* Repeats the search for files if a folder has changed since the last search. Otherwise keeps the result of the last
 * search, so that several files that were renamed together cost only one search. The caller must hold the lock. */
static void
look_again (LoomFileDiscovery *found, GCancellable *cancellable)
{
  if (found->later != NULL && is_settled (found->later->folders))
    return;
  loom_file_discovery_free (found->later);
  g_clear_pointer (&found->by_inode, g_hash_table_unref);
  found->later = loom_file_discovery_run ((const char *const *) found->paths, NULL, cancellable);
  found->by_inode = g_hash_table_new (hash_file, is_same_file);
  for (guint i = 0; i < found->later->files->len; i++)
    g_hash_table_add (found->by_inode, g_ptr_array_index (found->later->files, i));
}

static gboolean
take_path (LoomFoundFile *file, LoomFileDiscovery *found, GCancellable *cancellable)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&found->lock);
  look_again (found, cancellable);
  const LoomFoundFile *other = g_hash_table_lookup (found->by_inode, file);
  if (other == NULL)
    return FALSE;
  g_free (file->path);
  file->path = g_strdup (other->path);
  return TRUE;
}

gboolean
loom_file_discovery_follow (LoomFileDiscovery *found, LoomFoundFile *const *files, guint n_files,
                            GCancellable *cancellable)
{
  gboolean any = FALSE;
  for (guint i = 0; i < n_files && !g_cancellable_is_cancelled (cancellable); i++)
    any |= !is_there (files[i]) && take_path (files[i], found, cancellable);
  return any;
}

GPtrArray *
loom_file_discovery_list_folders (const LoomFileDiscovery *found)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < found->folders->len; i++)
    g_ptr_array_add (paths, g_strdup (g_array_index (found->folders, Folder, i).path));
  return paths;
}

void
loom_file_discovery_free (LoomFileDiscovery *discovery)
{
  if (discovery == NULL)
    return;
  g_ptr_array_unref (discovery->files);
  g_ptr_array_unref (discovery->skipped);
  g_strfreev (discovery->paths);
  g_array_unref (discovery->folders);
  g_clear_pointer (&discovery->by_inode, g_hash_table_unref);
  loom_file_discovery_free (discovery->later);
  g_mutex_clear (&discovery->lock);
  g_free (discovery);
}
