/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote. Functions that loom-remote-folder.c and loom-remote-range.c use: listing a location, reading
 * its files through S3 or GIO, and the record of the files in the cache folder.
 */
#pragma once

#include "loom-remote-folder.h"
#include "loom-time.h"

/* Adds a file to the listing. If its name cannot be used, skips the file and records the reason. If the listing already
 * has a file of this name, ignores the new one. `name` may be any text. Returns FALSE if there are too many files. */
gboolean loom_remote_listing_add (LoomRemoteListing *listing, const char *name, guint64 n_bytes, const char *stamp);

/* Records that a file is skipped, and the reason; `name` "": the whole location. */
void loom_remote_listing_skip (LoomRemoteListing *listing, const char *name, const char *reason);

/* Returns the reason why a file with this name cannot be stored below the cache folder; NULL if it can be stored.
 * Translated; static. */
const char *loom_remote_reason_against (const char *name);

/* Removes all files from the listing, but keeps the records of skipped files. */
void loom_remote_listing_clear_files (LoomRemoteListing *listing);

typedef gboolean (*LoomRemoteSink) (const char *bytes, gsize n_bytes, gpointer user_data, GError **error);

/* The functions …_list() list a location, and the functions …_read() read one of its files. loom_remote_s3_…() use the
 * commands for S3, loom_remote_gio_…() use GIO. All return FALSE with `error` on failure. */
gboolean loom_remote_s3_list (LoomRemoteListing *listing, GCancellable *cancellable, GError **error);
gboolean loom_remote_s3_read (const LoomRemoteListing *listing, const char *name, LoomRemoteSink sink,
                              gpointer user_data, GCancellable *cancellable, GError **error);
gboolean loom_remote_gio_list (LoomRemoteListing *listing, GCancellable *cancellable, GError **error);
gboolean loom_remote_gio_read (const LoomRemoteListing *listing, const char *name, LoomRemoteSink sink,
                               gpointer user_data, GCancellable *cancellable, GError **error);

/* A file of a remote location. The file is read in parts, not as a whole. */
typedef struct {
  gboolean is_s3;
  char *uri;            /* address of the file for messages */
  char *bucket, *key;   /* bucket and key of an S3 object; not used with GIO */
  GFile *file;          /* the file as GIO reads it; not used for S3 */
  char *tag;            /* version of an S3 object (its ETag), in quotes; NULL: unknown, or read with GIO */
  GInputStream *stream; /* open stream of a file that is read with GIO; opened at the first read */
  guint64 n_bytes;
  gint64 modified_s; /* time of the last change of the file, in s since 1970; LOOM_TIME_NONE: unknown */
} LoomRemotePart;

void loom_remote_part_free (LoomRemotePart *part);
/* These functions return the file `name` of a location, owned by the caller. On failure they return NULL with `error`.
 * If they fail because the file does not exist, they also set `is_missing` to TRUE. They do not change `is_missing` if
 * it is unknown whether the file exists. */
LoomRemotePart *loom_remote_s3_find_part (const LoomRemoteLocation *location, const char *name, gboolean *is_missing,
                                          GCancellable *cancellable, GError **error);
LoomRemotePart *loom_remote_gio_find_part (const LoomRemoteLocation *location, const char *name, gboolean *is_missing,
                                           GCancellable *cancellable, GError **error);
/* These functions read up to `n_bytes` bytes of the file, beginning at `offset`, and append them to `bytes`. They read
 * fewer bytes if the file ends before. Only one thread at a time may call them for the same `part`. */
gboolean loom_remote_s3_read_part (LoomRemotePart *part, guint64 offset, gsize n_bytes, GByteArray *bytes,
                                   GCancellable *cancellable, GError **error);
gboolean loom_remote_gio_read_part (LoomRemotePart *part, guint64 offset, gsize n_bytes, GByteArray *bytes,
                                    GCancellable *cancellable, GError **error);

/* A record of the files in the cache folder of a location, each with the stamp that it had when it was fetched. */
typedef struct _LoomRemoteCache LoomRemoteCache;

LoomRemoteCache *loom_remote_cache_open (const LoomRemoteLocation *location);
void loom_remote_cache_free (LoomRemoteCache *cache);
const char *loom_remote_cache_get_folder (const LoomRemoteCache *cache);
gboolean loom_remote_cache_has (const LoomRemoteCache *cache, const LoomRemoteFile *file);
/* Records a file that was fetched completely and has its final name. */
void loom_remote_cache_put (LoomRemoteCache *cache, const LoomRemoteFile *file);
/* Removes files that are not in the listing from the record and from the disk. */
void loom_remote_cache_tidy (LoomRemoteCache *cache, const LoomRemoteListing *listing);
gboolean loom_remote_cache_save (const LoomRemoteCache *cache, GError **error);
/* Makes room in the cache for `n_bytes` that will be fetched: deletes the files of other locations until these bytes
 * and all files in the cache together do not exceed LOOM_LIMIT_CACHE_BYTES. Begins with the location that was not
 * opened for the longest time. Keeps the files of locations that were opened recently, because they may be in use.
 * Reads the status of every file in the cache folder. */
void loom_remote_cache_make_room (const LoomRemoteCache *cache, guint64 n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemoteCache, loom_remote_cache_free)
