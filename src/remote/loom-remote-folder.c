/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists a location, and fetches its files into the cache folder. A file is first written under a name that ends in
 * “.part”, and renamed when it is complete. Then its stamp (LoomRemoteFile.stamp) is recorded in known.json. The next
 * fetch skips files whose stamp has not changed.
 */
#include "loom-remote-private.h"

#include "loom-disk-space.h"
#include "loom-error.h"
#include "loom-file-discovery.h"
#include "loom-limits.h"
#include "loom-parallel.h"
#include "loom-remote-files.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define N_AT_ONCE 4 /* number of files that are fetched at the same time, each by its own program or stream */
#define MAX_NAME_BYTES 255
#define MAX_PATH_BYTES 2048
#define PART_BYTES 32 /* maximum number of bytes of the suffix in the name of a partial file */
/* interval at which the record of fetched files is saved, so that most of it is kept if the program is killed */
#define SAVE_EVERY_US (5 * G_USEC_PER_SEC)
/* after this number of consecutive failures with the same message, the server is considered unreachable, and no more
 * files are requested */
#define MOST_ALIKE 5

/* --- listing ------------------------------------------------------------------------------------------------------ */

static void
file_free (gpointer data)
{
  LoomRemoteFile *file = data;
  g_free (file->name);
  g_free (file->stamp);
  g_free (file);
}

void
loom_remote_listing_skip (LoomRemoteListing *listing, const char *name, const char *reason)
{
  g_ptr_array_add (listing->left, g_strdup (name));
  g_ptr_array_add (listing->left, g_strdup (reason));
}

const char *
loom_remote_reason_against (const char *name)
{
  if (strlen (name) > MAX_PATH_BYTES || !g_utf8_validate (name, -1, NULL))
    return _ ("the name of the file is too long, or is not text");
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  if (g_strv_length (parts) > LOOM_LIMIT_FOLDER_DEPTH)
    return _ ("the file is nested too deeply in folders");
  for (guint i = 0; parts[i] != NULL; i++) {
    if (parts[i][0] == '\0' || strcmp (parts[i], ".") == 0 || strcmp (parts[i], "..") == 0)
      return _ ("the name of the file would place it outside of the folder");
    if (strlen (parts[i]) > MAX_NAME_BYTES - PART_BYTES)
      return _ ("the name of the file is too long");
    for (const char *c = parts[i]; *c != '\0'; c++)
      if (g_ascii_iscntrl (*c))
        return _ ("the name of the file contains control characters");
  }
  return NULL;
}

/* Returns the sum of two sizes, at most G_MAXUINT64, because the sizes come from the server and may be wrong. */
static guint64
sum (guint64 a, guint64 b)
{
  guint64 both;
  return g_uint64_checked_add (&both, a, b) ? both : G_MAXUINT64;
}

gboolean
loom_remote_listing_add (LoomRemoteListing *listing, const char *name, guint64 n_bytes, const char *stamp)
{
  const char *reason = loom_remote_reason_against (name);
  if (reason != NULL) {
    g_autofree char *shown = g_strescape (name, NULL);
    loom_remote_listing_skip (listing, shown, reason);
    return TRUE;
  }
  if (listing->files->len + listing->others->len >= listing->most_files) {
    g_autofree char *full = g_strdup_printf (
      _ ("more than %u files: this file and later ones are not read; give a narrower location"), listing->most_files);
    loom_remote_listing_skip (listing, name, full);
    listing->is_full = TRUE;
    return FALSE;
  }
  /* skip a second file with the same name, because otherwise two threads could write to one file at the same time */
  if (g_hash_table_contains (listing->names, name))
    return TRUE;
  LoomRemoteFile *file = g_new0 (LoomRemoteFile, 1);
  gboolean wanted = loom_remote_location_wants (listing->location, name);
  file->name = g_strdup (name);
  file->n_bytes = n_bytes;
  file->stamp = g_strdup (stamp);
  g_ptr_array_add (wanted ? listing->files : listing->others, file);
  g_hash_table_add (listing->names, file->name);
  listing->n_bytes = sum (listing->n_bytes, wanted ? n_bytes : 0);
  return TRUE;
}

void
loom_remote_listing_clear_files (LoomRemoteListing *listing)
{
  g_hash_table_remove_all (listing->names);
  g_ptr_array_set_size (listing->files, 0);
  g_ptr_array_set_size (listing->others, 0);
  listing->n_bytes = 0;
}

