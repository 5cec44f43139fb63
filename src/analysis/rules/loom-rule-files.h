/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule files that are always evaluated: those that come with the program, and those in the user's rules folder.
 * They are read anew each time, so that a changed file takes effect at the next evaluation.
 */
#pragma once

#include "loom-custom-rule.h"
#include "loom-rule-parameters.h"

/* Reads all rule files: first those of the program, then those in the user's folder, both sorted by name, then the
 * files `chosen` (paths; NULL: no further files). Applies the values that `parameters` contain for these rules. Adds a
 * text to `problems` (char *, owned) for each file or value that cannot be used. Any thread; blocks. Owned by the
 * caller. */
GPtrArray *loom_rule_files_read (const char *const *chosen, const LoomRuleParameters *parameters, GPtrArray *problems);

/* Returns the path of the user's parameter file, which need not exist:
 * $XDG_DATA_HOME/traceloom/rule-parameters.json. loom_rule_parameters_read() describes its form. Owned by the
 * caller. */
char *loom_rule_files_dup_parameters_path (void);
/* Reads the user's parameter file. For each value that cannot be used, adds a text to `problems` and uses the default.
 * Any thread; blocks. Owned by the caller. */
LoomRuleParameters *loom_rule_files_read_parameters (GPtrArray *problems);
/* Changes one value in the user's parameter file. `value` NULL: removes the value, so that the default applies. Any
 * thread, but only one at a time; blocks. Returns FALSE with LOOM_ERROR_FORMAT if the file is not a JSON object of
 * rules, or with the error of reading or writing the file. */
gboolean loom_rule_files_write_parameter (const char *rule, const char *parameter, JsonNode *value, GError **error);

/* Returns the paths of the example rule files that are delivered with the program. NULL-terminated, owned by the
 * caller. */
char **loom_rule_files_list_examples (void);

/* Returns the paths of the .json files directly in a folder, sorted by name; empty if the folder cannot be listed.
 * NULL-terminated, owned by the caller. */
char **loom_rule_files_list (const char *folder);

/* Returns the path of the user's rules folder, which need not exist: $XDG_DATA_HOME/traceloom/rules. Owned by the
 * caller. */
char *loom_rule_files_dup_folder (void);
