/* SPDX-License-Identifier: Apache-2.0
 *
 * Files in use as input: traces, session files, rules, parameters. Each holder registers its file for as long as it uses it, and
 * whatever writes a file asks here first, so that no input is ever written over. One list per process; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomInput LoomInput;

/* Registers a path until loom_input_free(). A member of an archive ("job.zip//trace.json") stands for its archive. The file
 * need not exist. */
LoomInput *loom_input_new (const char *path);
void loom_input_free (LoomInput *input);

/* FALSE with LOOM_ERROR_WRITE when `target` is a registered file, also through links and other spellings of its path. */
gboolean loom_input_check_target (const char *target, GError **error);
/* The same of an open file; `shown` names it in the message. */
gboolean loom_input_check_fd (int fd, const char *shown, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInput, loom_input_free)

G_END_DECLS
