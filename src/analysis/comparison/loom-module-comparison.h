/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the modules of two runs (loom-module-tree.h): which modules correspond (loom-tree-comparison.h), which were
 * added or removed, and which few subtrees explain most of the change of the device time. The nodes of both trees are
 * modules if both runs have modules, else Python functions, else operators. Immutable when made, freed by its owner,
 * any thread.
 */
#pragma once

#include "loom-module-tree.h"

/* The own kernels of a module count as changed only if their times in the two runs differ by at least this share of the
 * longer time. Smaller changes are noise. */
#define LOOM_MODULE_COMPARISON_LEAST 0.01
/* The subtrees in LoomModuleComparison.main together explain at least this share of the sum of all changes that are not
 * noise. */
#define LOOM_MODULE_COMPARISON_SHARE 0.9
#define LOOM_MODULE_COMPARISON_MOST_MAIN 5 /* maximum length of LoomModuleComparison.main */

/* A row of the comparison: a module that both runs have, or a module in a subtree that only one run has. In arrays, [0]
 * is the first run and [1] the second run. */
typedef struct {
  guint32 node[2];   /* index in the tree of each run; LOOM_TREE_COMPARISON_NONE: the module is not in this run */
  guint32 parent;    /* index of the row of the parent; LOOM_TREE_COMPARISON_NONE for the root */
  guint32 end;       /* index after the last row of the subtree */
  guint32 depth;     /* number of ancestors of this row; 0 for the root */
  gboolean is_main;  /* TRUE if LoomModuleComparison.main contains this row */
  double time_ns[2]; /* device time of the kernels in the subtree, in ns; see LoomModuleComparison.is_per_step */
  double self_ns[2]; /* device time of the module's own kernels, without those of modules inside it, in ns */
  double phase_ns[2][LOOM_MODULE_N_PHASES]; /* [run][phase] parts of `time_ns` */
} LoomModuleChange;

typedef struct {
  LoomModuleLevel level;
  LoomModuleTree *trees[2];
  LoomModuleChange *rows; /* in pre-order; rows[0] is the root, which has the time of all kernels */
  guint32 n;
  gboolean is_per_step; /* TRUE: times are means per step over all ranks; FALSE: sums, because a run has no steps */
  /* TRUE if a tree is incomplete (LoomModuleTree.is_cut), or if a list of children was too long to be aligned as a
   * whole, and was aligned in blocks */
  gboolean is_cut;
  /* The few subtrees that explain most of the change, for texts about the comparison: indices of their root rows
   * (guint32), sorted by descending change. Candidates are the changes of the own kernels of each module, and the
   * changes by subtrees that were added or removed. As few candidates as possible are chosen, so that together they
   * have the share LOOM_MODULE_COMPARISON_SHARE of all changes. Kernels outside of all modules do not count. If more
   * than LOOM_MODULE_COMPARISON_MOST_MAIN rows are chosen, the deepest ones are replaced by their parents until few
   * enough remain. */
  GArray *main;
} LoomModuleComparison;

/* Compares two runs. queries[0] selects what is read of the first run, queries[1] what is read of the second run.
 * Returns NULL if cancelled, or if the runs have no kind of nodes in common (loom_module_comparison_find_level()).
 * Costs as much as loom_module_tree_new() for both runs and loom_tree_comparison_align(), plus O(n · log n), where n is
 * the number of nodes. */
LoomModuleComparison *loom_module_comparison_new (const LoomModuleTreeQuery queries[2], GCancellable *cancellable);
void loom_module_comparison_free (LoomModuleComparison *comparison);

/* Returns the most detailed kind of nodes that both runs have: modules, else Python functions, else operators.
 * LOOM_MODULE_N_LEVELS: they have none in common. O(names). */
LoomModuleLevel loom_module_comparison_find_level (LoomRun *first, LoomRun *second);
/* Returns the change of a row in ns: time of the second run minus time of the first run. */
double loom_module_comparison_get_change (const LoomModuleComparison *comparison, guint32 row);
/* Returns the change of a row ÷ the change of the root, which can be greater than 1. NaN if the two changes have
 * different signs, or if the root did not change. */
double loom_module_comparison_get_share (const LoomModuleComparison *comparison, guint32 row);
/* Returns the node of a row in the tree of the second run or, if the module was removed, of the first run. */
const LoomModuleNode *loom_module_comparison_get_node (const LoomModuleComparison *comparison, guint32 row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomModuleComparison, loom_module_comparison_free)
