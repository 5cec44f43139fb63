/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-straggler-work.h"

#include <string.h>

#include "loom-work-kind.h"

/* Number of outermost spans of a row that are tested for being steps: a profiler marks steps from the beginning of a
 * row. */
#define LOOKED_FOR_STEPS 16

LoomNameTimes *
loom_straggler_work_new_name_times (void)
{
  return g_hash_table_new (g_str_hash, g_str_equal);
}

static void
add_time (LoomNameTimes *times, const char *name, gint64 ns)
{
  gint64 sum_ns = (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (times, name));
  g_hash_table_insert (times, (gpointer) name, GSIZE_TO_POINTER ((gsize) (sum_ns + ns)));
}

const char *
loom_straggler_work_find_largest (LoomNameTimes *times, gint64 *ns)
{
  const char *most = NULL;
  GHashTableIter iter;
  gpointer name, value;
  *ns = 0;
  g_hash_table_iter_init (&iter, times);
  while (g_hash_table_iter_next (&iter, &name, &value)) {
    gint64 sum_ns = (gint64) GPOINTER_TO_SIZE (value);
    if (sum_ns <= 0 || sum_ns < *ns || (sum_ns == *ns && most != NULL && strcmp (name, most) > 0))
      continue;
    *ns = sum_ns;
    most = name;
  }
  return most;
}

/* Returns TRUE for names such as "ProfilerStep#12": that a rank was in a step doesn't explain why it was late. */
static gboolean
is_step (const char *name)
{
  const char *number = strrchr (name, '#');
  return number != NULL && number[1] != '\0' && strspn (number + 1, "0123456789") == strlen (number + 1);
}

/* The row that contains the parents of a row's spans; NULL for the outermost row. */
static const LoomRow *
find_parent (const LoomTrace *trace, const LoomTrack *track, const LoomRow *row)
{
  for (guint32 i = 0; row->depth > 0 && i < track->n_rows; i++) {
    const LoomRow *other = loom_trace_get_row (trace, track->first_row + i);
    if (other->lane == row->lane && other->depth + 1 == row->depth)
      return other;
  }
  return NULL;
}

/* Returns TRUE if time spent under this name can explain why a rank is late: waits and steps cannot. */
static gboolean
is_counted (const LoomTrace *trace, const guint8 *works, guint32 name_id)
{
  return !loom_work_kind_is_wait (works[name_id]) && !is_step (loom_trace_get_name (trace, name_id)->text);
}

/* Adds the time of a row's spans in a local range to their names. If `parent` is given, subtracts the same time from
 * the names of the enclosing spans, so that self times result. */
static void
add_row (const LoomTrace *trace, const guint8 *works, const LoomRow *row, const LoomRow *parent, LoomRange local,
         gint sign, LoomNameTimes *times)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 end = loom_trace_row_lower_bound (trace, row, local.end_ns);
  for (guint32 i = loom_trace_row_first_ending_after (trace, row, local.begin_ns); i < end; i++) {
    guint32 span = row->first + i;
    gint64 begin_ns = MAX (spans->start_ns[span], local.begin_ns);
    gint64 own_ns =
      loom_time_sub (MIN (loom_time_add (spans->start_ns[span], spans->dur_ns[span]), local.end_ns), begin_ns);
    if (own_ns <= 0)
      continue;
    if (is_counted (trace, works, spans->name_id[span]))
      add_time (times, loom_trace_get_name (trace, spans->name_id[span])->text, sign * own_ns);
    guint32 around = parent != NULL ? loom_trace_row_first_ending_after (trace, parent, begin_ns) : 0;
    if (parent != NULL && around < parent->n && spans->start_ns[parent->first + around] <= begin_ns)
      add_time (times, loom_trace_get_name (trace, spans->name_id[parent->first + around])->text, -sign * own_ns);
  }
}

static gboolean
is_own (const LoomStragglerWork *work, const LoomTrack *track)
{
  gboolean of_rank = work->rank < 0 || track->rank < 0 || track->rank == work->rank;
  return track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DERIVED) == 0 && of_rank &&
         ((track->flags & LOOM_TRACK_DEVICE) == 0) == work->on_host;
}

/* Returns TRUE if the track has step spans, which contain all other spans of its thread. */
static gboolean
has_steps (const LoomTrace *trace, const LoomTrack *track)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
    for (guint32 i = 0; row->depth == 0 && i < MIN (row->n, LOOKED_FOR_STEPS); i++)
      if (is_step (loom_trace_get_name (trace, spans->name_id[row->first + i])->text))
        return TRUE;
  }
  return FALSE;
}

/* Finds the thread of the training loop: the one with step spans, because a separate thread of backward passes often
 * has more events. */
static const LoomTrack *
find_main (const LoomStragglerWork *work, const LoomTrace *trace)
{
  const LoomTrack *main = NULL;
  gboolean steps = FALSE;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (!is_own (work, track) || (track->flags & LOOM_TRACK_NO_EXTENT) != 0)
      continue;
    gboolean has = has_steps (trace, track);
    if (main != NULL && (has != steps ? !has : track->n_events <= main->n_events))
      continue;
    main = track;
    steps = has;
  }
  return main;
}

void
loom_straggler_work_add (const LoomStragglerWork *work, LoomRange range, gint sign, LoomNameTimes *times)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (work->timeline), work->trace);
  const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (work->timeline), work->clock)->map;
  LoomRange local = { loom_clock_map_to_local (map, range.begin_ns), loom_clock_map_to_local (map, range.end_ns) };
  const LoomTrack *main = work->on_host ? find_main (work, trace) : NULL;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (work->on_host ? track != main : !is_own (work, track))
      continue;
    for (guint32 r = 0; r < track->n_rows; r++) {
      const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
      if (row->depth == 0)
        add_row (trace, work->works, row, NULL, local, sign, times);
      else if (work->on_host)
        add_row (trace, work->works, row, find_parent (trace, track, row), local, sign, times);
    }
  }
}
