/* SPDX-License-Identifier: Apache-2.0
 *
 * A report with the results of all analyses of a run, as JSON or text. The numbers follow either Traceloom's
 * definitions, or those of smdebug (Amazon SageMaker Debugger) with smdebug's JSON keys, for scripts that read
 * smdebug's reports. All numbers come from src/analysis. The functions may be called on any thread.
 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "loom-analysis-thresholds.h"
#include "loom-data-frame.h"
#include "loom-source-overrides.h"

/* Ends of an open range: `begin_ns` of a range without a start, and `end_ns` of a range without an end. */
#define LOOM_REPORT_OPEN_BEGIN (G_MININT64 / 2)
#define LOOM_REPORT_OPEN_END (G_MAXINT64 / 2)

typedef struct {
  LoomNumberConvention numbers;
  gboolean has_range;
  LoomRange range; /* the range that the report covers, in timeline ns; both ends are included */
  /* TRUE if the user gave the range as step numbers (`steps`); events in the range that belong to other steps are not
   * counted in this case */
  gboolean has_steps;
  LoomStepNumbers steps;
  LoomAnalysisThresholds thresholds; /* limits that the analyses use; if all members are 0, LOOM_THRESHOLDS is used */
  /* names that the user gave to sources; must outlive the report; NULL: sources have their original names */
  const LoomSourceOverrides *names;
} LoomReportOptions;

typedef struct _LoomReport LoomReport;

/* Makes a report, and computes the results that several sections need. Takes about as long as loading the run. NULL
 * only when cancelled, with `error`. */
LoomReport *loom_report_new (LoomTimeline *timeline, const LoomReportOptions *options, GCancellable *cancellable,
                             GError **error);
void loom_report_free (LoomReport *report);

/* Returns the data frame of the report's range. The data frame keeps results of analyses, so that each is computed only
 * once. Borrowed. */
LoomDataFrame *loom_report_get_frame (LoomReport *report);
/* Returns the report as JSON, owned by the caller; NULL only when cancelled, with `error`. Times are timeline ns.
 * Missing values are null, with the reason under "missing". */
JsonNode *loom_report_to_json (LoomReport *report, GCancellable *cancellable, GError **error);
/* Returns the document of loom_report_to_json() as text, owned by the caller; NULL only when cancelled, with `error`.
 * Makes and prints one section at a time, because the nodes of JSON take several times as much memory as their text. */
char *loom_report_dup_json (LoomReport *report, GCancellable *cancellable, GError **error);
/* Prints a document as indented JSON. Numbers have at most 9 digits after the decimal point. Owned by the caller. */
char *loom_report_print_json (JsonNode *root);
/* Returns the report as readable text. Owned by the caller; NULL only when cancelled, with `error`. */
char *loom_report_to_text (LoomReport *report, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomReport, loom_report_free)
