/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule files that are always evaluated: those that come with the program, and those in the user's rules folder.
 * They are read anew each time, so that a changed file takes effect at the next evaluation.
 */
#pragma once

#include "loom-custom-rule.h"

/* Reads all rule files: the rules of the program's files, then of the user's folder, each sorted by name, then of
 * `chosen` (paths; NULL: none). Reports files that cannot be read in `problems` (char *, owned). Any thread; blocks. Owned
 * by the caller. */
GPtrArray *loom_rule_files_read (const char *const *chosen, GPtrArray *problems);

/* Paths of the examples that come with the program. Owned by the caller. */
char **loom_rule_files_list_examples (void);

/* The .json files directly in a folder, sorted by name; empty if the folder cannot be listed. NULL-terminated, owned by
 * the caller. */
char **loom_rule_files_list (const char *folder);

/* The user's rules folder, which need not exist: $XDG_DATA_HOME/traceloom/rules. Owned by the caller. */
char *loom_rule_files_dup_folder (void);