LoomRemoteListing *
loom_remote_folder_list (const char *text, GCancellable *cancellable, GError **error)
{
  LoomRemoteLocation *location = loom_remote_location_new (text, error);
  if (location == NULL)
    return NULL;
  g_autoptr (LoomRemoteListing) listing = g_new0 (LoomRemoteListing, 1);
  listing->location = location;
  listing->most_files = (guint) loom_limit (LOOM_LIMIT_FILES);
  listing->files = g_ptr_array_new_with_free_func (file_free);
  listing->others = g_ptr_array_new_with_free_func (file_free);
  listing->names = g_hash_table_new (g_str_hash, g_str_equal);
  listing->left = g_ptr_array_new_with_free_func (g_free);
  listing->unasked = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean good = location->is_s3 ? loom_remote_s3_list (listing, cancellable, error)
                                  : loom_remote_gio_list (listing, cancellable, error);
  return good ? g_steal_pointer (&listing) : NULL;
}

void
loom_remote_folder_listing_free (LoomRemoteListing *listing)
{
  if (listing == NULL)
    return;
  loom_remote_location_free (listing->location);
  g_hash_table_unref (listing->names);
  g_hash_table_unref (listing->unasked);
  g_ptr_array_unref (listing->files);
  g_ptr_array_unref (listing->others);
  g_ptr_array_unref (listing->left);
  g_free (listing);
}

guint64
loom_remote_folder_count_missing (const LoomRemoteListing *listing)
{
  g_autoptr (LoomRemoteCache) cache = loom_remote_cache_open (listing->location);
  guint64 n_bytes = 0;
  for (guint i = 0; i < listing->files->len; i++) {
    const LoomRemoteFile *file = g_ptr_array_index (listing->files, i);
    n_bytes = sum (n_bytes, loom_remote_cache_has (cache, file) ? 0 : file->n_bytes);
  }
  return n_bytes;
}

/* --- fetching one file -------------------------------------------------------------------------------------------- */

typedef struct {
  int fd;
  guint64 n_done, n_wanted;
  LoomProgress *progress;
} Part;

static gboolean
write_part (const char *bytes, gsize n_bytes, gpointer user_data, GError **error)
{
  Part *part = user_data;
  if (n_bytes > part->n_wanted - part->n_done) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_READ,
                         _ ("the file has grown since it was listed; open the location again"));
    return FALSE;
  }
  if (!loom_disk_space_write (part->fd, bytes, n_bytes)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, _ ("the file cannot be saved in the cache folder: %s"),
                 g_strerror (errno));
    return FALSE;
  }
  part->n_done += n_bytes;
  loom_progress_add_done (part->progress, n_bytes);
  return TRUE;
}

static gboolean
fill_part (const LoomRemoteListing *listing, const LoomRemoteFile *file, int fd, LoomProgress *progress, GError **error)
{
  Part part = { fd, 0, file->n_bytes, progress };
  GCancellable *cancellable = loom_progress_get_cancellable (progress);
  gboolean good = listing->location->is_s3
                    ? loom_remote_s3_read (listing, file->name, write_part, &part, cancellable, error)
                    : loom_remote_gio_read (listing, file->name, write_part, &part, cancellable, error);
  if (!good)
    return FALSE;
  if (part.n_done == part.n_wanted)
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ,
               _ ("only %" PRIu64 " of the %" PRIu64 " listed bytes arrived; open the location again"), part.n_done,
               part.n_wanted);
  return FALSE;
}

static gboolean
fetch_file (const LoomRemoteListing *listing, const LoomRemoteFile *file, const char *folder, LoomProgress *progress,
            GError **error)
{
  g_autofree char *path = g_build_filename (folder, file->name, NULL), *part = loom_remote_files_dup_part (path);
  g_autofree char *parent = g_path_get_dirname (path);
  loom_remote_files_clear_way (folder, file->name);
  if (g_mkdir_with_parents (parent, 0700) != 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot create the folder “%s”", parent);
    return FALSE;
  }
  int fd = loom_remote_files_open_part (part);
  if (fd < 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", part);
    return FALSE;
  }
  gboolean good = fill_part (listing, file, fd, progress, error);
  if (close (fd) != 0 && good) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", part);
    good = FALSE;
  }
  if (good && g_rename (part, path) == 0)
    return TRUE;
  if (good)
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", path);
  g_unlink (part);
  return FALSE;
}

