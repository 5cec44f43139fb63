/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the modules of two runs (loom-module-tree.h): which modules correspond (loom-tree-comparison.h), which were
 * added or removed, and in which few subtrees the time of the devices changed. Both trees have the same level: modules,
 * if both runs have them, else Python functions, else operators. Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include "loom-module-tree.h"

/* Of a module with its own kernels in both runs, a change below this share of their time counts as noise. */
#define LOOM_MODULE_COMPARISON_LEAST 0.01
/* The named subtrees have at least this share of all changes that are not noise. */
#define LOOM_MODULE_COMPARISON_SHARE 0.9
#define LOOM_MODULE_COMPARISON_MOST_MAIN 5 /* maximum number of named subtrees */

/* A module, or a subtree in only one of the runs. [0] is the first run, [1] the second run. */
typedef struct {
  guint32 node[2];   /* index in the tree of each run; LOOM_TREE_COMPARISON_NONE: the module is not in this run */
  guint32 parent;    /* index of the row around it; LOOM_TREE_COMPARISON_NONE for the root */
  guint32 end;       /* index after the last row of the subtree */
  guint32 depth;     /* 0 for the root */
  gboolean is_main;  /* TRUE if it is one of the named subtrees: LoomModuleComparison.main */
  double time_ns[2]; /* time of its kernels with those below it, see LoomModuleComparison.is_per_step */
  double self_ns[2]; /* without those below it */
  double phase_ns[2][LOOM_MODULE_N_PHASES]; /* [run][phase] parts of `time_ns` */
} LoomModuleChange;

typedef struct {
  LoomModuleLevel level;
  LoomModuleTree *trees[2];
  LoomModuleChange *rows; /* in pre-order; rows[0] is the root, which has the time of all kernels */
  guint32 n;
  gboolean is_per_step; /* TRUE: times are means per step over all ranks; FALSE: sums, because a run has no steps */
  gboolean is_cut;      /* TRUE if a tree is incomplete, or long sequences were aligned in blocks */
  /* guint32: rows of the smallest subtrees with LOOM_MODULE_COMPARISON_SHARE of the change, by descending change. The
   * change of a module's own kernels and the time of an added or removed subtree each count as one change; the fewest
   * that have this share are chosen. The kernels outside of all modules do not count. If they are more than LOOM_MODULE_COMPARISON_MOST_MAIN, the deepest ones are
   * replaced by the modules around them until few enough remain. */
  GArray *main;
} LoomModuleComparison;

/* Compares the runs; `queries`: [run]. Returns NULL if cancelled, or if the runs have no common level. Costs both
 * loom_module_tree_new(), loom_tree_comparison_align() and O(n · log n) for n nodes. */
LoomModuleComparison *loom_module_comparison_new (const LoomModuleTreeQuery queries[2], GCancellable *cancellable);
void loom_module_comparison_free (LoomModuleComparison *comparison);

/* Returns the level that both runs have; LOOM_MODULE_N_LEVELS: none. O(names). */
LoomModuleLevel loom_module_comparison_find_level (LoomRun *first, LoomRun *second);
/* Returns the change of a row in ns: time of the second run minus time of the first run. */
double loom_module_comparison_get_change (const LoomModuleComparison *comparison, guint32 row);
/* Returns the share of a row in the change of the root, 0 … 1 or more; NaN if it changed in the other direction or the root
 * did not change. */
double loom_module_comparison_get_share (const LoomModuleComparison *comparison, guint32 row);
/* Returns the node of a row: that of the second run, or of the first run if the module was removed. */
const LoomModuleNode *loom_module_comparison_get_node (const LoomModuleComparison *comparison, guint32 row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomModuleComparison, loom_module_comparison_free)
