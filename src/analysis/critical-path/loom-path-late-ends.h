/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds calls of the host that waited for a kernel or copy which is recorded as ending after the call. Such recordings
 * matter for the critical path and for the health of a trace.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  /* `n_waits`: number of waits of calls for kernels and copies. `n_late`: number of these waits whose kernel or copy
   * ends later than the call. */
  guint64 n_waits, n_late;
  gint64 latest_ns;  /* the greatest time in ns by which a kernel or copy ends later than the call that waited for it */
  LoomSpanId latest; /* the kernel or copy that ends `latest_ns` after the call; LOOM_SPAN_ID_NONE: there is none */
} LoomPathLateEnds;
