/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: adds the events of an XSpace (a file of TensorFlow's profiler) to a trace. In general, the
 * importer converts each event to JSON text and parses this text. An event that has the same name, category and line
 * (thread) as an earlier event is usually added without making JSON text, which takes less time.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Implements LoomChromeImporterJob.scan() for the text that loom_xplane_events_make() makes from an XSpace. If several
 * threads may be used, a separate thread measures the events ahead of this one. */
gboolean loom_xplane_known_scan (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner,
                                 GError **error);
