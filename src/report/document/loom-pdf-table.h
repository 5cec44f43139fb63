/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: a table on the pages of a PDF file, with columns as wide as their content, rows that stay
 * whole, and headers on every page. One thread at a time.
 */
#pragma once

#include "loom-pdf-page.h"
#include "loom-result-table.h"

/* Draws the table, from page->y on. Rows after the first `max_rows` are not drawn; a line states their number.
 * O(rows that are drawn · columns). */
void loom_pdf_table_put (LoomPdfPage *page, const LoomResultTable *table, guint max_rows);
