/* SPDX-License-Identifier: Apache-2.0
 *
 * What is given to be opened, with remote locations among it, made ready for loading: fetched, and to be shown by where it
 * came from. Blocking; any thread.
 */
#pragma once

#include "loom-load.h"

G_BEGIN_DECLS

typedef struct {
  char **paths;               /* for loom_load_paths() */
  LoomFetchedFolder **places; /* for its options; NULL-terminated */
} LoomRemotePaths;

/* A location that cannot be listed or fetched at all is a place with that problem and no path. NULL with `error` when it is
 * all there is, or when cancelled. Quick without locations. */
LoomRemotePaths *loom_remote_paths_new (const char *const *paths, const char *const *suffixes, LoomProgress *progress,
                                        GError **error);
void loom_remote_paths_free (LoomRemotePaths *places);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemotePaths, loom_remote_paths_free)

G_END_DECLS
