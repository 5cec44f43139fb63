/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of a call tree as a table: total time, self time, share and number of calls of each, added up over the nodes of
 * the tree. The total counts a recursive name once, at its outermost call. Called by any thread.
 */
#pragma once

#include "loom-call-tree.h"
#include "loom-result-table.h"

/* Maximum number of functions in the table; it lists the functions with most time. */
#define LOOM_CALL_TREE_TABLE_MOST 500

/* Makes a table with a row for each function of the tree. In a tree with callers below the functions (`by_caller`),
 * total times are unknown, so the table sorts by self time. Sets `functions` to the function of each row (guint32).
 * O(nodes · depth). Both are owned by the caller. */
LoomResultTable *loom_call_tree_table_new (const LoomCallTree *tree, gboolean by_caller, GArray **functions);
/* Returns which name takes most time itself, a translated sentence; "" for a tree without nodes. O(nodes). Owned by the
 * caller. */
char *loom_call_tree_table_dup_answer (const LoomCallTree *tree, gboolean by_caller);
