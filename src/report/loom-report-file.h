/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the report of a run, or the comparison of two runs, in one of four formats, chosen by the extension of the
 * file name. The window and the command line write the same bytes. The functions may be called on any thread.
 */
#pragma once

#include "loom-report.h"
#include "loom-run-comparison.h"

typedef enum {
  LOOM_REPORT_HTML,
  LOOM_REPORT_PDF,
  LOOM_REPORT_TEXT,
  LOOM_REPORT_JSON,
  LOOM_N_REPORT_KINDS
} LoomReportKind;

/* Sets `kind` to the kind of report with the extension of `path`, ignoring case. Returns FALSE if no kind has this
 * extension. */
gboolean loom_report_file_kind_from_path (const char *path, LoomReportKind *kind);

/* Computes the whole report and prints it as a file of this kind. The caller owns the bytes; NULL with `error` when
 * cancelled, or when drawing fails. */
GBytes *loom_report_file_make (LoomTimeline *timeline, const LoomReportOptions *options, LoomReportKind kind,
                               GCancellable *cancellable, GError **error);
/* Prints the comparison of two runs as a file of this kind, like loom_report_file_make(). `names`: names of the two
 * runs. */
GBytes *loom_report_file_make_comparison (const LoomRunComparison *comparison, const char *const names[2],
                                          LoomReportKind kind, GCancellable *cancellable, GError **error);