/* --- fetching all files ------------------------------------------------------------------------------------------- */

typedef struct {
  LoomRemoteListing *listing;
  LoomRemoteCache *cache;
  LoomProgress *progress;
  GPtrArray *missing; /* LoomRemoteFile *: the files to fetch; borrowed from the listing */
  GMutex lock;        /* protects the members below, and also the cache and listing->left */
  guint n_fetched, n_unasked;
  gint64 saved_us; /* time of the last save of the record in µs; 0: it was not saved yet */
  guint n_alike;   /* number of consecutive failures with the same message, up to the last file */
  char *last_words;
  GError *first_error;
} Fetch;

/* Returns TRUE if an error with this message concerns a single file only; then it makes sense to request the next
 * file. */
static gboolean
is_about_file (const char *message)
{
  static const char *const words[] = { "403",       "404",       "Forbidden",        "AccessDenied",
                                       "NoSuchKey", "not found", "ermission denied", "listed" };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (message, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Counts consecutive failures that have the same message. Some messages contain the name of the file, so this name is
 * removed before messages are compared. */
static void
count_alike (Fetch *fetch, const char *name, const char *message)
{
  g_auto (GStrv) parts = g_strsplit (message, name, -1);
  char *words = g_strjoinv ("", parts);
  gboolean alike = !is_about_file (words) && g_strcmp0 (words, fetch->last_words) == 0;
  fetch->n_alike = is_about_file (words) ? 0 : alike ? fetch->n_alike + 1 : 1;
  g_free (fetch->last_words);
  fetch->last_words = words;
}

/* If the last MOST_ALIKE failures had the same message, records that `file` is not requested, and returns TRUE;
 * otherwise returns FALSE. After TRUE, no more files are requested, so all later calls return TRUE, too. */
static gboolean
is_given_up (Fetch *fetch, const LoomRemoteFile *file)
{
  g_mutex_lock (&fetch->lock);
  gboolean given_up = fetch->n_alike >= MOST_ALIKE;
  if (given_up) {
    fetch->n_unasked++;
    g_hash_table_add (fetch->listing->unasked, file->name);
  }
  g_mutex_unlock (&fetch->lock);
  return given_up;
}

/* Adds a fetched file to the record. The caller must hold the lock. */
static void
remember (Fetch *fetch, const LoomRemoteFile *file)
{
  gint64 now_us = g_get_monotonic_time ();
  loom_remote_cache_put (fetch->cache, file);
  if (now_us - fetch->saved_us < SAVE_EVERY_US)
    return;
  loom_remote_cache_save (fetch->cache, NULL); /* an error is ignored here, because the last save reports it */
  fetch->saved_us = now_us;
}

static void
fetch_item (guint item, guint worker, gpointer user_data)
{
  Fetch *fetch = user_data;
  const LoomRemoteFile *file = g_ptr_array_index (fetch->missing, item);
  GError *error = NULL;
  if (is_given_up (fetch, file))
    return;
  loom_progress_set_label (fetch->progress, file->name);
  gboolean good =
    fetch_file (fetch->listing, file, loom_remote_cache_get_folder (fetch->cache), fetch->progress, &error);
  g_mutex_lock (&fetch->lock);
  if (good) {
    fetch->n_fetched++;
    fetch->n_alike = 0;
    remember (fetch, file);
  } else {
    if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
      loom_remote_listing_skip (fetch->listing, file->name, error->message);
      count_alike (fetch, file->name, error->message);
    }
    if (fetch->first_error == NULL)
      fetch->first_error = g_error_copy (error);
    g_error_free (error);
  }
  g_mutex_unlock (&fetch->lock);
}

/* Returns the set of the names of all folders that contain files of the listing; owned by the caller. A file whose name
 * is also the name of such a folder cannot be stored: S3, unlike a file system, may have an object “a” and an object
 * “a/b” at the same time. */
static GHashTable *
find_folders (const LoomRemoteListing *listing)
{
  GHashTable *folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < listing->files->len; i++) {
    g_autofree char *name = g_strdup (((LoomRemoteFile *) g_ptr_array_index (listing->files, i))->name);
    for (char *slash = strrchr (name, '/'); slash != NULL; slash = strrchr (name, '/')) {
      *slash = '\0';
      if (!g_hash_table_add (folders, g_strdup (name)))
        break;
    }
  }
  return folders;
}

