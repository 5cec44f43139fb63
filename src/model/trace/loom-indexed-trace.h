/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces that were read from an index although the file from which the index was made is open too. Both together would
 * count a recording twice, so the index is dropped. Any thread.
 */
#pragma once

#include "loom-run.h"

/* Removes from `traces` (LoomTrace *) each trace of an index all of whose files are among the sources of other traces, and
 * adds its path to the ignored files of `notes`. A source is that file if its path is equal, where the index is of this
 * machine, or else base name, size and rank. O(sources). */
void loom_indexed_trace_drop (GPtrArray *traces, LoomRun *notes);

/* TRUE if a trace of the run is an index of a trace of this rank. O(traces). */
gboolean loom_indexed_trace_has_rank (const LoomRun *run, gint rank);

/* Returns the paths of the sources of a rank that are indexes of traces this machine may read, NULL-terminated; NULL: none.
 * The caller frees the array, the paths are borrowed from the run. O(sources). */
const char **loom_indexed_trace_list_paths (const LoomRun *run, gint rank);
