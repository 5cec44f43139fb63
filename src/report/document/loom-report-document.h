/* SPDX-License-Identifier: Apache-2.0
 *
 * A report document: facts about the run and about missing data, then the pages of the analysis, then the sources. Each
 * of these is a chapter. The document is written as one HTML file without external parts, or as a PDF in A4. Texts are
 * translated. Names from traces are escaped, and their control characters are shown as text. The functions may be
 * called on any thread.
 */
#pragma once

#include "loom-comparison-report.h"
#include "loom-report.h"

typedef struct _LoomReportDocument LoomReportDocument;

/* Makes a document of all pages; it keeps no reference to the report. Takes as long as computing the pages. NULL only
 * when cancelled, with `error`. */
LoomReportDocument *loom_report_document_new (LoomReport *report, GCancellable *cancellable, GError **error);
/* Makes a document that compares two runs: chapters about the runs, the parts of a step, the ranks, and the names of
 * spans. The summary of the document is the headline of the comparison. `names`: names of the two runs. Returns NULL
 * only when cancelled, with `error`. */
LoomReportDocument *loom_report_document_new_comparison (const LoomRunComparison *comparison,
                                                         const char *const names[2]);
void loom_report_document_free (LoomReportDocument *book);

/* Maximum number of rows of a table in a document. If a table has more, the number of omitted rows follows the table.
 * The JSON report contains all rows. */
#define LOOM_REPORT_DOCUMENT_HTML_ROWS 500
#define LOOM_REPORT_DOCUMENT_PDF_ROWS 50

/* Prints the document as one HTML file that needs neither network nor scripts. Charts are pictures in the file, for
 * light and for dark screens; below each chart, a table contains its values. NULL only when cancelled, with `error`. */
GBytes *loom_report_document_to_html (const LoomReportDocument *book, GCancellable *cancellable, GError **error);
/* Prints the document as a PDF with numbered pages, a table of contents and an outline. NULL when cancelled, or with
 * LOOM_ERROR_WRITE when drawing fails. */
GBytes *loom_report_document_to_pdf (const LoomReportDocument *book, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomReportDocument, loom_report_document_free)
