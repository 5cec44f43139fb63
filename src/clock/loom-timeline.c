/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline.h"

#include "loom-timeline-coverage.h"

#include <glib/gi18n.h>
#include <string.h>

/* The name of the first metrics file contains a time. This time is used as the origin of the timeline only if it is
 * at most this many ns before the earliest event of the clocks with UTC time. */
#define ORIGIN_LEAD (60 * LOOM_NS_PER_S)
#define SECONDS_DIGITS 10

struct _LoomTimeline {
  gatomicrefcount refs;
  LoomRun *run;
  LoomAlignment *alignment;
  LoomRange extent;
  gboolean has_extent, is_anchored;
  gint64 origin_ns;
  /* TRUE if the origin is the start of the first metrics file; FALSE if it is the time of an event */
  gboolean is_origin_of_metrics;
  LoomTimelineCoverage coverage;
  gpointer kept;
  GDestroyNotify free_kept;
};

static void
widen (LoomRange *extent, gboolean *has, LoomRange part)
{
  if (*has) {
    part.begin_ns = MIN (part.begin_ns, extent->begin_ns);
    part.end_ns = MAX (part.end_ns, extent->end_ns);
  }
  *extent = part;
  *has = TRUE;
}

/* Sets `extent` to the time from the first to the last event of a clock, on the timeline. Returns FALSE if the clock
 * has no events. */
static gboolean
get_extent (const LoomTimeline *timeline, guint trace, guint clock, LoomRange *extent)
{
  const LoomClockMap *map = loom_timeline_get_map (timeline, trace, clock);
  LoomRange local;
  if (!loom_trace_get_extent (loom_run_get_trace (timeline->run, trace), clock, &local))
    return FALSE;
  *extent =
    (LoomRange) { loom_clock_map_to_timeline (map, local.begin_ns), loom_clock_map_to_timeline (map, local.end_ns) };
  return TRUE;
}

/* Computes the extent of all clocks. Sets `anchored` to the extent of the clocks with UTC time. */
static void
measure (LoomTimeline *timeline, LoomRange *anchored)
{
  for (guint t = 0; t < loom_run_get_n_traces (timeline->run); t++) {
    guint first_clock = loom_run_get_first_clock (timeline->run, t);
    for (guint c = 0; c < loom_trace_get_n_clocks (loom_run_get_trace (timeline->run, t)); c++) {
      LoomRange extent;
      if (!get_extent (timeline, t, c, &extent))
        continue;
      widen (&timeline->extent, &timeline->has_extent, extent);
      if (loom_alignment_get (timeline->alignment, first_clock + c)->anchored)
        widen (anchored, &timeline->is_anchored, extent);
    }
  }
}

/* The name of a metrics file begins with a time in seconds. Returns this time in timeline ns; LOOM_TIME_NONE if the
 * name does not begin with a time. */
static gint64
time_of_name (const LoomTimeline *timeline, guint source)
{
  g_autofree char *name = g_path_get_basename (loom_run_get_source (timeline->run, source)->path);
  char *end;
  guint64 seconds = g_ascii_strtoull (name, &end, 10);
  if (!g_ascii_isdigit (name[0]) || end != name + SECONDS_DIGITS)
    return LOOM_TIME_NONE;
  guint clock = loom_run_get_clock_of_source (timeline->run, source);
  return loom_clock_map_to_timeline (&loom_alignment_get (timeline->alignment, clock)->map,
                                     (gint64) seconds * LOOM_NS_PER_S);
}

static gint64
find_origin (LoomTimeline *timeline, const LoomRange *anchored)
{
  if (!timeline->is_anchored)
    return timeline->has_extent ? timeline->extent.begin_ns : 0;
  gint64 earliest_ns = G_MAXINT64;
  for (guint i = 0; i < loom_run_get_n_sources (timeline->run); i++) {
    if (strcmp (loom_run_get_source (timeline->run, i)->format, "smdebug-system") != 0)
      continue;
    gint64 time_ns = time_of_name (timeline, i);
    if (time_ns != LOOM_TIME_NONE)
      earliest_ns = MIN (earliest_ns, time_ns);
  }
  gboolean is_near = earliest_ns >= anchored->begin_ns - ORIGIN_LEAD && earliest_ns <= anchored->end_ns;
  timeline->is_origin_of_metrics = is_near && earliest_ns != anchored->begin_ns;
  return is_near ? earliest_ns : anchored->begin_ns;
}

