/* SPDX-License-Identifier: Apache-2.0
 *
 * A table on paper, over as many pages as it takes. Private to src/report.
 */
#pragma once

#include "loom-pdf-page.h"
#include "loom-result-table.h"

/* Draws the table from paper->y on; rows after `max_rows` are only counted. */
void loom_pdf_table (LoomPdfPage *paper, const LoomResultTable *table, guint max_rows);
