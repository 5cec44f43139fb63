/* SPDX-License-Identifier: Apache-2.0
 *
 * Small texts that a person edits, read and written by a worker. Main thread; the answers come there too.
 */
#pragma once

#include "loom-input-files.h"
#include "loom-worker.h"

/* At most LOOM_LIMIT_CONFIG_BYTES of UTF-8. `done` gets the text, owned, or NULL with LOOM_ERROR_READ, LOOM_ERROR_LIMIT or
 * LOOM_ERROR_FORMAT, whose message names the file. `running`: see loom_worker_start(). */
void loom_text_file_io_read (GCancellable **running, const char *path, LoomWorkerDone done, gpointer owner);

/* Whole or absent; folders are made. Inputs of the kind may be replaced (loom-input-files.h). `done` is always called, with
 * no result; the owner must outlive the work. */
void loom_text_file_io_write (const char *path, const char *text, LoomInputFilesKind kind, LoomWorkerDone done,
                              gpointer owner);
