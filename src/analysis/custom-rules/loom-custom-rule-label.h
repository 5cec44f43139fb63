/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/custom-rules: makes the name of a group of a custom rule.
 */
#pragma once

#include "loom-custom-rule-groups.h"

/* Sets `label` and `key` of a group from its host, its writer, a rank (−1: none) and a device ("": none), for example
 * "algo-1 rank 0 GPU 0". */
void loom_custom_rule_label_set (LoomCustomRuleGroup *group, gint rank, const char *device);
