/* SPDX-License-Identifier: Apache-2.0
 *
 * Protects input files (traces, session files, rule files, files of rule parameters) from being overwritten. Code that
 * uses an input file registers it for as long as it uses the file. Each writer must check its target with a function of
 * this header before it writes. There is one list of registered files per process. Any thread.
 */
#pragma once

#include <glib.h>

typedef struct _LoomInputFiles LoomInputFiles;

/* Kinds of registered input files. The kind states which writer may replace the file. */
typedef enum {
  LOOM_INPUT_FILES_FIXED,   /* a file that must not be replaced at all, for example a trace */
  LOOM_INPUT_FILES_SESSION, /* a session file; only the code that saves sessions may replace it */
  LOOM_INPUT_FILES_RULES,   /* a rule file; only the rule editor may replace it */
} LoomInputFilesKind;

/* Registers a path until loom_input_files_free() is called. For a member of an archive ("job.zip//trace.json"), the
 * archive is registered. The file does not have to exist. */
LoomInputFiles *loom_input_files_new (const char *path); /* registers the file with the kind LOOM_INPUT_FILES_FIXED */
LoomInputFiles *loom_input_files_new_of_kind (const char *path, LoomInputFilesKind kind);
void loom_input_files_free (LoomInputFiles *input);

/* Returns FALSE and sets LOOM_ERROR_WRITE if `target` is a registered file. Also recognises links to the file and
 * other spellings of its path. */
gboolean loom_input_files_check_target (const char *target, GError **error);
/* Like loom_input_files_check_target(), but for a writer that may replace input files of the kind `writer`. Exception:
 * a file that is also registered with the kind LOOM_INPUT_FILES_FIXED must not be replaced. */
gboolean loom_input_files_check_target_of_kind (const char *target, LoomInputFilesKind writer, GError **error);
/* Returns FALSE and sets LOOM_ERROR_WRITE if the open file `fd` is a registered file of any kind. `shown`: the name
 * of the file for the message. */
gboolean loom_input_files_check_fd (int fd, const char *shown, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInputFiles, loom_input_files_free)
