/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through the spans of a trace with a stack of the spans that are open at the current position. When a span is
 * closed, its times are added to the sums of its operator, and to the span that contains it.
 */
#include "loom-operator-pass.h"

#include "loom-int64-hash.h"
#include "loom-span-walk.h"

#define CANCEL_EVERY 65536 /* number of spans between two checks of the cancellable */
#define NO_GROUP G_MAXUINT32

/* A span that is open at the current position in the trace. */
typedef struct {
  guint32 span;
  guint32 group; /* index of the span's operator in LoomOperatorPass.sums; NO_GROUP: the span is not counted */
  guint8 role;
  gint64 inside_ns;  /* the part of the span inside the range */
  gint64 covered_ns; /* the part of inside_ns that nested operators and nested calls of the runtime take */
  gint64 device_ns;  /* time of the kernels launched inside the span */
  /* `own_ns`: the part of device_ns that belongs to kernels launched by this span itself and not by a nested operator;
   * `n_own`: number of these kernels */
  gint64 own_ns;
  guint64 n_own;
} OpenSpan;

/* Current indices in the list of launches and in the list of shapes. Both lists are sorted by span, like the spans of a
 * row, so the indices only increase. */
typedef struct {
  guint launch, shape;
} Cursor;

typedef struct {
  LoomOperatorPass *pass;
  const LoomTrace *trace;
  const LoomSpans *spans;
  /* `local`: the range on the track's clock; `wide`: this range, extended to the launches of all kernels that run in
   * it */
  LoomRange local, wide;
  OpenSpan *open; /* [depth] the open spans, outermost first; as many elements as the lane has rows */
  guint n_open;
  GArray *cursors; /* [depth] Cursor of the row at this depth */
  /* [name id] 1 + index of an element of LoomOperatorPass.sums: the element for calls with this name and without a
   * shape; 0: there is no such element yet */
  guint32 *group_of_name;
  GHashTable *groups; /* name and shape → index in LoomOperatorPass.sums, plus 1 */
} Pass;

#define SUMS(pass, i) (&g_array_index ((pass)->pass->sums, LoomOperatorSums, i))

/* --- sums for each name and shape --------------------------------------------------------------------------------- */

static guint32
add_group (Pass *pass, guint32 name_id, guint32 shape)
{
  LoomOperatorSums sums = { .name_id = name_id, .shape = shape, .longest = G_MAXUINT32 };
  if (pass->pass->most_spans > 0)
    sums.spans = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (pass->pass->sums, sums);
  return pass->pass->sums->len;
}

static guint32
find_group (Pass *pass, guint32 name_id, guint32 shape)
{
  if (shape == 0) {
    if (pass->group_of_name[name_id] == 0)
      pass->group_of_name[name_id] = add_group (pass, name_id, 0);
    return pass->group_of_name[name_id] - 1;
  }
  guint64 key = (guint64) name_id << 32 | shape;
  guint32 group = GPOINTER_TO_UINT (g_hash_table_lookup (pass->groups, &key));
  if (group == 0) {
    group = add_group (pass, name_id, shape);
    g_hash_table_insert (pass->groups, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (group));
  }
  return group - 1;
}

static guint32
find_shape (Pass *pass, Cursor *cursor, guint32 span)
{
  const GArray *shapes = pass->pass->shapes;
  if (shapes == NULL)
    return 0;
  while (cursor->shape < shapes->len && g_array_index (shapes, LoomSpanShape, cursor->shape).span < span)
    cursor->shape++;
  gboolean found = cursor->shape < shapes->len && g_array_index (shapes, LoomSpanShape, cursor->shape).span == span;
  return found ? g_array_index (shapes, LoomSpanShape, cursor->shape).shape : 0;
}

/* --- opening and closing spans ------------------------------------------------------------------------------------ */

