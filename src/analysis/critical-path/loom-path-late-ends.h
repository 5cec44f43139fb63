/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and copies for which calls of the host waited, but that are recorded as ending after these calls. The critical
 * path and the health of a trace both need them.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  /* number of waits of calls for kernels and copies; number of these waits whose kernel or copy ends later than the
   * call */
  guint64 n_waits, n_late;
  gint64 latest_ns;  /* the longest time by which such a kernel or copy ends later than the call */
  LoomSpanId latest; /* the kernel or copy that ends later by `latest_ns`; LOOM_SPAN_ID_NONE: there is none */
} LoomPathLateEnds;
