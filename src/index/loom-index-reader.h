/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads an index into a builder, in place of the trace file from which it was made. The result has only what the index
 * contains (src/index/README.md): it lacks the text of the trace file and, of most spans of the host, it has only sums
 * or nothing. A sum is one span that states the total self time of all spans of one name between two collectives, steps
 * or waits for data. Only one thread at a time may use the builder.
 */
#pragma once

#include "loom-index-about.h"
#include "loom-trace-builder.h"

typedef struct {
  LoomIndexAbout *about; /* describes the files from which the index was made; owned by the caller */
  /* index, in the builder, of the first source that was added from the index, and number of these sources */
  guint first_source, n_sources;
} LoomIndexReading;

/* Adds the sources of an index file to `builder`. The path of each source is `path`, followed by the number of the file
 * if the index describes several files. Returns FALSE with `error` if the index is damaged or of another version. The
 * builder then contains what precedes the damage; it contains nothing of the index if reading->n_sources is 0. Memory
 * is proportional to the bytes of the file. */
gboolean loom_index_reader_read (GBytes *bytes, const char *path, LoomTraceBuilder *builder, LoomIndexReading *reading,
                                 GError **error);
