/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What rules are made of, for who reads them.
 */
#pragma once

#include "loom-custom-rule.h"

G_BEGIN_DECLS

struct _LoomCustomRules {
  gatomicrefcount ref_count;
  GPtrArray *rules; /* LoomCustomRule */
};

LoomCustomRules *loom_custom_rule_rules_new (void); /* none */

G_END_DECLS
