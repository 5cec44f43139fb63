/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-module-spans.h"

#include "loom-backward-links.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-operators.h"
#include "loom-span-walk.h"
#include "loom-time-bsearch.h"
#include "loom-work-kind.h"

#define NONE LOOM_MODULE_SPANS_NONE

/* A call on the host and the kernels and copies that it launched. `n`: their number. `device_ns`: their total time on
 * devices. `transfer_ns`: the part of this time in collectives and messages. */
typedef struct {
  guint32 span, n;
  gint64 device_ns, transfer_ns;
} Launch;

typedef struct {
  gint64 begin_ns;
  guint32 at;
} Begin;

typedef struct {
  LoomModuleSpans *out;
  LoomTimeline *timeline;
  LoomTrace *trace;
  guint number;
  LoomModuleLevel level;
  const LoomCountedSteps *steps;
  guint32 *rank_of_track; /* [track] index of the rank in `steps` */
  GArray *launches;       /* Launch: the calls that launch kernels or copies */
} Pass;

static gboolean
is_earlier_span (const LoomModuleSpan *a, const LoomModuleSpan *b)
{
  if (a->track != b->track)
    return a->track < b->track;
  if (a->begin_ns != b->begin_ns)
    return a->begin_ns < b->begin_ns;
  /* spans with equal times are nested: the outer span is in an earlier row and so has the lower index */
  return a->end_ns != b->end_ns ? a->end_ns > b->end_ns : a->span < b->span;
}

#define IS_EARLIER(a, b) is_earlier_span (a, b)
LOOM_DEFINE_SORT (sort_spans, LoomModuleSpan, IS_EARLIER)
#define IS_BEFORE(a, b) ((a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_launches, Launch, IS_BEFORE)
#define BEGINS_BEFORE(a, b) ((a)->begin_ns < (b)->begin_ns)
LOOM_DEFINE_SORT (sort_begins, Begin, BEGINS_BEFORE)

gboolean
loom_module_spans_is_node (const LoomName *name, LoomModuleLevel level)
{
  switch (level) {
  case LOOM_MODULE_LEVEL_MODULES:
    return loom_operators_is_module (name->text) || g_str_has_prefix (name->text, "Optimizer.step#");
  case LOOM_MODULE_LEVEL_PYTHON:
    return loom_work_kind_classify (name->text, name->category, FALSE) == LOOM_WORK_KIND_PYTHON;
  case LOOM_MODULE_LEVEL_OPERATORS:
  default: return loom_operators_is_operator (name);
  }
}

static gboolean
is_of_host (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) == 0;
}

/* --- calls that launch kernels ------------------------------------------------------------------------------------ */

/* Returns the number of the step in which a span of the host begins; LOOM_COUNTED_STEPS_NONE: it begins in no step, or
 * in a step that does not count. */
static guint32
find_step (const Pass *pass, guint32 track, guint32 span)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (pass->timeline, (LoomSpanId) { pass->number, span }, &start_ns, &end_ns);
  return loom_counted_steps_find (pass->steps, pass->rank_of_track[track], start_ns);
}

static void
add_kernel (Pass *pass, guint32 device_track, guint32 kernel, guint32 launch, const guint8 *works)
{
  const LoomSpans *spans = loom_trace_get_spans (pass->trace);
  gint64 dur_ns = spans->dur_ns[kernel];
  gboolean is_transfer = works[spans->name_id[kernel]] == LOOM_WORK_KIND_COMMUNICATION;
  Launch one = { launch, 1, dur_ns, is_transfer ? dur_ns : 0 };
  if (launch != G_MAXUINT32) {
    g_array_append_val (pass->launches, one);
  } else if (find_step (pass, device_track, kernel) != LOOM_COUNTED_STEPS_NONE) {
    pass->out->n_unlinked++;
    pass->out->unlinked_ns = loom_time_add (pass->out->unlinked_ns, dur_ns);
  }
}

static void
join_launches (GArray *launches)
{
  Launch *all = (Launch *) (gpointer) launches->data;
  guint n = 0;
  sort_launches (all, launches->len);
  for (guint i = 0; i < launches->len; i++) {
    if (n == 0 || all[n - 1].span != all[i].span) {
      all[n++] = all[i];
      continue;
    }
    all[n - 1].n++;
    all[n - 1].device_ns = loom_time_add (all[n - 1].device_ns, all[i].device_ns);
    all[n - 1].transfer_ns = loom_time_add (all[n - 1].transfer_ns, all[i].transfer_ns);
  }
  g_array_set_size (launches, n);
}

