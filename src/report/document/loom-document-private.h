/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of a book share. Private to src/report.
 */
#pragma once

#include "loom-findings.h"
#include "loom-report-document.h"

G_BEGIN_DECLS

/* The chapters that are no pages of the analysis. Owned by the caller. */
LoomPageContent *loom_document_new_run_page (LoomTimeline *timeline, const LoomReportOptions *options, LoomRange range);
LoomPageContent *loom_document_new_findings_page (LoomTimeline *timeline, const LoomFindings *findings);
LoomPageContent *loom_document_new_sources_page (LoomTimeline *timeline, const LoomSourceOverrides *names,
                                                 LoomRange range);

/* A chart in figures, for those who cannot see it: of heat maps a line per row, bins without counts left out. Owned. */
LoomResultTable *loom_document_new_figures (const LoomChart *chart);

/* Rows in the order in which the table is shown at first. Owned. */
guint *loom_document_dup_order (const LoomResultTable *table);

/* "and 1,234 more rows": NULL when all `n_shown` are there. Owned. */
char *loom_document_dup_rest (const LoomResultTable *table, guint n_shown);

G_END_DECLS
