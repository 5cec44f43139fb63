/* SPDX-License-Identifier: Apache-2.0
 *
 * A run can be opened from indexes, which are small files that are opened in place of traces. For such a run, a worker
 * reads the events of a range of one rank from the traces of the indexes, and writes them to a file below the cache
 * folder. The written file can be opened like any run. Its times are those of the aligned clocks of the whole run, and
 * its events have all args. The functions are called on the main thread.
 */
#pragma once

#include "loom-document.h"
#include "loom-rank-range.h"
#include "loom-worker.h"

/* Returns TRUE if all traces from which the indexes of this rank were made exist on this machine. Checks on the disk
 * whether each file exists. */
gboolean loom_range_task_is_here (LoomDocument *document, gint rank);

/* Reads the range from the traces of the rank and writes it to a file. The range is in timeline ns with both ends
 * included. `through`: the command that reads the traces on another machine; NULL: they are on this machine. `done` is
 * always called. On success, it receives the path of the file and owns this text. On failure, it receives NULL and the
 * error of loom_rank_range_read() or loom_trace_export_write(). If the range contains no events, the error is
 * LOOM_ERROR_EMPTY. `owner` must exist until `done` is called. Also removes the files that were written more than
 * LOOM_RANGE_TASK_DAYS ago and, if all these files together are larger than LOOM_LIMIT_RANGES_BYTES, the oldest
 * ones. */
#define LOOM_RANGE_TASK_DAYS 14
void loom_range_task_run (LoomDocument *document, gint rank, LoomRange range, LoomServeClient *through,
                          LoomProgress *progress, LoomWorkerDone done, gpointer owner);
/* Returns the path of the file to which loom_range_task_run() writes the range; owned by the caller. NULL: no index of
 * the rank is open. */
char *loom_range_task_dup_path (LoomDocument *document, gint rank, LoomRange range);
/* Returns the rank whose range was read. `input`: as passed to `done` of loom_range_task_run(). */
gint loom_range_task_get_rank (gconstpointer input);
