/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits that the user sets for rules. They are saved in the user's file of parameters (loom-rule-files.h), which every
 * evaluation reads, so that they hold for all runs and for the command line. Main thread only.
 *
 * Property, read-only: "problem" (string), why the latest change could not be saved; NULL: it was, or none was made. Signal "changed"
 * when the file has been written.
 */
#pragma once

#include "loom-rule-result.h"

#include <glib-object.h>

#define LOOM_TYPE_RULE_VALUES (loom_rule_values_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleValues, loom_rule_values, LOOM, RULE_VALUES, GObject)

/* The only object of its kind, because there is one file. Borrowed. */
LoomRuleValues *loom_rule_values_get_default (void);

/* Saves a value for a limit of a rule in a worker; the default is not saved, but removes what was. Changes made while a worker
 * writes are written together after it, in their order. */
void loom_rule_values_set (LoomRuleValues *self, const char *rule, const LoomRuleLimit *limit, double value);

gboolean loom_rule_values_is_saving (LoomRuleValues *self);
