/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through the spans of a track, and visits a span before the spans inside it. Stores a State for each depth; a
 * span inherits the State of the span around it.
 */
#include "loom-work-calls.h"

#include "loom-span-walk.h"

#define CANCEL_EVERY 65536 /* number of spans between two checks of the cancellable */
#define NO_CALL G_MAXUINT32

/* Flags of a name: they determine how the visit of a span with this name changes the State. */
enum {
  NAME_HAS_WORK = 1 << 0, /* the work of calls of this name can be computed */
  NAME_LAUNCHES = 1 << 1, /* calls of this name launch kernels */
  NAME_BACKWARD = 1 << 2, /* operators inside a span with this name belong to the backward pass */
  NAME_FORWARD = 1 << 3,  /* operators inside a span with this name belong to the forward pass, or repeat it */
  /* there is a formula for the work of calls of this name, but their inputs were not read (LoomWorkCallPass.unread) */
  NAME_UNREAD = 1 << 4,
};

typedef struct {
  guint32 call; /* index in Walk.calls of the innermost call that is this span or encloses it; NO_CALL: there is none */
  gboolean is_backward, is_recomputed;
} State;

typedef struct {
  LoomWorkCallPass *pass;
  const LoomTrace *trace;
  const LoomSpans *spans;
  LoomRange local; /* the range on the clock of the track */
  guint8 *names;   /* [name id] flags of the name: NAME_… */
  GArray *states;  /* [depth] State of the span that is open at this depth */
  GArray *calls;   /* LoomWorkCall: the calls found so far */
} Walk;

/* --- roles of the names of spans ---------------------------------------------------------------------------------- */

static void
set_names (Walk *walk)
{
  const GArray *launches = walk->pass->launches->launches, *works = walk->pass->works;
  for (guint i = 0; i < launches->len; i++)
    walk->names[walk->spans->name_id[g_array_index (launches, LoomKernelLaunch, i).span]] |= NAME_LAUNCHES;
  for (guint i = 0; i < works->len; i++)
    walk->names[walk->spans->name_id[g_array_index (works, LoomSpanShape, i).span]] |= NAME_HAS_WORK;
  for (guint i = 0; i < loom_trace_get_n_names (walk->trace); i++) {
    if (walk->pass->unread != NULL && walk->pass->unread[i])
      walk->names[i] |= NAME_UNREAD;
    const char *text = loom_trace_get_name (walk->trace, i)->text;
    if (g_str_has_prefix (text, "autograd::engine::evaluate_function"))
      walk->names[i] |= NAME_BACKWARD;
    if (g_str_has_prefix (text, "nn.Module: ") || g_str_has_prefix (text, "CheckpointFunctionBackward"))
      walk->names[i] |= NAME_FORWARD;
  }
}

/* Returns the index of the element of `list` that belongs to a span; `list->len` if there is none. Elements are structs
 * of `size` bytes whose first member is the span (guint32). The list is sorted by this member. */
static guint
find (const GArray *list, gsize size, guint32 span)
{
  guint low = 0, high = list->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    guint32 own = *(const guint32 *) (gpointer) (list->data + middle * size);
    if (own == span)
      return middle;
    if (own < span)
      low = middle + 1;
    else
      high = middle;
  }
  return list->len;
}

/* --- visiting the calls of a trace -------------------------------------------------------------------------------- */

#define UNREAD_WORK 0 /* LoomWorkCall.work of a call whose inputs were not read; no id of a work is 0 */

/* Begins a call if its work is known, or if its inputs were not read (`is_unread`). Otherwise does nothing. */
static void
begin_call (Walk *walk, State *state, guint32 span, gboolean is_unread)
{
  const GArray *works = walk->pass->works;
  guint i = find (works, sizeof (LoomSpanShape), span);
  if (i == works->len && !is_unread)
    return;
  LoomWorkCall call = { .span = span,
                        .work = i < works->len ? g_array_index (works, LoomSpanShape, i).shape : UNREAD_WORK,
                        .is_recomputed = state->is_recomputed,
                        .format = LOOM_FLOAT_TYPE_NONE };
  state->call = walk->calls->len;
  g_array_append_val (walk->calls, call);
}

static void
add_launch (Walk *walk, guint32 call, guint32 span)
{
  const GArray *launches = walk->pass->launches->launches;
  guint i = find (launches, sizeof (LoomKernelLaunch), span);
  if (i == launches->len)
    return;
  const LoomKernelLaunch *launch = &g_array_index (launches, LoomKernelLaunch, i);
  LoomWorkCall *own = &g_array_index (walk->calls, LoomWorkCall, call);
  own->n_kernels += launch->n;
  own->format = MIN (own->format, launch->format); /* formats are sorted by length, so MIN() returns the shorter one */
  own->kernel_ns = loom_time_add (own->kernel_ns, launch->device_ns);
  own->compute_ns = loom_time_add (own->compute_ns, launch->compute_ns);
}