/* --- times of the spans ------------------------------------------------------------------------------------------- */

/* A device; `track` is one of its tracks. `track` is NULL until a device has been found. */
typedef struct {
  guint trace;
  const LoomTrack *track;
} Device;

static void
cover (LoomRange *covered, LoomRange range)
{
  covered->begin_ns = MIN (covered->begin_ns, range.begin_ns);
  covered->end_ns = MAX (covered->end_ns, range.end_ns);
}

/* Returns TRUE if both devices have the same rank, or if neither has a rank and both belong to the same process.
 * Returns FALSE in all other cases. */
static gboolean
is_same_lane (const Device *a, const Device *b)
{
  if (a->track->rank >= 0 || b->track->rank >= 0)
    return a->track->rank == b->track->rank;
  return a->trace == b->trace && g_strcmp0 (a->track->process, b->track->process) == 0;
}

static void
note_device (LoomTimelineCoverage *coverage, Device *first, Device device)
{
  if (first->track == NULL)
    *first = device;
  coverage->has_ranks |= device.track->rank >= 0;
  coverage->has_lanes |= !is_same_lane (first, &device);
}

static void
measure_spans (LoomTimeline *timeline)
{
  const LoomRange nothing = { G_MAXINT64, G_MININT64 };
  LoomTimelineCoverage *coverage = &timeline->coverage;
  Device first = { 0, NULL };
  *coverage = (LoomTimelineCoverage) { nothing, nothing, FALSE, FALSE };
  for (guint t = 0; t < loom_run_get_n_traces (timeline->run); t++) {
    const LoomTrace *trace = loom_run_get_trace (timeline->run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      gboolean spans = track->kind == LOOM_TRACK_SPANS || track->kind == LOOM_TRACK_ASYNC;
      if (!spans || track->start_ns == LOOM_TIME_NONE)
        continue;
      const LoomClockMap *map = loom_timeline_get_map (timeline, t, track->clock);
      LoomRange range = { loom_clock_map_to_timeline (map, track->start_ns),
                          loom_clock_map_to_timeline (map, track->end_ns) };
      cover (&coverage->spans, range);
      if (track->kind != LOOM_TRACK_SPANS || (track->flags & LOOM_TRACK_DEVICE) == 0)
        continue;
      cover (&coverage->devices, range);
      note_device (coverage, &first, (Device) { t, track });
    }
  }
}

const LoomTimelineCoverage *
loom_timeline_coverage_get (const LoomTimeline *timeline)
{
  return &timeline->coverage;
}

LoomTimeline *
loom_timeline_new (LoomRun *run, LoomAlignment *alignment)
{
  LoomTimeline *timeline = g_new0 (LoomTimeline, 1);
  g_atomic_ref_count_init (&timeline->refs);
  timeline->run = loom_run_ref (run);
  timeline->alignment = loom_alignment_ref (alignment);
  LoomRange anchored = { 0, 0 };
  measure (timeline, &anchored);
  timeline->origin_ns = find_origin (timeline, &anchored);
  measure_spans (timeline);
  return timeline;
}

LoomTimeline *
loom_timeline_ref (LoomTimeline *timeline)
{
  g_atomic_ref_count_inc (&timeline->refs);
  return timeline;
}

void
loom_timeline_unref (LoomTimeline *timeline)
{
  if (timeline == NULL || !g_atomic_ref_count_dec (&timeline->refs))
    return;
  if (timeline->kept != NULL)
    timeline->free_kept (timeline->kept);
  loom_run_unref (timeline->run);
  loom_alignment_unref (timeline->alignment);
  g_free (timeline);
}

void
loom_timeline_keep (LoomTimeline *timeline, gpointer made, GDestroyNotify free_func)
{
  g_return_if_fail (timeline->kept == NULL);
  timeline->free_kept = free_func;
  timeline->kept = made;
}

gpointer
loom_timeline_take (LoomTimeline *timeline, GDestroyNotify free_func)
{
  return timeline->free_kept == free_func ? g_atomic_pointer_exchange (&timeline->kept, NULL) : NULL;
}

LoomRun *
loom_timeline_get_run (const LoomTimeline *timeline)
{
  return timeline->run;
}

LoomAlignment *
loom_timeline_get_alignment (const LoomTimeline *timeline)
{
  return timeline->alignment;
}

