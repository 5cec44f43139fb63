/* SPDX-License-Identifier: Apache-2.0
 *
 * Every analysis of a run in one document. Intended numbers by default; as smdebug writes them with the keys of its
 * reference results. The figures are those of src/analysis, nothing is computed here. Any thread.
 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "loom-analysis-thresholds.h"
#include "loom-source-overrides.h"

G_BEGIN_DECLS

/* Ends of a range that is open. */
#define LOOM_REPORT_OPEN_BEGIN (G_MININT64 / 2)
#define LOOM_REPORT_OPEN_END (G_MAXINT64 / 2)

typedef struct {
  LoomNumberConvention numbers;
  gboolean has_range;
  LoomRange range;                   /* timeline; both ends belong to it */
  LoomAnalysisThresholds thresholds; /* all 0: LOOM_THRESHOLDS */
  const LoomSourceOverrides *names;  /* what sources are called, as long as the report; NULL: as they are */
} LoomReportOptions;

typedef struct _LoomReport LoomReport;

/* Computes what sections share. Cost about that of loading. NULL only when cancelled, with `error`. */
LoomReport *loom_report_new (LoomTimeline *timeline, const LoomReportOptions *options, GCancellable *cancellable,
                             GError **error);
void loom_report_free (LoomReport *report);

/* The caller owns the node; NULL only when cancelled, with `error`. Times are timeline ns; what there is no data for is
 * null, and says why under "missing". */
JsonNode *loom_report_to_json (LoomReport *report, GCancellable *cancellable, GError **error);
/* A document as it is printed: indented, at most 9 digits after the point. Owned. */
char *loom_report_print_json (JsonNode *root);
/* For people. Owned; NULL only when cancelled, with `error`. */
char *loom_report_to_text (LoomReport *report, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomReport, loom_report_free)

G_END_DECLS
