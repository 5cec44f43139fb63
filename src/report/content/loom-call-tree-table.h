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

/* Makes a table with a row for each function of the tree, and sets `functions` to the index of the function (guint32)
 * in each row. Both are owned by the caller. `by_caller`: TRUE if the tree shows the callers of each function below the
 * function; total times are unknown in this case, so the table is sorted by self time. O(nodes · depth). */
LoomResultTable *loom_call_tree_table_new (const LoomCallTree *tree, gboolean by_caller, GArray **functions);
/* Returns a translated sentence about the self times of the tree. If threads mostly wait for devices, the sentence
 * states how long; otherwise, it names the function with the most self time. Ranges that enclose work, such as steps,
 * are ignored unless the tree contains nothing else. Returns "" if the tree has no functions. Owned by the caller.
 * O(nodes). */
char *loom_call_tree_table_dup_answer (const LoomCallTree *tree, gboolean by_caller);
/* Returns a sentence to be shown after the one of loom_call_tree_table_dup_answer(). If the tree omits waits for
 * devices (LoomCallTree.omits_waits), the sentence states how long these waits are. Otherwise, if threads mostly wait
 * for devices, it names the function with the most self time among those that do not wait. In all other cases, returns
 * "". Owned by the caller. O(nodes). */
char *loom_call_tree_table_dup_details (const LoomCallTree *tree, gboolean by_caller);
