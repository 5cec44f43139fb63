/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the kernels and copies of a trace in a range, grouped by the span of the host that launched
 * them (loom-launch-walk.h). One launch may start many kernels (cudaGraphLaunch). Any thread.
 */
#pragma once

#include "loom-float-type.h"
#include "loom-timeline.h"

typedef struct {
  guint32 span;      /* the span on the host that launched kernels or copies */
  guint32 n;         /* number of kernels and copies that this span launched and that touch the range */
  gint64 device_ns;  /* total time of the launched kernels and copies inside the range */
  gint64 compute_ns; /* the part of device_ns that is computing: no copies and no communication (loom-work-kind.h) */
  /* the shortest format in which a launched kernel multiplies float32 according to its name: LOOM_FLOAT_TYPE_16 or
   * LOOM_FLOAT_TYPE_TF32; LOOM_FLOAT_TYPE_NONE: no name states a format */
  LoomFloatType format;
} LoomKernelLaunch;

typedef struct {
  GArray *launches;   /* LoomKernelLaunch, ascending by span, each span once */
  guint64 n_unlinked; /* number of kernels and copies in the range whose launch is not in the file */
  gint64 unlinked_ns, unlinked_compute_ns; /* time of these kernels and copies, and the part of this time that is
                                            * computing */
  LoomRange starts;                        /* from the first start of a launch to just after the last; timeline ns */
} LoomKernelLaunches;

/* Finds the launches of the kernels and copies in the range. Times are timeline ns. O(device spans in the range +
 * launches · log launches). */
void loom_kernel_launches_init (LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace, LoomRange range);
void loom_kernel_launches_clear (LoomKernelLaunches *launches);

/* Time of kernels and copies, and the part of it that is computing. */
typedef struct {
  gint64 all_ns, compute_ns;
} LoomKernelTime;

/* Returns the time of the kernels and copies in a range (timeline ns). A kernel belongs to the range in which it is
 * launched, with its whole time; of kernels whose launch is not in the file, the time inside the range counts.
 * `launches`: those of the whole trace. O(launches + device spans in the range). */
LoomKernelTime loom_kernel_launches_sum (const LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace,
                                         LoomRange range);

/* Returns a range that contains `range` and the launches of all kernels inside of `range`: a kernel may begin long
 * after its launch. Both ranges are timeline ns. */
LoomRange loom_kernel_launches_extend (const LoomKernelLaunches *launches, LoomRange range);
