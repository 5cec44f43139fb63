/* SPDX-License-Identifier: Apache-2.0
 *
 * The report for people, as a document: what the run is and what is missing of it, then the pages of the analysis and
 * the sources, a chapter each. One self-contained HTML file, or a PDF on A4. Words are translated. Names out
 * of traces are data: they are escaped, and control characters written out. Any thread.
 */
#pragma once

#include "loom-page-content.h"
#include "loom-report.h"

G_BEGIN_DECLS

typedef struct {
  const char *id;    /* "steps": unique in the book; static */
  const char *title; /* translated; static */
  LoomPageContent *sheet;
} LoomReportChapter;

typedef struct _LoomReportDocument LoomReportDocument;

/* Takes its figures; the report is not kept. Cost that of the pages. NULL only when cancelled, with `error`. */
LoomReportDocument *loom_report_document_new (LoomReport *report, GCancellable *cancellable, GError **error);
void loom_report_document_free (LoomReportDocument *book);

const LoomReportChapter *loom_report_document_get_chapters (const LoomReportDocument *book, guint *n);
/* "3 sources, 12,345 events, 12.4 s from 2020-07-01". Borrowed. */
const char *loom_report_document_get_summary (const LoomReportDocument *book);

/* The date of zero of its times, ns since 1970; LOOM_TIME_NONE: no file says it. */
gint64 loom_report_document_get_origin (const LoomReportDocument *book);

/* Tables longer than this are cut, and say so: the JSON report has all of it. */
#define LOOM_REPORT_DOCUMENT_HTML_ROWS 500
#define LOOM_REPORT_DOCUMENT_PDF_ROWS 50

/* No network, no script: charts are pictures inside the file, light and dark, each with its figures as a table beneath.
 * NULL only when cancelled, with `error`. */
GBytes *loom_report_document_to_html (const LoomReportDocument *book, GCancellable *cancellable, GError **error);
/* Numbered pages, a list of contents, and the outline that readers show beside it. NULL when cancelled, or with
 * LOOM_ERROR_WRITE when it cannot be drawn. */
GBytes *loom_report_document_to_pdf (const LoomReportDocument *book, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomReportDocument, loom_report_document_free)

G_END_DECLS
