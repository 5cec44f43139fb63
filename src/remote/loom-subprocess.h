/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote: runs another program, such as aws or rclone, without a shell, and passes its output to a
 * function. The functions block, and may be called on any thread.
 */
#pragma once

#include <gio/gio.h>

/* Receives the next bytes of the program's output. If it returns FALSE with `error`, the program is terminated. */
typedef gboolean (*LoomSubprocessSink) (const char *bytes, gsize n_bytes, gpointer user_data, GError **error);

/* Runs a program and passes its output to `sink`. Returns FALSE with `error`: LOOM_ERROR_READ with the last line that
 * the program wrote to its standard error, the error of `sink`, or G_IO_ERROR_CANCELLED. When the function returns, the
 * program has ended. */
gboolean loom_subprocess_run (const char *const *argv, LoomSubprocessSink sink, gpointer user_data,
                              GCancellable *cancellable, GError **error);

/* Returns a launcher whose programs receive all signals, even those that this thread blocks. For example, an ssh that
 * asks for a password must receive the signal of Ctrl+C, so that it switches the terminal's echo on again. Owned by the
 * caller. */
GSubprocessLauncher *loom_subprocess_new_launcher (GSubprocessFlags flags);
