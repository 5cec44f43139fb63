/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the events of a time range of one rank that was opened from an index file. The events are read from the trace
 * file that was indexed. This file is on this machine, or on another machine where a command reads it. The functions
 * block, and may be called on any thread.
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

/* Reads the events of the range as a trace. The trace has the clock of the index, so the clock map of the index applies
 * to it, too. The errors are those of loom_raw_range_read(), and also LOOM_ERROR_UNSUPPORTED for an index of several
 * files. `cost` may be NULL. */
LoomTrace *loom_rank_range_read (const LoomRankRangeRequest *request, LoomRawRangeCost *cost, GError **error);
