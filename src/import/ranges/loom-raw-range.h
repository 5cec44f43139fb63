/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a range of time of a trace from its file alone, by the places that an index of it keeps. The result is what the file opened
 * whole has in this range: the same tracks, names, times and args; spans that reach into the range have their full length. Arrows
 * are known as far as both of their events are in the range. Blocking; any thread.
 */
#pragma once

#include "loom-progress.h"
#include "loom-trace.h"

/* Unless a caller chooses another limit, at most this much text is read for a range. */
#define LOOM_RAW_RANGE_MOST_BYTES (G_GUINT64_CONSTANT (1) << 30)

typedef struct {
  guint64 n_read;  /* bytes of the file that were read; of a compressed file without places, bytes of its text */
  guint64 n_bytes; /* bytes of the events of the range, with the metadata */
} LoomRawRangeCost;

/* Reads a range from the file that source `number` of an index stands for. `range`: local ns of the clock of the source, both ends
 * included. `trace`: read from an index (loom_trace_is_index()); it stays as it is. Returns a trace with one source and one clock,
 * which is that of the index. NULL with LOOM_ERROR_UNSUPPORTED if the index has no places for the file, LOOM_ERROR_READ if the file
 * isn't there, or changed, LOOM_ERROR_LIMIT, LOOM_ERROR_FORMAT, or G_IO_ERROR_CANCELLED. `cost` may be NULL. */
LoomTrace *loom_raw_range_read (const LoomTrace *trace, guint number, LoomRange range, LoomProgress *progress,
                                LoomRawRangeCost *cost, GError **error);
