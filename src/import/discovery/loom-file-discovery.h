/* SPDX-License-Identifier: Apache-2.0
 *
 * Folder search: which files there are, which belong together, which are left alone and why.
 */
#pragma once

#include "loom-source-location.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  char *path;
  guint64 n_bytes;
  gint64 modified_s;          /* Unix seconds */
  guint32 modified_us;        /* of that second */
  gboolean given;             /* named by the user, not found in a folder */
  LoomSourceLocation *origin; /* owned; NULL: the file stands at its path */
  guint32 device;             /* what it is, whatever its name becomes; inode 0: not known */
  guint64 inode;
} LoomFoundFile;

typedef struct {
  char *path;
  char *reason;
  gboolean failed;
} LoomSkippedFile;

typedef struct _LoomFileDiscovery LoomFileDiscovery;

struct _LoomFileDiscovery {
  GPtrArray *files;   /* LoomFoundFile *, natural order of paths, each real file once */
  GPtrArray *skipped; /* LoomSkippedFile * */
  GStrv paths;        /* where it was looked */
  /* private */
  GArray *folders;          /* as they were before they were read */
  GMutex lock;              /* of what follows */
  LoomFileDiscovery *later; /* what stood there the last time somebody asked; NULL: nobody did */
  GHashTable *by_inode;     /* its files */
};

/* For whatever finds files elsewhere. Takes over `origin`. */
LoomFoundFile *loom_file_discovery_new_file (const char *path, guint64 n_bytes, gint64 modified_s,
                                             LoomSourceLocation *origin);
void loom_file_discovery_free_file (LoomFoundFile *file);

/* Whether the name ends in one of these; TRUE without any. */
gboolean loom_file_discovery_matches (const char *path, const char *const *suffixes);

/* Never fails: what cannot be read is in `skipped`. Follows symbolic links, never in a circle. What is found stood there at one
 * time: it is looked again, a few times, when folders change meanwhile. */
LoomFileDiscovery *loom_file_discovery_run (const char *const *paths, const char *const *suffixes,
                                            GCancellable *cancellable);
/* Files that are renamed after they were found (a writer closes them so) get their new path: those of `files` that no longer
 * stand at theirs are looked for again. TRUE when one got another. Any thread, for files
 * of its own. */
gboolean loom_file_discovery_follow (LoomFileDiscovery *found, LoomFoundFile *const *files, guint n_files,
                                     GCancellable *cancellable);
/* The folders that were looked through: char *, owned by the caller. */
GPtrArray *loom_file_discovery_list_folders (const LoomFileDiscovery *found);
void loom_file_discovery_free (LoomFileDiscovery *discovery);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFileDiscovery, loom_file_discovery_free)

G_END_DECLS
