/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of rules that the user has set. They are saved in the user's parameter file (loom-rule-files.h). The
 * parameter file is read for each evaluation, so the limits are used for all runs and on the command line. Main thread
 * only.
 *
 * Read-only property "problem" (string): the reason why the latest change could not be saved; NULL if it was saved, or
 * if nothing was changed. Signal "changed": emitted when the file has been written.
 */
#pragma once

#include "loom-rule-result.h"

#include <glib-object.h>

#define LOOM_TYPE_RULE_VALUES (loom_rule_values_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleValues, loom_rule_values, LOOM, RULE_VALUES, GObject)

/* Returns the only object of this class; borrowed. There is only one, because there is only one parameter file. */
LoomRuleValues *loom_rule_values_get_default (void);

/* Saves the value of a limit of a rule. If it is the default value, removes the saved value. A worker thread writes the
 * parameter file. Changes that are made while it writes are written afterwards by another worker thread, all together
 * and in order. */
void loom_rule_values_set (LoomRuleValues *self, const char *rule, const LoomRuleLimit *limit, double value);

gboolean loom_rule_values_is_saving (LoomRuleValues *self);
