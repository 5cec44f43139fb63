/* SPDX-License-Identifier: Apache-2.0
 *
 * The k-way merge: everything that is drawn, of all tracks of all traces, in timeline order. The export and the dump
 * are built on it. Memory follows the number of rows.
 *
 * Order: by start; at equal start the longer first, then by place (process, thread, track, row), then as the row has it.
 * A sweep is for one thread; the timeline stays alive meanwhile.
 */
#pragma once

#include "loom-pid-tid-map.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_KWAY_MERGE_SPAN,
  LOOM_KWAY_MERGE_INSTANT,
  LOOM_KWAY_MERGE_COUNTER,   /* one event of a counter track: every series that has a sample of the same event */
  LOOM_KWAY_MERGE_ASYNC,     /* start … end known; only this when ends are not asked for */
  LOOM_KWAY_MERGE_ASYNC_END, /* the same span again, at its end: inner ends before outer ones */
  LOOM_KWAY_MERGE_FLOW,      /* s, t, f as they stood in the file */
} LoomMergeItemKind;

typedef struct {
  LoomMergeItemKind kind;
  guint trace;
  guint track;   /* of the trace; G_MAXUINT when a flow point has none */
  guint32 index; /* span column, flow point; unused for counters */
  guint16 depth;
  guint16 lane;
  guint32 name_id; /* unused for counters */
  LoomRef ref;
  gint64 start_ns; /* timeline */
  gint64 end_ns;   /* equal to start_ns for points */
} LoomMergeItem;

/* A sample that belongs to a counter event: the series, flat in its trace, and the position in it. */
typedef struct {
  guint32 series, position;
} LoomMergeSample;

typedef struct _LoomKwayMerge LoomKwayMerge;

typedef struct {
  gboolean has_range;
  LoomRange range; /* timeline; end ≥ begin_ns and start ≤ end_ns */
  gboolean async_ends;
  guint kinds;              /* bits 1 << LOOM_KWAY_MERGE_*; 0: all */
  const LoomClockMap *maps; /* one per clock of the run (flat) in place of the timeline's; NULL: the timeline's */
  const gboolean *sources;  /* one per source of the run (flat): FALSE leaves its events out; NULL: all */
} LoomMergeOptions;

LoomKwayMerge *loom_kway_merge_new (LoomTimeline *timeline, const LoomPidTidMap *places,
                                    const LoomMergeOptions *options);
void loom_kway_merge_free (LoomKwayMerge *sweep);

/* How many items a sweep without range gives at most (async ends aside): for progress. */
guint64 loom_kway_merge_count (LoomTimeline *timeline);

/* FALSE at the end. */
gboolean loom_kway_merge_next (LoomKwayMerge *sweep, LoomMergeItem *item);

/* Of the counter event just returned: what belongs to it. Valid until the next call. */
const LoomMergeSample *loom_kway_merge_get_samples (const LoomKwayMerge *sweep, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomKwayMerge, loom_kway_merge_free)

G_END_DECLS
