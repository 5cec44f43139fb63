/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a report and writes it in a worker thread. The functions are called on the main thread.
 */
#pragma once

#include "loom-report-file.h"
#include "loom-worker.h"

/* Writes a report in a worker. `options` is copied. The ending of `path` determines the format; it is HTML if the
 * ending is unknown. `done` is always called, and receives NULL as result; `owner` must exist until `done` has been
 * called. On error, a file that was at the path before is unchanged. */
void loom_report_task_run (LoomTimeline *timeline, const LoomReportOptions *options, const char *path,
                           GCancellable *cancellable, LoomWorkerDone done, gpointer owner);

/* Like loom_report_task_run(), for a comparison of two runs. `names`: names of the runs, which are copied. */
void loom_report_task_run_comparison (LoomTimeline *const timelines[2], const char *const names[2], const char *path,
                                      GCancellable *cancellable, LoomWorkerDone done, gpointer owner);

/* Returns the path of a report. `input`: as passed to `done`. Borrowed. */
const char *loom_report_task_get_path (gconstpointer input);
