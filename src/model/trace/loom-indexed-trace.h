/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces that were read from an index although the file from which the index was made is open too. Both together would
 * count a recording twice, so the index is dropped. Any thread.
 */
#pragma once

#include "loom-run.h"

/* Removes from `traces` (LoomTrace *) each trace that was read from an index if all files that were indexed are also
 * loaded themselves, as sources of other traces. Adds its path to the ignored files of `notes`. A loaded file counts as
 * the indexed one if the paths are equal and the index was made on this machine; otherwise if base name, size and rank
 * are equal. O(sources). */
void loom_indexed_trace_drop (GPtrArray *traces, LoomRun *notes);

/* Returns TRUE if a trace of this rank was read from an index. O(traces). */
gboolean loom_indexed_trace_has_rank (const LoomRun *run, gint rank);

/* Returns the paths of the indexed files of a rank for which only an index is loaded, although this machine may be able
 * to read the files themselves. NULL-terminated; NULL: none. The caller frees the array; the paths are borrowed from
 * the run. O(sources). */
const char **loom_indexed_trace_list_paths (const LoomRun *run, gint rank);
