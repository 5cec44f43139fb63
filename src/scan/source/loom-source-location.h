/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the bytes of a file stand that is none of its own: a stretch of an archive, of an archive's unpacked text, of a
 * temporary file, or a copy elsewhere on the disk. Immutable once filled in, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-byte-source.h"

#include <sys/stat.h>

G_BEGIN_DECLS

typedef struct {
  gatomicrefcount refs;
  char *path;           /* the file they stand in; NULL: they stand in `text` */
  struct stat status;   /* of that file when it was looked at */
  LoomByteSource *text; /* NULL with a path */
  guint64 offset;       /* of the first */
  guint64 n_bytes;      /* as they stand there; G_MAXUINT64: to its end */
  gboolean is_cut;      /* there should be more of them: what they stand in ends before */
  gboolean is_member;   /* of an archive */
  gboolean is_deflated; /* a bare deflate stream, as in zip */
  guint64 n_unpacked;   /* of that; G_MAXUINT64 unknown */
  guint32 checksum;     /* CRC-32 of what is unpacked */
  gboolean has_checksum;
} LoomSourceLocation;

/* Takes over neither. One of the two is NULL; `status` may be, with the path. */
LoomSourceLocation *loom_source_location_new (const char *path, const struct stat *status, LoomByteSource *text);
LoomSourceLocation *loom_source_location_ref (LoomSourceLocation *origin);
void loom_source_location_unref (LoomSourceLocation *origin);

/* The bytes as they stand there. A new reference. */
LoomByteSource *loom_source_location_dup_text (const LoomSourceLocation *origin);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceLocation, loom_source_location_unref)

G_END_DECLS
