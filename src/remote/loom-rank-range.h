/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the events of a time range of one rank that was opened from an index file. They are read from the trace file
 * that was indexed, which is on this machine, or on another machine that a command can reach. The functions block, and
 * may be called on any thread.
 */
#pragma once

#include "loom-raw-range.h"
#include "loom-serve-client.h"
#include "loom-timeline.h"

typedef struct {
  LoomTimeline *timeline;
  guint trace;     /* number, in the run, of the trace of the rank; this trace must have been read from an index */
  LoomRange range; /* the time range to read, in timeline ns; both ends are included */
  /* client through which the file is read from another machine; NULL: the file is on this machine */
  LoomServeClient *through;
  /* maximum number of bytes of memory that the whole process may use; 0: the default of
   * LoomLoadOptions.memory_budget */
  guint64 memory_budget;
  LoomProgress *progress; /* progress of reading; may be NULL */
} LoomRankRangeRequest;

/* Reads the events of the range as a trace. The trace has the same clock as the index, so the clock map of the index
 * also applies to it. Errors are those of loom_raw_range_read(); LOOM_ERROR_UNSUPPORTED also for an index of several
 * files. `cost` may be NULL. */
LoomTrace *loom_rank_range_read (const LoomRankRangeRequest *request, LoomRawRangeCost *cost, GError **error);
