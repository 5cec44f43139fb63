/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists folders on other machines, and fetches files from them into the cache folder, but only files that changed since
 * the last time. For S3 it uses the command aws or, if aws is not installed, the command rclone, because these commands
 * have the user's credentials. For all other locations it uses GIO. The functions block; any thread may call them.
 *
 * The names of files come from the server. A name that leads out of the cache folder is reported, and its file is
 * skipped.
 */
#pragma once

#include "loom-progress.h"
#include "loom-remote-location.h"

/* Maximum length in bytes of one answer of a listing command; it is limited because the whole answer is held in memory.
 * Each answer of aws contains one page of the listing. The limits on the numbers of files and folders are in
 * loom-limits.h. Every limit that is reached is reported. */
#define LOOM_REMOTE_FOLDER_MAX_LISTING_BYTES (64u * 1024 * 1024)

typedef struct {
  char *name; /* path relative to the location; checked, so that it can safely be appended to the path of a folder */
  guint64 n_bytes;
  char *stamp; /* text that changes whenever the content of the file changes, such as its size and modification time */
} LoomRemoteFile;

typedef struct {
  LoomRemoteLocation *location;
  GPtrArray *files;  /* LoomRemoteFile *: files that match the location's filter, in the order listed */
  GPtrArray *others; /* LoomRemoteFile *: files that do not match the location's filter */
  GHashTable *names; /* the names of all files in `files` and `others`, as a set */
  /* char *: alternately the name of a skipped file, and the reason; the name "" means the whole location */
  GPtrArray *left;
  /* names of files that were not requested after repeated equal failures; `left` contains one entry for all of them */
  GHashTable *unasked;
  guint64 n_bytes;    /* sum of the sizes of `files`, in bytes */
  gboolean is_single; /* TRUE if the location is a single file, not a folder */
  guint most_files;
  gboolean is_full; /* TRUE if further files were skipped because `most_files` was reached; this is reported */
} LoomRemoteListing;

/* Lists the location `text`. NULL with `error` if it cannot be listed, or with G_IO_ERROR_CANCELLED. */
LoomRemoteListing *loom_remote_folder_list (const char *text, GCancellable *cancellable, GError **error);
void loom_remote_folder_listing_free (LoomRemoteListing *listing);

/* Returns the total size in bytes of the listed files that are not in the cache in their current version. */
guint64 loom_remote_folder_count_missing (const LoomRemoteListing *listing);

/* Fetches missing files; progress counts bytes. Returns the path of the folder with the files, owned by the caller.
 * NULL with `error` if no file could be fetched, or when cancelled: files completed by then are kept. Single files that
 * fail are appended to listing->left. `suffixes` (may be NULL): fetches only files whose names end in one of them. */
char *loom_remote_folder_fetch (LoomRemoteListing *listing, const char *const *suffixes, LoomProgress *progress,
                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemoteListing, loom_remote_folder_listing_free)
