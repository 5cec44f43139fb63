/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the spans of modules (or Python functions, or operators) of one trace, how they are nested
 * in time, and the time of the kernels launched in each of them. Filled by one thread.
 */
#pragma once

#include "loom-counted-steps.h"
#include "loom-module-tree.h"

#define LOOM_MODULE_SPANS_NONE G_MAXUINT32

typedef struct {
  gint64 begin_ns, end_ns; /* on the clock of the trace */
  guint32 span, track;
  /* index in `spans` of the innermost other element that contains this one; LOOM_MODULE_SPANS_NONE: none */
  guint32 parent;
  /* If this element is an operator of the backward pass: index in `spans` of the innermost element in which the
   * corresponding operator of the forward pass begins. LOOM_MODULE_SPANS_NONE: none or unknown. */
  guint32 forward;
  guint32 step; /* number of the step (LoomCountedSteps) in which this element begins; LOOM_COUNTED_STEPS_NONE: none */
  guint32 node; /* index of this element's node in the trie of the LoomModuleTree; set while the tree is made */
  guint32 n_kernels; /* number of kernels launched in this element, but not in the elements inside it */
  guint8 phase;      /* LoomModulePhase; set by LoomModuleTree */
  /* TRUE if the tree has a node for this element. FALSE for an operator of the backward pass, which is only needed to
   * find the module of the kernels that it launches. */
  gboolean is_node : 1;
  gboolean is_backward : 1;
  /* `device_ns`: time of the n_kernels kernels on devices; `transfer_ns`: the part of this time in collectives and
   * messages */
  gint64 device_ns, transfer_ns;
} LoomModuleSpan;

typedef struct {
  GArray *spans; /* LoomModuleSpan, sorted by track, begin, and descending end */
  /* [track] index of the track's first element in `spans`; the last element of this array is the length of `spans` */
  guint32 *first;
  /* indices in `spans`, sorted by begin, so that each element comes after all elements that contain it */
  guint32 *order;
  LoomModuleSpan outside; /* sums of the kernels that were launched outside of all elements */
  guint64 n_unlinked;
  gint64 unlinked_ns;
} LoomModuleSpans;

/* Finds the spans of a trace that are nodes in a tree of the level `level`, and the kernels launched in them. `trace`:
 * index in the run. Returns FALSE when cancelled; the caller must clear `spans` in any case. */
gboolean loom_module_spans_init (LoomModuleSpans *spans, LoomTimeline *timeline, guint trace, LoomModuleLevel level,
                                 const LoomCountedSteps *steps, GCancellable *cancellable);
void loom_module_spans_clear (LoomModuleSpans *spans);
/* Returns TRUE if spans with the name `name` are nodes in a tree of the level `level`. O(length). */
gboolean loom_module_spans_is_node (const LoomName *name, LoomModuleLevel level);
