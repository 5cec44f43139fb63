/* SPDX-License-Identifier: Apache-2.0
 *
 * What is given to be opened, with remote locations among it, made ready for loading: fetched, and to be shown by where it
 * came from. Blocking; any thread.
 */
#pragma once

#include "loom-load.h"

G_BEGIN_DECLS

typedef struct {
  char **paths;            /* for loom_load_paths() */
  LoomLoadPlace **places;  /* for its options; NULL-terminated */
} LoomRemotePlaces;

/* A location that cannot be listed or fetched at all is a place with that problem and no path. NULL with `error` when it is
 * all there is, or when cancelled. Quick without locations. */
LoomRemotePlaces *loom_remote_places_new (const char *const *paths, const char *const *suffixes, LoomProgress *progress, GError **error);
void loom_remote_places_free (LoomRemotePlaces *places);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemotePlaces, loom_remote_places_free)

G_END_DECLS