static void
add_launch (Pass *pass, Cursor *cursor, OpenSpan *span)
{
  const GArray *launches = pass->pass->launches->launches;
  while (cursor->launch < launches->len && g_array_index (launches, LoomKernelLaunch, cursor->launch).span < span->span)
    cursor->launch++;
  if (cursor->launch == launches->len)
    return;
  const LoomKernelLaunch *launch = &g_array_index (launches, LoomKernelLaunch, cursor->launch);
  if (launch->span != span->span)
    return;
  span->device_ns = span->own_ns = launch->device_ns;
  span->n_own = launch->n;
}

static gboolean
is_in_range (const Pass *pass, guint32 span)
{
  gint64 start_ns = pass->spans->start_ns[span], end_ns = loom_time_add (start_ns, pass->spans->dur_ns[span]);
  return start_ns < pass->local.end_ns && (end_ns > pass->local.begin_ns || start_ns == pass->local.begin_ns);
}

static void
open_span (Pass *pass, guint32 span, guint depth)
{
  Cursor *cursor = &g_array_index (pass->cursors, Cursor, depth);
  OpenSpan *opened = &pass->open[pass->n_open++];
  *opened = (OpenSpan) { .span = span,
                         .group = NO_GROUP,
                         .role = pass->pass->roles[pass->spans->name_id[span]],
                         .inside_ns = loom_span_walk_clip (pass->spans, span, pass->local) };
  add_launch (pass, cursor, opened);
  if (opened->role == LOOM_SPAN_ROLE_COUNTED) {
    opened->group = find_group (pass, pass->spans->name_id[span], find_shape (pass, cursor, span));
    SUMS (pass, opened->group)->open++;
  }
}

static void
count_call (Pass *pass, LoomOperatorSums *sums, guint32 span)
{
  const gint64 *dur_ns = pass->spans->dur_ns;
  sums->calls++;
  sums->whole_ns = loom_time_add (sums->whole_ns, dur_ns[span]);
  if (sums->longest == G_MAXUINT32 || dur_ns[span] > dur_ns[sums->longest] ||
      (dur_ns[span] == dur_ns[sums->longest] && span < sums->longest))
    sums->longest = span;
  if (sums->spans != NULL && sums->spans->len < pass->pass->most_spans)
    g_array_append_val (sums->spans, span);
}

static void
count_span (Pass *pass, const OpenSpan *closed)
{
  LoomOperatorSums *sums = SUMS (pass, closed->group);
  sums->host_self_ns = loom_time_add (sums->host_self_ns, MAX (0, closed->inside_ns - closed->covered_ns));
  sums->device_self_ns = loom_time_add (sums->device_self_ns, closed->own_ns);
  sums->n_kernels += closed->n_own;
  if (is_in_range (pass, closed->span))
    count_call (pass, sums, closed->span);
  /* If an enclosing call of the same operator is still open, the times of that call already include the times of this
   * one. So the times of this one are not added. */
  if (--sums->open > 0)
    return;
  sums->host_ns = loom_time_add (sums->host_ns, closed->inside_ns);
  sums->device_ns = loom_time_add (sums->device_ns, closed->device_ns);
}

static void
close_span (Pass *pass)
{
  OpenSpan closed = pass->open[--pass->n_open];
  if (closed.role == LOOM_SPAN_ROLE_COUNTED) {
    count_span (pass, &closed);
    closed.own_ns = 0;
    closed.n_own = 0;
  }
  if (closed.role != LOOM_SPAN_ROLE_NONE)
    closed.covered_ns = closed.inside_ns;
  if (pass->n_open == 0)
    return;
  OpenSpan *around = &pass->open[pass->n_open - 1];
  around->covered_ns = loom_time_add (around->covered_ns, closed.covered_ns);
  around->device_ns = loom_time_add (around->device_ns, closed.device_ns);
  around->own_ns = loom_time_add (around->own_ns, closed.own_ns);
  around->n_own += closed.n_own;
}

/* --- pass over a trace -------------------------------------------------------------------------------------------- */

/* Returns the index of the first element of `list` whose span is at least `span`; 0 if `list` is NULL. An element is a
 * struct of `size` bytes whose first member is a span (guint32). The list is sorted by this member. */
