/* SPDX-License-Identifier: Apache-2.0
 *
 * A row for one limit of a rule. A limit is a number with which the rule compares a value of the run. The row shows
 * this value, the default of the limit, a field to set the limit, and a button to reset it. Saves the limit that the
 * user sets. Called on the main thread.
 */
#pragma once

#include "loom-rule-result.h"

#include <adwaita.h>

#define LOOM_TYPE_RULE_LIMIT_ROW (loom_rule_limit_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleLimitRow, loom_rule_limit_row, LOOM, RULE_LIMIT_ROW, AdwActionRow)

/* Makes a row for a limit of a rule. `rule`: name of the rule, copied. */
GtkWidget *loom_rule_limit_row_new (const char *rule, const LoomRuleLimit *limit);
/* Called after the rule was evaluated again. Shows the new value of the run that was compared with the limit. Does
 * not change the field, in which the user may be typing. */
void loom_rule_limit_row_set_limit (LoomRuleLimitRow *self, const LoomRuleLimit *limit);
