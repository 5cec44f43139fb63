/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. The launches of kernels and copies to which no flow event leads: some writers record no flow
 * events, and newer versions of Kineto record one for all kernels of a CUDA graph. The call that launched a work has the
 * same arg "correlation" as the work. The args are read from the file again.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  guint32 work, call; /* spans */
} LoomLaunchId;

/* Returns the launches (LoomLaunchId), sorted by work: of works without an arrow from a runtime call, and of works with
 * arrows from several, because flow events of works that start at the same time lead to one of them. Empty if every work
 * has one arrow. Borrowed from the trace. The first call takes about 1 µs for each such work, and for each call that begins
 * before the last of them; other threads wait for it. */
const GArray *loom_launch_ids_get (const LoomTrace *trace);
/* Returns the call that launched a work; G_MAXUINT32: `ids` does not contain the work. O(log n). */
guint32 loom_launch_ids_find (const GArray *ids, guint32 work);
