/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what is in an archive and where it stands. Nothing is unpacked that can be read where it is: members
 * of tar (also inside gzip) and stored members of zip are stretches, deflated ones streams within the archive. The rest
 * (zstd, xz, bzip2, rarer ways of packing in zip) goes to one temporary file, if the disk has room for it.
 *
 * Archives are hostile: names never lead out of them, links and devices are not followed, sizes are believed of nobody.
 */
#pragma once

#include "loom-source-location.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Members, the depth of their folders and what unpacks to how many times its size have the limits of folders and of gzip:
 * loom-limits.h. All are reported when hit. */
#define LOOM_ARCHIVE_MAX_NAME_BYTES 4096
/* The ratio counts beyond so much: an archive may hold a lot of padding. */
#define LOOM_ARCHIVE_RATIO_FROM_BYTES (G_GUINT64_CONSTANT (1) << 30)

typedef enum {
  LOOM_ARCHIVE_NONE,
  LOOM_ARCHIVE_ZIP,
  LOOM_ARCHIVE_TAR,
  LOOM_ARCHIVE_PACKED, /* zstd, xz or bzip2, around a tar or a single file */
} LoomArchiveKind;

/* What the first bytes say; as many as a tar header has are enough. */
LoomArchiveKind loom_archive_recognise (const char *bytes, gsize n_bytes);

/* Whether a file's name says it is one: then a filter of names means its members. */
gboolean loom_archive_is_name (const char *path);

typedef struct {
  /* Before anything is done for a member: whether it is wanted. */
  gboolean (*wants) (const char *name, gpointer user_data);
  /* A regular file, in the order of the archive. `name` is relative, without "." and ".."; `origin` is borrowed, and its
   * length may be corrected until the listing ends. */
  void (*found) (const char *name, LoomSourceLocation *origin, gint64 modified_s, gpointer user_data);
  /* Something that is not read; `name` NULL: the archive as a whole. */
  void (*skipped) (const char *name, const char *reason, gboolean failed, gpointer user_data);
} LoomArchiveHandler;

/* Lists the archive at `path`; a tar that is gzip is unpacked once from beginning to end for it. `gzip`: NULL, or that
 * tar's text. All that goes wrong is told as skipped; what stands before it was found. Ends early when cancelled. */
void loom_archive_list (const char *path, LoomArchiveKind kind, LoomByteSource *gzip, const LoomArchiveHandler *handler,
                        gpointer user_data, GCancellable *cancellable);

G_END_DECLS
