/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule files that are evaluated without being asked for: those that come with the program, and those a person put into the folder of their
 * own. Read anew each time, so that a changed file counts at the next evaluation.
 */
#pragma once

#include "loom-custom-rule.h"

G_BEGIN_DECLS

/* LoomCustomRules of every file, those of the program first, each folder in order of names, then `chosen` (paths; NULL: none).
 * What cannot be read is told in `problems` (char *, owned). Any thread; reads files. Owned. */
GPtrArray *loom_rule_files_read (const char *const *chosen, GPtrArray *problems);

/* Paths of the examples that come with the program. Owned. */
char **loom_rule_files_list_examples (void);

/* The .json files right in a folder, in the order of their names; none when it cannot be listed. NULL-terminated, owned. */
char **loom_rule_files_list (const char *folder);

/* The person's folder, which need not exist: $XDG_DATA_HOME/traceloom/rules. Owned. */
char *loom_rule_files_dup_folder (void);

G_END_DECLS
