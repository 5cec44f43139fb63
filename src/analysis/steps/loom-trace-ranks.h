/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: numbers the ranks of a trace. A file that a process wrote has one rank; a merged file has
 * several. Any thread.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  guint32 *of_track; /* [track] number of the track's rank (< n); tracks of unknown rank on one node have one number */
  guint32 n;
} LoomTraceRanks;

/* Numbers the ranks of trace number `trace` of a run. O(tracks). */
void loom_trace_ranks_init (LoomTraceRanks *ranks, const LoomTrace *own, guint32 trace);
void loom_trace_ranks_clear (LoomTraceRanks *ranks);
