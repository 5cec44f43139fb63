/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/critical-path: collects the works (kernels and copies) and calls of one trace
 * (loom-path-items.h), and finds for which works they wait. One thread for each part.
 */
#pragma once

#include "loom-path-items.h"

typedef enum {
  LOOM_PATH_BLOCKING_NO,
  LOOM_PATH_BLOCKING_SYNCHRONIZES,
  LOOM_PATH_BLOCKING_COPIES, /* the call launches a copy; it blocks only if the copy ends within the call */
} LoomPathBlocking;

/* A stream. Its kernels and copies are the elements [first, first + n) of LoomPathPart.works, in order of their
 * starts. */
typedef struct {
  guint32 process_id;
  gint64 number; /* −1: unknown */
  guint32 first, n;
  const LoomTrack *track; /* borrowed from the trace */
} LoomPathStream;

typedef struct {
  LoomTimeline *timeline; /* borrowed */
  LoomTrace *trace;       /* borrowed */
  guint number;
  LoomRange range;
  /* `blocking`: [name id] LoomPathBlocking of a call with this name; `works_of_name`: [name id] LoomWorkKind of device
   * work with this name */
  guint8 *blocking, *works_of_name;
  /* Like the members of LoomPathItems with these names, with two differences: indices refer to the arrays of this
   * LoomPathPart, and LoomPathCall.line is a process id. */
  GArray *works, *calls, *waits;
  GArray *streams; /* LoomPathStream: the streams of the trace */
  /* indices in `works`, sorted by stream, then by the order in which the kernels and copies were launched */
  guint32 *order;
} LoomPathPart;

static inline gboolean
loom_path_part_is_host_track (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) == 0 &&
         !loom_trace_track_is_device (track);
}

/* Adds a stream for a track. The kernels and copies of the stream are those from index `first` to the end of
 * part->works. */
void loom_path_part_add_stream (LoomPathPart *part, const LoomTrack *track, guint32 first);
/* Returns the span that records a sync event; LOOM_PATH_NONE: there is none. */
guint32 loom_path_part_find_span (const LoomPathPart *part, guint32 event);
/* Returns the index of the call that has this span; LOOM_PATH_NONE: there is none. O(log n). */
guint32 loom_path_part_find_call (const LoomPathPart *part, guint32 span);

/* Fills `order` and `waits`. Also marks a call as blocking if it waits for the copy that it launches. O(calls · streams
 * · log works). */
void loom_path_part_add_waits (LoomPathPart *part);

/* Adds a LoomPathJoin for each collective or message if at least two of its ranks have device work or calls in `items`.
 * O(members · log works). Returns FALSE when cancelled. */
gboolean loom_path_part_add_joins (LoomPathItems *items, const LoomCollectives *collectives, GCancellable *cancellable);
