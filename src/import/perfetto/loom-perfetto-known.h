/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: adds spans of a Perfetto trace whose name, category and track occurred before, without making
 * and parsing the text of their Chrome trace events.
 */
#pragma once

#include "loom-chrome-importer.h"
#include "loom-perfetto-trace.h"

/* Scans the text of a trace from its beginning. Skips the text of a span if two conditions are met, because the length
 * of the text can then be computed: a span with the same name, category and track was read before, and the args are
 * only numbers and plain texts. Returns the offset from which the caller must read the rest of the text, as
 * loom_made_text_scan() does. */
guint64 loom_perfetto_known_scan (LoomPerfettoTrace *trace, LoomByteSource *text, LoomChromeImporter *chrome,
                                  LoomEventScanner *scanner);
