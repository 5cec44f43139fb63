/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: adds the usual spans of a Perfetto trace without writing and reading their Chrome trace events.
 */
#pragma once

#include "loom-chrome-importer.h"
#include "loom-perfetto-trace.h"

/* Scans the text of a trace from its beginning, and skips the text of spans whose name, category and track are those of
 * a span that was read before, and whose args are numbers and plain texts: their length is computed. Returns the offset
 * from which the scan must go on by reading the text, as loom_made_text_scan() does. */
guint64 loom_perfetto_known_scan (LoomPerfettoTrace *trace, LoomByteSource *text, LoomChromeImporter *chrome,
                                  LoomEventScanner *scanner);
