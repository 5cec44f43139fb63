/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces the paths of files that were fetched from remote locations (such as S3) into a folder on disk: the loader
 * shows and identifies these files by their remote locations. The functions may be called on any thread, but only one
 * thread at a time may use a LoomFileDiscovery.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-run.h"

/* Files that were fetched from one remote location. They are stored in `folder`. The user sees them as paths below
 * `shown`; the loader, too, identifies each file by this path. */
typedef struct {
  char *folder; /* absolute path of the folder on disk with the fetched files */
  char *shown;  /* remote location, such as "s3://bucket/prefix" */
  /* char *: set of the names of the fetched files, relative to `folder`; other files in it are ignored */
  GHashTable *wanted;
  GPtrArray *problems; /* char *: for each file that could not be fetched, two elements: its path below `shown` and
                        * the reason */
  /* TRUE: fetching failed as a whole; only `problems` is set, and none of the paths to load belongs to this entry */
  gboolean failed;
} LoomFetchedFolder;

/* Replaces the path of each fetched file in `found` by its path to show, and sets its location on disk. `folders` ends
 * with NULL. A file in one of these folders is a fetched file if LoomFetchedFolder.wanted contains its name. Removes
 * all other files in these folders from `found`. Adds the files that could not be fetched to the ignored files of
 * `notes`. Stats each fetched file. Takes O(files · folders). */
void loom_fetched_folder_take (LoomFileDiscovery *found, const LoomFetchedFolder *const *folders, LoomRun *notes);

/* Returns the path that is shown for a file: for a fetched file, its path below the remote location
 * (LoomFetchedFolder.shown); for any other file, `path` itself. `folders` may be NULL. Owned by the caller. */
char *loom_fetched_folder_dup_shown (const char *path, const LoomFetchedFolder *const *folders);