/* Returns TRUE if a span with this State may begin a call; FALSE if it is inside a call whose work is known. */
static gboolean
may_contain_call (const Walk *walk, const State *state)
{
  return state->call == NO_CALL || g_array_index (walk->calls, LoomWorkCall, state->call).work == UNREAD_WORK;
}

static void
visit (Walk *walk, guint32 span, guint depth)
{
  guint8 name = walk->names[walk->spans->name_id[span]];
  State state = depth > 0 ? g_array_index (walk->states, State, depth - 1) : (State) { .call = NO_CALL };
  if ((name & NAME_BACKWARD) != 0)
    state.is_backward = TRUE, state.is_recomputed = FALSE;
  if ((name & NAME_FORWARD) != 0)
    state.is_recomputed = state.is_backward;
  if ((name & (NAME_HAS_WORK | NAME_UNREAD)) != 0 && may_contain_call (walk, &state))
    begin_call (walk, &state, span, (name & NAME_UNREAD) != 0);
  if ((name & NAME_LAUNCHES) != 0 && state.call != NO_CALL)
    add_launch (walk, state.call, span);
  if (walk->states->len <= depth)
    g_array_set_size (walk->states, depth + 1);
  g_array_index (walk->states, State, depth) = state;
}

/* Removes calls from walk->calls, from index `first` on: the calls that launched no kernels, those that begin outside
 * of the range, and those whose inputs were not read. Adds to `unread_ns` the compute time of calls that launched
 * kernels and begin in the range, but whose inputs were not read. */
static void
keep_calls (Walk *walk, guint first)
{
  guint n = first;
  for (guint i = first; i < walk->calls->len; i++) {
    LoomWorkCall *call = &g_array_index (walk->calls, LoomWorkCall, i);
    gint64 start_ns = walk->spans->start_ns[call->span];
    if (call->n_kernels == 0 || start_ns < walk->local.begin_ns || start_ns >= walk->local.end_ns)
      continue;
    if (call->work == UNREAD_WORK)
      walk->pass->unread_ns = loom_time_add (walk->pass->unread_ns, call->compute_ns);
    else
      g_array_index (walk->calls, LoomWorkCall, n++) = *call;
  }
  g_array_set_size (walk->calls, n);
}

static gboolean
visit_lane (Walk *walk, LoomSpanWalk *spans, LoomSpanLane lane, GCancellable *cancellable)
{
  guint depth;
  guint64 n = 0;
  guint first = walk->calls->len;
  loom_span_walk_begin (spans, walk->trace, lane, walk->local);
  for (guint32 span; (span = loom_span_walk_next (spans, &depth)) != G_MAXUINT32;) {
    visit (walk, span, depth);
    if (++n % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  keep_calls (walk, first);
  return !g_cancellable_is_cancelled (cancellable);
}

static gboolean
visit_tracks (Walk *walk, LoomSpanWalk *spans, GCancellable *cancellable)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (walk->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (walk->trace, i);
    LoomSpanLane lane;
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) != 0)
      continue;
    walk->local = loom_span_walk_get_local (walk->pass->timeline, walk->pass->trace, track, walk->pass->range);
    for (guint32 row = track->first_row; loom_span_walk_next_lane (walk->trace, track, &row, &lane);)
      if (!visit_lane (walk, spans, lane, cancellable))
        return FALSE;
  }
  return TRUE;
}

GArray *
loom_work_calls_find (LoomWorkCallPass *pass, GCancellable *cancellable)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (pass->timeline), pass->trace);
  g_autofree guint8 *names = g_new0 (guint8, (gsize) loom_trace_get_n_names (trace) + 1);
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (LoomWorkCall));
  g_autoptr (GArray) states = g_array_new (FALSE, TRUE, sizeof (State));
  Walk walk = { .pass = pass,
                .trace = trace,
                .spans = loom_trace_get_spans (trace),
                .names = names,
                .states = states,
                .calls = calls };
  LoomSpanWalk spans;
  set_names (&walk);
  loom_span_walk_init (&spans);
  gboolean done = visit_tracks (&walk, &spans, cancellable);
  loom_span_walk_clear (&spans);
  return done ? g_steal_pointer (&calls) : NULL;
}