const LoomClockMap *
loom_timeline_get_map (const LoomTimeline *timeline, guint trace, guint clock)
{
  guint flat = loom_run_get_first_clock (timeline->run, trace) + clock;
  return &loom_alignment_get (timeline->alignment, flat)->map;
}

gboolean
loom_timeline_get_extent (const LoomTimeline *timeline, LoomRange *range)
{
  *range = timeline->extent;
  return timeline->has_extent;
}

gint64
loom_timeline_get_start (const LoomTimeline *timeline)
{
  return timeline->has_extent ? timeline->extent.begin_ns : timeline->origin_ns;
}

gint64
loom_timeline_get_origin (const LoomTimeline *timeline)
{
  return timeline->origin_ns;
}

const char *
loom_timeline_get_origin_words (const LoomTimeline *timeline)
{
  if (timeline->is_origin_of_metrics)
    return N_ ("the start of the first file of system metrics");
  return timeline->is_anchored ? N_ ("the first event") : N_ ("the first event, whose date is unknown");
}

gboolean
loom_timeline_is_anchored (const LoomTimeline *timeline)
{
  return timeline->is_anchored;
}

int
loom_timeline_compare_dates (const LoomTimeline *a, const LoomTimeline *b)
{
  gint64 a_ns = loom_timeline_get_start (a), b_ns = loom_timeline_get_start (b);
  return a->is_anchored && b->is_anchored ? (a_ns > b_ns) - (a_ns < b_ns) : 0;
}

static guint
find_clock (const LoomTimeline *timeline, const LoomTrace *trace, LoomSpanId id)
{
  guint32 track = 0, row = 0;
  guint clock = 0;
  if (loom_trace_get_n_clocks (trace) > 1) {
    loom_trace_locate_span (trace, id.span, &track, &row);
    clock = loom_trace_get_track (trace, track)->clock;
  }
  return loom_run_get_first_clock (timeline->run, id.trace) + clock;
}

guint
loom_timeline_get_clock (const LoomTimeline *timeline, LoomSpanId id)
{
  return find_clock (timeline, loom_run_get_trace (timeline->run, id.trace), id);
}

void
loom_timeline_get_span (const LoomTimeline *timeline, LoomSpanId id, gint64 *start_ns, gint64 *end_ns)
{
  const LoomTrace *trace = loom_run_get_trace (timeline->run, id.trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_return_if_fail (id.span < spans->n);
  const LoomClockMap *map = &loom_alignment_get (timeline->alignment, find_clock (timeline, trace, id))->map;
  gint64 dur_ns = loom_trace_span_is_instant (trace, id.span) ? 0 : spans->dur_ns[id.span];
  *start_ns = loom_clock_map_to_timeline (map, spans->start_ns[id.span]);
  *end_ns = loom_clock_map_to_timeline (map, spans->start_ns[id.span] + dur_ns);
}

/* --- gaps between the extents of clocks --------------------------------------------------------------------------- */

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const LoomRange *) a)->begin_ns, y = ((const LoomRange *) b)->begin_ns;
  return x < y ? -1 : x > y;
}

/* Returns the extents (LoomRange) of all clocks that have events, sorted by start. */
static GArray *
list_extents (const LoomTimeline *timeline)
{
  GArray *extents = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint t = 0; t < loom_run_get_n_traces (timeline->run); t++)
    for (guint c = 0; c < loom_trace_get_n_clocks (loom_run_get_trace (timeline->run, t)); c++) {
      LoomRange extent;
      if (get_extent (timeline, t, c, &extent))
        g_array_append_val (extents, extent);
    }
  g_array_sort (extents, compare_begins);
  return extents;
}

gint64
loom_timeline_find_gap (const LoomTimeline *timeline, gint64 *recorded_ns)
{
  g_autoptr (GArray) extents = list_extents (timeline);
  gint64 longest_ns = 0, end_ns = extents->len > 0 ? g_array_index (extents, LoomRange, 0).begin_ns : 0;
  *recorded_ns = 0;
  for (guint i = 0; i < extents->len; i++) {
    const LoomRange *extent = &g_array_index (extents, LoomRange, i);
    gint64 begin_ns = MAX (extent->begin_ns, end_ns);
    longest_ns = MAX (longest_ns, loom_time_sub (begin_ns, end_ns));
    *recorded_ns = loom_time_add (*recorded_ns, MAX (loom_time_sub (extent->end_ns, begin_ns), 0));
    end_ns = MAX (end_ns, extent->end_ns);
  }
  return longest_ns;
}
