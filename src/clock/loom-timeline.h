/* SPDX-License-Identifier: Apache-2.0
 *
 * A run and the alignment of its clocks: converts the local time of each event to timeline time. Every panel, painter,
 * export and command reads its events from here. Immutable, ref-counted atomically, readable from any thread.
 */
#pragma once

#include "loom-alignment.h"

typedef struct _LoomTimeline LoomTimeline;

/* A span or instant of the timeline: index of the trace in the run, and index in the columns of its spans. */
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

/* Makes a timeline of a run whose clocks are aligned by `alignment`. Takes references to both. */
LoomTimeline *loom_timeline_new (LoomRun *run, LoomAlignment *alignment);
LoomTimeline *loom_timeline_ref (LoomTimeline *timeline);
void loom_timeline_unref (LoomTimeline *timeline);

/* Stores one object that a worker computed from the timeline in advance. The first caller of loom_timeline_take() gets
 * the object; if nobody takes it, it is freed with the timeline. Must be called before other threads use the timeline.
 * The object must not own a reference to the timeline. */
void loom_timeline_keep (LoomTimeline *timeline, gpointer made, GDestroyNotify free_func);
/* Returns the stored object if it was stored with this `free_func`. Returns NULL if it was stored with another
 * `free_func`, or was taken already. Owned by the caller. Any thread. */
gpointer loom_timeline_take (LoomTimeline *timeline, GDestroyNotify free_func);

LoomRun *loom_timeline_get_run (const LoomTimeline *timeline);
LoomAlignment *loom_timeline_get_alignment (const LoomTimeline *timeline);

/* Returns the map of a clock of a trace; borrowed. `clock`: index of the clock in the trace, such as
 * LoomTrack.clock. */
const LoomClockMap *loom_timeline_get_map (const LoomTimeline *timeline, guint trace, guint clock);

/* Sets `range` to the extent of the whole run. Events whose times are not credible (LOOM_REF_SUSPECT) and tracks with
 * the flag LOOM_TRACK_NO_EXTENT do not count. Returns FALSE if the run is empty. */
gboolean loom_timeline_get_extent (const LoomTimeline *timeline, LoomRange *range);

/* Returns the start of the extent, which is the zero of relative times in the window; the origin if the run is
 * empty. */
gint64 loom_timeline_get_start (const LoomTimeline *timeline);
/* Returns the start of the job, the zero of relative times in reports and exported files: the earliest time of an
 * anchored clock; for a SageMaker folder, the start of its first file of system metrics, which precedes the first
 * event. */
gint64 loom_timeline_get_origin (const LoomTimeline *timeline);
/* Returns a description of the origin, such as "the first event". Untranslated, but marked for translation; static. */
const char *loom_timeline_get_origin_words (const LoomTimeline *timeline);

/* Returns TRUE if the timeline's ns are UTC, which needs at least one anchored source. */
gboolean loom_timeline_is_anchored (const LoomTimeline *timeline);

/* Returns the index, in the run, of the clock that times a span. */
guint loom_timeline_get_clock (const LoomTimeline *timeline, LoomSpanId id);

/* Sets the start and end of a span on the timeline, ns. For instants, both are equal. */
void loom_timeline_get_span (const LoomTimeline *timeline, LoomSpanId id, gint64 *start_ns, gint64 *end_ns);

/* Returns the length of the longest gap between the times of the clocks; 0 if there are fewer than two clocks. Sets
 * `recorded_ns` to the total length of the time that at least one clock covers. */
gint64 loom_timeline_find_gap (const LoomTimeline *timeline, gint64 *recorded_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTimeline, loom_timeline_unref)
