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

/* Returns the start of the wait of a device for its first work, see the header. If it does not wait, returns the start of
 * this work. */
static gint64
find_wait_begin (LoomTimeline *timeline, const LoomIdleRow *row, const LoomSteps *steps, LoomRange range)
{
  gint64 begin_ns = row->recorded.begin_ns;
  guint32 number, index;
  if (row->is_cut || row->first_launch == G_MAXUINT32)
    return begin_ns;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), row->trace);
  loom_trace_locate_span (trace, row->first_launch, &number, &index);
  const LoomTrack *track = loom_trace_get_track (trace, number);
  const LoomStep *step = find_step (steps, row->trace, track, begin_ns);
  if (step == NULL)
    return begin_ns;
  gint64 from_ns = MAX (MAX (step->begin_ns, range.begin_ns), get_track_start (timeline, row->trace, track));
  return MIN (from_ns, begin_ns);
}

/* Returns the time before the first work of a device as a gap. `begin_ns`: start of the recording. */
static LoomIdleGap
make_gap (LoomTimeline *timeline, const LoomIdleRow *row, gint64 begin_ns, const LoomIdleData *data)
{
  LoomIdleGap gap = { .trace = row->trace,
                      .span = row->first,
                      .host = G_MAXUINT32,
                      .range = { begin_ns, row->recorded.begin_ns },
                      .cause = LOOM_IDLE_CAUSE_UNKNOWN };
  guint32 number, index;
  if (row->first_launch == G_MAXUINT32 || begin_ns >= row->recorded.begin_ns)
    return gap;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), row->trace);
  loom_trace_locate_span (trace, row->first_launch, &number, &index);
  gap.cause = LOOM_IDLE_CAUSE_HOST;
  gap.data_ns = loom_idle_data_measure (loom_idle_data_find (data, row->trace, number), gap.range);
  gap.host = find_host_span (timeline, row->trace, loom_trace_get_track (trace, number), gap.range);
  return gap;
}

/* --- recordings: the devices of a rank in one trace --------------------------------------------------------------- */

typedef struct {
  guint trace;
  gint rank;
  const char *node;
  LoomRange range; /* recorded time of the devices, on the timeline */
} Recording;

static guint
hash_recording (gconstpointer key)
{
  const Recording *recording = key;
  return recording->trace * 2654435761u + (guint) recording->rank;
}

static gboolean
is_same_recording (gconstpointer a, gconstpointer b)
{
  const Recording *x = a, *y = b;
  return x->trace == y->trace && x->rank == y->rank && g_strcmp0 (x->node, y->node) == 0;
}

static Recording *
find_recording (GHashTable *recordings, const LoomIdleRow *row)
{
  const Recording wanted = { .trace = row->trace, .rank = row->rank, .node = row->node, .range = row->recorded };
  Recording *recording = g_hash_table_lookup (recordings, &wanted);
  if (recording == NULL) {
    recording = g_memdup2 (&wanted, sizeof wanted);
    g_hash_table_add (recordings, recording);
  }
  return recording;
}

/* Returns the set of the recordings (Recording). Owned by the caller. */
static GHashTable *
list_recordings (const LoomCollectives *collectives, const GArray *devices, const LoomSteps *steps)
{
  GHashTable *recordings = g_hash_table_new_full (hash_recording, is_same_recording, g_free, NULL);
  for (guint i = 0; i < devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (devices, LoomIdleRow, i);
    LoomRange *range = &find_recording (recordings, row)->range;
    gint64 begin_ns = find_wait_begin (collectives->timeline, row, steps, collectives->range);
    *range = (LoomRange) { MIN (range->begin_ns, begin_ns), MAX (range->end_ns, row->recorded.end_ns) };
  }
  return recordings;
}

/* --- idle time before the first and after the last work ----------------------------------------------------------- */

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

/* Adds the time from the start of a recording to the first work of a device. */
static void
add_before (LoomIdleTime *counted, LoomIdleRow *row, const LoomIdleGap *gap)
{
  gint64 gap_ns = loom_time_sub (gap->range.end_ns, gap->range.begin_ns);
  if (gap_ns <= 0)
    return;
  row->recorded_ns = loom_time_add (row->recorded_ns, gap_ns);
  row->idle_ns = loom_time_add (row->idle_ns, gap_ns);
  row->data_ns = loom_time_add (row->data_ns, gap->data_ns);
  add_gap (&row->binding[gap->cause], gap, gap_ns);
  g_array_append_val (counted->longest, *gap);
  if (gap->cause != LOOM_IDLE_CAUSE_HOST)
    return;
  add_gap (gap->data_ns > gap_ns / 2 ? &row->mostly_data : &row->mostly_host, gap, gap_ns);
  if (gap->data_ns < gap_ns / 2)
    g_array_append_val (counted->longest_for_host, *gap);
}

/* Adds the time from the last work of a device to the end of its recording. */
static void
add_after (LoomIdleRow *row, gint64 end_ns)
{
  gint64 idle_ns = MAX (loom_time_sub (end_ns, row->recorded.end_ns), 0);
  LoomIdleCause cause = row->first_launch != G_MAXUINT32 ? LOOM_IDLE_CAUSE_HOST : LOOM_IDLE_CAUSE_UNKNOWN;
  row->recorded_ns = loom_time_add (row->recorded_ns, idle_ns);
  row->idle_ns = loom_time_add (row->idle_ns, idle_ns);
  row->binding[cause].total_ns = loom_time_add (row->binding[cause].total_ns, idle_ns);
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
  g_autoptr (GHashTable) recordings = list_recordings (collectives, counted->devices, steps);
  for (guint i = 0; i < counted->devices->len; i++) {
    LoomIdleRow *row = &g_array_index (counted->devices, LoomIdleRow, i);
    const LoomRange recorded = find_recording (recordings, row)->range;
    const LoomIdleGap gap = make_gap (collectives->timeline, row, recorded.begin_ns, data);
    add_before (counted, row, &gap);
    add_after (row, recorded.end_ns);
    row->recorded = recorded;
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

gint64
loom_idle_start_get_before (const LoomIdleRow *idle, const LoomIdleRow *counted)
{
  return loom_time_sub (idle->recorded.begin_ns, counted->recorded.begin_ns);
}
