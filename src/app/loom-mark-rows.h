/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of the timeline a rule's marks speak of. Main thread.
 */
#pragma once

#include "loom-outline.h"
#include "loom-rule-result.h"

G_BEGIN_DECLS

#define LOOM_MARK_ROWS_MAX 16

/* Keys of the rows of the marks' spans, devices and nodes, each once, at most LOOM_MARK_ROWS_MAX; where one is folded away
 * or hidden, of the group that holds it. NULL-terminated, owned. O(marks + tracks). */
char **loom_mark_rows_find (const LoomOutline *outline, const LoomRuleMark *marks, guint n_marks);

G_END_DECLS
