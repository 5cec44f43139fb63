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
  guint32 parent;    /* index of the smallest other element around this one; LOOM_MODULE_SPANS_NONE: none */
  guint32 forward;   /* of an operator of the backward pass: the innermost element around the start of the operator of
                         * the forward pass; LOOM_MODULE_SPANS_NONE: none or unknown */
  guint32 step;      /* number of the counted step in which it begins; LOOM_COUNTED_STEPS_NONE */
  guint32 node;      /* node of the tree; set by LoomModuleTree */
  guint32 n_kernels; /* of this element, without those of elements inside */
  guint8 phase;      /* LoomModulePhase; set by LoomModuleTree */
  gboolean is_node : 1; /* FALSE: an operator of the backward pass that only leads to a module */
  gboolean is_backward : 1;
  gint64 device_ns, transfer_ns; /* time of these kernels, and the part of it in collectives and messages */
} LoomModuleSpan;

typedef struct {
  GArray *spans;          /* LoomModuleSpan, sorted by track, begin, and descending end */
  guint32 *first;         /* [track] the track's first element; one more value at the end */
  guint32 *order;         /* indices of `spans` in order of their begins: an element comes after all that contain it */
  LoomModuleSpan outside; /* kernels launched outside of all elements */
  guint64 n_unlinked;
  gint64 unlinked_ns;
} LoomModuleSpans;

/* Returns FALSE when cancelled; `spans` must be cleared in any case. */
gboolean loom_module_spans_init (LoomModuleSpans *spans, LoomTimeline *timeline, guint trace, LoomModuleLevel level,
                                 const LoomCountedSteps *steps, GCancellable *cancellable);
void loom_module_spans_clear (LoomModuleSpans *spans);
/* Returns TRUE if spans of this name are nodes of a level. O(length). */
gboolean loom_module_spans_is_node (const LoomName *name, LoomModuleLevel level);
