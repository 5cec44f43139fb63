/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-idle-start.h"

#include "loom-idle-data.h"
#include "loom-span-walk.h"
#include "loom-step-collector.h"

/* Returns the start of the first span on a track, which must have spans. */
static gint64
get_track_start (LoomTimeline *timeline, guint trace, const LoomTrack *track)
{
  LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  gint64 first_ns = G_MAXINT64;
  for (guint32 i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (own, track->first_row + i);
    gint64 start_ns, end_ns;
    if (row->n == 0)
      continue;
    loom_timeline_get_span (timeline, (LoomSpanId) { trace, row->first }, &start_ns, &end_ns);
    first_ns = MIN (first_ns, start_ns);
  }
  return first_ns;
}

/* Returns the innermost span of the launching thread in the middle of the gap. G_MAXUINT32: there is none, or it only
 * marks a step. */
static guint32
find_host_span (LoomTimeline *timeline, guint trace, const LoomTrack *track, LoomRange gap)
{
  LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  gint64 middle_ns = gap.begin_ns + (gap.end_ns - gap.begin_ns) / 2;
  const LoomClockMap *map = loom_timeline_get_map (timeline, trace, track->clock);
  guint32 span = loom_span_walk_find_innermost (own, track, loom_clock_map_to_local (map, middle_ns));
  if (span == G_MAXUINT32)
    return span;
  guint32 name = loom_trace_get_spans (own)->name_id[span];
  return loom_step_collector_states_number (loom_trace_get_name (own, name)) ? G_MAXUINT32 : span;
}

/* Returns the step that contains `time_ns`. The step must belong to the rank of the thread or, if the file has no
 * ranks, to its process. NULL: there is none. O(steps). */
static const LoomStep *
find_step (const LoomSteps *steps, guint trace, const LoomTrack *track, gint64 time_ns)
{
  const LoomStep *found = NULL;
  if (track->rank >= 0) {
    gboolean any = loom_steps_at_rank (steps, track->node, track->rank, NULL, time_ns, &found);
    return any && found != NULL && found->end_ns > time_ns ? found : NULL;
  }
  for (guint i = 0; i < steps->n && steps->all[i].begin_ns <= time_ns; i++) {
    const LoomStep *step = &steps->all[i];
    if (step->rank < 0 && step->span.trace == trace && step->end_ns > time_ns)
      found = step;
  }
  return found;
}

static LoomIdleGap
make_gap (LoomTimeline *timeline, const LoomIdleRow *row, const LoomSteps *steps, LoomRange range,
          const LoomIdleData *data)
{
  LoomIdleGap gap = { .trace = row->trace, .span = row->first, .host = G_MAXUINT32, .cause = LOOM_IDLE_CAUSE_HOST };
  gint64 begin_ns, end_ns;
  guint32 number, index;
  if (row->is_cut || row->first_launch == G_MAXUINT32)
    return gap;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), row->trace);
  loom_trace_locate_span (trace, row->first_launch, &number, &index);
  const LoomTrack *track = loom_trace_get_track (trace, number);
  loom_timeline_get_span (timeline, (LoomSpanId) { row->trace, row->first }, &begin_ns, &end_ns);
  const LoomStep *step = find_step (steps, row->trace, track, begin_ns);
  if (step == NULL)
    return gap;
  gint64 from_ns = MAX (MAX (step->begin_ns, range.begin_ns), get_track_start (timeline, row->trace, track));
  if (from_ns >= begin_ns)
    return gap;
  gap.range = (LoomRange) { from_ns, begin_ns };
  gap.data_ns = loom_idle_data_measure (loom_idle_data_find (data, row->trace, number), gap.range);
  gap.host = find_host_span (timeline, row->trace, track, gap.range);
  return gap;
}

static void
add_gap (LoomIdleGaps *gaps, const LoomIdleGap *gap, gint64 gap_ns)
{
  if (gap_ns > gaps->longest_ns) {
    gaps->longest = gap->range;
    gaps->longest_ns = gap_ns;
    gaps->span = gap->span;
  }
  gaps->n++;
  gaps->total_ns = loom_time_add (gaps->total_ns, gap_ns);
}

static void
add_to_row (LoomIdleRow *row, const LoomIdleGap *gap)
{
  gint64 gap_ns = loom_time_sub (gap->range.end_ns, gap->range.begin_ns);
  row->recorded_ns = loom_time_add (row->recorded_ns, gap_ns);
  row->idle_ns = loom_time_add (row->idle_ns, gap_ns);
  row->data_ns = loom_time_add (row->data_ns, gap->data_ns);
  add_gap (&row->binding[LOOM_IDLE_CAUSE_HOST], gap, gap_ns);
  add_gap (gap->data_ns > gap_ns / 2 ? &row->mostly_data : &row->mostly_host, gap, gap_ns);
}

static GArray *
copy (GArray *array, gsize size)
{
  GArray *own = g_array_sized_new (FALSE, FALSE, (guint) size, array->len);
  return g_array_append_vals (own, array->data, array->len);
}

static LoomIdleTime *
copy_idle (const LoomIdleTime *idle)
{
  LoomIdleTime *counted = g_new (LoomIdleTime, 1);
  *counted = *idle;
  counted->devices = copy (idle->devices, sizeof (LoomIdleRow));
  counted->longest = copy (idle->longest, sizeof (LoomIdleGap));
  counted->longest_for_host = copy (idle->longest_for_host, sizeof (LoomIdleGap));
  counted->streams = g_array_ref (idle->streams);
  counted->launches = g_array_ref (idle->launches);
  return counted;
}

static LoomIdleTime *
add_starts (const LoomCollectives *collectives, const LoomIdleTime *idle, const LoomSteps *steps,
            const LoomIdleData *data)
{
  LoomIdleTime *counted = copy_idle (idle);
  for (guint i = 0; i < counted->devices->len; i++) {
    LoomIdleRow *row = &g_array_index (counted->devices, LoomIdleRow, i);
    const LoomIdleGap gap = make_gap (collectives->timeline, row, steps, collectives->range, data);
    gint64 gap_ns = loom_time_sub (gap.range.end_ns, gap.range.begin_ns);
    if (gap_ns <= 0)
      continue;
    add_to_row (row, &gap);
    g_array_append_val (counted->longest, gap);
    if (gap.data_ns < gap_ns / 2)
      g_array_append_val (counted->longest_for_host, gap);
  }
  loom_idle_time_cut_gaps (counted->longest);
  loom_idle_time_cut_gaps (counted->longest_for_host);
  return counted;
}

static gpointer
make (const LoomCollectives *collectives, GCancellable *cancellable)
{
  const LoomIdleTime *idle = loom_idle_time_get (collectives, cancellable);
  g_autoptr (LoomSteps) steps = idle != NULL ? loom_steps_new (collectives->timeline, cancellable) : NULL;
  g_autoptr (LoomIdleData) data =
    steps != NULL ? loom_idle_data_new (collectives->timeline, collectives->range, cancellable) : NULL;
  return data != NULL ? add_starts (collectives, idle, steps, data) : NULL;
}

static void
free_counted (gpointer counted)
{
  loom_idle_time_free (counted);
}

const LoomIdleTime *
loom_idle_start_get (const LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL, NULL);
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_IDLE_START, make, free_counted, cancellable);
}
