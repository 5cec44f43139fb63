/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads files of another machine through a command that the user gave, which runs “traceloom-cli serve --stdio” there
 * (README.md), such as “ssh HOST traceloom-cli serve --stdio FOLDER”. The command is started without a shell when the first
 * file is opened, and again after it ended; it ends with the client. Ref-counted atomically. Any thread; requests are made
 * one after another. Blocking.
 */
#pragma once

#include "loom-raw-file.h"

typedef struct _LoomServeClient LoomServeClient;

/* Divides the command into words as a shell does, and expands nothing. NULL with LOOM_ERROR_FORMAT. */
LoomServeClient *loom_serve_client_new (const char *command, GError **error);
LoomServeClient *loom_serve_client_ref (LoomServeClient *self);
void loom_serve_client_unref (LoomServeClient *self);

/* A LoomRawFileOpen; `reach` is a LoomServeClient. The bytes of the file keep a reference to it, and to `cancellable`.
 * `host` is not used: the user says where the file is, and a machine may have another name by now. Fails with
 * LOOM_ERROR_READ if the command ends, or the file isn't there or isn't served. */
gboolean loom_serve_client_open (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                                 LoomRawFile *file, GError **error);

/* Bytes that came from the other side, with the frames around them. */
guint64 loom_serve_client_count_received (LoomServeClient *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomServeClient, loom_serve_client_unref)
