/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of the timeline a rule's marks speak of. Main thread.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-rule-result.h"

G_BEGIN_DECLS

#define LOOM_FINDING_ROWS_MAX 16

/* Keys of the rows of the marks' spans, devices and nodes, each once, at most LOOM_FINDING_ROWS_MAX; where one is folded away
 * or hidden, of the group that holds it. NULL-terminated, owned. O(marks + tracks). */
char **loom_finding_rows_find (const LoomRowList *outline, const LoomRuleOccurrence *marks, guint n_marks);

G_END_DECLS
