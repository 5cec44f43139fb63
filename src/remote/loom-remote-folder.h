/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders on other machines: listed, and what changed since the last time fetched into the cache folder. S3 through the
 * command aws, else rclone, which know the credentials; all else through GIO. Blocking; any thread.
 *
 * Names are the other side's: none leads out of the cache folder, those that would are told and left.
 */
#pragma once

#include "loom-progress.h"
#include "loom-remote-location.h"

G_BEGIN_DECLS

/* Of one answer of a command that lists, which is held in memory; aws is asked page by page. Files and folders have the limits of folders: loom-limits.h. All are
 * reported when hit. */
#define LOOM_REMOTE_FOLDER_MAX_LISTING_BYTES (64u * 1024 * 1024)

typedef struct {
  char *name; /* below the location; safe to be appended to a folder */
  guint64 n_bytes;
  char *stamp; /* changes when the content does */
} LoomRemoteFile;

typedef struct {
  LoomRemoteLocation *location;
  GPtrArray *files;    /* LoomRemoteFile *: what the location wants, in the order listed */
  GPtrArray *others;   /* LoomRemoteFile *: what it does not want */
  GHashTable *names;   /* of both */
  GPtrArray *left;     /* char * name, reason, name, reason …: what cannot be taken; "" is all of it */
  GHashTable *unasked; /* names of files nobody was asked for once others had failed alike; told in `left` as one */
  guint64 n_bytes;     /* of the files */
  gboolean is_single;  /* the location is a file itself */
  guint most_files;
  gboolean is_full; /* there were more, which is told */
} LoomRemoteListing;

/* NULL with `error`: it cannot be listed, or G_IO_ERROR_CANCELLED. */
LoomRemoteListing *loom_remote_folder_list (const char *location, GCancellable *cancellable, GError **error);
void loom_remote_folder_listing_free (LoomRemoteListing *listing);

/* Bytes of the listing's files that are not in the cache as they are there. */
guint64 loom_remote_folder_count_missing (const LoomRemoteListing *listing);

/* Fetches what is missing; progress counts bytes. The folder with the files, owned; NULL with `error` when nothing could be
 * fetched at all, or cancelled: what is whole by then stays. Files that fail while others do not are put on
 * listing->left. Only files whose names end in one of `suffixes` (may be NULL). */
char *loom_remote_folder_fetch (LoomRemoteListing *listing, const char *const *suffixes, LoomProgress *progress,
                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemoteListing, loom_remote_folder_listing_free)

G_END_DECLS
