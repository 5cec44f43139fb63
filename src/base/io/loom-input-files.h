/* SPDX-License-Identifier: Apache-2.0
 *
 * Files in use as input: traces, session files, rules, parameters. Each holder registers its file for as long as it uses it, and
 * whatever writes a file asks here first, so that no input is ever written over. One list per process; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomInputFiles LoomInputFiles;

/* Which writer may replace an input. */
typedef enum {
  LOOM_INPUT_FILES_FIXED,   /* none */
  LOOM_INPUT_FILES_SESSION, /* the one that saves sessions */
  LOOM_INPUT_FILES_RULES,   /* the editor of rules */
} LoomInputFilesKind;

/* Registers a path until loom_input_files_free(). A member of an archive ("job.zip//trace.json") stands for its archive. The file
 * need not exist. */
LoomInputFiles *loom_input_files_new (const char *path); /* LOOM_INPUT_FILES_FIXED */
LoomInputFiles *loom_input_files_new_of_kind (const char *path, LoomInputFilesKind kind);
void loom_input_files_free (LoomInputFiles *input);

/* FALSE with LOOM_ERROR_WRITE when `target` is a registered file, also through links and other spellings of its path. */
gboolean loom_input_files_check_target (const char *target, GError **error);
/* The same for the writer of a kind, which may replace inputs of that kind, unless they are registered as LOOM_INPUT_FILES_FIXED too. */
gboolean loom_input_files_check_target_of_kind (const char *target, LoomInputFilesKind writer, GError **error);
/* For any writer, of an open file; `shown` names it in the message. */
gboolean loom_input_files_check_fd (int fd, const char *shown, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInputFiles, loom_input_files_free)

G_END_DECLS
