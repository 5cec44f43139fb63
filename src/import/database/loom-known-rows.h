/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: adds the events of database rows without making and parsing their text, if rows with the same
 * name, category and track occurred before.
 */
#pragma once

#include "loom-chrome-importer.h"
#include "loom-row-text.h"

/* Scans `text`, a text of rows (loom_row_text_new()) that `reader` reads. Adds the rows that can be measured
 * (LoomRowTable.measure) without making their text. Returns FALSE if the text cannot be read. */
gboolean loom_known_rows_scan (LoomByteSource *text, LoomChromeImporter *chrome, LoomStreamReader *reader,
                               LoomEventScanner *scanner, GError **error);
