/* SPDX-License-Identifier: Apache-2.0
 *
 * Exports the timeline of a document to a file that contains the events of all sources, in a worker thread. The
 * functions are called on the main thread.
 */
#pragma once

#include "loom-document.h"
#include "loom-trace-export.h"
#include "loom-worker.h"

/* Exports the timeline of a document, with the present names of its sources. `options` and options->sources are copied;
 * options->edits is ignored. `progress` counts events and provides the cancellable. `done` is always called; `owner`
 * must exist until then. `done` receives either a LoomExportResult, which it must clear and then free with g_free(), or
 * NULL and the error. */
void loom_export_task_run (LoomDocument *document, const LoomExportOptions *options, const char *path,
                           LoomProgress *progress, LoomWorkerDone done, gpointer owner);

/* Writes the tables of the whole run as an SQLite file (loom-query-export.h), in a worker thread. `progress` counts
 * rows. `done` is called as for loom_export_task_run(), but the member n_events of its LoomExportResult is the number
 * of rows. */
void loom_export_task_run_database (LoomDocument *document, const char *path, LoomProgress *progress,
                                    LoomWorkerDone done, gpointer owner);

/* The next functions return the path (borrowed) and the layout of an export, and whether it is a database. `input`: as
 * passed to `done`. */
const char *loom_export_task_get_path (gconstpointer input);
LoomExportLayout loom_export_task_get_layout (gconstpointer input);
gboolean loom_export_task_is_database (gconstpointer input);
