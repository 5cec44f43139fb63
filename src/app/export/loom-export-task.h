/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the merged file in a worker. Main thread.
 */
#pragma once

#include "loom-trace-export.h"
#include "loom-worker.h"

/* Exports in a worker. `options` is copied (its sources must be NULL). `progress` counts events and has the
 * cancellable. `done` is always called, and `owner` must live until then. It gets a LoomExportResult, to be cleared
 * and freed with g_free(), or NULL with the error. */
void loom_export_task_async (LoomTimeline *timeline, const LoomExportOptions *options, const char *path,
                             LoomProgress *progress, LoomWorkerDone done, gpointer owner);

/* The path, from the input that `done` gets; borrowed. */
const char *loom_export_task_get_path (gconstpointer input);
LoomExportLayout loom_export_task_get_layout (gconstpointer input);

/* The suggested file name, as in "llama-8b-merged.json.gz". Owned. */
char *loom_export_task_dup_name (const char *run_name, LoomExportLayout layout, gboolean compress);

/* TRUE if a file of that name is written compressed; this depends on the name alone. */
gboolean loom_export_task_is_compressed (const char *name);
/* The name with ".gz" added after ".json" or ".trace", or removed, according to `compress`. A name without these
 * endings is not changed. Owned. */
char *loom_export_task_dup_compressed (const char *name, gboolean compress);

/* `path`, with an ending for what is written added if it has none; owned. */
char *loom_export_task_dup_path (const char *path, gboolean compress);
