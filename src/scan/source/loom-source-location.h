/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes where the bytes of an input are stored if the input is not an ordinary file: in a range of an archive, in a
 * range of an archive's unpacked text, in a range of a temporary file, or in a copy elsewhere on the disk. Ref-counted
 * atomically. Immutable after its members were set, and may then be used on any thread.
 */
#pragma once

#include "loom-byte-source.h"

#include <sys/stat.h>

typedef struct {
  gatomicrefcount refs;
  char *path;           /* the file that contains the bytes; NULL: they are in `text` */
  struct stat status;   /* status that the file at `path` had when it was examined */
  LoomByteSource *text; /* the bytes; NULL: they are in the file at `path` */
  guint64 offset;       /* offset of the first byte in the file or text */
  guint64 n_bytes;      /* number of stored bytes from `offset` on; G_MAXUINT64: all bytes up to the end of the file */
  gboolean is_cut;      /* TRUE if bytes are missing at the end, because the file that contains them is too short */
  gboolean is_member;   /* TRUE if the bytes are a member of an archive, such as a zip file */
  gboolean is_deflated; /* TRUE if the bytes are a bare deflate stream (without gzip header), as in zip archives */
  guint64 n_unpacked;   /* number of bytes of the unpacked stream; G_MAXUINT64: unknown */
  guint32 checksum;     /* expected CRC-32 of the unpacked bytes */
  gboolean has_checksum;
} LoomSourceLocation;

/* Creates a location. One of `path` and `text` is NULL; `path` is copied, and a reference to `text` is taken. `status`
 * may be NULL if `path` is NULL. */
LoomSourceLocation *loom_source_location_new (const char *path, const struct stat *status, LoomByteSource *text);
LoomSourceLocation *loom_source_location_ref (LoomSourceLocation *origin);
void loom_source_location_unref (LoomSourceLocation *origin);

/* Returns the stored bytes at the location, as a new reference. */
LoomByteSource *loom_source_location_dup_text (const LoomSourceLocation *origin);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceLocation, loom_source_location_unref)
