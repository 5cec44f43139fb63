/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what stands in front of a member of a zip archive. libarchive says where a member's bytes begin,
 * but not how they are packed.
 */
#pragma once

#include "loom-byte-source.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_ZIP_STORED = 0,
  LOOM_ZIP_DEFLATED = 8,
} LoomZipMethod;

typedef struct {
  guint16 method;
  gboolean sizes_follow; /* the three below stand behind the member */
  guint32 checksum;
  guint64 n_packed, n_unpacked;
} LoomZipHeader;

/* The header that ends at `offset`. FALSE when there is none. */
gboolean loom_zip_header_read (LoomByteSource *archive, guint64 offset, LoomZipHeader *header);

/* Whether the archive has a directory at its end. One that was cut off has not. */
gboolean loom_zip_header_has_directory (LoomByteSource *archive, guint64 n_bytes);

G_END_DECLS