static void
find_launches (Pass *pass)
{
  LoomLaunchWalk walk;
  guint32 span, launch;
  loom_launch_walk_init (&walk, pass->trace);
  for (guint i = 0; i < loom_trace_get_n_tracks (pass->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (pass->trace, i);
    LoomRange all = loom_span_walk_get_local (pass->timeline, pass->number, track, LOOM_STEP_BREAKDOWN_ALL);
    loom_launch_walk_begin (&walk);
    loom_launch_walk_add_track (&walk, track, all);
    while (loom_launch_walk_next (&walk, &span, &launch))
      add_kernel (pass, i, span, launch, walk.works[loom_trace_track_is_device (track)]);
  }
  loom_launch_walk_clear (&walk);
  join_launches (pass->launches);
}

/* --- spans of modules, and how they are nested -------------------------------------------------------------------- */

static void
add_span (Pass *pass, guint32 track, guint32 span, gboolean is_node, gboolean is_backward)
{
  const LoomSpans *spans = loom_trace_get_spans (pass->trace);
  LoomModuleSpan one = { .begin_ns = spans->start_ns[span],
                         .end_ns = loom_time_add (spans->start_ns[span], spans->dur_ns[span]),
                         .span = span,
                         .track = track,
                         .parent = NONE,
                         .forward = NONE,
                         .step = find_step (pass, track, span),
                         .is_node = is_node,
                         .is_backward = is_backward };
  g_array_append_val (pass->out->spans, one);
}

static void
add_modules_of_track (Pass *pass, guint32 number, const guint8 *roles)
{
  const LoomTrack *track = loom_trace_get_track (pass->trace, number);
  const guint32 *name_ids = loom_trace_get_spans (pass->trace)->name_id;
  for (guint k = 0; is_of_host (track) && k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (pass->trace, track->first_row + k);
    for (guint32 i = row->first; i < row->first + row->n; i++)
      if (roles[name_ids[i]] != 0)
        add_span (pass, number, i, TRUE, FALSE);
  }
}

/* Adds the spans of Python functions or operators that enclose a launch. Other spans of these kinds are not needed,
 * because they have no time on devices. */
static void
add_around_launches (Pass *pass, const guint8 *roles, const guint8 *backward)
{
  const LoomSpans *spans = loom_trace_get_spans (pass->trace);
  g_autofree guint8 *known = g_new0 (guint8, spans->n / 8 + 1);
  for (guint i = 0; i < pass->launches->len; i++) {
    guint32 span = g_array_index (pass->launches, Launch, i).span, track, row;
    loom_trace_locate_span (pass->trace, span, &track, &row);
    for (; span != G_MAXUINT32 && (known[span / 8] & 1u << span % 8) == 0;
         span = loom_trace_get_parent (pass->trace, span)) {
      known[span / 8] |= (guint8) (1u << span % 8);
      if (roles[spans->name_id[span]] != 0)
        add_span (pass, track, span, TRUE, backward[spans->name_id[span]] != 0);
    }
  }
}

/* Sorts the spans, and sets the parent of each span and, in `first`, the first span of each track. */
static void
arrange (Pass *pass)
{
  LoomModuleSpan *all = (LoomModuleSpan *) (gpointer) pass->out->spans->data;
  guint32 n = pass->out->spans->len, *first = pass->out->first, track = 0;
  sort_spans (all, n);
  for (guint32 i = 0; i < n; i++) {
    for (; track <= all[i].track; track++)
      first[track] = i;
    all[i].parent = i > first[all[i].track] ? i - 1 : NONE;
    while (all[i].parent != NONE && all[all[i].parent].end_ns < all[i].end_ns)
      all[i].parent = all[all[i].parent].parent;
  }
  for (; track <= loom_trace_get_n_tracks (pass->trace); track++)
    first[track] = n;
}

static gint64
get_begin (gconstpointer spans, guint32 at)
{
  return ((const LoomModuleSpan *) spans)[at].begin_ns;
}

/* Returns the index of the innermost element of `spans` in which a span of the trace begins; NONE: there is no such
 * element. */
static guint32
find_around (const Pass *pass, guint32 span)
{
  const LoomModuleSpan *all = (const LoomModuleSpan *) (gpointer) pass->out->spans->data;
  const guint32 *first = pass->out->first;
  gint64 begin_ns = loom_trace_get_spans (pass->trace)->start_ns[span];
  guint32 track, row;
  loom_trace_locate_span (pass->trace, span, &track, &row);
  guint32 at = loom_time_bsearch_by (get_begin, all, first[track], first[track + 1], loom_time_add (begin_ns, 1));
  at = at > first[track] ? at - 1 : NONE;
  while (at != NONE && all[at].end_ns <= begin_ns)
    at = all[at].parent;
  return at;
}

/* --- operators of the backward pass ------------------------------------------------------------------------------- */

#define IS_LINK_BEFORE(a, b) ((a)->backward < (b)->backward)
LOOM_DEFINE_SORT (sort_links, LoomBackwardLink, IS_LINK_BEFORE)

static const LoomBackwardLink *
find_link (const GArray *links, guint32 backward)
{
  guint low = 0, high = links->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (links, LoomBackwardLink, middle).backward < backward)
      low = middle + 1;
    else
      high = middle;
  }
  const LoomBackwardLink *found = low < links->len ? &g_array_index (links, LoomBackwardLink, low) : NULL;
  return found != NULL && found->backward == backward ? found : NULL;
}

