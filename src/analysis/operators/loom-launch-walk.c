/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-launch-walk.h"

#include "loom-launch-ids.h"
#include "loom-work-kind.h"

void
loom_launch_walk_init_arrows (LoomLaunchWalk *walk, const LoomTrace *trace)
{
  *walk = (LoomLaunchWalk) { .trace = trace,
                             .spans = loom_trace_get_spans (trace),
                             .by_target = loom_trace_get_arrows_by_target (trace),
                             .works = { loom_work_kind_of_names (trace, FALSE), loom_work_kind_of_names (trace, TRUE) },
                             .rows = g_array_new (FALSE, FALSE, sizeof (LoomLaunchWalkRow)) };
  walk->arrows = loom_trace_get_arrows (trace, &walk->n_arrows);
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    walk->host_has_work |= walk->works[0][i] < LOOM_WORK_KIND_DEVICE_OTHER;
}

void
loom_launch_walk_init (LoomLaunchWalk *walk, const LoomTrace *trace)
{
  loom_launch_walk_init_arrows (walk, trace);
  walk->ids = loom_launch_ids_get (trace);
}

void
loom_launch_walk_clear (LoomLaunchWalk *walk)
{
  g_free (walk->works[0]);
  g_free (walk->works[1]);
  g_clear_pointer (&walk->rows, g_array_unref);
}

/* Returns the index in walk->by_target of the first arrow that leads to the span or to a later span. O(log n). */
static guint32
find_arrow (const LoomLaunchWalk *walk, guint32 span)
{
  guint32 low = 0, high = walk->n_arrows;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (walk->arrows[walk->by_target[middle]].to < span)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the call that launched a kernel. `launch`: the call at which the arrow to the kernel starts. In files that
 * were written from 2020 to 2022, this may be the call before the launch, because they round times to whole
 * microseconds: if that call takes 0 µs and the launch begins at the same time, the call appears to be inside the
 * launch, and the arrow is bound to the call. Then returns the call around it. */
static guint32
get_longer_call (const LoomLaunchWalk *walk, guint32 launch)
{
  if (launch == G_MAXUINT32 || walk->spans->dur_ns[launch] > 0)
    return launch;
  guint32 parent = loom_trace_get_parent (walk->trace, launch);
  gboolean same = parent != G_MAXUINT32 && walk->spans->start_ns[parent] == walk->spans->start_ns[launch] &&
                  walk->works[0][walk->spans->name_id[parent]] == LOOM_WORK_KIND_RUNTIME;
  return same ? parent : launch;
}

/* Returns the launch of a span, see loom_launch_walk_next(), and sets `n_calls` to the number of different runtime
 * calls from which arrows lead to the span. */
static guint32
find_launch (const LoomLaunchWalk *walk, guint32 *arrow, guint32 span, guint *n_calls)
{
  guint32 launch = G_MAXUINT32;
  *n_calls = 0;
  while (*arrow < walk->n_arrows && walk->arrows[walk->by_target[*arrow]].to < span)
    ++*arrow;
  for (; *arrow < walk->n_arrows && walk->arrows[walk->by_target[*arrow]].to == span; ++*arrow) {
    guint32 from = walk->arrows[walk->by_target[*arrow]].from;
    gboolean call = walk->works[0][walk->spans->name_id[from]] == LOOM_WORK_KIND_RUNTIME;
    *n_calls += call && (*n_calls == 0 || from != launch);
    if (call || *n_calls == 0)
      launch = from;
  }
  guint32 by_id = walk->ids != NULL && walk->ids->len > 0 ? loom_launch_ids_find (walk->ids, span) : G_MAXUINT32;
  return by_id != G_MAXUINT32 ? by_id : get_longer_call (walk, launch);
}

static gboolean
is_work (const LoomLaunchWalk *walk, const LoomLaunchWalkRow *row, guint32 span)
{
  return row->works[walk->spans->name_id[span]] < LOOM_WORK_KIND_DEVICE_OTHER &&
         (loom_source_ref_flags (walk->spans->ref[span]) & LOOM_REF_SUSPECT) == 0;
}

/* Skips spans of the row that are not kernels or copies. Returns FALSE at the end of the row. */
static gboolean
skip_other (const LoomLaunchWalk *walk, LoomLaunchWalkRow *row)
{
  while (row->next < row->end && !is_work (walk, row, row->next))
    row->next++;
  return row->next < row->end;
}

void
loom_launch_walk_begin (LoomLaunchWalk *walk)
{
  g_array_set_size (walk->rows, 0);
}

static gboolean
has_work (const LoomLaunchWalk *walk, const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) == 0 &&
         (loom_work_kind_is_device_track (track) || walk->host_has_work);
}

