/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists folders on other machines, and fetches the files that changed since the last time into the cache folder. S3 is
 * accessed with the command aws, or else rclone, which have the credentials; everything else with GIO. Blocking; any
 * thread.
 *
 * Names come from the server: names that lead out of the cache folder are reported and skipped.
 */
#pragma once

#include "loom-progress.h"
#include "loom-remote-location.h"

/* Maximum length of one answer of a listing command, because it is held in memory; aws is queried page by page. The
 * limits on the numbers of files and folders are in loom-limits.h. Every limit that is reached is reported. */
#define LOOM_REMOTE_FOLDER_MAX_LISTING_BYTES (64u * 1024 * 1024)

typedef struct {
  char *name; /* relative to the location; checked, so that it may be appended to a folder */
  guint64 n_bytes;
  char *stamp; /* changes whenever the content changes */
} LoomRemoteFile;

typedef struct {
  LoomRemoteLocation *location;
  GPtrArray *files;  /* LoomRemoteFile *: files that match the location's filter, in the order listed */
  GPtrArray *others; /* LoomRemoteFile *: files that don't match the filter */
  GHashTable *names; /* set of the names of `files` and `others` */
  /* char *: name of a skipped file, then the reason, and so on alternately; the name "" is the whole location */
  GPtrArray *left;
  /* names of files that were not requested after repeated equal failures; `left` contains one entry for all of them */
  GHashTable *unasked;
  guint64 n_bytes;    /* sum over `files` */
  gboolean is_single; /* the location is itself a file */
  guint most_files;
  gboolean is_full; /* `most_files` was reached and further files were skipped, which is reported */
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
