/* SPDX-License-Identifier: Apache-2.0
 *
 * A timeline: a run and the alignment of its clocks. It converts the local time of each event to timeline time. All
 * panels, painters, exports and commands read their events from a timeline. It is immutable and atomically ref-counted,
 * and may be read from any thread.
 */
#pragma once

#include "loom-alignment.h"

typedef struct _LoomTimeline LoomTimeline;

/* A span or instant of the timeline, given by the index of its trace in the run and its index in the columns of the
 * spans of this trace. */
typedef struct {
  guint32 trace;
  guint32 span;
} LoomSpanId;

#define LOOM_SPAN_ID_NONE ((LoomSpanId) { G_MAXUINT32, G_MAXUINT32 })

static inline gboolean
loom_timeline_span_id_equal (LoomSpanId a, LoomSpanId b)
{
  return a.trace == b.trace && a.span == b.span;
}

static inline gboolean
loom_timeline_span_id_is_none (LoomSpanId id)
{
  return id.trace == G_MAXUINT32;
}

/* Makes a timeline from a run and the alignment of the clocks of this run. Takes references to both. */
LoomTimeline *loom_timeline_new (LoomRun *run, LoomAlignment *alignment);
LoomTimeline *loom_timeline_ref (LoomTimeline *timeline);
void loom_timeline_unref (LoomTimeline *timeline);

/* Stores one object that a worker thread has computed from the timeline in advance. The first call of
 * loom_timeline_take() returns the object. If there is no such call, the object is freed with the timeline. This
 * function must be called before other threads use the timeline. The object must not own a reference to the
 * timeline. */
void loom_timeline_keep (LoomTimeline *timeline, gpointer made, GDestroyNotify free_func);
/* Returns the stored object, if it was stored with this `free_func`. Returns NULL if it was stored with another
 * `free_func`, or if it has been taken already. Owned by the caller. Any thread. */
gpointer loom_timeline_take (LoomTimeline *timeline, GDestroyNotify free_func);

LoomRun *loom_timeline_get_run (const LoomTimeline *timeline);
LoomAlignment *loom_timeline_get_alignment (const LoomTimeline *timeline);

/* Returns the map that converts the times of a clock to timeline time; borrowed. `clock`: index of the clock in the
 * trace, such as LoomTrack.clock. */
const LoomClockMap *loom_timeline_get_map (const LoomTimeline *timeline, guint trace, guint clock);

/* Sets `range` to the extent of the whole run, from its first to its last event. Does not count events whose times
 * are not credible (LOOM_REF_SUSPECT), nor tracks with the flag LOOM_TRACK_NO_EXTENT. Returns FALSE if the run is
 * empty. */
gboolean loom_timeline_get_extent (const LoomTimeline *timeline, LoomRange *range);

/* Returns the start of the extent, which is the zero of relative times in the window. If the run is empty, returns
 * the origin. */
gint64 loom_timeline_get_start (const LoomTimeline *timeline);
/* Returns the start of the job (the origin), which is the zero of relative times in reports and exported files. It
 * is the earliest time of a clock with UTC time. For a SageMaker folder, it is the start of the first file of system
 * metrics, which is before the first event. */
gint64 loom_timeline_get_origin (const LoomTimeline *timeline);
/* Returns a static description of the origin, such as "the first event". It is not translated, but marked for
 * translation. */
const char *loom_timeline_get_origin_words (const LoomTimeline *timeline);

/* Returns TRUE if timeline times are UTC. For this, the UTC time of at least one source must be known. */
gboolean loom_timeline_is_anchored (const LoomTimeline *timeline);
/* Returns a negative number if the run of `a` was recorded before that of `b`, a positive number if it was recorded
 * after it; 0 if both start at the same time, or if a date is unknown. */
int loom_timeline_compare_dates (const LoomTimeline *a, const LoomTimeline *b);

/* Returns the index, in the run, of the clock with which the times of a span were measured. */
guint loom_timeline_get_clock (const LoomTimeline *timeline, LoomSpanId id);

/* Returns the start and end of a span in timeline ns. For an instant, both are equal. */
void loom_timeline_get_span (const LoomTimeline *timeline, LoomSpanId id, gint64 *start_ns, gint64 *end_ns);

/* A clock covers the time from its first to its last event. A gap is a time between two clocks that no clock covers.
 * Returns the length of the longest gap in ns; 0 if there is no gap. Sets `recorded_ns` to the total length of the time
 * that at least one clock covers. */
gint64 loom_timeline_find_gap (const LoomTimeline *timeline, gint64 *recorded_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTimeline, loom_timeline_unref)
