/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-times.h"

#include "loom-main-thread.h"

/* Sums of times. If `times` is not NULL, the times of all names are summed in this table, see loom_name_times_add(). If
 * `times` is NULL, only the time of `name` is summed, in `ns`. */
typedef struct {
  GHashTable *times;
  const char *name;
  gint64 ns;
} Sums;

/* One row of the spans of a rank; a row contains the spans of one nesting level. `parent`: the row with the enclosing
 * spans; NULL: the spans are the outermost ones, or enclosing spans do not matter. `local`: the range whose times are
 * summed, on the trace's own clock. */
typedef struct {
  const LoomTrace *trace;
  const char *const *names;
  const LoomRow *row, *parent;
  LoomRange local;
  gint sign;
} Part;

/* Adds a time to the sum of a name. `name` is NULL for spans that do not count. */
static inline void
add_time (Sums *sums, const char *name, gint64 ns)
{
  if (sums->times == NULL) {
    sums->ns += name == sums->name ? ns : 0;
  } else if (name != NULL) {
    gint64 sum_ns = (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (sums->times, name));
    g_hash_table_insert (sums->times, (gpointer) name, GSIZE_TO_POINTER ((gsize) (sum_ns + ns)));
  }
}

/* Returns the row that contains the parents of a row's spans; NULL for the outermost row. */
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

/* `around`: index of a span in the parent row. Returns the index of the first span, from `around` on, for which one of
 * two conditions holds: it starts at or after `time_ns`, or it ends after `time_ns`. The result equals that of
 * loom_trace_row_first_ending_after(). This search is faster: the times of successive calls ascend, so each span is
 * visited once. */
static guint32
move_on (const Part *part, guint32 around, gint64 time_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (part->trace);
  for (; around < part->parent->n; around++) {
    guint32 span = part->parent->first + around;
    if (spans->start_ns[span] >= time_ns || loom_time_add (spans->start_ns[span], spans->dur_ns[span]) > time_ns)
      break;
  }
  return around;
}

/* For each span of a row, adds sign × duration to the time of the span's name. Only time in the range counts. Subtracts
 * the same time from the name of the enclosing span, so that the results are self times. */
static void
add_row (const Part *part, Sums *sums)
{
  const LoomSpans *spans = loom_trace_get_spans (part->trace);
  const LoomRow *row = part->row, *parent = part->parent;
  guint32 i = loom_trace_row_first_ending_after (part->trace, row, part->local.begin_ns),
          end = loom_trace_row_lower_bound (part->trace, row, part->local.end_ns), around = 0;
  if (parent != NULL && i < end)
    around = loom_trace_row_first_ending_after (part->trace, parent,
                                                MAX (spans->start_ns[row->first + i], part->local.begin_ns));
  for (; i < end; i++) {
    guint32 span = row->first + i;
    gint64 begin_ns = MAX (spans->start_ns[span], part->local.begin_ns);
    gint64 own_ns =
      loom_time_sub (MIN (loom_time_add (spans->start_ns[span], spans->dur_ns[span]), part->local.end_ns), begin_ns);
    if (own_ns <= 0)
      continue;
    add_time (sums, part->names[spans->name_id[span]], part->sign * own_ns);
    if (parent == NULL)
      continue;
    around = move_on (part, around, begin_ns);
    if (around < parent->n && spans->start_ns[parent->first + around] <= begin_ns)
      add_time (sums, part->names[spans->name_id[parent->first + around]], -part->sign * own_ns);
  }
}

static void
add_all (const LoomNameTimes *work, LoomRange range, gint sign, Sums *sums)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (work->timeline), work->trace);
  const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (work->timeline), work->clock)->map;
  LoomRange local = { loom_clock_map_to_local (map, range.begin_ns), loom_clock_map_to_local (map, range.end_ns) };
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (work->on_host ? track != work->main : !loom_main_thread_is_own (track, work->rank, FALSE))
      continue;
    for (guint32 r = 0; r < track->n_rows; r++) {
      const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
      if (row->depth > 0 && !work->on_host)
        continue;
      const Part part = { trace, work->names, row, find_parent (trace, track, row), local, sign };
      add_row (&part, sums);
    }
  }
}

void
loom_name_times_add (const LoomNameTimes *work, LoomRange range, gint sign, GHashTable *times)
{
  Sums sums = { .times = times };
  add_all (work, range, sign, &sums);
}

gint64
loom_name_times_get (const LoomNameTimes *work, LoomRange range, const char *name)
{
  Sums sums = { .name = name };
  if (name != NULL)
    add_all (work, range, 1, &sums);
  return sums.ns;
}
