/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report. The data of a report document, and the functions that several files of src/report/document
 * call.
 */
#pragma once

#include "loom-findings.h"
#include "loom-report-document.h"

typedef struct {
  const char *id;    /* identifies the chapter in the document, for example "steps"; static */
  const char *title; /* title of the chapter; translated; static */
  LoomPageContent *sheet;
} LoomReportChapter;

struct _LoomReportDocument {
  char *title;
  char *summary;    /* summary of the contents, for example "3 sources, 12,345 events, 12.4 s from 2020-07-01" */
  GArray *chapters; /* LoomReportChapter: the chapters in their order */
  gint64 origin_ns; /* date of the report's time 0, in ns since 1970; LOOM_TIME_NONE: unknown */
};

/* The next three functions make the chapters that are not pages of the analysis. The results are owned by the
 * caller. */
LoomPageContent *loom_document_new_run_page (LoomTimeline *timeline, const LoomReportOptions *options, LoomRange range);
LoomPageContent *loom_document_new_findings_page (LoomTimeline *timeline, const LoomFindings *findings);
LoomPageContent *loom_document_new_sources_page (LoomTimeline *timeline, const LoomSourceOverrides *names,
                                                 LoomRange range);

/* Returns the values of a chart as a table, for readers who cannot see the chart. For a heat map, the table contains
 * the mean, the lowest and the highest value of each row of the heat map. Owned by the caller. */
LoomResultTable *loom_document_new_figures (const LoomChart *chart);

/* Returns the indices of the rows in the initial order of the table. Owned by the caller. */
guint *loom_document_dup_order (const LoomResultTable *table);

/* Returns a note with the number of rows that are not shown, which are all rows after the first `n_shown` rows. NULL if
 * all rows are shown. Owned by the caller. */
char *loom_document_dup_rest (const LoomResultTable *table, guint n_shown);
