/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder with files that were fetched from a remote location, as the load sees it: its files are shown and
 * distinguished by the remote location. Functions of the load; any thread, but one at a time for the same discovery.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-run.h"

/* Files that were fetched from a remote location. They are stored in the folder `folder`. The user sees paths below
 * `shown` instead; the program also distinguishes the files by these paths. */
typedef struct {
  char *folder; /* absolute */
  char *shown;  /* "s3://bucket/prefix" */
  /* char *: set of the names, below the folder, of the files that were fetched; other files in the folder are
   * ignored */
  GHashTable *wanted;
  GPtrArray *problems; /* char *: files that could not be fetched, alternately the path below `shown` and the reason */
  /* TRUE: fetching failed, and this entry contains nothing but `problems`: none of the paths to load belongs to it */
  gboolean failed;
} LoomFetchedFolder;

/* Sets the displayed path and the actual location of each file in `found` that is `wanted` in one of `folders`
 * (NULL-terminated). Removes from `found` the other files in these folders. Adds the files that could not be fetched to
 * the ignored files of `notes`. Stats each wanted file. O(files · folders). */
void loom_fetched_folder_take (LoomFileDiscovery *found, const LoomFetchedFolder *const *folders, LoomRun *notes);

/* Returns the path that is shown for a file: for a fetched file its path below LoomFetchedFolder.shown (the remote
 * location), for any other file `path` itself. `folders` may be NULL. Owned by the caller. */
char *loom_fetched_folder_dup_shown (const char *path, const LoomFetchedFolder *const *folders);