/* Adds the operators of the backward pass: those to which a link of `links` leads (LoomBackwardLink.backward), and
 * those whose names show that they belong to the backward pass. */
static void
add_backward (Pass *pass, const GArray *links, const guint8 *backward)
{
  const guint32 *name_ids = loom_trace_get_spans (pass->trace)->name_id;
  guint32 row_number;
  for (guint i = 0; i < links->len; i++) {
    guint32 span = g_array_index (links, LoomBackwardLink, i).backward, track;
    if (i > 0 && g_array_index (links, LoomBackwardLink, i - 1).backward == span)
      continue;
    loom_trace_locate_span (pass->trace, span, &track, &row_number);
    if (backward[name_ids[span]] == 0)
      add_span (pass, track, span, FALSE, TRUE);
  }
  for (guint t = 0; t < loom_trace_get_n_tracks (pass->trace); t++) {
    const LoomTrack *track = loom_trace_get_track (pass->trace, t);
    for (guint k = 0; is_of_host (track) && k < track->n_rows; k++) {
      const LoomRow *row = loom_trace_get_row (pass->trace, track->first_row + k);
      for (guint32 i = row->first; i < row->first + row->n; i++)
        if (backward[name_ids[i]] != 0)
          add_span (pass, t, i, FALSE, TRUE);
    }
  }
}

/* For each function of the backward pass (a span "evaluate_function"), finds the first operator inside it that is
 * linked to an operator of the forward pass, and copies `forward` from this operator to the function. Thus all kernels
 * of the function are counted for the right module, even those that the function launches outside of the operator,
 * such as the kernel that sums the gradient of a bias. */
static void
link_functions (LoomModuleSpans *spans)
{
  LoomModuleSpan *all = (LoomModuleSpan *) (gpointer) spans->spans->data;
  for (guint32 i = 0; i < spans->spans->len; i++) {
    if (!all[i].is_backward || all[i].forward == NONE)
      continue;
    for (guint32 k = all[i].parent; k != NONE && all[k].is_backward && all[k].forward == NONE; k = all[k].parent)
      all[k].forward = all[i].forward;
  }
}

static gboolean
link_backward (Pass *pass, const guint8 *backward, GCancellable *cancellable)
{
  g_autoptr (GArray) links =
    loom_backward_links_find (pass->timeline, pass->number, LOOM_STEP_BREAKDOWN_ALL, cancellable);
  if (links == NULL)
    return FALSE;
  sort_links ((LoomBackwardLink *) (gpointer) links->data, links->len);
  add_backward (pass, links, backward);
  arrange (pass);
  for (guint32 i = 0; i < pass->out->spans->len; i++) {
    LoomModuleSpan *span = &g_array_index (pass->out->spans, LoomModuleSpan, i);
    const LoomBackwardLink *link = span->is_backward ? find_link (links, span->span) : NULL;
    if (link != NULL)
      span->forward = find_around (pass, link->forward);
  }
  link_functions (pass->out);
  return TRUE;
}

