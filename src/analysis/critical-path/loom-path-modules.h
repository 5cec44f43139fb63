/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds which modules of PyTorch ("nn.Module: Linear_3") the host was executing at a given
 * time. Modules of one class ("Linear") count as one. A set consists of the classes of the modules that the host was
 * executing at one time; these modules are nested in each other. A set is stored as a node of a LoomSpanTrie; node 0 is
 * the empty set. For an operator of the backward pass, the modules are those around the operator of the forward pass
 * from which a flow "fwdbwd" leads to it. Immutable when made; any thread.
 */
#pragma once

#include "loom-run-names.h"
#include "loom-span-trie.h"
#include "loom-timeline.h"

typedef struct {
  GPtrArray *classes; /* char *: names of the classes, such as "Linear" */
  guint32 *class_of;  /* [id in LoomRunNames] index in `classes`, plus 1; 0: not a module */
  /* tree of the sets. A node represents the set of all classes on the way from the root to this node. The name of the
   * node is 1 + the index of its innermost class in `classes`. */
  LoomSpanTrie sets;
  GPtrArray *of_trace; /* private: the spans of modules of each trace */
  LoomRun *run;        /* borrowed */
} LoomPathModules;

/* Finds the modules of a run. Needs 32 bytes for each span of a module, and 32 bytes for each flow to the backward
 * pass. O(spans of the hosts + m · log m), where m is the number of these spans and flows; O(names) if no modules are
 * recorded. Returns FALSE when cancelled; `modules` is then incomplete. The caller must clear it in any case. */
gboolean loom_path_modules_init (LoomPathModules *modules, LoomRun *run, const LoomRunNames *names,
                                 GCancellable *cancellable);
void loom_path_modules_clear (LoomPathModules *modules);

/* Finds the modules that are open on the span's thread when the span starts. Returns the node of `sets` that represents
 * the classes of these modules; 0: no module is open. O(log m); m is defined at loom_path_modules_init(). */
guint32 loom_path_modules_find (const LoomPathModules *modules, LoomSpanId span);
