/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists folders on other machines, and fetches files from them into the cache folder, but only files that are new or
 * have changed since they were fetched last. For S3, the functions use the command aws or, if aws is not installed, the
 * command rclone, because these commands have the user's credentials. For all other locations, they use GIO. The
 * functions block; they may be called on any thread.
 *
 * The names of files come from the server. A name that leads out of the cache folder is reported, and its file is
 * skipped.
 */
#pragma once

#include "loom-progress.h"
#include "loom-remote-location.h"

/* Maximum length in bytes of one answer of a listing command, because the whole answer is held in memory. An answer of
 * aws contains one page of the listing. The numbers of files and folders are limited in loom-limits.h. When a limit is
 * reached, this is reported to the user. */
#define LOOM_REMOTE_FOLDER_MAX_LISTING_BYTES (64u * 1024 * 1024)

typedef struct {
  /* path relative to the location. It was checked that the path, appended to a folder, does not lead out of this
   * folder */
  char *name;
  guint64 n_bytes;
  char *stamp; /* text that changes whenever the content of the file changes, such as its size and modification time */
} LoomRemoteFile;

typedef struct {
  LoomRemoteLocation *location;
  GPtrArray *files;  /* LoomRemoteFile *: files that match the location's filter, in the order of the listing */
  GPtrArray *others; /* LoomRemoteFile *: files that do not match the location's filter */
  GHashTable *names; /* the names of all files in `files` and `others`, as a set */
  /* char *: files that were skipped: alternately the name of a file, and the reason; the name "" means the whole
   * location */
  GPtrArray *left;
  /* names of files that were not requested, because the last MOST_ALIKE requests had failed with the same message;
   * `left` contains one entry for all of these files */
  GHashTable *unasked;
  guint64 n_bytes;    /* sum of the sizes of `files`, in bytes */
  gboolean is_single; /* TRUE if the location is a single file, not a folder */
  guint most_files;
  gboolean is_full; /* TRUE if further files were skipped because `most_files` was reached; this is reported */
} LoomRemoteListing;

/* Lists the files of the remote location `text`: an address, which a filter may follow (loom-remote-location.h).
 * Returns NULL with `error` if the address is invalid, if the location cannot be listed, or with G_IO_ERROR_CANCELLED.
 */
LoomRemoteListing *loom_remote_folder_list (const char *text, GCancellable *cancellable, GError **error);
void loom_remote_folder_listing_free (LoomRemoteListing *listing);

/* Returns the total size in bytes of the listed files whose current version is not in the cache. */
guint64 loom_remote_folder_count_missing (const LoomRemoteListing *listing);

/* Fetches the files that are not in the cache; `progress` counts bytes. Returns the path of the folder with the files,
 * owned by the caller. Returns NULL with `error` if no file could be fetched, or when cancelled; files that were
 * completed before are kept in the cache. A file that fails is appended to listing->left. `suffixes`: fetches only
 * files whose names end in one of these; NULL: all files. */
char *loom_remote_folder_fetch (LoomRemoteListing *listing, const char *const *suffixes, LoomProgress *progress,
                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemoteListing, loom_remote_folder_listing_free)