/* --- spans of a whole trace --------------------------------------------------------------------------------------- */

static void
add_launches (Pass *pass)
{
  for (guint i = 0; i < pass->launches->len; i++) {
    const Launch *launch = &g_array_index (pass->launches, Launch, i);
    guint32 track, row, at = find_around (pass, launch->span);
    loom_trace_locate_span (pass->trace, launch->span, &track, &row);
    if (find_step (pass, track, launch->span) == LOOM_COUNTED_STEPS_NONE)
      continue;
    LoomModuleSpan *to = at != NONE ? &g_array_index (pass->out->spans, LoomModuleSpan, at) : &pass->out->outside;
    to->n_kernels += launch->n;
    to->device_ns = loom_time_add (to->device_ns, launch->device_ns);
    to->transfer_ns = loom_time_add (to->transfer_ns, launch->transfer_ns);
  }
}

static void
set_order (LoomModuleSpans *spans)
{
  guint32 n = spans->spans->len;
  g_autofree Begin *begins = g_new (Begin, MAX (n, 1));
  spans->order = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    begins[i] = (Begin) { g_array_index (spans->spans, LoomModuleSpan, i).begin_ns, i };
  sort_begins (begins, n);
  for (guint32 i = 0; i < n; i++)
    spans->order[i] = begins[i].at;
}

static gboolean
run_pass (Pass *pass, GCancellable *cancellable)
{
  guint n_names = loom_trace_get_n_names (pass->trace), n_tracks = loom_trace_get_n_tracks (pass->trace);
  g_autofree guint8 *roles = g_new0 (guint8, MAX (n_names, 1)), *backward = g_new0 (guint8, MAX (n_names, 1));
  gboolean has_nodes = FALSE;
  for (guint i = 0; i < n_names; i++) {
    const LoomName *name = loom_trace_get_name (pass->trace, i);
    roles[i] = loom_module_spans_is_node (name, pass->level);
    backward[i] = loom_backward_links_is_backward (name->text);
    has_nodes |= roles[i];
  }
  for (guint i = 0; i < n_tracks; i++)
    pass->rank_of_track[i] =
      loom_counted_steps_find_rank (pass->steps, pass->number, loom_trace_get_track (pass->trace, i));
  find_launches (pass);
  for (guint i = 0; pass->level == LOOM_MODULE_LEVEL_MODULES && i < n_tracks; i++)
    add_modules_of_track (pass, i, roles);
  if (pass->level != LOOM_MODULE_LEVEL_MODULES)
    add_around_launches (pass, roles, backward);
  arrange (pass);
  if (g_cancellable_is_cancelled (cancellable) ||
      (has_nodes && pass->level == LOOM_MODULE_LEVEL_MODULES && !link_backward (pass, backward, cancellable)))
    return FALSE;
  add_launches (pass);
  set_order (pass->out);
  return TRUE;
}

gboolean
loom_module_spans_init (LoomModuleSpans *spans, LoomTimeline *timeline, guint trace, LoomModuleLevel level,
                        const LoomCountedSteps *steps, GCancellable *cancellable)
{
  LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  g_autoptr (GArray) launches = g_array_new (FALSE, FALSE, sizeof (Launch));
  guint n_tracks = loom_trace_get_n_tracks (own);
  g_autofree guint32 *rank_of_track = g_new (guint32, MAX (n_tracks, 1));
  *spans = (LoomModuleSpans) { .spans = g_array_new (FALSE, FALSE, sizeof (LoomModuleSpan)),
                               .first = g_new0 (guint32, n_tracks + 1) };
  Pass pass = { spans, timeline, own, trace, level, steps, rank_of_track, launches };
  return run_pass (&pass, cancellable);
}

void
loom_module_spans_clear (LoomModuleSpans *spans)
{
  g_clear_pointer (&spans->spans, g_array_unref);
  g_clear_pointer (&spans->first, g_free);
  g_clear_pointer (&spans->order, g_free);
}
