/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches folders for files to load: finds the files, and records which ones are skipped and why.
 */
#pragma once

#include "loom-source-location.h"

#include <gio/gio.h>

typedef struct {
  char *path;
  guint64 n_bytes;
  gint64 modified_s;          /* time of modification in s since 1970 */
  guint32 modified_us;        /* microseconds within the second `modified_s` */
  gboolean given;             /* TRUE: the user gave the path of this file; FALSE: the file was found in a folder */
  LoomSourceLocation *origin; /* owned; location of the file's bytes, for example in an archive; NULL: the file at
                               * `path` itself */
  guint32 device;             /* `device` and `inode` identify the file even after it was renamed; inode 0: unknown */
  guint64 inode;
} LoomFoundFile;

typedef struct {
  char *path;
  char *reason;
  gboolean failed;
} LoomSkippedFile;

typedef struct _LoomFileDiscovery LoomFileDiscovery;

struct _LoomFileDiscovery {
  GPtrArray *files;   /* LoomFoundFile *, in natural order of paths, each file once even if it has several paths */
  GPtrArray *skipped; /* LoomSkippedFile *: files and folders that are not loaded, with the reason */
  GStrv paths;        /* paths that were searched */
  /* The members below are private. */
  GArray *folders; /* Folder elements: the state of each folder before it was read; shows whether a folder has changed
                    * since */
  GMutex lock;     /* guards `later` and `by_inode` */
  /* result of the last search for renamed files by loom_file_discovery_follow(); NULL: none yet */
  LoomFileDiscovery *later;
  GHashTable *by_inode; /* set of the LoomFoundFile of `later`, hashed by device and inode */
};

/* Returns a new LoomFoundFile for a file that loom_file_discovery_run() has not found. Takes ownership of `origin`. */
LoomFoundFile *loom_file_discovery_new_file (const char *path, guint64 n_bytes, gint64 modified_s,
                                             LoomSourceLocation *origin);
void loom_file_discovery_free_file (LoomFoundFile *file);

/* Returns TRUE if the name ends with one of `suffixes` (NULL-terminated), or if `suffixes` is NULL or empty. */
gboolean loom_file_discovery_matches (const char *path, const char *const *suffixes);

/* Searches paths for files. Never fails: files and folders that cannot be read are added to `skipped`. Follows
 * symbolic links, but visits each folder once. If a folder changes during the search, searches again, a few times at
 * most, so that the result is consistent. */
LoomFileDiscovery *loom_file_discovery_run (const char *const *paths, const char *const *suffixes,
                                            GCancellable *cancellable);
/* Updates the paths of those `files` that were renamed after they were found, as programs do when they close a file
 * they have written. If a file is missing at its path, searches the folders again to find its new path. Returns TRUE if
 * a path has changed. May be called on any thread if no other thread uses these files. */
gboolean loom_file_discovery_follow (LoomFileDiscovery *found, LoomFoundFile *const *files, guint n_files,
                                     GCancellable *cancellable);
/* Returns the folders that were searched: char *, owned by the caller. */
GPtrArray *loom_file_discovery_list_folders (const LoomFileDiscovery *found);
void loom_file_discovery_free (LoomFileDiscovery *discovery);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFileDiscovery, loom_file_discovery_free)
