/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads files on another machine through a command that the user gave, such as “ssh HOST traceloom-cli serve --stdio
 * FOLDER”. The command must run “traceloom-cli serve --stdio” (README.md) on that machine. The command is started
 * without a shell when the first file is opened. If it has ended, it is started again. It is terminated when the client
 * is freed. Ref-counted atomically. The functions block, and may be called on any thread; one request at a time is sent
 * and answered.
 */
#pragma once

#include "loom-raw-file.h"

typedef struct _LoomServeClient LoomServeClient;

/* Makes a client for a command, which is started when the first file is opened. `command` is split into words like in a
 * shell, but variables and patterns are not expanded. If `command` is a location (loom-remote-location.h), files are
 * read from it without a command (loom-remote-range.h). Returns NULL with LOOM_ERROR_FORMAT if `command` is neither a
 * command nor a valid location. */
LoomServeClient *loom_serve_client_new (const char *command, GError **error);
LoomServeClient *loom_serve_client_ref (LoomServeClient *self);
void loom_serve_client_unref (LoomServeClient *self);

/* Opens a file through the command. Can be used as a LoomRawFileOpen; `reach` must be a LoomServeClient. The bytes of
 * the file keep a reference to the client and to `cancellable`. `host` is not used, because the user's command
 * determines the machine, and the machine may have another name now. Fails with LOOM_ERROR_READ if the command ends, or
 * if the file does not exist or is not served. */
gboolean loom_serve_client_open (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                                 LoomRawFile *file, GError **error);

/* Returns the number of bytes received from the command, including the frames around the data. */
guint64 loom_serve_client_count_received (LoomServeClient *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomServeClient, loom_serve_client_unref)
