/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: adds the events of database rows without making and parsing their text, if rows with the same
 * name, category and track occurred before.
 */
#pragma once

#include "loom-chrome-importer.h"
#include "loom-row-text.h"

/* Scans a text of rows (loom_row_text_new()) from its beginning. Skips the text of rows that can be measured
 * (LoomRowTable.measure). Returns the offset from which the scan must go on by reading the text, as
 * loom_made_text_scan() does. */
guint64 loom_known_rows_scan (LoomByteSource *text, LoomChromeImporter *chrome, LoomEventScanner *scanner);
