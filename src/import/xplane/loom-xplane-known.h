/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: adds usual events of an XSpace without making and parsing their text, if events with the same
 * name, category and line occurred before.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Implements LoomChromeImporterJob.scan() for the text that loom_xplane_events_make() makes from an XSpace. If several
 * threads may be used, a separate thread measures the events ahead of this one. */
gboolean loom_xplane_known_scan (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner,
                                 GError **error);
