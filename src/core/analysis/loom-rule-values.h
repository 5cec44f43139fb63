/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of rules that the user sets. They are saved in the user's parameter file (loom-rule-files.h), which is
 * read for every evaluation, so they apply to all runs and to the command line. Main thread only.
 *
 * Read-only property: "problem" (string), the reason why the latest change could not be saved; NULL: it was saved, or
 * nothing was changed. Signal "changed" when the file has been written.
 */
#pragma once

#include "loom-rule-result.h"

#include <glib-object.h>

#define LOOM_TYPE_RULE_VALUES (loom_rule_values_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleValues, loom_rule_values, LOOM, RULE_VALUES, GObject)

/* Returns the only object of this class. There is one because there is one parameter file. Borrowed. */
LoomRuleValues *loom_rule_values_get_default (void);

/* Saves a value for a limit of a rule; if the value is the default, removes the saved value. A worker writes the
 * parameter file. The changes that are made while a worker writes are written together, in order, by the next
 * worker. */
void loom_rule_values_set (LoomRuleValues *self, const char *rule, const LoomRuleLimit *limit, double value);

gboolean loom_rule_values_is_saving (LoomRuleValues *self);
