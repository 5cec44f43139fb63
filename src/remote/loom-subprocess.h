/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote: another program, run without a shell. Blocking; any thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Gets what the program writes, piece by piece; FALSE with `error` ends it. */
typedef gboolean (*LoomSubprocessSink) (const char *bytes, gsize n_bytes, gpointer user_data, GError **error);

/* FALSE with `error`: LOOM_ERROR_READ with the last line the program wrote to its standard error, what the sink says, or
 * G_IO_ERROR_CANCELLED; the program does not run any more then. */
gboolean loom_subprocess_run (const char *const *argv, LoomSubprocessSink sink, gpointer user_data,
                              GCancellable *cancellable, GError **error);

G_END_DECLS
