/* SPDX-License-Identifier: Apache-2.0
 *
 * The k-way merge: returns all items of the timeline (spans, instants, counter events, flows), of all tracks of all
 * traces, in the order of time. The exports and the dump use it. Its memory depends on the number of rows, not on the
 * number of items.
 *
 * Order: by start; at equal start, the longer item first; then by process, thread, track and row; then by position in
 * the row. A merge must be used by one thread, and the timeline must not be freed before it.
 */
#pragma once

#include "loom-pid-tid-map.h"

typedef enum {
  LOOM_KWAY_MERGE_SPAN,
  LOOM_KWAY_MERGE_INSTANT,
  /* one event of a counter track, with the samples that it contains, at most one for each series */
  LOOM_KWAY_MERGE_COUNTER,
  /* an async span with start and end; if ends are requested (async_ends), an item of the kind LOOM_KWAY_MERGE_ASYNC_END
   * follows later, otherwise this is the only item of the span */
  LOOM_KWAY_MERGE_ASYNC,
  LOOM_KWAY_MERGE_ASYNC_END, /* the end of an async span that was returned before; inner spans end before outer ones */
  LOOM_KWAY_MERGE_FLOW,      /* a flow event s, t or f, or a flow point of a span (bind_id) */
} LoomMergeItemKind;

typedef struct {
  LoomMergeItemKind kind;
  guint trace;
  guint track;   /* index of the track in the trace; G_MAXUINT: a flow point without a track */
  guint32 index; /* index of the item in the span columns or in the flow points of its trace; unused for counters */
  guint16 depth;
  guint16 lane;
  guint32 name_id; /* name id of the span or event in the trace; unused for counters */
  LoomRef ref;
  gint64 start_ns; /* start of the item on the timeline, in ns */
  /* end of the item on the timeline, in ns; equal to start_ns for instants, samples and flow points */
  gint64 end_ns;
} LoomMergeItem;

/* A sample of a counter event: the index of a series in the trace, and the index of the sample in this series. */
typedef struct {
  guint32 series, position;
} LoomMergeSample;

typedef struct _LoomKwayMerge LoomKwayMerge;

typedef struct {
  gboolean has_range;
  /* range on the timeline, in ns; if has_range is TRUE, only items with end ≥ range.begin_ns and start ≤ range.end_ns
   * are returned */
  LoomRange range;
  gboolean async_ends;
  guint kinds; /* mask of 1 << LOOM_KWAY_MERGE_*, the kinds of items to return; 0: all kinds */
  /* array indexed by clock of the run: clock map to use; NULL: the clock maps of the timeline */
  const LoomClockMap *maps;
  /* array indexed by source of the run: FALSE omits the events of the source; NULL: all sources are included */
  const gboolean *sources;
} LoomMergeOptions;

LoomKwayMerge *loom_kway_merge_new (LoomTimeline *timeline, const LoomPidTidMap *places,
                                    const LoomMergeOptions *options);
void loom_kway_merge_free (LoomKwayMerge *sweep);

/* Returns an upper limit of the number of items of a merge. The limit holds for a merge without a range and without
 * async ends. It is used as the total of a progress display. */
guint64 loom_kway_merge_count (LoomTimeline *timeline);

/* Sets `item` to the next item. Returns FALSE after the last item. */
gboolean loom_kway_merge_next (LoomKwayMerge *sweep, LoomMergeItem *item);

/* Returns the samples of the counter event that was returned last. Valid until the next call of
 * loom_kway_merge_next(). */
const LoomMergeSample *loom_kway_merge_get_samples (const LoomKwayMerge *sweep, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomKwayMerge, loom_kway_merge_free)
