/* SPDX-License-Identifier: Apache-2.0
 *
 * A row with one limit of a rule: the value of the run that was compared with it, the default, a field for the limit, and a button
 * that resets it. Saves what a person sets. Main thread.
 */
#pragma once

#include "loom-rule-result.h"

#include <adwaita.h>

#define LOOM_TYPE_RULE_LIMIT_ROW (loom_rule_limit_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleLimitRow, loom_rule_limit_row, LOOM, RULE_LIMIT_ROW, AdwActionRow)

/* Copies `rule`, the name of the rule. */
GtkWidget *loom_rule_limit_row_new (const char *rule, const LoomRuleLimit *limit);
/* Shows the value that was compared when the rule was evaluated again; the field keeps what a person set. */
void loom_rule_limit_row_set_limit (LoomRuleLimitRow *self, const LoomRuleLimit *limit);
