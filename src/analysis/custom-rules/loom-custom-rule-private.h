/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The representation of a rule set, for its parsers.
 */
#pragma once

#include "loom-custom-rule.h"

struct _LoomCustomRules {
  gatomicrefcount ref_count;
  GPtrArray *rules; /* LoomCustomRule */
};

LoomCustomRules *loom_custom_rule_rules_new (void); /* creates an empty set */
