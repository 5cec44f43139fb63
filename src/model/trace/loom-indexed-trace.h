/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds traces that were read from an index although the file from which the index was made is also open. As the
 * recording would then count twice, the trace of the index is dropped. The functions may be called on any thread.
 */
#pragma once

#include "loom-run.h"

/* Removes a trace that was read from an index file from `traces` (LoomTrace *) if all files that the index describes
 * are loaded themselves, as sources of other traces. Adds the path of the index file to the ignored files of `notes`. A
 * loaded file counts as one of these files if the index was made on this machine and the paths are equal, or if base
 * name, size and rank are equal. O(sources). */
void loom_indexed_trace_drop (GPtrArray *traces, LoomRun *notes);

/* Returns TRUE if a trace of this rank was read from an index. O(traces). */
gboolean loom_indexed_trace_has_rank (const LoomRun *run, gint rank);

/* Returns the paths (LoomSource.path) of the sources of a rank that were read from an index, and whose indexed file may
 * exist on this machine. The array ends with NULL; the result is NULL if there are no such sources. The caller frees
 * the array; the paths are borrowed from the run. O(sources). */
const char **loom_indexed_trace_list_paths (const LoomRun *run, gint rank);
