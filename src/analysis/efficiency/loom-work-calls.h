/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the calls of a trace whose floating-point work is known, and the time of the kernels
 * that they launched. If operators with known work are nested, only the outermost one is a call: aten::linear, but not
 * the aten::addmm inside it. One thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-kernel-launches.h"
#include "loom-operator-pass.h"

typedef struct {
  guint32 span;
  guint32 work; /* id of the work: the `shape` of the call's element in LoomWorkCallPass.works */
  /* for the caller, not set by loom_work_calls_find(): indices of the call's row in the result, and of its rank */
  guint32 row, rank;
  guint32 n_kernels;
  /* total time of the kernels and copies that were launched inside the call, even if they run after its end */
  gint64 kernel_ns;
  gint64 compute_ns; /* the part of kernel_ns that is computing: no copies and no communication */
  /* TRUE: the call repeats a part of the forward pass during the backward pass (activation checkpointing). Such a call
   * is inside a module or a CheckpointFunctionBackward, which is inside an operator of the backward pass. */
  gboolean is_recomputed;
  /* the shortest format in which a kernel of the call multiplies according to its name (loom-kernel-format.h) */
  LoomFloatType format;
} LoomWorkCall;

typedef struct {
  LoomTimeline *timeline;
  guint trace;
  LoomRange range;                    /* timeline ns; calls that begin in it are listed */
  const LoomKernelLaunches *launches; /* the launches of the whole trace */
  const GArray *works;                /* LoomSpanShape: a span, and the id of its work as `shape` */
  /* [name id] 1 if the inputs of the operators of this name were not read, though they have a formula; NULL: none */
  const guint8 *unread;
  /* result: compute time of the kernels that the operators marked in `unread` launched, outside of the listed calls */
  gint64 unread_ns;
} LoomWorkCallPass;

/* Returns the calls (LoomWorkCall), with at least one kernel each, by track, then by start, and sets `unread_ns`.
 * O(spans in the range + launches · log launches). NULL only when cancelled. */
GArray *loom_work_calls_find (LoomWorkCallPass *pass, GCancellable *cancellable);
