/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the dumps of flight recorders from which an index was made. A hang is found from the dumps of all
 * ranks, so the index of each rank contains the complete dump of this rank. May be used on any thread.
 */
#pragma once

#include "loom-index-bytes.h"
#include "loom-index-file.h"
#include "loom-trace-builder.h"

/* Appends the dumps of all sources of a trace to `out`; nothing if no source has a dump. */
void loom_index_flights_write (const LoomTrace *trace, GByteArray *out);

/* Reads the dumps of `n` sources of the builder, from `first_source` on. If the section is damaged, sets `in->failed`;
 * the sources then get what precedes the damage. Memory is proportional to the bytes. */
void loom_index_flights_read (LoomIndexBytes *in, LoomTraceBuilder *builder, guint first_source, guint n);

/* Returns TRUE if the index was made from a dump, but by an earlier version of the program, which did not write dumps
 * into indexes. */
gboolean loom_index_flights_are_missing (LoomIndexFile *file);
