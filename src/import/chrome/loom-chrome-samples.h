/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads timed data of a Chrome trace file that is not in its list of events: samples of
 * profilers (top-level member `samples`) and notes (`traceAnnotations`). Both are shown as instants.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Handles a top-level member of the file; ignores members other than `samples` and `traceAnnotations`. `offset`: where
 * the value of the member begins in the file. */
void loom_chrome_samples_parse (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value, guint64 offset);

/* Moves each sample to the first thread with the id that the sample states, among the processes from `first_process`
 * on. Needed because a sample does not state its process. Must be called when all threads are known. */
void loom_chrome_samples_finish (LoomChromeImporter *chrome, guint32 first_process);
