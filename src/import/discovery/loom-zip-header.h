/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads the local header that precedes each member of a zip archive. The header is needed
 * because libarchive provides the offset of a member's bytes but not their compression method.
 */
#pragma once

#include "loom-byte-source.h"

typedef enum {
  LOOM_ZIP_STORED = 0,
  LOOM_ZIP_DEFLATED = 8,
} LoomZipMethod;

typedef struct {
  guint16 method;
  /* TRUE: checksum, n_packed and n_unpacked are not in the header but after the data of the member */
  gboolean sizes_follow;
  guint32 checksum;
  guint64 n_packed, n_unpacked;
} LoomZipHeader;

/* Reads the header of a member. The header ends at `offset`, where the bytes of the member begin. Returns FALSE if
 * there is no valid header. */
gboolean loom_zip_header_read (LoomByteSource *archive, guint64 offset, LoomZipHeader *header);

/* Returns TRUE if the archive has a directory at its end; a truncated archive does not have it. */
gboolean loom_zip_header_has_directory (LoomByteSource *archive, guint64 n_bytes);
