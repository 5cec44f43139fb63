/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of a book share. Private to src/report.
 */
#pragma once

#include "loom-book.h"
#include "loom-finding.h"

G_BEGIN_DECLS

/* The chapters that are no pages of the analysis. Owned by the caller. */
LoomSheet *loom_book_new_run_sheet (LoomTimeline *timeline, const LoomReportOptions *options, LoomRange range);
LoomSheet *loom_book_new_findings_sheet (LoomTimeline *timeline, const LoomFindings *findings);
LoomSheet *loom_book_new_sources_sheet (LoomTimeline *timeline, const LoomSourceEdits *names, LoomRange range);

/* A chart in figures, for those who cannot see it: of heat maps a line per row, bins without counts left out. Owned. */
LoomTable *loom_book_new_figures (const LoomChart *chart);

/* Rows in the order in which the table is shown at first. Owned. */
guint *loom_book_dup_order (const LoomTable *table);

/* "and 1,234 more rows": NULL when all `n_shown` are there. Owned. */
char *loom_book_dup_rest (const LoomTable *table, guint n_shown);

G_END_DECLS
