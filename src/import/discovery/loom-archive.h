/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: lists the members of an archive and their locations. Members are read in place where possible:
 * members of tar (also inside gzip) and stored members of zip are ranges, deflated ones are streams within the archive.
 * All others (zstd, xz, bzip2, rarer zip methods) are unpacked to one temporary file, if the disk has room.
 *
 * Archives may be hostile: the names of members never lead out of the archive, links and devices are not followed, and
 * stated sizes are not trusted.
 */
#pragma once

#include "loom-source-location.h"

#include <gio/gio.h>

/* Maximum length in bytes of the name of a member. The number of members, the depth of folders and the compression
 * ratio have the same limits as for folders and gzip files (loom-limits.h). A member or archive that exceeds a limit
 * is reported. */
#define LOOM_ARCHIVE_MAX_NAME_BYTES 4096
/* The compression ratio is checked only if more bytes than this are unpacked, because an archive may have much
 * padding. */
#define LOOM_ARCHIVE_RATIO_FROM_BYTES (G_GUINT64_CONSTANT (1) << 30)

typedef enum {
  LOOM_ARCHIVE_NONE,
  LOOM_ARCHIVE_ZIP,
  LOOM_ARCHIVE_TAR,
  LOOM_ARCHIVE_PACKED, /* zstd, xz or bzip2; contains a tar or a single file */
} LoomArchiveKind;

/* Returns the kind of an archive, given the first bytes of the file. As many bytes as the header of a tar has (512) are
 * sufficient. */
LoomArchiveKind loom_archive_recognise (const char *bytes, gsize n_bytes);

/* Returns TRUE if a file has the name of an archive. Archives are listed even if the user wants only files with certain
 * other names; the members of the archive must then have these names. */
gboolean loom_archive_is_name (const char *path);

typedef struct {
  /* Called for each member before it is unpacked. Returns FALSE if the member is to be skipped. */
  gboolean (*wants) (const char *name, gpointer user_data);
  /* Called for each regular file, in the order of the archive. `name` is relative, without "." and ".."; `origin` is
   * borrowed; origin->n_bytes and origin->is_cut may still change until the listing ends. */
  void (*found) (const char *name, LoomSourceLocation *origin, gint64 modified_s, gpointer user_data);
  /* Called for each member that is not read. `name` NULL: the whole archive has a problem. `failed` TRUE: not reading
   * the member counts as a failure. */
  void (*skipped) (const char *name, const char *reason, gboolean failed, gpointer user_data);
} LoomArchiveHandler;

/* Lists the members of the archive at `path`. `gzip`: if the archive is a tar inside gzip, the unpacked tar, which is
 * read once from beginning to end; for any other archive NULL. All errors are reported through `skipped`; the members
 * before an error are found nevertheless. Ends early if cancelled. */
void loom_archive_list (const char *path, LoomArchiveKind kind, LoomByteSource *gzip, const LoomArchiveHandler *handler,
                        gpointer user_data, GCancellable *cancellable);
