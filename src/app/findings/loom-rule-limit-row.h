/* SPDX-License-Identifier: Apache-2.0
 *
 * A row for one limit of a rule, a number with which the rule compares a value of the run. It shows this value, the
 * default limit, a field for the limit, and a button that resets it. Saves the limits that the user sets. Called on the
 * main thread.
 */
#pragma once

#include "loom-rule-result.h"

#include <adwaita.h>

#define LOOM_TYPE_RULE_LIMIT_ROW (loom_rule_limit_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleLimitRow, loom_rule_limit_row, LOOM, RULE_LIMIT_ROW, AdwActionRow)

/* Makes a row for a limit of the rule with this name, which is copied. */
GtkWidget *loom_rule_limit_row_new (const char *rule, const LoomRuleLimit *limit);
/* Called after the rule was evaluated again. Shows the new value that was compared with the limit; the field keeps the
 * user's input. */
void loom_rule_limit_row_set_limit (LoomRuleLimitRow *self, const LoomRuleLimit *limit);
