/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The windows of a group and the statistic of each.
 */
#pragma once

#include "loom-custom-rule-groups.h"

typedef struct {
  gint64 begin_ns, end_ns;
  double value;   /* the statistic; NAN: none */
  gint64 busy_ns; /* time in which at least one span runs; 0 for samples */
  guint first, n; /* items that begin in the window */
} LoomCustomRuleSlice;

/* Windows in order of time, without overlap; GArray of LoomCustomRuleSlice, owned by the caller. O(items + windows);
 * windows of steps need a pass over the rows as well. */
GArray *loom_custom_rule_windows (LoomDataFrame *frame, const LoomCustomRule *rule, const LoomCustomRuleGroup *group);
