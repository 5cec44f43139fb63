/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds traces that were read from an index although the file from which the index was made is open too. Both together
 * would count a recording twice, so the trace of the index is dropped. The functions may be called on any thread.
 */
#pragma once

#include "loom-run.h"

/* Removes a trace that was read from an index file from `traces` (LoomTrace *) if all files that the index describes
 * are loaded themselves, as sources of other traces. Adds the path of the index file to the ignored files of `notes`. A
 * loaded file counts as the described one if the paths are equal and the index was made on this machine; otherwise if
 * base name, size and rank are equal. O(sources). */
void loom_indexed_trace_drop (GPtrArray *traces, LoomRun *notes);

/* Returns TRUE if a trace of this rank was read from an index. O(traces). */
gboolean loom_indexed_trace_has_rank (const LoomRun *run, gint rank);

/* Returns the paths of those files of a rank of which only an index is loaded, although this machine may be able to
 * read the files themselves. The array ends with NULL; it is NULL if there are no such files. The caller frees the
 * array; the paths are borrowed from the run. O(sources). */
const char **loom_indexed_trace_list_paths (const LoomRun *run, gint rank);
