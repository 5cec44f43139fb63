/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces that were read from an index although the file from which the index was made is open too. Both together would
 * count a recording twice, so the index is dropped. Any thread.
 */
#pragma once

#include "loom-run.h"

/* Removes from `traces` (LoomTrace *) each trace of an index if all of its files are among the sources of other
 * traces, and adds its path to the ignored files of `notes`. A source is the same file if the paths are equal and
 * the index was made on this machine, or else if base name, size and rank are equal. O(sources). */
void loom_indexed_trace_drop (GPtrArray *traces, LoomRun *notes);

/* Returns TRUE if a trace of the run is an index of a trace of this rank. O(traces). */
gboolean loom_indexed_trace_has_rank (const LoomRun *run, gint rank);

/* Returns the paths of traces of a rank that are loaded as indexes and that this machine may be able to read,
 * NULL-terminated; NULL: none. The caller frees the array; the paths are borrowed from the run. O(sources). */
const char **loom_indexed_trace_list_paths (const LoomRun *run, gint rank);