void
loom_launch_walk_find_around (const LoomLaunchWalk *walk, const LoomTrack *track, LoomRange local, gint64 *before_ns,
                              gint64 *after_ns)
{
  const LoomSpans *spans = walk->spans;
  if (!has_work (walk, track))
    return;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (walk->trace, track->first_row + k);
    guint32 first = row->first + loom_trace_row_first_ending_after (walk->trace, row, local.begin_ns);
    LoomLaunchWalkRow later = { row->first + loom_trace_row_lower_bound (walk->trace, row, local.end_ns),
                                row->first + row->n, 0, walk->works[loom_work_kind_is_device_track (track)] };
    while (first > row->first && !is_work (walk, &later, first - 1))
      first--;
    if (first > row->first)
      *before_ns = MAX (*before_ns, loom_time_add (spans->start_ns[first - 1], spans->dur_ns[first - 1]));
    if (skip_other (walk, &later))
      *after_ns = MIN (*after_ns, spans->start_ns[later.next]);
  }
}

void
loom_launch_walk_add_track (LoomLaunchWalk *walk, const LoomTrack *track, LoomRange local)
{
  gboolean device = loom_work_kind_is_device_track (track);
  if (!has_work (walk, track))
    return;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (walk->trace, track->first_row + k);
    LoomLaunchWalkRow own = { row->first + loom_trace_row_first_ending_after (walk->trace, row, local.begin_ns),
                              row->first + loom_trace_row_lower_bound (walk->trace, row, local.end_ns), 0,
                              walk->works[device] };
    if (!skip_other (walk, &own))
      continue;
    own.arrow = find_arrow (walk, own.next);
    g_array_append_val (walk->rows, own);
  }
}

static gboolean
move_on (LoomLaunchWalk *walk, guint32 *span, guint32 *launch, guint *n_calls)
{
  guint earliest = 0;
  for (guint i = 1; i < walk->rows->len; i++) {
    const LoomLaunchWalkRow *row = &g_array_index (walk->rows, LoomLaunchWalkRow, i);
    guint32 next = g_array_index (walk->rows, LoomLaunchWalkRow, earliest).next;
    if (walk->spans->start_ns[row->next] < walk->spans->start_ns[next])
      earliest = i;
  }
  if (walk->rows->len == 0)
    return FALSE;
  LoomLaunchWalkRow *row = &g_array_index (walk->rows, LoomLaunchWalkRow, earliest);
  *span = row->next++;
  *launch = find_launch (walk, &row->arrow, *span, n_calls);
  if (!skip_other (walk, row))
    g_array_remove_index (walk->rows, earliest);
  return TRUE;
}

gboolean
loom_launch_walk_next (LoomLaunchWalk *walk, guint32 *span, guint32 *launch)
{
  guint n_calls;
  return move_on (walk, span, launch, &n_calls);
}

gboolean
loom_launch_walk_next_arrows (LoomLaunchWalk *walk, guint32 *span, guint *n_calls)
{
  guint32 launch;
  return move_on (walk, span, &launch, n_calls);
}
