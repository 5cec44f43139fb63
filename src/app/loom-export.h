/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the merged file in a worker. Main thread.
 */
#pragma once

#include "loom-merge.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* `options` is copied (its sources must be NULL). `progress` counts events and carries the cancellable. */
void loom_export_async (LoomTimeline *timeline, const LoomMergeOptions *options, const char *path,
                        LoomProgress *progress, GAsyncReadyCallback ready, gpointer user_data);

/* FALSE with the error; `result` is filled on TRUE and cleared by the caller. */
gboolean loom_export_finish (GAsyncResult *async_result, LoomMergeResult *result, GError **error);

/* The target of the export. Borrowed from the result. */
const char *loom_export_get_path (GAsyncResult *async_result);
LoomMergeLayout loom_export_get_layout (GAsyncResult *async_result);

/* A name for the file: "llama-8b-merged.json.gz". Owned. */
char *loom_export_dup_name (const char *run_name, LoomMergeLayout layout, gboolean compress);

/* Whether a file of that name is written compressed: the name says it, nothing else. */
gboolean loom_export_is_compressed (const char *name);
/* The name for the other or the same answer: ".gz" comes to ".json" and ".trace" or goes. A name that has none of these
 * endings yet stays. Owned. */
char *loom_export_dup_compressed (const char *name, gboolean compress);

/* `path` with the ending that says what is written when it has none of its own; owned. */
char *loom_export_dup_path (const char *path, gboolean compress);

G_END_DECLS
