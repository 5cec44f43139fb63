/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule files that are always evaluated: those that are delivered with the program, and those in the user's rules
 * folder. All these files are read before each evaluation, so that changes of a file take effect.
 */
#pragma once

#include "loom-custom-rule.h"
#include "loom-rule-parameters.h"

/* Reads all rule files: first those of the program, then those in the user's folder, both sorted by name, then the
 * files in `chosen` (paths; NULL: there are none). Changes the numbers of these rules to the values that `parameters`
 * states for them. Adds a text to `problems` (char *, owned) for each file or value that cannot be used. Any thread;
 * blocks. Owned by the caller. */
GPtrArray *loom_rule_files_read (const char *const *chosen, const LoomRuleParameters *parameters, GPtrArray *problems);

/* Returns the path of the user's parameter file, which may not exist: $XDG_DATA_HOME/traceloom/rule-parameters.json.
 * loom_rule_parameters_read() describes its form. Owned by the caller. */
char *loom_rule_files_dup_parameters_path (void);
/* Reads the user's parameter file. For each value that cannot be used, adds a text to `problems` and uses the default.
 * Any thread; blocks. Owned by the caller. */
LoomRuleParameters *loom_rule_files_read_parameters (GPtrArray *problems);
/* Changes one value in the user's parameter file. If `value` is NULL, removes the value, so that the default applies.
 * Returns FALSE on failure, and sets `error`: to LOOM_ERROR_FORMAT if the file is not a JSON object of rules; if
 * reading or writing the file failed, to the error of this operation. Any thread, but only one thread at a time;
 * blocks. */
gboolean loom_rule_files_write_parameter (const char *rule, const char *parameter, JsonNode *value, GError **error);

/* Returns the paths of the example rule files that are delivered with the program. NULL-terminated, owned by the
 * caller. */
char **loom_rule_files_list_examples (void);

/* Returns the paths of the .json files directly in a folder, sorted by name; empty if the folder cannot be listed.
 * NULL-terminated, owned by the caller. */
char **loom_rule_files_list (const char *folder);

/* Returns the path of the user's rules folder, which may not exist: $XDG_DATA_HOME/traceloom/rules. Owned by the
 * caller. */
char *loom_rule_files_dup_folder (void);
