/* SPDX-License-Identifier: Apache-2.0
 *
 * Prepares paths and remote locations for loading: fetches the files of the locations, and records from which location
 * each folder of fetched files came. The functions block, and may be called on any thread.
 */
#pragma once

#include "loom-load.h"

typedef struct {
  /* local paths, to be passed to loom_load_paths(): a location is replaced by the folder with its fetched files */
  char **paths;
  LoomFetchedFolder **places; /* folders with the fetched files, for LoomLoadOptions; ends with NULL */
} LoomRemotePaths;

/* Fetches the remote locations among `paths`. If a location cannot be listed or fetched, its LoomFetchedFolder has no
 * files, and has a problem that states the reason. Returns NULL with `error` in two cases: the function was cancelled;
 * or `paths` contains only locations, and none of them could be fetched. Fast if there are no locations. */
LoomRemotePaths *loom_remote_paths_new (const char *const *paths, const char *const *suffixes, LoomProgress *progress,
                                        GError **error);
void loom_remote_paths_free (LoomRemotePaths *places);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemotePaths, loom_remote_paths_free)
