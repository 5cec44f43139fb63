/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a range of time of a trace file, using the offsets of events in an index of this file, without reading the
 * whole file. The result equals this range of the trace when the whole file is opened: the same tracks, names, times
 * and args; spans that reach into the range have their full length. Arrows are included if both of their events are in
 * the range. Blocks; may be called on any thread.
 */
#pragma once

#include "loom-memory-budget.h"
#include "loom-progress.h"
#include "loom-raw-file.h"
#include "loom-trace.h"

/* Default limit on the number of bytes of text that are read for a range. */
#define LOOM_RAW_RANGE_MOST_BYTES (G_GUINT64_CONSTANT (1) << 30)

typedef struct {
  const LoomTrace *index; /* a trace read from an index (loom_trace_is_index()); not changed */
  guint number;           /* number of the source in `index` whose file is read */
  LoomRange range;        /* range to read, in ns of the local time of the source's clock (loom-declared-clock.h); both
                           * ends are included */
  LoomRawFileOpen open;   /* opens the file on the machine that has it; NULL: the file is on this machine */
  gpointer reach;         /* data of the caller for `open`, which gets it as its first argument */
  /* limit on the memory of the process; NULL: no limit. If the limit is reached, reading fails, because an incomplete
   * range would look like a complete one. */
  LoomMemoryBudget *budget;
  LoomProgress *progress; /* reports progress and says whether reading was cancelled; may be NULL */
} LoomRawRangeRequest;

typedef struct {
  /* number of bytes of the file that were read; for a gzip file without restart points, number of bytes of its unpacked
   * text */
  guint64 n_read;
  /* number of bytes of text that were parsed: the events of the range, and the metadata of the file */
  guint64 n_bytes;
} LoomRawRangeCost;

/* Returns a trace of the range, with one source and the clock of the index. Returns NULL with `error` on failure:
 * LOOM_ERROR_UNSUPPORTED if the index has no offsets of the file's events, or if a range of the file cannot be read
 * alone; LOOM_ERROR_READ if the file is missing or changed; LOOM_ERROR_LIMIT; LOOM_ERROR_FORMAT; or
 * G_IO_ERROR_CANCELLED. `cost` may be NULL. */
LoomTrace *loom_raw_range_read (const LoomRawRangeRequest *request, LoomRawRangeCost *cost, GError **error);
