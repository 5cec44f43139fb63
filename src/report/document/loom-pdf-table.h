/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: a table on the pages of a PDF file, with columns as wide as their content. A row is never
 * divided between two pages, and every page has the header. Only one thread at a time may draw.
 */
#pragma once

#include "loom-pdf-page.h"
#include "loom-result-table.h"

/* Draws the table, beginning at the vertical position page->y. Draws only the first `max_rows` rows, and below them a
 * line with the number of the other rows. O(rows that are drawn · columns). */
void loom_pdf_table_put (LoomPdfPage *page, const LoomResultTable *table, guint max_rows);
