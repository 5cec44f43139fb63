/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a report and writes it in a worker. Main thread.
 */
#pragma once

#include "loom-report-file.h"

G_BEGIN_DECLS

/* `options` is copied. The ending of `path` says what is written (HTML where it says nothing). */
void loom_report_save_async (LoomTimeline *timeline, const LoomReportOptions *options, const char *path, GCancellable *cancellable,
                             GAsyncReadyCallback ready, gpointer user_data);

/* FALSE with the error: what was at the path before is still there. */
gboolean loom_report_save_finish (GAsyncResult *result, GError **error);

/* The target. Borrowed from the result. */
const char *loom_report_save_get_path (GAsyncResult *result);

G_END_DECLS
