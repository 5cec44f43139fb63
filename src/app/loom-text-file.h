/* SPDX-License-Identifier: Apache-2.0
 *
 * Small texts that a person edits, read and written by a worker. Main thread; the answers come there too.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* At most LOOM_LIMIT_CONFIG_BYTES of UTF-8. */
void loom_text_file_read_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data);
/* NULL with LOOM_ERROR_READ, LOOM_ERROR_LIMIT or LOOM_ERROR_FORMAT, whose message names the file, or when cancelled. Owned. */
char *loom_text_file_read_finish (GAsyncResult *result, GError **error);

/* Whole or absent; folders are made. */
void loom_text_file_write_async (const char *path, const char *text, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data);
gboolean loom_text_file_write_finish (GAsyncResult *result, GError **error);

G_END_DECLS
