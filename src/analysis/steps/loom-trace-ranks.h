/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: numbers the ranks that occur in a trace, from 0. A file that a process wrote has one rank; a
 * merged file has several. Any thread.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  /* for each track, the number of its rank (< n); all tracks of unknown rank that have the same node share one
   * number */
  guint32 *of_track;
  guint32 n;
} LoomTraceRanks;

/* Numbers the ranks that occur in the trace `own`, from 0. `trace`: index of this trace in the run. O(tracks). */
void loom_trace_ranks_init (LoomTraceRanks *ranks, const LoomTrace *own, guint32 trace);
void loom_trace_ranks_clear (LoomTraceRanks *ranks);
