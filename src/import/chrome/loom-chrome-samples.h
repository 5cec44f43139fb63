/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: timed data outside the list of events in the object form, namely samples of profilers
 * (top-level `samples`) and notes (`traceAnnotations`). Both become instants as if they were events.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Handles a top-level member whose value is at `offset`; ignores members other than `samples` and
 * `traceAnnotations`. */
void loom_chrome_samples_parse (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value, guint64 offset);

/* Moves samples, which name a thread without its process, to the first thread with that id in the processes from
 * `first_process` on. Call it when all threads are known. */
void loom_chrome_samples_finish (LoomChromeImporter *chrome, guint32 first_process);
