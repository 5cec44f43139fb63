/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the local header before a member of a zip archive. libarchive gives the offset of a member's
 * bytes, but not their compression method.
 */
#pragma once

#include "loom-byte-source.h"

typedef enum {
  LOOM_ZIP_STORED = 0,
  LOOM_ZIP_DEFLATED = 8,
} LoomZipMethod;

typedef struct {
  guint16 method;
  /* TRUE: the header does not contain checksum, n_packed and n_unpacked; they follow the data of the member */
  gboolean sizes_follow;
  guint32 checksum;
  guint64 n_packed, n_unpacked;
} LoomZipHeader;

/* Reads the header that ends at `offset`. Returns FALSE if there is none. */
gboolean loom_zip_header_read (LoomByteSource *archive, guint64 offset, LoomZipHeader *header);

/* Returns TRUE if the archive has a directory at its end; a truncated archive does not have it. */
gboolean loom_zip_header_has_directory (LoomByteSource *archive, guint64 n_bytes);
