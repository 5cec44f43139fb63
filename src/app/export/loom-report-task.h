/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a report and writes it in a worker. Main thread.
 */
#pragma once

#include "loom-report-file.h"
#include "loom-worker.h"

G_BEGIN_DECLS

/* `options` is copied. The ending of `path` says what is written (HTML where it says nothing). `done` is always called, with
 * no result: `owner` must live until then. With an error, what was at the path before is still there. */
void loom_report_task_run (LoomTimeline *timeline, const LoomReportOptions *options, const char *path,
                           GCancellable *cancellable, LoomWorkerDone done, gpointer owner);

/* The target, of the input that `done` gets. Borrowed. */
const char *loom_report_task_get_path (gconstpointer input);

G_END_DECLS