static guint
find_first (const GArray *list, gsize size, guint32 span)
{
  guint low = 0, high = list != NULL ? list->len : 0;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (*(const guint32 *) (gpointer) (list->data + middle * size) < span)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
set_cursors (Pass *pass, const LoomSpanWalk *walk)
{
  g_array_set_size (pass->cursors, walk->n_rows);
  for (guint d = 0; d < walk->n_rows; d++)
    g_array_index (pass->cursors, Cursor, d) =
      (Cursor) { find_first (pass->pass->launches->launches, sizeof (LoomKernelLaunch), walk->rows[d].next),
                 find_first (pass->pass->shapes, sizeof (LoomSpanShape), walk->rows[d].next) };
}

static gboolean
visit_lane (Pass *pass, LoomSpanWalk *walk, LoomSpanLane lane, GCancellable *cancellable)
{
  guint depth;
  guint64 n = 0;
  loom_span_walk_begin (walk, pass->trace, lane, pass->wide);
  set_cursors (pass, walk);
  pass->open = g_renew (OpenSpan, pass->open, MAX (walk->n_rows, 1));
  for (guint32 span; (span = loom_span_walk_next (walk, &depth)) != G_MAXUINT32;) {
    while (pass->n_open > depth)
      close_span (pass);
    open_span (pass, span, depth);
    if (++n % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      break;
  }
  while (pass->n_open > 0)
    close_span (pass);
  return !g_cancellable_is_cancelled (cancellable);
}

static gboolean
is_visited (const LoomOperatorPass *pass, const LoomTrack *track)
{
  gboolean is_of_host =
    track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) == 0;
  return is_of_host &&
         (pass->rank == NULL || (track->rank == pass->rank->rank && g_strcmp0 (track->node, pass->rank->node) == 0));
}

static gboolean
visit_tracks (Pass *pass, LoomSpanWalk *walk, GCancellable *cancellable)
{
  LoomOperatorPass *own = pass->pass;
  LoomRange wide = loom_kernel_launches_extend (own->launches, own->range);
  for (guint i = 0; i < loom_trace_get_n_tracks (pass->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (pass->trace, i);
    LoomSpanLane lane;
    if (!is_visited (own, track))
      continue;
    pass->local = loom_span_walk_get_local (own->timeline, own->trace, track, own->range);
    pass->wide = loom_span_walk_get_local (own->timeline, own->trace, track, wide);
    for (guint32 row = track->first_row; loom_span_walk_next_lane (pass->trace, track, &row, &lane);)
      if (!visit_lane (pass, walk, lane, cancellable))
        return FALSE;
  }
  return TRUE;
}

gboolean
loom_operator_pass_run (LoomOperatorPass *pass, GCancellable *cancellable)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (pass->timeline), pass->trace);
  LoomSpanWalk walk;
  Pass own = { .pass = pass, .trace = trace, .spans = loom_trace_get_spans (trace) };
  pass->sums = g_array_new (FALSE, FALSE, sizeof (LoomOperatorSums));
  own.cursors = g_array_new (FALSE, FALSE, sizeof (Cursor));
  own.group_of_name = g_new0 (guint32, (gsize) loom_trace_get_n_names (trace) + 1);
  own.groups = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  loom_span_walk_init (&walk);
  gboolean done = visit_tracks (&own, &walk, cancellable);
  loom_span_walk_clear (&walk);
  g_hash_table_unref (own.groups);
  g_free (own.group_of_name);
  g_array_unref (own.cursors);
  g_free (own.open);
  return done;
}

void
loom_operator_pass_clear (LoomOperatorPass *pass)
{
  for (guint i = 0; pass->sums != NULL && i < pass->sums->len; i++)
    g_clear_pointer (&g_array_index (pass->sums, LoomOperatorSums, i).spans, g_array_unref);
  g_clear_pointer (&pass->sums, g_array_unref);
}
