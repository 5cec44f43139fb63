/* SPDX-License-Identifier: Apache-2.0
 *
 * The server of “traceloom-cli serve --stdio” (README.md): answers requests for bytes of files on this machine. It only
 * reads files. It serves only the files and folders that loom_serve_files_new() received, and the files below these
 * folders; links are resolved before this check. The functions block; only one thread may use the server.
 */
#pragma once

#include "loom-serve-frame.h"

/* Maximum number of files that a client may have open at a time. */
#define LOOM_SERVE_FILES_MOST 1024u

typedef struct _LoomServeFiles LoomServeFiles;

/* Makes a server. `roots`: NULL-terminated paths of the files to serve, and of the folders whose files (at any depth)
 * to serve. Returns NULL with LOOM_ERROR_READ if one of the paths does not exist. */
LoomServeFiles *loom_serve_files_new (const char *const *roots, GError **error);
void loom_serve_files_free (LoomServeFiles *self);

/* Appends the greeting: the frame that the server sends before it receives the first request. */
void loom_serve_files_greet (GByteArray *out);
/* Appends the answer to a request: one frame with the id of the request. Every request is answered, even an invalid
 * one. Uses at most LOOM_SERVE_FRAME_BODY_BYTES of memory. */
void loom_serve_files_answer (LoomServeFiles *self, const LoomServeFrame *frame, GByteArray *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomServeFiles, loom_serve_files_free)
