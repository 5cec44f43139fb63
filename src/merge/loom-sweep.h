/* SPDX-License-Identifier: Apache-2.0
 *
 * The k-way merge: everything that is drawn, of all tracks of all traces, in timeline order. The export and the dump
 * are built on it. Memory follows the number of rows.
 *
 * Order: by start; at equal start the longer first, then by place (process, thread, track, row), then as the row has it.
 * A sweep is for one thread; the timeline stays alive meanwhile.
 */
#pragma once

#include "loom-places.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_SWEEP_SPAN,
  LOOM_SWEEP_INSTANT,
  LOOM_SWEEP_COUNTER,   /* one event of a counter track: every series that has a sample of the same event */
  LOOM_SWEEP_ASYNC,     /* start … end known; only this when ends are not asked for */
  LOOM_SWEEP_ASYNC_END, /* the same span again, at its end: inner ends before outer ones */
  LOOM_SWEEP_FLOW,      /* s, t, f as they stood in the file */
} LoomSweepKind;

typedef struct {
  LoomSweepKind kind;
  guint trace;
  guint track;      /* of the trace; G_MAXUINT when a flow point has none */
  guint32 index;    /* span column, flow point; unused for counters */
  guint16 depth;
  guint16 lane;
  guint32 name_id;  /* unused for counters */
  LoomRef ref;
  gint64 start_ns;  /* timeline */
  gint64 end_ns;    /* equal to start_ns for points */
} LoomSweepItem;

/* A sample that belongs to a counter event: the series, flat in its trace, and the position in it. */
typedef struct {
  guint32 series, position;
} LoomSweepSample;

typedef struct _LoomSweep LoomSweep;

typedef struct {
  gboolean has_range;
  LoomRange range;             /* timeline; end ≥ begin_ns and start ≤ end_ns */
  gboolean async_ends;
  gboolean flow_ends_first;    /* flow ends that bind to the span that starts next stand before all that starts at their time */
  guint kinds;                 /* bits 1 << LOOM_SWEEP_*; 0: all */
  const LoomClockMap *maps;    /* one per clock of the run (flat) in place of the timeline's; NULL: the timeline's */
  const gboolean *sources;     /* one per source of the run (flat): FALSE leaves its events out; NULL: all */
} LoomSweepOptions;

LoomSweep *loom_sweep_new (LoomTimeline *timeline, const LoomPlaces *places, const LoomSweepOptions *options);
void loom_sweep_free (LoomSweep *sweep);

/* How many items a sweep without range gives at most (async ends aside): for progress. */
guint64 loom_sweep_count (LoomTimeline *timeline);

/* FALSE at the end. */
gboolean loom_sweep_next (LoomSweep *sweep, LoomSweepItem *item);

/* Of the counter event just returned: what belongs to it. Valid until the next call. */
const LoomSweepSample *loom_sweep_get_samples (const LoomSweep *sweep, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSweep, loom_sweep_free)

G_END_DECLS
