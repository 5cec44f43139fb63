/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: timed data outside the list of events in the object form, namely samples of profilers
 * (top-level `samples`) and notes (`traceAnnotations`). Both become instants as if they were events.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Handles a top-level member of the file; ignores members other than `samples` and `traceAnnotations`. `offset`: where
 * the value of the member begins in the file. */
void loom_chrome_samples_parse (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value, guint64 offset);

/* A sample names a thread, but not the process. Moves each sample to the first thread with this id in the processes
 * from `first_process` on. Must be called when all threads are known. */
void loom_chrome_samples_finish (LoomChromeImporter *chrome, guint32 first_process);
