/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes small text files that the user edits, in a worker. The functions must be called on the main thread,
 * and call their callbacks there.
 */
#pragma once

#include "loom-input-files.h"
#include "loom-worker.h"

/* Reads a UTF-8 file of at most LOOM_LIMIT_CONFIG_BYTES. `done` receives the text and owns it; or NULL and an error
 * that names the file: LOOM_ERROR_READ, LOOM_ERROR_LIMIT or LOOM_ERROR_FORMAT. `running`: see loom_worker_start(). */
void loom_text_file_io_read (GCancellable **running, const char *path, LoomWorkerDone done, gpointer owner);

/* Writes the file atomically, and creates missing parent folders. A file that the program has open as an input is
 * replaced only if it is of the same kind (loom-input-files.h). `done` is always called, and receives NULL as result;
 * `owner` must exist until `done` has been called. */
void loom_text_file_io_write (const char *path, const char *text, LoomInputFilesKind kind, LoomWorkerDone done,
                              gpointer owner);
