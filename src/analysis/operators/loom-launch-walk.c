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
  g_clear_pointer (&walk->rows, g_array_unref);
}

/* Returns an index in walk->by_target: that of the first arrow that leads to the span or to a later span. O(log n). */
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

/* Returns the call that launched a kernel. `launch`: the call at which the arrow to the kernel starts. In files from
 * 2020 to 2022, this may be the wrong call, because times are rounded to whole microseconds: a call of 0 µs just before
 * the true launch may get the same start as the true launch. Then the short call appears to be inside the true launch,
 * and the arrow appears to start at the short call. If so, returns the call around `launch`. */
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

/* Returns the launch of a span, as loom_launch_walk_next() defines it. Sets `n_calls` to the number of different
 * runtime calls from which arrows lead to the span. `arrow`: index in walk->by_target at which the search for these
 * arrows begins; is set to the index after these arrows. */
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

guint32
loom_launch_walk_find (const LoomLaunchWalk *walk, guint32 span)
{
  guint32 arrow = find_arrow (walk, span);
  guint n_calls;
  return find_launch (walk, &arrow, span, &n_calls);
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
  walk->n_added = 0;
}

/* Returns TRUE if the next span of row `a` comes before that of row `b` in the order of the visit; see
 * LoomLaunchWalk.rows. */
static gboolean
is_before (const LoomLaunchWalk *walk, const LoomLaunchWalkRow *a, const LoomLaunchWalkRow *b)
{
  gint64 a_ns = walk->spans->start_ns[a->next], b_ns = walk->spans->start_ns[b->next];
  return a_ns != b_ns ? a_ns < b_ns : a->order < b->order;
}

/* Adds a row with at least one span to the heap. */
static void
push_row (LoomLaunchWalk *walk, LoomLaunchWalkRow row)
{
  guint at = walk->rows->len;
  row.order = walk->n_added++;
  g_array_append_val (walk->rows, row);
  LoomLaunchWalkRow *rows = (LoomLaunchWalkRow *) (gpointer) walk->rows->data;
  for (; at > 0 && is_before (walk, &row, &rows[(at - 1) / 2]); at = (at - 1) / 2)
    rows[at] = rows[(at - 1) / 2];
  rows[at] = row;
}

/* Restores the order of the heap after element 0 was changed. */
static void
sink_first (LoomLaunchWalk *walk)
{
  LoomLaunchWalkRow *rows = (LoomLaunchWalkRow *) (gpointer) walk->rows->data;
  guint at = 0, n = walk->rows->len;
  if (n < 2)
    return;
  const LoomLaunchWalkRow row = rows[0];
  for (guint child = 1; child < n; child = 2 * at + 1) {
    child += child + 1 < n && is_before (walk, &rows[child + 1], &rows[child]);
    if (!is_before (walk, &rows[child], &row))
      break;
    rows[at] = rows[child];
    at = child;
  }
  rows[at] = row;
}

static gboolean
has_work (const LoomLaunchWalk *walk, const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) == 0 &&
         (loom_trace_track_is_device (track) || walk->host_has_work);
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
    LoomLaunchWalkRow later = { .next = row->first + loom_trace_row_lower_bound (walk->trace, row, local.end_ns),
                                .end = row->first + row->n,
                                .works = walk->works[loom_trace_track_is_device (track)] };
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
  gboolean device = loom_trace_track_is_device (track);
  if (!has_work (walk, track))
    return;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (walk->trace, track->first_row + k);
    LoomLaunchWalkRow own = { .next = row->first + loom_trace_row_first_ending_after (walk->trace, row, local.begin_ns),
                              .end = row->first + loom_trace_row_lower_bound (walk->trace, row, local.end_ns),
                              .works = walk->works[device] };
    if (!skip_other (walk, &own))
      continue;
    own.arrow = find_arrow (walk, own.next);
    push_row (walk, own);
  }
}

static gboolean
move_on (LoomLaunchWalk *walk, guint32 *span, guint32 *launch, guint *n_calls)
{
  if (walk->rows->len == 0)
    return FALSE;
  LoomLaunchWalkRow *row = &g_array_index (walk->rows, LoomLaunchWalkRow, 0);
  *span = row->next++;
  *launch = find_launch (walk, &row->arrow, *span, n_calls);
  if (!skip_other (walk, row))
    g_array_remove_index_fast (walk->rows, 0);
  sink_first (walk);
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
