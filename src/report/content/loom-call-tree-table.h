/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of the functions in a call tree: total time, self time, share and number of calls of each function, added up
 * over the nodes of the tree. The total time of a recursive function counts only its outermost calls. The functions may
 * be called on any thread.
 */
#pragma once

#include "loom-call-tree.h"
#include "loom-result-table.h"

/* Maximum number of functions in the table; functions with little time are omitted. */
#define LOOM_CALL_TREE_TABLE_MOST 500

/* Makes a table with a row for each function of the tree. `by_caller`: the tree is inverted, that is, has the callers
 * of each function below it; total times are then unknown, so the table is sorted by self time. Sets `functions` to the
 * function (guint32) of each row. Both are owned by the caller. O(nodes · depth). */
LoomResultTable *loom_call_tree_table_new (const LoomCallTree *tree, gboolean by_caller, GArray **functions);
/* Returns a translated sentence that says how long threads wait for devices or, if another function has more self time,
 * names this function. Ignores ranges that enclose work, such as steps, unless the tree has nothing else. Returns "" if
 * no function remains. Owned by the caller. O(nodes). */
char *loom_call_tree_table_dup_answer (const LoomCallTree *tree, gboolean by_caller);
/* Returns a further sentence: how much waiting the tree hides or, if threads mostly wait, the function with the most
 * self time besides. "": there is none. Owned by the caller. O(nodes). */
char *loom_call_tree_table_dup_details (const LoomCallTree *tree, gboolean by_caller);
