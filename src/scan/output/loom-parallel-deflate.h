/* SPDX-License-Identifier: Apache-2.0
 *
 * Compresses stretches of one gzip member independently of one another, so that several threads can share the work:
 * each becomes deflate blocks that end at a byte and look back at nothing before them. One after another, between
 * header and trailer, they are one ordinary gzip file. Through ISA-L where the build has it, else zlib.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomParallelDeflate LoomParallelDeflate;

LoomParallelDeflate *loom_parallel_deflate_new (void);
void loom_parallel_deflate_free (LoomParallelDeflate *deflate);

/* Appends the compressed stretch; nothing for no bytes. At most 1 GiB at a time. One thread at a time per object. */
void loom_parallel_deflate_append (LoomParallelDeflate *deflate, const char *bytes, gsize length, GByteArray *out);

/* The checksum of gzip's trailer; of one stretch, and of two that follow one another. */
guint32 loom_parallel_deflate_checksum (const char *bytes, gsize length);
guint32 loom_parallel_deflate_join_checksums (guint32 first, guint32 second, gsize second_length);

#define LOOM_PARALLEL_DEFLATE_HEADER_BYTES 10
extern const guint8 loom_parallel_deflate_header[LOOM_PARALLEL_DEFLATE_HEADER_BYTES];

/* The end of the member: an empty last block, checksum and size. */
#define LOOM_PARALLEL_DEFLATE_TRAILER_BYTES 10
void loom_parallel_deflate_make_trailer (guint32 checksum, guint64 n_bytes,
                                         guint8 trailer[LOOM_PARALLEL_DEFLATE_TRAILER_BYTES]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomParallelDeflate, loom_parallel_deflate_free)

G_END_DECLS
