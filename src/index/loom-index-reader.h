/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads an index into a builder, as if its raw file were read, but with what the index keeps only: spans of the host are
 * sums (README.md). The sources have no text. One thread per builder.
 */
#pragma once

#include "loom-index-about.h"
#include "loom-trace-builder.h"

typedef struct {
  LoomIndexAbout *about;         /* owned by the caller */
  guint first_source, n_sources; /* sources of the builder that the index has added */
} LoomIndexReading;

/* Adds the sources of an index at `path`; they are named by this path, followed by the number of the file if there are
 * several. Returns FALSE with `error` if the index is damaged or of another version. Then nothing was added if
 * n_sources is 0; otherwise the part read before the damage was added. Memory is proportional to the bytes of the
 * file. */
gboolean loom_index_reader_read (GBytes *bytes, const char *path, LoomTraceBuilder *builder, LoomIndexReading *reading,
                                 GError **error);
