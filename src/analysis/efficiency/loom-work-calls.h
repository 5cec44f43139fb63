/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the calls of a trace whose floating-point work is known, with the time of the kernels that they
 * launched. Of nested operators, only the outermost one with known work is a call: aten::linear, but not the aten::addmm
 * inside it. One thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-kernel-launches.h"
#include "loom-operator-pass.h"

typedef struct {
  guint32 span;
  guint32 work; /* id of the work, as in LoomWorkCallPass.works */
  guint32 n_kernels;
  gint64 kernel_ns; /* Σ kernels and copies launched inside of the call, however late they run */
  /* TRUE: the call repeats a part of the forward pass during the backward pass (activation checkpointing). It is called
   * by a module or by CheckpointFunctionBackward, inside of an operator of the backward pass. */
  gboolean is_recomputed;
  gboolean is_tf32; /* TRUE: a kernel of the call multiplies in TF32 or XF32 */
} LoomWorkCall;

typedef struct {
  LoomTimeline *timeline;
  guint trace;
  LoomRange range;                    /* timeline ns; calls that begin in it are listed */
  const LoomKernelLaunches *launches; /* of the whole trace */
  const GArray *works;                /* LoomSpanShape: span, and id of its work */
} LoomWorkCallPass;

/* Returns the calls (LoomWorkCall), with at least one kernel each, by track, then by start. O(spans in the range + launches · log
 * launches). NULL only when cancelled. */
GArray *loom_work_calls_find (const LoomWorkCallPass *pass, GCancellable *cancellable);
