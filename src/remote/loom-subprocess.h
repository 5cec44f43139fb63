/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote: runs another program, such as aws or rclone, without a shell, and passes on what it writes.
 * The functions block, and may be called on any thread.
 */
#pragma once

#include <gio/gio.h>

/* Receives the next bytes of the program's output. Returns FALSE with `error` to end the program. */
typedef gboolean (*LoomSubprocessSink) (const char *bytes, gsize n_bytes, gpointer user_data, GError **error);

/* Runs a program and passes its output to `sink`. Returns FALSE with `error`: LOOM_ERROR_READ with the last line that
 * the program wrote to its standard error, the error of `sink`, or G_IO_ERROR_CANCELLED. The program has ended in any
 * case. */
gboolean loom_subprocess_run (const char *const *argv, LoomSubprocessSink sink, gpointer user_data,
                              GCancellable *cancellable, GError **error);

/* Returns a launcher whose programs get all signals, even if this thread blocks some: Ctrl+C must reach an ssh that
 * asks for a password, so that it switches the terminal's echo on again. Owned by the caller. */
GSubprocessLauncher *loom_subprocess_new_launcher (GSubprocessFlags flags);
