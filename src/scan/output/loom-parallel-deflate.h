/* SPDX-License-Identifier: Apache-2.0
 *
 * Compresses ranges of the text of a gzip file independently, so that several threads can share the work. Each range
 * becomes deflate blocks that end at a byte boundary and do not refer to earlier data. The concatenated blocks of all
 * ranges, between a header and a trailer, form one ordinary gzip file. Uses the library ISA-L if it is available,
 * otherwise zlib.
 */
#pragma once

#include <glib.h>

typedef struct _LoomParallelDeflate LoomParallelDeflate;

LoomParallelDeflate *loom_parallel_deflate_new (void);
void loom_parallel_deflate_free (LoomParallelDeflate *deflate);

/* Compresses a range of at most 1 GiB and appends it to `out`. Appends nothing if `length` is 0. Only one thread at a
 * time may use `deflate`. */
void loom_parallel_deflate_append (LoomParallelDeflate *deflate, const char *bytes, gsize length, GByteArray *out);

/* These functions return CRC-32 checksums, as in the trailer of a gzip file. loom_parallel_deflate_checksum(): the
 * checksum of one range. loom_parallel_deflate_join_checksums(): the checksum of two consecutive ranges, computed from
 * their checksums. */
guint32 loom_parallel_deflate_checksum (const char *bytes, gsize length);
guint32 loom_parallel_deflate_join_checksums (guint32 first, guint32 second, gsize second_length);

#define LOOM_PARALLEL_DEFLATE_HEADER_BYTES 10
extern const guint8 loom_parallel_deflate_header[LOOM_PARALLEL_DEFLATE_HEADER_BYTES];

/* Writes the trailer of the gzip file: an empty last block, the checksum, and the uncompressed size. */
#define LOOM_PARALLEL_DEFLATE_TRAILER_BYTES 10
void loom_parallel_deflate_make_trailer (guint32 checksum, guint64 n_bytes,
                                         guint8 trailer[LOOM_PARALLEL_DEFLATE_TRAILER_BYTES]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomParallelDeflate, loom_parallel_deflate_free)
