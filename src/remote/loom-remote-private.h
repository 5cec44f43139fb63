/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote: what lists and what fetches, and the memory of what was fetched.
 */
#pragma once

#include "loom-remote-folder.h"

G_BEGIN_DECLS

/* Adds a file, or leaves it and says why; a name that is there already stays as it is. `name` is anything. FALSE: there are too many. */
gboolean loom_remote_listing_add (LoomRemoteListing *listing, const char *name, guint64 n_bytes, const char *stamp);

/* Why a file of that name is not kept below the cache folder, translated; NULL when it is. Static. */
const char *loom_remote_reason_against (const char *name);

/* Forgets what was added; what was left stays. */
void loom_remote_listing_clear_files (LoomRemoteListing *listing);

typedef gboolean (*LoomRemoteSink) (const char *bytes, gsize n_bytes, gpointer user_data, GError **error);

/* Both: FALSE with `error`. */
gboolean loom_remote_s3_list (LoomRemoteListing *listing, GCancellable *cancellable, GError **error);
gboolean loom_remote_s3_read (const LoomRemoteListing *listing, const char *name, LoomRemoteSink sink,
                              gpointer user_data, GCancellable *cancellable, GError **error);
gboolean loom_remote_gio_list (LoomRemoteListing *listing, GCancellable *cancellable, GError **error);
gboolean loom_remote_gio_read (const LoomRemoteListing *listing, const char *name, LoomRemoteSink sink,
                               gpointer user_data, GCancellable *cancellable, GError **error);

/* What stands in the cache folder of a location, by name. */
typedef struct _LoomRemoteCache LoomRemoteCache;

LoomRemoteCache *loom_remote_cache_open (const LoomRemoteLocation *location);
void loom_remote_cache_free (LoomRemoteCache *cache);
const char *loom_remote_cache_get_folder (const LoomRemoteCache *cache);
gboolean loom_remote_cache_has (const LoomRemoteCache *cache, const LoomRemoteFile *file);
/* The file is whole at its place. */
void loom_remote_cache_put (LoomRemoteCache *cache, const LoomRemoteFile *file);
/* Forgets, and takes from the disk, what is not in the listing. */
void loom_remote_cache_tidy (LoomRemoteCache *cache, const LoomRemoteListing *listing);
gboolean loom_remote_cache_save (const LoomRemoteCache *cache, GError **error);
/* Before so many bytes more come in: takes other locations from the disk, the one that was opened the longest time ago first,
 * until all together keep LOOM_LIMIT_CACHE_BYTES. None that was opened a short while ago, which somebody may be reading. Looks
 * at every file of the cache folder. */
void loom_remote_cache_make_room (const LoomRemoteCache *cache, guint64 n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemoteCache, loom_remote_cache_free)

G_END_DECLS
