/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the calls of a trace whose floating-point work is known, and the time of the kernels
 * that they launched. If operators with known work are nested, only the outermost one counts as a call: for example
 * aten::linear, but not the aten::addmm inside it. One thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-kernel-launches.h"
#include "loom-operator-pass.h"

typedef struct {
  guint32 span;
  guint32 work; /* id of the work: LoomSpanShape.shape of the call's element in LoomWorkCallPass.works */
  /* indices of the call's row and of its rank; not set by loom_work_calls_find(), but by its caller */
  guint32 row, rank;
  guint32 n_kernels;
  /* total time of the kernels and copies that were launched inside the call, even if they run after its end */
  gint64 kernel_ns;
  gint64 compute_ns; /* the part of kernel_ns in which kernels compute, without copies and communication */
  /* TRUE: the call repeats a part of the forward pass during the backward pass (activation checkpointing). Such a call
   * is inside a module or a CheckpointFunctionBackward, which in turn is inside an operator of the backward pass. */
  gboolean is_recomputed;
  /* the shortest format in which a kernel of the call multiplies, according to the kernel's name
   * (loom-kernel-format.h) */
  LoomFloatType format;
} LoomWorkCall;

typedef struct {
  LoomTimeline *timeline;
  guint trace;
  LoomRange range;                    /* range on the timeline; calls that begin in it are listed */
  const LoomKernelLaunches *launches; /* the launches of the whole trace */
  /* LoomSpanShape: the span of a call; its `shape` is the id of the call's work */
  const GArray *works;
  /* [name id] 1 if there is a formula for the work of operators of this name, but their inputs were not read; NULL:
   * there are no such names */
  const guint8 *unread;
  /* result: compute time of the kernels that were launched by operators marked in `unread`; kernels of listed calls are
   * not included */
  gint64 unread_ns;
} LoomWorkCallPass;

/* Returns the calls (LoomWorkCall) that launched at least one kernel, sorted by track, then by start. Sets `unread_ns`.
 * O(spans in the range + launches · log launches). NULL only when cancelled. */
GArray *loom_work_calls_find (LoomWorkCallPass *pass, GCancellable *cancellable);
