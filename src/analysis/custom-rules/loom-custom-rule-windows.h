/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The windows of a group and the statistic of each.
 */
#pragma once

#include "loom-custom-rule-groups.h"

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns, end_ns;
  double value;   /* NAN: nothing to say */
  gint64 busy_ns; /* in which at least one span runs; 0 of samples */
  guint first, n; /* items that begin in it */
} LoomCustomRuleSlice;

/* Windows follow one another and do not overlap; GArray of LoomCustomRuleSlice, owned. O(items + windows); with windows of steps a
 * pass over the rows as well. */
GArray *loom_custom_rule_windows (LoomDataFrame *frame, const LoomCustomRule *rule, const LoomCustomRuleGroup *group);

G_END_DECLS
