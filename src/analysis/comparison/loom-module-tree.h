/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of the modules of a run (nn.Module) with the time of the kernels and copies on the devices. The node of a
 * module adds up all its calls in all counted steps, and on all ranks, under equal parents. A kernel belongs to the
 * innermost module around its launch, in one of three phases:
 *   forward     the module runs forward
 *   backward    the launch is inside an operator of the backward pass; the module is the one around the operator of the
 *               forward pass to which this operator belongs: by the flow "fwdbwd" of PyTorch, or by the args "Sequence
 *               number" and "Fwd thread id" if the trace has no such flows
 *   recomputed  a module runs forward inside an operator of the backward pass (activation checkpointing)
 * The spans "Optimizer.step#…" are nodes below the root. The root has all kernels that belong to no module.
 *
 * Without spans of modules, the nodes can be Python functions or operators instead. Then the repeated calls of a name
 * in one call of the parent (or in one step, without a parent) are different nodes, because they are usually different
 * layers, and calls that launch nothing have no node. Python functions of the backward pass are not known: its kernels
 * belong to the root.
 *
 * Definition: PyTorch profiler, with_modules=True. Immutable when made, freed by its owner, any thread.
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
  guint64 n_kernels;                        /* number of kernels and copies, without those of the nodes below */
  gint64 self_ns[LOOM_MODULE_N_PHASES];     /* [phase] time of these kernels and copies */
  gint64 transfer_ns[LOOM_MODULE_N_PHASES]; /* [phase] part of `self_ns` that collectives and messages take */
  gint64 all_ns[LOOM_MODULE_N_PHASES];      /* [phase] like `self_ns`, with the nodes below */
  gint64 host_ns;                           /* duration of the spans on the host */
  LoomSpanId longest;                       /* the longest span; LOOM_SPAN_ID_NONE for the root */
} LoomModuleNode;

typedef struct {
  LoomModuleLevel level;
  LoomModuleNode *nodes;          /* in pre-order: the root, then each node before the nodes below it */
  LoomTreeComparisonNode *labels; /* [node] class of the module, such as "Linear", and the end of its subtree */
  guint32 n;
  /* number of counted steps, summed over the ranks; 0: the run has no steps, and the whole range counts */
  guint64 n_steps;
  guint64 n_unlinked; /* number of counted kernels and copies whose launch is not in the file; they are in no node */
  gint64 unlinked_ns;
  gboolean is_cut;     /* TRUE if nodes beyond LOOM_SPAN_TRIE_MOST_NODES were added to others */
  GStringChunk *texts; /* private */
} LoomModuleTree;

typedef struct {
  LoomTimeline *timeline;
  /* the steps that count: those whose devices are recorded and that are not outliers (all recorded steps of a rank if
   * each is an outlier). A kernel counts with the step in which it is launched. NULL or without steps: `range` counts */
  const LoomStepBreakdown *breakdown;
  LoomRange range; /* launches that begin in it count; timeline ns */
} LoomModuleTreeQuery;

/* Returns TRUE if the run has spans of a level. O(names). */
gboolean loom_module_tree_has_level (LoomRun *run, LoomModuleLevel level);

/* Makes the tree. NULL only when cancelled. O(spans + m · log m) for m launches and spans of modules; traces in parallel.
 * Reads the args of operators (loom-operator-args.h) of traces with modules and a backward pass, but no flows. */
LoomModuleTree *loom_module_tree_new (const LoomModuleTreeQuery *query, LoomModuleLevel level,
                                      GCancellable *cancellable);
void loom_module_tree_free (LoomModuleTree *tree);

/* Returns the time of a node with the nodes below it, over all phases, in ns. */
gint64 loom_module_tree_sum (const LoomModuleTree *tree, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomModuleTree, loom_module_tree_free)