static GPtrArray *
find_missing (LoomRemoteListing *listing, const LoomRemoteCache *cache, const char *const *suffixes, guint64 *n_bytes)
{
  GPtrArray *missing = g_ptr_array_new ();
  g_autoptr (GHashTable) folders = find_folders (listing);
  *n_bytes = 0;
  for (guint i = 0; i < listing->files->len; i++) {
    LoomRemoteFile *file = g_ptr_array_index (listing->files, i);
    if (!loom_file_discovery_matches (file->name, suffixes) || loom_remote_cache_has (cache, file))
      continue;
    if (g_hash_table_contains (folders, file->name)) {
      loom_remote_listing_skip (listing, file->name,
                                _ ("a folder has the same name; open that folder as a location of its own"));
      continue;
    }
    g_ptr_array_add (missing, file);
    *n_bytes = sum (*n_bytes, file->n_bytes);
  }
  return missing;
}

static gboolean
has_room (const char *folder, guint64 n_bytes, GError **error)
{
  guint64 n_free;
  if (loom_disk_space_has_room (folder, n_bytes, &n_free))
    return TRUE;
  g_autofree char *needed = g_format_size (n_bytes), *there = g_format_size (n_free);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT,
               _ ("%s would be downloaded into “%s”, where only %s are free; give a narrower location"), needed, folder,
               there);
  return FALSE;
}

static void
tell_given_up (const Fetch *fetch)
{
  if (fetch->n_unasked == 0)
    return;
  g_autofree char *reason = g_strdup_printf (
    ngettext ("%u more file was not requested after %u similar failures; open the location again",
              "%u more files were not requested after %u similar failures; open the location again", fetch->n_unasked),
    fetch->n_unasked, fetch->n_alike);
  loom_remote_listing_skip (fetch->listing, "", reason);
}

static gboolean
fetch_missing (Fetch *fetch, const char *const *suffixes, GError **error)
{
  guint64 n_bytes;
  const char *folder = loom_remote_cache_get_folder (fetch->cache);
  if (g_mkdir_with_parents (folder, 0700) != 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot create the folder “%s”", folder);
    return FALSE;
  }
  loom_remote_cache_tidy (fetch->cache, fetch->listing);
  loom_remote_files_remove_parts (folder);
  g_autoptr (GPtrArray) missing = find_missing (fetch->listing, fetch->cache, suffixes, &n_bytes);
  if (missing->len > 0)
    loom_remote_cache_make_room (fetch->cache, n_bytes);
  if (missing->len > 0 && !has_room (folder, n_bytes, error))
    return FALSE;
  fetch->missing = missing;
  loom_progress_add_total (fetch->progress, n_bytes);
  loom_parallel_for (missing->len, MIN (N_AT_ONCE, MAX (missing->len, 1)), fetch_item, fetch, fetch->progress);
  tell_given_up (fetch);
  GError *failure = NULL;
  /* without the saved record, all files are fetched again when the location is opened the next time */
  if (!loom_remote_cache_save (fetch->cache, &failure)) {
    g_warning ("%s", failure->message);
    g_error_free (failure);
  }
  if (loom_progress_is_cancelled (fetch->progress)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return FALSE;
  }
  if (fetch->first_error == NULL || fetch->n_fetched > 0 || missing->len < fetch->listing->files->len)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&fetch->first_error));
  if (fetch->n_unasked > 0)
    /* Translators: the reason why the first of these files could not be downloaded follows. */
    g_prefix_error (error, _ ("None of %u files could be downloaded: "), missing->len);
  return FALSE;
}

char *
loom_remote_folder_fetch (LoomRemoteListing *listing, const char *const *suffixes, LoomProgress *progress,
                          GError **error)
{
  g_autoptr (LoomRemoteCache) cache = loom_remote_cache_open (listing->location);
  Fetch fetch = { .listing = listing, .cache = cache, .progress = progress };
  g_mutex_init (&fetch.lock);
  gboolean good = fetch_missing (&fetch, suffixes, error);
  g_mutex_clear (&fetch.lock);
  g_clear_error (&fetch.first_error);
  g_free (fetch.last_words);
  return good ? g_strdup (loom_remote_cache_get_folder (cache)) : NULL;
}
