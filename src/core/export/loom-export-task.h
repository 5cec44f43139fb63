/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a merged file in a worker. Main thread.
 */
#pragma once

#include "loom-document.h"
#include "loom-trace-export.h"
#include "loom-worker.h"

/* Exports the timeline of a document, with the names of its sources as they are now. `options` is copied with its sources; its
 * edits are ignored. `progress` counts events and has the cancellable. `done` is always called, and
 * `owner` must live until then. It gets a LoomExportResult, to be cleared and freed with g_free(), or NULL with the error. */
void loom_export_task_run (LoomDocument *document, const LoomExportOptions *options, const char *path,
                           LoomProgress *progress, LoomWorkerDone done, gpointer owner);

/* The path and the layout, from the input that `done` gets. The path is borrowed. */
const char *loom_export_task_get_path (gconstpointer input);
LoomExportLayout loom_export_task_get_layout (gconstpointer input);
