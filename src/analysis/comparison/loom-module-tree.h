/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of the modules of a run (nn.Module) with the time of the kernels and copies on the devices. Calls of a
 * module with the same chain of parents have one node, even if they are on different ranks or in different steps. The
 * times of a node are sums over all its calls in the steps that count (LoomModuleTreeQuery.breakdown). A kernel belongs
 * to the innermost module around its launch, in one of three phases:
 *   forward     the module runs forward
 *   backward    the launch is inside an operator of the backward pass. The module is the one around the corresponding
 *               operator of the forward pass, which is found by the flow "fwdbwd" of PyTorch or, if the trace has no
 *               such flows, by the args "Sequence number" and "Fwd thread id".
 *   recomputed  a module runs forward inside an operator of the backward pass (activation checkpointing)
 * The spans "Optimizer.step#…" are nodes below the root. The root has all kernels that belong to no module.
 *
 * Without spans of modules, the nodes can be Python functions or operators instead. Then repeated calls of a name in
 * one call of the parent (in one step, if there is no parent) are different nodes, because they are usually different
 * layers. Calls that launch nothing have no node. Python functions of the backward pass are unknown, so kernels of the
 * backward pass belong to the root.
 *
 * The times are defined as in PyTorch's profiler with with_modules=True. Immutable when made, freed by its owner, any
 * thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-span-trie.h"
#include "loom-step-breakdown.h"
#include "loom-tree-comparison.h"

typedef enum {
  LOOM_MODULE_LEVEL_MODULES,
  LOOM_MODULE_LEVEL_PYTHON,
  LOOM_MODULE_LEVEL_OPERATORS,
  LOOM_MODULE_N_LEVELS,
} LoomModuleLevel;

typedef enum {
  LOOM_MODULE_PHASE_FORWARD,
  LOOM_MODULE_PHASE_BACKWARD,
  LOOM_MODULE_PHASE_RECOMPUTED,
  LOOM_MODULE_N_PHASES,
} LoomModulePhase;

/* A node of the tree. Times are sums in ns over all counted steps and ranks. */
typedef struct {
  const char *name; /* for example "Linear_3"; borrowed from the tree; "" for the root */
  guint32 parent;   /* LOOM_TREE_COMPARISON_NONE for the root */
  guint32 depth;
  guint64 calls;                            /* number of spans of the node, in all phases */
  guint64 n_kernels;                        /* number of kernels and copies, without those of the child nodes */
  gint64 self_ns[LOOM_MODULE_N_PHASES];     /* [phase] time on the devices of the n_kernels kernels and copies */
  gint64 transfer_ns[LOOM_MODULE_N_PHASES]; /* [phase] part of `self_ns` that collectives and messages take */
  gint64 all_ns[LOOM_MODULE_N_PHASES];      /* [phase] like `self_ns`, but including all descendants of the node */
  gint64 host_ns;                           /* total duration of the node's spans on the host */
  /* the longest of the node's spans on the host; LOOM_SPAN_ID_NONE for the root */
  LoomSpanId longest;
} LoomModuleNode;

typedef struct {
  LoomModuleLevel level;
  LoomModuleNode *nodes; /* in pre-order: each node comes before its descendants; the first node is the root */
  /* [node] `label`: class of the module, such as "Linear"; `end`: index after the last node of the subtree */
  LoomTreeComparisonNode *labels;
  guint32 n;
  /* number of counted steps, summed over the ranks; 0: the run has no steps, and the whole range counts */
  guint64 n_steps;
  /* number of kernels and copies that run in steps that count, but whose launch is not in the file; no node includes
   * them. `unlinked_ns`: their total time */
  guint64 n_unlinked;
  gint64 unlinked_ns;
  /* TRUE if there were more than LOOM_SPAN_TRIE_MOST_NODES nodes. Then the excess nodes were joined into nodes named
   * "…". */
  gboolean is_cut;
  GStringChunk *texts; /* private: owns the names and labels of the nodes */
} LoomModuleTree;

typedef struct {
  LoomTimeline *timeline;
  /* The steps that count are the recorded steps (LoomStepTime.is_recorded) that are not outliers. If all recorded steps
   * of a rank are outliers, all of them count. A kernel counts in the step in which it is launched. If `breakdown` is
   * NULL or has no steps, all launches inside `range` count. */
  const LoomStepBreakdown *breakdown;
  LoomRange range; /* launches that begin inside this range count; timeline ns */
} LoomModuleTreeQuery;

/* Returns TRUE if the run has spans that can be nodes in a tree of the level `level`. O(names). */
gboolean loom_module_tree_has_level (LoomRun *run, LoomModuleLevel level);

/* Makes the tree from all traces, which are read in parallel. If a trace has modules and a backward pass, but no flows
 * between the forward and the backward pass, reads the args of its operators (loom-operator-args.h). NULL only when
 * cancelled. O(spans + m · log m), where m is the number of launches plus the number of spans of modules. */
LoomModuleTree *loom_module_tree_new (const LoomModuleTreeQuery *query, LoomModuleLevel level,
                                      GCancellable *cancellable);
void loom_module_tree_free (LoomModuleTree *tree);

/* Returns the device time of a node and of all nodes below it, in ns, summed over all phases. */
gint64 loom_module_tree_sum (const LoomModuleTree *tree, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomModuleTree, loom_module_tree_free)
