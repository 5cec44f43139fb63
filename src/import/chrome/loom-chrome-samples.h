/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what has a time and stands beside the list of events in the object form: the samples of
 * profilers (top-level `samples`) and notes (`traceAnnotations`). They become instants as if they were events.
 */
#pragma once

#include "loom-chrome-importer.h"

G_BEGIN_DECLS

/* A top-level member whose value stands at `offset`; anything but those two is left alone. */
void loom_chrome_samples_parse (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value, guint64 offset);

/* Once all threads are known: samples name a thread without its process; they go to the first one of that id among the
 * processes from `first_process` on. */
void loom_chrome_samples_finish (LoomChromeImporter *chrome, guint32 first_process);

G_END_DECLS
