/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the kernels and copies of a trace in a range, grouped by the span of the host that launched
 * them (loom-launch-walk.h). One launch may start many kernels (cudaGraphLaunch). Any thread.
 */
#pragma once

#include "loom-float-type.h"
#include "loom-timeline.h"

typedef struct {
  guint32 span;     /* the span on the host that launched kernels or copies */
  guint32 n;        /* number of kernels and copies that this span launched and that run at least partly in the range */
  gint64 device_ns; /* total time of the launched kernels and copies inside the range */
  /* the part of device_ns in which kernels compute, without copies and communication (loom-work-kind.h) */
  gint64 compute_ns;
  /* the shortest format in which a launched kernel multiplies float32, according to the kernel's name:
   * LOOM_FLOAT_TYPE_16 or LOOM_FLOAT_TYPE_TF32; LOOM_FLOAT_TYPE_NONE: no name states a format */
  LoomFloatType format;
} LoomKernelLaunch;

typedef struct {
  GArray *launches;   /* LoomKernelLaunch, ascending by span; no span occurs twice */
  guint64 n_unlinked; /* number of kernels and copies in the range whose launch is not in the file */
  /* total time of the kernels and copies counted in n_unlinked, and the part of this time in which kernels compute */
  gint64 unlinked_ns, unlinked_compute_ns;
  LoomRange starts; /* range on the timeline from the first start of a launch to 1 ns after the last start */
} LoomKernelLaunches;

/* Finds the launches of the kernels and copies in the range. Times are timeline ns. O(device spans in the range +
 * launches · log launches). */
void loom_kernel_launches_init (LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace, LoomRange range);
void loom_kernel_launches_clear (LoomKernelLaunches *launches);

/* Time of kernels and copies, and the part of this time in which kernels compute. */
typedef struct {
  gint64 all_ns, compute_ns;
} LoomKernelTime;

/* Returns the time of the kernels and copies in a range (timeline ns). A kernel counts with its whole time if it is
 * launched in the range. If its launch is not in the file, its time inside the range counts. `launches`: those of the
 * whole trace. O(launches + device spans in the range). */
LoomKernelTime loom_kernel_launches_sum (const LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace,
                                         LoomRange range);

/* Returns `range`, extended so that it contains the launches of all kernels that run in `range`, because a kernel may
 * begin long after its launch. Both ranges are timeline ns. */
LoomRange loom_kernel_launches_extend (const LoomKernelLaunches *launches, LoomRange range);
