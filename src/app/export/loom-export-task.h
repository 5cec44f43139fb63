/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the merged file in a worker. Main thread.
 */
#pragma once

#include "loom-trace-export.h"
#include "loom-worker.h"

G_BEGIN_DECLS

/* `options` is copied (its sources must be NULL). `progress` counts events and carries the cancellable. `done` is always
 * called: `owner` must live until then. It gets a LoomExportResult to clear and g_free(), or NULL with the error. */
void loom_export_task_async (LoomTimeline *timeline, const LoomExportOptions *options, const char *path,
                             LoomProgress *progress, LoomWorkerDone done, gpointer owner);

/* Of the input that `done` gets; borrowed. */
const char *loom_export_task_get_path (gconstpointer input);
LoomExportLayout loom_export_task_get_layout (gconstpointer input);

/* A name for the file: "llama-8b-merged.json.gz". Owned. */
char *loom_export_task_dup_name (const char *run_name, LoomExportLayout layout, gboolean compress);

/* Whether a file of that name is written compressed: the name says it, nothing else. */
gboolean loom_export_task_is_compressed (const char *name);
/* The name for the other or the same answer: ".gz" comes to ".json" and ".trace" or goes. A name that has none of these
 * endings yet stays. Owned. */
char *loom_export_task_dup_compressed (const char *name, gboolean compress);

/* `path` with the ending that says what is written when it has none of its own; owned. */
char *loom_export_task_dup_path (const char *path, gboolean compress);

G_END_DECLS
