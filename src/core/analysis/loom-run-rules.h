/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule files that the user added to a run, and the findings that the user dismissed. Both are stored in the session
 * of the run. Main thread only.
 *
 * Read-only properties: "files" (GStrv), which is also notified when a listed file must be read again; "dismissed"
 * (GHashTable).
 */
#pragma once

#include <glib-object.h>

#define LOOM_TYPE_RUN_RULES (loom_run_rules_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunRules, loom_run_rules, LOOM, RUN_RULES, GObject)

LoomRunRules *loom_run_rules_new (void);

/* loom_run_rules_get_files() returns the absolute paths of the rule files: NULL-terminated, never NULL, and borrowed
 * until the paths change. loom_run_rules_set_files() copies the paths; NULL is an empty list. If the new paths are
 * equal to the old ones, the property is not notified. */
const char *const *loom_run_rules_get_files (LoomRunRules *self);
void loom_run_rules_set_files (LoomRunRules *self, const char *const *paths);
/* Adds a rule file. If the file is already in the list, it is read again. */
void loom_run_rules_add_file (LoomRunRules *self, const char *path);
void loom_run_rules_remove_file (LoomRunRules *self, const char *path);

/* loom_run_rules_get_dismissed() returns a borrowed table. Key: name of a rule whose findings are dismissed (char
 * *); value: the user's note (char *). loom_run_rules_set_dismissed() copies a table; with NULL, no findings are
 * dismissed. */
GHashTable *loom_run_rules_get_dismissed (LoomRunRules *self);
void loom_run_rules_set_dismissed (LoomRunRules *self, GHashTable *dismissed);
void loom_run_rules_dismiss (LoomRunRules *self, const char *rule, const char *note);
void loom_run_rules_restore (LoomRunRules *self, const char *rule);
