/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What rules are made of, for who reads them.
 */
#pragma once

#include "loom-own-rule.h"

G_BEGIN_DECLS

struct _LoomOwnRules {
  gatomicrefcount ref_count;
  GPtrArray *rules; /* LoomOwnRule */
};

LoomOwnRules *loom_own_rules_new (void); /* none */

G_END_DECLS
