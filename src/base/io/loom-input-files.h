/* SPDX-License-Identifier: Apache-2.0
 *
 * Protects input files (traces, session files, rule files, files of rule parameters) from being overwritten. Code that
 * uses an input file registers the file for as long as it is needed, and every writer checks its target here before it
 * writes. There is one list of registered files per process. Any thread.
 */
#pragma once

#include <glib.h>

typedef struct _LoomInputFiles LoomInputFiles;

/* Which writer may replace a registered input file. */
typedef enum {
  LOOM_INPUT_FILES_FIXED,   /* no writer may replace the input */
  LOOM_INPUT_FILES_SESSION, /* the writer of sessions may replace the input */
  LOOM_INPUT_FILES_RULES,   /* the rule editor may replace the input */
} LoomInputFilesKind;

/* Registers a path until loom_input_files_free(). For a member of an archive ("job.zip//trace.json") the archive is
 * registered. The file need not exist. */
LoomInputFiles *loom_input_files_new (const char *path); /* registers the file with the kind LOOM_INPUT_FILES_FIXED */
LoomInputFiles *loom_input_files_new_of_kind (const char *path, LoomInputFilesKind kind);
void loom_input_files_free (LoomInputFiles *input);

/* Returns FALSE with LOOM_ERROR_WRITE if `target` is a registered file. Links to the file, and other spellings of its
 * path, are recognised. */
gboolean loom_input_files_check_target (const char *target, GError **error);
/* Checks like loom_input_files_check_target(), for a writer that may replace inputs of its own kind. An input that is
 * also registered as LOOM_INPUT_FILES_FIXED may not be replaced. */
gboolean loom_input_files_check_target_of_kind (const char *target, LoomInputFilesKind writer, GError **error);
/* Returns FALSE with LOOM_ERROR_WRITE if the open file `fd` is a registered file, of whatever kind. `shown`: the name
 * of the file in the message. */
gboolean loom_input_files_check_fd (int fd, const char *shown, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInputFiles, loom_input_files_free)
