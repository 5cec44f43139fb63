/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. Finds the calls that launched kernels and copies if flow events do not identify these calls.
 * Some writers record no flow events, and newer versions of Kineto record one flow event for all kernels of a CUDA
 * graph. The launching call has the same arg "correlation" as the kernel or copy. The args are read from the file
 * again, because they are not kept in memory.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  guint32 work, call; /* span of the kernel or copy, and span of the call that launched it */
} LoomLaunchId;

/* Returns a LoomLaunchId for each kernel or copy whose launch is not identified by arrows (flow events), sorted by
 * `work`. The launch is not identified if no arrow from a runtime call leads to the kernel or copy, or if several
 * arrows do. Several arrows lead to one kernel if several kernels start at the same time: one of these kernels gets the
 * flow events of all. The result is empty if exactly one arrow leads to every kernel and copy. Borrowed from the trace.
 * The first call takes about 1 µs for each element of the result, and for each runtime call that begins before the last
 * such kernel or copy. Other threads wait for the first call. */
const GArray *loom_launch_ids_get (const LoomTrace *trace);
/* Returns the number of events whose args loom_launch_ids_get() would read now, about 1 µs each: 0 if exactly one arrow
 * leads to every kernel and copy, or if loom_launch_ids_get() has finished for this trace. The first call for a trace
 * takes O(kernels and copies), and reads nothing from the file. */
guint loom_launch_ids_count_unread (const LoomTrace *trace);
/* Returns the call that launched the kernel or copy `work`; G_MAXUINT32: there is no element for `work`. O(log n). */
guint32 loom_launch_ids_find (const GArray *ids, guint32 work);
