/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds which modules of PyTorch ("nn.Module: Linear_3") the host was executing at a given
 * time. Modules of one class ("Linear") count as one. A set is a chain of nested classes: a node of a LoomSpanTrie;
 * node 0 is the empty set. For an operator of the backward pass, the modules are those around the operator of the
 * forward pass from which a flow "fwdbwd" leads to it. Immutable when made; any thread.
 */
#pragma once

#include "loom-run-names.h"
#include "loom-span-trie.h"
#include "loom-timeline.h"

typedef struct {
  GPtrArray *classes; /* char *: names of the classes, such as "Linear" */
  guint32 *class_of;  /* [id in LoomRunNames] index in `classes`, plus 1; 0: not a module */
  /* tree of the sets: a node is the set of the classes of modules from the root to this node; its name is the index in
   * `classes`, plus 1, of the innermost of these classes */
  LoomSpanTrie sets;
  GPtrArray *of_trace; /* private: the spans of modules of each trace */
  LoomRun *run;        /* borrowed */
} LoomPathModules;

/* Finds the modules of a run. Needs 32 bytes for each span of a module, and for each flow to the backward pass. O(spans
 * of the hosts + m · log m) for m spans of modules and flows; O(names) if no modules are recorded. Returns FALSE when
 * cancelled; `modules` is then incomplete, but must be cleared as well. */
gboolean loom_path_modules_init (LoomPathModules *modules, LoomRun *run, const LoomRunNames *names,
                                 GCancellable *cancellable);
void loom_path_modules_clear (LoomPathModules *modules);

/* Returns the node of `sets` with the classes of the modules that are open on the span's thread when the span starts;
 * 0: no module is open. O(log m). */
guint32 loom_path_modules_find (const LoomPathModules *modules, LoomSpanId span);
