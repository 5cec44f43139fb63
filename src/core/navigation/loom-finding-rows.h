/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rows of the timeline that show where a rule found a problem (LoomRuleOccurrence): the rows of spans,
 * devices and nodes. Called on the main thread.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-rule-result.h"

#define LOOM_FINDING_ROWS_MAX 16

/* Returns the keys of the rows that show the spans, devices and nodes of `marks`, the places where a rule found a
 * problem. Each key occurs once, and there are at most LOOM_FINDING_ROWS_MAX. If a row is folded away or hidden, the
 * key of the group that contains it is returned instead. NULL-terminated, owned by the caller. O(marks + tracks). */
char **loom_finding_rows_find (const LoomRowList *outline, const LoomRuleOccurrence *marks, guint n_marks);
/* Returns the key of the group that contains the span: the group of its rank or, if the rank is unknown, of its device.
 * The group may be folded. If there is no such group, returns the key of the span's row. NULL: the row is hidden. Owned
 * by the caller. O(rows). */
char *loom_finding_rows_dup_group (const LoomRowList *outline, LoomSpanId span);
